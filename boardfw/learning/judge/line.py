"""Judge of ``line``: plies in order, those of the other side as the lights show them."""

from __future__ import annotations

from collections.abc import Iterable

from boardfw.learning.judge.base import Answer, Marks, Right, Solved, Wrong, YourTurn
from boardfw.learning.judge.plies import PlyJudge
from boardfw.learning.judge.verdict import Kings
from boardfw.learning.task import Line
from boardfw.rules import Move, Position
from boardfw.squares import Bitboard, Square, bitboard_of

NOT_SHOWN = "not_shown"
"""The word of a ply that is not the one which the lights show; it is no error of the learner's."""


class LineJudge(PlyJudge):
    """At the end a draw is claimed by both kings, or play goes on, where the task says so."""

    def __init__(self, task: Line, position: Position, t_us: int) -> None:
        super().__init__(position, t_us)
        self._task = task
        self._kings = Kings(position)
        """Those at the end, once that is reached."""

    @property
    def _is_at_end(self) -> bool:
        return len(self._counted) == len(self._task.plies)

    @property
    def _is_asked(self) -> bool:
        return self._is_at_end or self._task.you in (None, self._here.turn)

    @property
    def _is_own(self) -> bool:
        return self._is_asked

    def _count(self, move: Move) -> None:
        super()._count(move)
        self._kings = Kings(self._here)

    def _accepted(self) -> Iterable[Move]:
        if not self._is_at_end:
            return self._task.plies[len(self._counted)]
        return self._here.legal_moves() if self._task.claims is False else ()

    def _right(self, t_us: int, move: Move) -> list[Answer]:
        was_asked, was_at_end = self._is_asked, self._is_at_end
        self._count(move)
        if was_at_end or (self._is_at_end and self._task.claims is None):
            self._is_over = True
            return [Solved(t_us, move.target)]
        left = len(self._task.plies) - len(self._counted)
        if was_asked:
            return [Right(t_us, move.target, left)]
        return [YourTurn(t_us)] if self._is_asked else []

    def _wrong(self, t_us: int, move: Move) -> Wrong:
        if self._is_asked and not self._is_at_end:
            return self._wrong_for(t_us, move, [*self._accepted()])
        word = "claim" if self._is_at_end else NOT_SHOWN
        return Wrong(t_us, 1 << move.target, word=word)

    def _put_back(self, t_us: int, square: Square) -> list[Answer]:
        if not self._is_at_end or not 1 << square & self._kings.both:
            return super()._put_back(t_us, square)
        waiting = ~self.surface.standing | self.surface.ripening
        if self._kings.put_back(square, waiting) != self._kings.both:
            return []
        if not self._task.claims:
            return [Wrong(t_us, self._kings.both, word="no_claim")]
        self._is_over = True
        return [Solved(t_us, square)]

    def answering(self) -> Bitboard:
        """Squares of pieces that may be lifted as an answer."""
        kings = self._kings.both if self._task.claims is not None else 0
        return kings | bitboard_of(move.origin for ply in self._task.plies for move in ply)

    def marks(self) -> Marks:
        """The move that the lights show."""
        marks = super().marks()
        return marks if self._is_asked else self._with_move(marks)

    def _with_move(self, marks: Marks) -> Marks:
        move = next(iter(self._accepted()))
        return marks._replace(asked=1 << move.origin, put=1 << move.target)

    def solution(self) -> Marks:
        """The next move, or both kings."""
        if self._is_at_end and self._task.claims:
            return Marks(asked=self._kings.both)
        return super().solution()
