"""Judge of ``touch``: pieces are lifted and put back, each an answer."""

from __future__ import annotations

from collections.abc import Sequence

from boardfw.learning.judge.base import Answer, Captured, Marks, Right, Solved, Wrong
from boardfw.learning.judge.misplaced import MisplacedPieces
from boardfw.learning.judge.not_asked import why_not_asked
from boardfw.learning.judge.surface import Surface
from boardfw.learning.judge.times import RIPE_US, first_after
from boardfw.learning.task import Touch
from boardfw.rules import Move, Position
from boardfw.rules.board import Placement
from boardfw.rules.move import Step
from boardfw.squares import Bitboard, Square, only_in


class TouchJudge:
    """``none``: the king to touch for "no piece" or "no more pieces"."""

    def __init__(self, task: Touch, position: Position, none: Square, t_us: int) -> None:
        self._task = task
        self._asked = task.squares
        self._position = position
        self._occupied = position.occupied
        self.surface = Surface(position.occupied, t_us)
        self._misplaced = MisplacedPieces(position.placement, self.surface)
        self._none = none
        self._found = 0

    @property
    def is_misplaced(self) -> bool:
        """Whether a piece was left on a square that is not its own."""
        return self._misplaced.is_misplaced

    @property
    def goes_home(self) -> bool:
        """Only when a piece is misplaced."""
        return self.is_misplaced

    def feed(self, t_us: int, square: Square, *, closed: bool) -> None:
        """A switch has settled."""
        self.surface.feed(t_us, square, closed=closed)
        self._misplaced.feed(t_us, square, closed=closed)

    def follow(self, moves: Sequence[Move], *, is_exchanged: bool = False) -> None:
        """No game is played."""

    def judge(self, t_us: int) -> list[Answer]:
        """What counts by now."""
        news = self._misplaced.judge(t_us)
        if self.is_misplaced:
            return news
        if (step := self._capture()) is not None:
            if self.surface.rests_us(t_us) < RIPE_US:
                return news
            self._misplaced.take_back(step)
            return [*news, Captured(t_us)]
        touched = [s for s in self.surface.ripe(t_us) if self._occupied >> s & 1]
        return [answer for square in touched for answer in self._judge(t_us, square)]

    def _capture(self) -> Step | None:
        """The capture that the board shows: one piece is away since before another one, which it
        may take, was touched and stands again."""
        gone = self._occupied & ~self.surface.standing
        if gone.bit_count() != 1:
            return None
        origin = only_in(gone)
        touched = self.surface.touched_since(origin)
        takes = (one for one in self._position.legal_moves() if one.captured == one.target)
        steps = [(one.origin, one.target) for one in takes if one.origin == origin]
        return next((step for step in steps if touched >> step[1] & 1), None)

    def _judge(self, t_us: int, square: Square) -> list[Answer]:
        bit = 1 << square
        if not self._asked and square == self._none:
            return [Solved(t_us, square)]
        if not self._asked & bit:
            why = why_not_asked(self._position, self._task, square)
            return [Wrong(t_us, bit, why.reason, why.text)]
        if self._found & bit:
            return []
        self._found |= bit
        left = self._left.bit_count()
        return [Right(t_us, square, left) if left else Solved(t_us, square)]

    @property
    def _left(self) -> Bitboard:
        """Pieces still to be touched; those on dead switches are not waited for."""
        return self._asked & ~self._found & ~self.surface.dead

    def due_us(self, t_us: int) -> int | None:
        """When a touch counts, or a piece counts as misplaced."""
        taken_us = self.surface.changed_us + RIPE_US
        return first_after(t_us, self.surface.ripe_us, self._misplaced.due_us, taken_us)

    def answering(self) -> Bitboard:
        """Squares of pieces that may be lifted as an answer."""
        return self._asked | 1 << self._none

    def forget(self) -> None:
        """What has been touched until now is no answer."""
        self.surface.forget()

    def marks(self) -> Marks:
        """What has been found."""
        ripening = self.surface.ripening & self._occupied
        return Marks(found=self._found, ripening=ripening)

    def solution(self) -> Marks:
        """The pieces still to be touched."""
        return Marks(asked=self._left or 1 << self._none)

    def pieces(self) -> Placement:
        """Every piece belongs on its own square; one that leaves it for long is misplaced."""
        return self._misplaced.pieces()

    def home(self) -> Placement | None:
        """Every piece belongs on its own square."""
        return self._misplaced.home()
