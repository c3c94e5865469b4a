"""Moves from our own table of openings, for the first moves of opponents that are no masters.

A move is in the book if the position that it leads to has a name. How much is known after it is how
many replies lead to a named position again: a move after which nothing is known is not played,
and of the others one is the likelier the more is known after it.
"""

from __future__ import annotations

import asyncio
from functools import lru_cache

from boardfw.notation.opening_names import name_of
from boardfw.rules import Move, Position
from boardfw.services.levels import Level
from boardfw.services.seat import Failure, Question, Thinker, Thought

KNOWING = range(2, 9)
"""Who has just learnt the rules knows none, and from expert on an engine knows better itself."""
PLIES_A_LEVEL = 2
"""A player of level 3 knows the first six plies."""
REMEMBERED = 256


def plies_of(level: Level) -> int:
    """How many plies of an opening a player of this level knows."""
    return PLIES_A_LEVEL * level.number if level.number in KNOWING else 0


@lru_cache(maxsize=REMEMBERED)
def book_moves(position: Position) -> tuple[tuple[Move, int], ...]:
    """The moves of the book, each with how many replies to it are in the book, too."""
    found = ((move, position.play(move)) for move in position.legal_moves())
    known = [(move, _named_replies(after)) for move, after in found if name_of(after)]
    return tuple((move, replies) for move, replies in known if replies)


def _named_replies(position: Position) -> int:
    return sum(name_of(position.play(reply)) is not None for reply in position.legal_moves())


class BookPlayer:
    """A ``Thinker`` that plays by the book as far as its level knows it, then as another one."""

    def __init__(self, thinker: Thinker, level: Level) -> None:
        self._thinker = thinker
        self._plies = plies_of(level)

    async def think(self, question: Question) -> Thought | Failure:
        """As ``Thinker.think``; a move of the book counts as even, since nobody has looked."""
        situation = question.situation
        if len(situation.moves) < self._plies and situation.start == Position.start():
            # Some hundred positions are looked up: that takes a small board a while.
            known = await asyncio.to_thread(book_moves, question.position)
            if known:
                moves, weights = zip(*known, strict=True)
                return Thought(question.chance.choices(moves, weights)[0], 0.0)
        return await self._thinker.think(question)

    async def close(self) -> None:
        """As ``Thinker.close``."""
        await self._thinker.close()
