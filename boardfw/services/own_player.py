"""Our own small player, for a machine without an engine: the lessons' partner, also weaker."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from boardfw.learning.sparring import PAWN_VALUE, reply, weighed
from boardfw.rules.material import material
from boardfw.services.levels import FLAWLESS, Candidate, Errors, Level, choice, errors_at
from boardfw.services.seat import Failure, Question, Thought


class Strength(NamedTuple):
    """One of its three strengths."""

    most_elo: int | None
    """The levels up to this Elo get it; None: all others."""
    errors: Errors


STRENGTHS = (
    Strength(500, errors_at(400)),
    Strength(900, errors_at(800)),
    Strength(None, FLAWLESS),
)

STRONGEST_ELO = 1000
"""What its last strength is taken for: that of level 4, and no level above is stronger."""


def strength_of(level: Level) -> Strength:
    """The strength that is nearest to a level."""
    elo = level.elo
    for strength in STRENGTHS:
        if strength.most_elo is None or (elo is not None and elo <= strength.most_elo):
            return strength
    return STRENGTHS[-1]


class OwnPlayer:
    """A ``Thinker`` of a few dozen positions a move, in a thread of its own.

    What was cancelled is thought to its end there, a fraction of a second, and thrown away.
    """

    def __init__(self, level: Level) -> None:
        self._errors = strength_of(level).errors
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="own player")

    async def think(self, question: Question) -> Thought | Failure:
        """As ``Thinker.think``."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, move_of, question, self._errors)

    async def close(self) -> None:
        """As ``Thinker.close``."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def move_of(question: Question, errors: Errors) -> Thought:
    """The move of a player with these errors."""
    position = question.position
    color = position.turn
    ahead = material(position.placement, color) - material(position.placement, 1 - color)
    best = reply(position)
    gains = weighed(position)
    others = [Candidate(move, gain) for move, gain in gains.items() if move is not best]
    first = Candidate(best, max(gains.values()))
    chosen = choice(position, (first, *others), errors, question.chance)
    return Thought(chosen.move, PAWN_VALUE * ahead + chosen.worth_cp)
