"""Judge of ``reach``: one piece is touched down wherever it may go, and brought home."""

from __future__ import annotations

from collections.abc import Sequence

from boardfw.learning.judge.base import Answer, Marks, Right, Solved, illegal
from boardfw.learning.judge.misplaced import MisplacedPieces
from boardfw.learning.judge.surface import Surface
from boardfw.learning.judge.times import TOUCHED_US, TRIES, WRONG_US, first_after
from boardfw.learning.task import Reach
from boardfw.rules import Move, Position
from boardfw.rules.board import Placement
from boardfw.squares import ALL, Bitboard, Square


class Visits:
    """``empty``: squares that are empty and not wanted: a piece that rests there is wrong."""

    def __init__(self, empty: Bitboard) -> None:
        self._empty = empty
        self._resting_us: dict[Square, int] = {}
        """Wrong squares on which a piece stands, and since when."""
        self._tries = 0

    def feed(self, t_us: int, square: Square, *, closed: bool, right: Bitboard) -> bool:
        """A switch has changed; whether one of the ``right`` squares was touched just now."""
        if not closed:
            since_us = self._resting_us.pop(square, t_us)
            self._tries += t_us - since_us >= TOUCHED_US
            return False
        if right >> square & 1:
            self._tries = 0
            return True
        if self._empty >> square & 1:
            self._resting_us[square] = t_us
        return False

    def leave(self, square: Square) -> None:
        """The piece that stood on a square was not a visitor."""
        self._resting_us.pop(square, None)

    def disown(self, before_us: int) -> None:
        """Nor were pieces that have stood on their squares since then, or for longer."""
        for square, since_us in [*self._resting_us.items()]:
            if since_us <= before_us:
                del self._resting_us[square]

    def wrong(self, t_us: int) -> Square | None:
        """A square that counts as a wrong answer by now; each is told once."""
        for square, since_us in self._resting_us.items():
            if t_us - since_us >= WRONG_US or self._tries >= TRIES:
                del self._resting_us[square]
                self._tries = 0
                return square
        return None

    @property
    def wrong_us(self) -> int | None:
        """When the next square counts."""
        return min((t_us + WRONG_US for t_us in self._resting_us.values()), default=None)


class ReachJudge:
    """Empty squares are visited. Enemy pieces are captured, or lifted and put back instead.

    ``none``: as for ``TouchJudge``.
    """

    def __init__(self, task: Reach, position: Position, none: Square, t_us: int) -> None:
        self._origin, self._targets = task.origin, task.targets
        self._position = position
        self._none = none
        self.surface = Surface(position.occupied, t_us)
        self._misplaced = MisplacedPieces(position.placement, self.surface, 1 << task.origin)
        self._visits = Visits(ALL & ~(position.occupied | task.targets))
        self._found = 0
        self._news: list[Answer] = []
        self._wrong: Square | None = None
        self._is_solved = False

    @property
    def is_misplaced(self) -> bool:
        """Whether the piece stands on a wrong square, or another one on a square not its own."""
        return self._wrong is not None or self._misplaced.is_misplaced

    @property
    def _left(self) -> Bitboard:
        """What is still to be touched; squares of dead switches are not waited for."""
        return self._targets & ~self._found & ~self.surface.dead

    @property
    def _open(self) -> Bitboard:
        """Squares that may be touched down on; those of enemy pieces only by capturing."""
        right = self._targets & ~self._found
        return right & ~self._position.occupied if self._is_home else right

    @property
    def _is_home(self) -> bool:
        """Whether the piece's own square is occupied, as far as can be known."""
        return bool(self.surface.standing >> self._origin & 1)

    @property
    def _is_surely_home(self) -> bool:
        """Then a piece anywhere else is another one."""
        return self._is_home and not self.surface.dead >> self._origin & 1

    @property
    def goes_home(self) -> bool:
        """All pieces but the one that moves, which may stay in the hand."""
        return self._misplaced.is_misplaced

    def feed(self, t_us: int, square: Square, *, closed: bool) -> None:
        """A switch has settled."""
        self.surface.feed(t_us, square, closed=closed)
        self._misplaced.feed(t_us, square, closed=closed)
        if square == self._wrong and not closed:
            self._wrong = None
        if self.is_misplaced:
            if not closed:
                self._visits.leave(square)
            return
        if square == self._origin and not closed:
            self._visits.disown(t_us - TOUCHED_US)
        elif self._is_surely_home and not closed:
            self._visits.leave(square)
        elif self._visits.feed(t_us, square, closed=closed, right=self._open):
            self._find(t_us, square)

    def _find(self, t_us: int, square: Square) -> None:
        self._found |= 1 << square
        self._news.append(Right(t_us, square, self._left.bit_count()))

    def follow(self, moves: Sequence[Move], *, is_exchanged: bool = False) -> None:
        """No game is played."""

    def judge(self, t_us: int) -> list[Answer]:
        """What counts by now."""
        self._news += self._misplaced.judge(t_us)
        if self._misplaced.is_misplaced:
            self._wrong = None
            self._visits.disown(t_us)
            news, self._news = self._news, []
            return news
        for square in self.surface.ripe(t_us):
            self._touched(t_us, square)
        if not (self.is_misplaced or self._is_surely_home):
            self._look_for_him(t_us)
        news, self._news = self._news, []
        if self._is_home and self._targets and not self._left and not self._is_solved:
            self._is_solved = True
            news.append(Solved(t_us, self._origin))
        return news

    def _look_for_him(self, t_us: int) -> None:
        """The piece is away, and may rest on a wrong square."""
        self._wrong = self._visits.wrong(t_us)
        if self._wrong is not None:
            self._refuse(t_us, self._wrong)

    def _touched(self, t_us: int, square: Square) -> None:
        """The piece of an occupied square was lifted and put back."""
        if square == self._origin or not self._position.occupied >> square & 1:
            return
        if self._left >> square & 1:
            self._find(t_us, square)
        elif square == self._none and not self._targets:
            self._is_solved = True
            self._news.append(Solved(t_us, square))
        elif not self._found >> square & 1:
            self._refuse(t_us, square)

    def _refuse(self, t_us: int, square: Square) -> None:
        # Where the piece may go, the only thing wrong is that squares are left.
        self._news.append(illegal(t_us, self._position, (self._origin, square)))

    def due_us(self, t_us: int) -> int | None:
        """When a touch, or a wrong square, counts, or a piece counts as misplaced."""
        misplaced_us = self._misplaced.due_us
        return first_after(t_us, self._visits.wrong_us, self.surface.ripe_us, misplaced_us)

    def answering(self) -> Bitboard:
        """Squares of pieces that may be lifted as an answer."""
        return self._targets | 1 << self._origin | 1 << self._none

    def forget(self) -> None:
        """What has been touched until now is no answer."""
        self.surface.forget()

    def marks(self) -> Marks:
        """The piece, and the squares found."""
        ripening = self.surface.ripening & self._position.occupied & ~(1 << self._origin)
        is_over = self._targets and not self._left
        asked = 1 << self._origin
        return Marks(asked=asked, found=0 if is_over else self._found, ripening=ripening)

    def solution(self) -> Marks:
        """The squares that are left, or that there is none."""
        if not self._targets:
            return Marks(asked=1 << self._none)
        return Marks(asked=1 << self._origin, put=self._left)

    def pieces(self) -> Placement:
        """The placement at the start, but for a misplaced piece."""
        return self._misplaced.pieces()

    def home(self) -> Placement | None:
        """The piece may stay in the hand; the others have to stand as they did."""
        return self._misplaced.home()
