"""Judge of ``verdict``: mate, draw, or does it go on?"""

from __future__ import annotations

from collections.abc import Iterable

from boardfw.learning.judge.base import Answer, Marks, Solved, Wrong
from boardfw.learning.judge.plies import PlyJudge
from boardfw.learning.task import State, Verdict
from boardfw.rules import BLACK, WHITE, Move, Position
from boardfw.squares import Bitboard, Square


class Kings:
    """What is said by lifting kings and putting them back: one of them, or both.

    One king's answer waits for the other's while that one is in the air or ripens.
    """

    def __init__(self, position: Position) -> None:
        self.both: Bitboard = 1 << position.king(WHITE) | 1 << position.king(BLACK)
        self._put: Bitboard = 0

    def put_back(self, square: Square, waiting: Bitboard) -> Bitboard:
        """A lifted piece is put back; the kings that answer now; 0: not yet, or no king.

        ``waiting``: squares whose piece is in the air, or ripens.
        """
        self._put |= 1 << square & self.both
        if not self._put or waiting & self.both & ~self._put:
            return 0
        put, self._put = self._put, 0
        return put


class VerdictJudge(PlyJudge):
    """The mated king is put back; both kings for a draw; any legal move if it goes on."""

    def __init__(self, task: Verdict, position: Position, t_us: int) -> None:
        super().__init__(position, t_us)
        self._state = task.state
        self._kings = Kings(position)

    def _accepted(self) -> Iterable[Move]:
        return self._here.legal_moves() if self._state is State.GOES_ON else ()

    def _right(self, t_us: int, move: Move) -> list[Answer]:
        self._is_over = True
        return [Solved(t_us, move.target)]

    def _put_back(self, t_us: int, square: Square) -> list[Answer]:
        """Kings are never captured, so both of them may be away at once."""
        waiting = ~self.surface.standing | self.surface.ripening
        if not 1 << square & self._kings.both:
            return super()._put_back(t_us, square)
        answering = self._kings.put_back(square, waiting)
        if not answering:
            return []
        if answering == self._wanted:
            self._is_over = True
            return [Solved(t_us, square)]
        return [Wrong(t_us, answering, word=self._state.value)]

    def _wrong(self, t_us: int, move: Move) -> Wrong:
        return Wrong(t_us, 1 << move.target, word=self._state.value)

    @property
    def _wanted(self) -> Bitboard:
        """The kings that say what is true."""
        if self._state is State.MATE:
            return 1 << self._here.king(self._here.turn)
        return 0 if self._state is State.GOES_ON else self._kings.both

    def answering(self) -> Bitboard:
        """Squares of pieces that may be lifted as an answer."""
        return self._kings.both

    def marks(self) -> Marks:
        """Both kings are asked about."""
        return super().marks()._replace(asked=self._kings.both)

    def solution(self) -> Marks:
        """The kings, or any move."""
        return Marks(asked=self._wanted) if self._wanted else super().solution()
