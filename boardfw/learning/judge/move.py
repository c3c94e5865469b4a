"""Judges of ``move``, ``all`` and ``may``: one ply from the position, right or not."""

from __future__ import annotations

from collections.abc import Iterable

from boardfw.learning.judge.base import Answer, Marks, Right, Solved, Wrong
from boardfw.learning.judge.consequence import cost
from boardfw.learning.judge.plies import PlyJudge
from boardfw.learning.task import All, May, OneMove
from boardfw.rules import Move, Piece, Position
from boardfw.squares import Bitboard, Square


class MoveJudge(PlyJudge):
    """One move of those accepted is played. A pawn that promotes is exchanged for its piece."""

    def __init__(self, task: OneMove, position: Position, t_us: int) -> None:
        super().__init__(position, t_us)
        self._task = task

    def _accepted(self) -> Iterable[Move]:
        return self._task.accepted

    def _right(self, t_us: int, move: Move) -> list[Answer]:
        self._is_over = not self._is_unfinished(move)
        return [Solved(t_us, move.target)] if self._is_over else []

    def _is_unfinished(self, move: Move) -> bool:
        """Whether a pawn has arrived, and its piece is still to be put in its place."""
        return bool(move.promotion) and not self._is_exchanged

    def _wrong(self, t_us: int, move: Move) -> Wrong:
        return self._wrong_for(t_us, move, self._task.accepted)

    def marks(self) -> Marks:
        """The piece that is to be put in the pawn's place."""
        marks, move = super().marks(), self._moves[0] if len(self._moves) == 1 else None
        if move is None or not self._accepts(move) or not self._is_unfinished(move):
            return marks
        return marks._replace(put=1 << move.target, piece=Piece(move.promotion, self._here.turn))


class AllJudge(PlyJudge):
    """Each of the moves is played, and taken back."""

    def __init__(self, task: All, position: Position, t_us: int) -> None:
        super().__init__(position, t_us)
        self._task = task
        self._found: set[Move] = set()

    def _accepted(self) -> Iterable[Move]:
        """Those that are still to come stand first; one played again is no error."""
        return sorted(self._task.accepted, key=lambda move: move in self._found)

    def _right(self, t_us: int, move: Move) -> list[Answer]:
        if self._is_guessed(move):
            return []  # perhaps it is held by a learner who thinks, and this one is not awaited
        is_new = move not in self._found
        self._found.add(move)
        left = self._left
        self._is_over = not left
        self._returns = bool(left)
        if not left:
            return [Solved(t_us, move.target)]
        return [Right(t_us, move.target, left)] if is_new else []

    def _wrong(self, t_us: int, move: Move) -> Wrong:
        return self._wrong_for(t_us, move, self._task.accepted)

    @property
    def _left(self) -> int:
        """How many are still to come; those that no switch would tell need not."""
        waiting = (move for move in self._task.accepted if move not in self._found)
        return sum(not move.touched & self.surface.dead for move in waiting)

    def marks(self) -> Marks:
        """How many are left."""
        return super().marks()._replace(left=self._left)


class MayJudge(PlyJudge):
    """The move is made if it is allowed, or wise; else ``none``, the other side's king, is lifted
    and put back. A piece that is only held while the learner thinks is no answer."""

    def __init__(self, task: May, position: Position, none: Square, t_us: int) -> None:
        super().__init__(position, t_us)
        self._task = task
        self._none = none

    def _accepted(self) -> Iterable[Move]:
        task = self._task
        return [m for m in self._here.legal_moves() if task.is_allowed and self._is_asked(m)]

    def _is_asked(self, move: Move) -> bool:
        return (move.origin, move.target) == (self._task.origin, self._task.target)

    def _right(self, t_us: int, move: Move) -> list[Answer]:
        self._is_over = True
        return [Solved(t_us, move.target)]

    def _put_back(self, t_us: int, square: Square) -> list[Answer]:
        if square != self._none:
            return super()._put_back(t_us, square)
        if self._task.is_allowed:
            return [Wrong(t_us, 1 << square, word="allowed")]
        self._is_over = True
        return [Solved(t_us, square)]

    def _wrong(self, t_us: int, move: Move) -> Wrong:
        if not self._is_asked(move):
            return Wrong(t_us, 1 << move.target, word="another_move")
        costs = cost(self._here, move)
        if costs is None:
            return Wrong(t_us, 1 << move.target, word="unwise")
        return Wrong(t_us, 1 << move.target, sentence=costs.text, reply=costs.reply)

    def answering(self) -> Bitboard:
        """Squares of the pieces that may be lifted as an answer, or to think with."""
        return 1 << self._task.origin | 1 << self._none

    def marks(self) -> Marks:
        """The piece that is asked about."""
        return super().marks()._replace(asked=1 << self._task.origin)

    def solution(self) -> Marks:
        """The move, or the king that says no."""
        if not self._task.is_allowed:
            return Marks(asked=1 << self._none)
        return Marks(asked=1 << self._task.origin, put=1 << self._task.target)
