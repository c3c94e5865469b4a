"""Judge of ``find``: a piece is put on named squares, one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from boardfw.learning.judge.base import Answer, Marks, Right, Solved, Wrong
from boardfw.learning.judge.not_asked import wrong_square
from boardfw.learning.judge.reach import Visits
from boardfw.learning.judge.surface import Surface
from boardfw.learning.judge.times import first_after
from boardfw.learning.task import Find
from boardfw.rules import Move, Position
from boardfw.rules.board import Placement
from boardfw.squares import ALL, Bitboard, Square, bitboard_of


class FindJudge:
    """An empty square is named by putting a piece there, an occupied one by lifting its piece."""

    def __init__(self, task: Find, position: Position, t_us: int) -> None:
        self._squares = task.squares
        self.surface = Surface(position.occupied, t_us)
        self._position = position
        self._occupied = position.occupied
        self._visits = Visits(ALL & ~position.occupied)
        self._found = 0
        self._news: list[Answer] = []
        self._wrong: Square | None = None

    @property
    def is_misplaced(self) -> bool:
        """Whether a piece stands on a wrong square."""
        return self._wrong is not None

    @property
    def _left(self) -> list[Square]:
        """What is still to be named; a dead switch is not asked for."""
        return [s for s in self._squares[self._found :] if not self.surface.dead >> s & 1]

    @property
    def _next(self) -> Square | None:
        return next(iter(self._left), None)

    @property
    def goes_home(self) -> bool:
        """Only after a wrong answer."""
        return self.is_misplaced

    def feed(self, t_us: int, square: Square, *, closed: bool) -> None:
        """A switch has settled."""
        self.surface.feed(t_us, square, closed=closed)
        if square == self._wrong and not closed:
            self._wrong = None
        # While a wrong piece stands nothing is right, but what comes and goes is seen all the same.
        right = 0 if self.is_misplaced or self._next is None else 1 << self._next
        is_lifted = not closed and self._occupied & right == 1 << square
        if self._visits.feed(t_us, square, closed=closed, right=right) or is_lifted:
            self._find(t_us, square)

    def _find(self, t_us: int, square: Square) -> None:
        self._found = self._squares.index(square, self._found) + 1
        self._visits.leave(square)
        self.surface.forget()  # a piece lifted as an answer is not put back as another one
        left = len(self._left)
        self._news.append(Right(t_us, square, left) if left else Solved(t_us, square))

    def follow(self, moves: Sequence[Move], *, is_exchanged: bool = False) -> None:
        """No game is played."""

    def judge(self, t_us: int) -> list[Answer]:
        """What counts by now."""
        if not self.is_misplaced and self._next is not None and self._stands_on(self._next):
            self._find(t_us, self._next)  # it came while a wrong piece was there
        news, self._news = self._news, []
        if self.is_misplaced or self._next is None:
            return news
        self._wrong = self._visits.wrong(t_us)
        # A piece to be lifted is named; another piece put back after a while is an answer.
        lifted = [square for square in self.surface.ripe(t_us) if self._is_named_wrong(square)]
        wrong = self._wrong if self._wrong is not None else next(iter(lifted), None)
        if wrong is None:
            return news
        return [*news, Wrong(t_us, 1 << wrong, sentence=wrong_square(self._next, wrong))]

    def _stands_on(self, square: Square) -> bool:
        """Whether a square that was empty is not."""
        return bool(self.surface.standing & ~self._occupied & 1 << square)

    def _is_named_wrong(self, square: Square) -> bool:
        is_asked = self._next is not None and self._occupied >> self._next & 1
        return bool(is_asked) and bool(self._occupied >> square & 1)

    def due_us(self, t_us: int) -> int | None:
        """When a touch, or a wrong square, counts."""
        return first_after(t_us, self._visits.wrong_us, self.surface.ripe_us)

    def answering(self) -> Bitboard:
        """Squares of pieces that may be lifted as an answer."""
        return bitboard_of(self._squares)

    def forget(self) -> None:
        """What has been touched until now is no answer."""
        self.surface.forget()

    def marks(self) -> Marks:
        """What has been found."""
        found = bitboard_of(self._squares[: self._found])
        surplus = 0 if self._wrong is None else 1 << self._wrong
        return Marks(found=found, left=len(self._left), surplus=surplus)

    def solution(self) -> Marks:
        """The square that is named now."""
        return Marks(put=0 if self._next is None else 1 << self._next)

    def pieces(self) -> Placement:
        """The placement when the exercise began."""
        return self._position.placement

    def home(self) -> Placement | None:
        """A piece that is put down may come from anywhere."""
        return None
