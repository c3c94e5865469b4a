"""Answers the coach: soon, and then better and better for as long as the piece is held.

Between two answers the processor rests, so that a board with a small one stays cool and quick.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from boardfw.errors import ServiceError
from boardfw.game.clock import SECOND_US
from boardfw.game.coach import Advice, CoachQuestion, MoveClass
from boardfw.rules import Move
from boardfw.services.analysis.analyst import Analyst, Weighed, find_analyst
from boardfw.services.analysis.judgement import Judgement
from boardfw.services.opponents import Wish
from boardfw.services.seat import Pace


class Round(NamedTuple):
    """How closely is looked: within these times, milliseconds, and so many nodes of each search."""

    best_ms: int
    """For the best move."""
    piece_ms: int
    """At the moves of the piece."""
    nodes: int


ROUNDS = (Round(80, 150, 30_000), Round(150, 300, 150_000), Round(200, 400, 600_000))
"""The first answer has to come within half a second, on a slow machine too, which gets no further
than the times; a quick one has looked at the nodes before. After the last the processor rests."""
SHARE = 0.25
"""Of the time a piece is held in which the engine may look: after a round it rests three times as
long as the round took."""


HASH_MB = 16
"""To clear more at the beginning of a game takes longer than an answer may take."""


def find_advisor() -> Analyst:
    """The usual engine, fit to answer soon. Raises ConfigError where there is none."""
    return find_analyst(wish=Wish(hash_mb=HASH_MB))


def class_of(loss: float) -> MoveClass:
    """The class of a move that costs so much of the winning chance, 0..1.

    What costs less than an inaccuracy is good, what costs a blunder is losing.
    """
    if loss < Judgement.INACCURACY.least:
        return MoveClass.GOOD
    return MoveClass.LOSING if loss >= Judgement.BLUNDER.least else MoveClass.DOUBTFUL


class Advisor:
    """One coach's engine; to be used in the thread of a running loop."""

    def __init__(
        self,
        analyst: Analyst,
        tell: Callable[[Advice], None],
        fail: Callable[[str], None],
        share: float = SHARE,
        pace: Pace | None = None,
    ) -> None:
        """``fail`` is told why no answer comes; ``share``: of the time, 0 to 1, as of ``SHARE``;
        ``pace``: the time, and how it is waited for."""
        self._analyst = analyst
        self._tell = tell
        self._fail = fail
        self._share = share
        self._pace = pace or Pace()
        self._task: asyncio.Task[None] | None = None

    def ask(self, question: CoachQuestion | None) -> None:
        """Answer this from now on; None: nothing."""
        if self._task is not None:
            self._task.cancel()
        self._task = None
        if question is not None:
            self._task = asyncio.get_running_loop().create_task(self._answer(question))

    async def _answer(self, question: CoachQuestion) -> None:
        position, square = question.position, question.square
        own = tuple(move for move in position.legal_moves() if move.origin == square)
        start, moves, quickly = question.start, question.moves, self._analyst.quickly
        try:
            for one in ROUNDS:
                began_us = self._pace.now_us()
                found = await quickly(start, moves, (one.best_ms, one.nodes))
                if not found:
                    return
                weighed: list[Weighed] = []
                if own:
                    weighed = await quickly(start, moves, (one.piece_ms, one.nodes), own)
                self._tell(advice(question, found[0], weighed))
                if one is not ROUNDS[-1]:
                    took_us = self._pace.now_us() - began_us
                    await self._pace.sleep(took_us / SECOND_US * (1 / self._share - 1))
        except ServiceError as error:
            self._fail(str(error))

    async def close(self) -> None:
        """Leave nothing behind."""
        self.ask(None)
        await self._analyst.close()


def advice(question: CoachQuestion, best: Weighed, own: list[Weighed]) -> Advice:
    """The answer that two searches give: of all moves, and of those of the piece."""
    top = max([best, *own], key=lambda one: one.chance)
    classes: dict[Move, MoveClass] = {one.line[0]: class_of(top.chance - one.chance) for one in own}
    return Advice(question, top.line[0], classes)
