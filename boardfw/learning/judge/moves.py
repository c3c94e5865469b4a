"""Judges of one ply, right or not: ``move``, ``all``, ``may`` and ``verdict``."""

from __future__ import annotations

from collections.abc import Iterable

from boardfw.learning.course import Exercise
from boardfw.learning.judge.base import Answer, Right, Solved, Wrong
from boardfw.learning.judge.consequence import cost
from boardfw.learning.judge.plies import PlyJudge, Stage
from boardfw.learning.judge.touches import Touches
from boardfw.learning.lesson import Marks
from boardfw.learning.task import All, May, OneMove, State, Verdict
from boardfw.rules import BLACK, WHITE, Move, Piece, Position
from boardfw.squares import Bitboard, Square


class MoveJudge(PlyJudge[OneMove]):
    """One move of those accepted is played. A pawn that promotes is exchanged for its piece."""

    names_mover = True

    def _accepted(self) -> Iterable[Move]:
        return self.task.accepted

    def _right(self, t_us: int, move: Move) -> list[Answer]:
        return [] if self._is_unfinished(move) else super()._right(t_us, move)

    def _is_unfinished(self, move: Move) -> bool:
        """Whether a pawn has arrived, and its piece is still to be put in its place."""
        return bool(move.promotion) and not self._is_exchanged

    def _marks(self, marks: Marks) -> Marks:
        """With the piece that is to be put in the pawn's place."""
        move = self._moves[0] if len(self._moves) == 1 else None
        if move is None or not self._accepts(move) or not self._is_unfinished(move):
            return marks
        return marks._replace(put=1 << move.target, piece=Piece(move.promotion, self._here.turn))


class AllJudge(PlyJudge[All]):
    """Each of the moves is played, and taken back."""

    names_mover = True

    def __init__(self, exercise: Exercise, task: All, standing: Bitboard, t_us: int) -> None:
        super().__init__(exercise, task, standing, t_us)
        self._found: set[Move] = set()

    def _accepted(self) -> Iterable[Move]:
        """Those that are still to come stand first; one played again is no error."""
        return sorted(self.task.accepted, key=lambda move: move in self._found)

    def _right(self, t_us: int, move: Move) -> list[Answer]:
        if self._is_guessed(move):
            return []  # perhaps it is held by a learner who thinks, and this one is not awaited
        is_new = move not in self._found
        self._found.add(move)
        if not self._left:
            return super()._right(t_us, move)
        self.stage = Stage.TAKING_BACK
        return [Right(t_us, move.target, self._left)] if is_new else []

    @property
    def _left(self) -> int:
        """How many are still to come; those that no switch would tell need not."""
        waiting = (move for move in self.task.accepted if move not in self._found)
        return sum(not move.touched & self.touches.dead for move in waiting)

    def _marks(self, marks: Marks) -> Marks:
        return marks._replace(left=self._left)


class MayJudge(PlyJudge[May]):
    """The move is made if it is allowed, or wise; else the other side's king is lifted
    and put back. A piece that is only held while the learner thinks is no answer."""

    def _accepted(self) -> Iterable[Move]:
        task = self.task
        return [m for m in self._here.legal_moves() if task.is_allowed and self._is_asked(m)]

    def _is_asked(self, move: Move) -> bool:
        return (move.origin, move.target) == (self.task.origin, self.task.target)

    def _put_back(self, t_us: int, square: Square) -> list[Answer]:
        if square != self.none:
            return super()._put_back(t_us, square)
        if self.task.is_allowed:
            return [Wrong(t_us, 1 << square, text="Look again: that move is allowed.")]
        self.stage = Stage.OVER
        return [Solved(t_us, square)]

    def _wrong(self, t_us: int, move: Move) -> Wrong:
        if not self._is_asked(move):
            text = "That is another move than the one asked about."
            return Wrong(t_us, 1 << move.target, text=text)
        if costs := cost(self._here, move):
            return costs.wrong(t_us, 1 << move.target)
        text = "It may go there, but that loses more than it wins."
        return Wrong(t_us, 1 << move.target, text=text)

    def _marks(self, marks: Marks) -> Marks:
        return marks._replace(asked=1 << self.task.origin)

    def solution(self) -> Marks:
        """The move, or the king that says no."""
        if not self.task.is_allowed:
            return Marks(asked=1 << self.none)
        return Marks(asked=1 << self.task.origin, put=1 << self.task.target)


class Kings:
    """What is said by lifting kings and putting them back: one of them, or both.

    One king's answer waits for the other's while that one is in the air or ripens.
    """

    def __init__(self, position: Position) -> None:
        self.both: Bitboard = 1 << position.king(WHITE) | 1 << position.king(BLACK)
        self._put: Bitboard = 0

    def put_back(self, square: Square, touches: Touches) -> Bitboard:
        """A lifted piece is put back; the kings that answer now; 0: not yet, or no king."""
        self._put |= 1 << square & self.both
        waiting = ~touches.standing | touches.ripening
        if not self._put or waiting & self.both & ~self._put:
            return 0
        put, self._put = self._put, 0
        return put


LOOK_AGAIN = {
    State.MATE: "Look again: which piece attacks the king, and can anything answer the check?",
    State.DRAW: "Look again: is there a legal move, and can either side still win?",
    State.CLAIM: "Look again: a draw can be claimed here.",
    State.GOES_ON: "Look again: the game goes on.",
}
"""What is said where another verdict was given than this one, which is right."""


class VerdictJudge(PlyJudge[Verdict]):
    """The mated king is put back; both kings for a draw; any legal move if it goes on."""

    may_touch = True

    def __init__(self, exercise: Exercise, task: Verdict, standing: Bitboard, t_us: int) -> None:
        super().__init__(exercise, task, standing, t_us)
        self._kings = Kings(self.position)

    def _accepted(self) -> Iterable[Move]:
        return self._here.legal_moves() if self.task.state is State.GOES_ON else ()

    def _put_back(self, t_us: int, square: Square) -> list[Answer]:
        """Kings are never captured, so both of them may be away at once."""
        if not 1 << square & self._kings.both:
            return super()._put_back(t_us, square)
        answering = self._kings.put_back(square, self.touches)
        if not answering:
            return []
        if answering == self._wanted:
            self.stage = Stage.OVER
            return [Solved(t_us, square)]
        return [Wrong(t_us, answering, text=LOOK_AGAIN[self.task.state])]

    def _wrong(self, t_us: int, move: Move) -> Wrong:
        return Wrong(t_us, 1 << move.target, text=LOOK_AGAIN[self.task.state])

    @property
    def _wanted(self) -> Bitboard:
        """The kings that say what is true."""
        if self.task.state is State.MATE:
            return 1 << self._here.king(self._here.turn)
        return 0 if self.task.state is State.GOES_ON else self._kings.both

    def _marks(self, marks: Marks) -> Marks:
        return marks._replace(asked=self._kings.both)

    def solution(self) -> Marks:
        """The kings, or any move."""
        return Marks(asked=self._wanted) if self._wanted else super().solution()
