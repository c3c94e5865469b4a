"""Judges of tasks that are answered by touching squares: ``touch``, ``find`` and ``reach``."""

from __future__ import annotations

from typing import TypeVar

from boardfw.learning.course import Exercise
from boardfw.learning.judge.base import (
    NO_MOVE_ASKED,
    ONE_LEFT,
    SEVERAL_LEFT,
    Answer,
    Judge,
    Notice,
    Right,
    Solved,
    Stand,
    Wrong,
    illegal,
)
from boardfw.learning.judge.not_asked import why_not_asked, wrong_square
from boardfw.learning.judge.touches import (
    MISPLACED_US,
    RIPE_US,
    TOUCHED_US,
    WRONG_US,
    Visits,
)
from boardfw.learning.lesson import Marks
from boardfw.learning.lone_piece import carried
from boardfw.learning.task import Find, Reach, Task, Touch
from boardfw.ports import earliest
from boardfw.rules.move import Step
from boardfw.squares import ALL, Bitboard, Square, bitboard_of, only_in

T = TypeVar("T", bound=Task)


class HandlingJudge(Judge[T]):
    """Of a task in which no piece moves: one left elsewhere is told after a while, and led home.

    ``roamer``: the square of the one piece that may be put down anywhere; 0: there is none.
    """

    def __init__(
        self, exercise: Exercise, task: T, standing: Bitboard, t_us: int, roamer: Bitboard = 0
    ) -> None:
        super().__init__(exercise, task, standing, t_us)
        self.stays = self.position.occupied & ~roamer
        self._roamer = roamer
        self._is_led_home = False
        """Whether it was told; all pieces but the roamer, which may be in the hand, go home."""
        self._left_us: dict[Square, int] = {}
        """Squares that should be empty and are not, and since when."""

    def feed(self, t_us: int, square: Square, *, closed: bool) -> None:
        """A switch has settled."""
        super().feed(t_us, square, closed=closed)
        if self.position.occupied >> square & 1:
            return
        if closed:
            self._left_us[square] = t_us
        elif t_us - self._left_us.pop(square, t_us) >= WRONG_US:
            # A piece that stood there was not held for all the time that its own square was empty.
            self.touches.forget_lifts(self._gone)

    @property
    def _gone(self) -> Bitboard:
        return self.position.occupied & ~self.touches.standing

    def _lead_home(self, t_us: int) -> list[Answer]:
        """That pieces have to go home; told once, until they are there."""
        if self._is_led_home:
            self._is_led_home = bool(self._left_us or self._gone & ~self._roamer)
            if not self._is_led_home:
                self._strayed = None
                self.touches.forget()  # a piece that comes home is no answer
            return []
        counts_us = self._misplaced_us
        if counts_us is None or t_us < counts_us:
            return []
        self._is_led_home = True
        return [Notice(t_us, SEVERAL_LEFT if len(self._left_us) > 1 else ONE_LEFT)]

    def _take_back(self, step: Step) -> None:
        """A piece has captured another one, and both have to go home."""
        self._is_led_home, self._strayed = True, carried(self.position.placement, *step)

    @property
    def _misplaced_us(self) -> int | None:
        """When it is told that a piece is misplaced: hands that are still at work may be adjusting
        pieces, several at once."""
        touches = self.touches  # a piece on a dead switch may be away or not
        roaming = (self._roamer & (~touches.standing | touches.dead)).bit_count()
        if self._is_led_home or len(self._left_us) <= roaming:
            return None
        newest_us = max(self._left_us.values())
        return max(newest_us + MISPLACED_US, touches.changed_us + WRONG_US)

    def stand(self) -> Stand:
        """The placement as far as it can be known, and whether it has to be restored."""
        home = self.position.placement
        if not self._is_led_home:
            return Stand(self._strayed or home)
        pieces = self._strayed or home
        if self._strayed is None and self._gone.bit_count() == 1 == len(self._left_us):
            pieces = carried(home, only_in(self._gone), next(iter(self._left_us)))
        return Stand(pieces, home, is_misplaced=True)


class TouchJudge(HandlingJudge[Touch]):
    """Pieces are lifted and put back, each an answer."""

    may_touch = True

    def __init__(self, exercise: Exercise, task: Touch, standing: Bitboard, t_us: int) -> None:
        super().__init__(exercise, task, standing, t_us)
        self._found = 0

    def judge(self, t_us: int) -> list[Answer]:
        """What counts by now."""
        news = self._lead_home(t_us)
        if self._is_led_home:
            return news
        if (step := self._capture()) is not None:
            if t_us - self.touches.changed_us < RIPE_US:
                return news
            self._take_back(step)
            return [*news, Notice(t_us, NO_MOVE_ASKED)]
        touched = [s for s in self.touches.ripe(t_us) if self.position.occupied >> s & 1]
        return [answer for square in touched for answer in self._judge(t_us, square)]

    def _capture(self) -> Step | None:
        """The capture that the board shows: one piece is away since before another one, which it
        may take, was touched and stands again."""
        if self._gone.bit_count() != 1:
            return None
        origin = only_in(self._gone)
        touched = self.touches.touched_since(origin)
        takes = (one for one in self.position.legal_moves() if one.captured == one.target)
        steps = [(one.origin, one.target) for one in takes if one.origin == origin]
        return next((step for step in steps if touched >> step[1] & 1), None)

    def _judge(self, t_us: int, square: Square) -> list[Answer]:
        bit = 1 << square
        if not self.task.squares and square == self.none:
            return [Solved(t_us, square)]
        if not self.task.squares & bit:
            why = why_not_asked(self.position, self.task, square)
            return [Wrong(t_us, bit, why.reason, why.text)]
        if self._found & bit:
            return []
        self._found |= bit
        left = self._left.bit_count()
        return [Right(t_us, square, left) if left else Solved(t_us, square)]

    @property
    def _left(self) -> Bitboard:
        """Pieces still to be touched; those on dead switches are not waited for."""
        return self.task.squares & ~self._found & ~self.touches.dead

    def due_us(self, t_us: int) -> int | None:
        """When a touch counts, or a piece counts as misplaced."""
        taken_us = self.touches.changed_us + RIPE_US
        return earliest(self.touches.ripe_us, self._misplaced_us, taken_us, after_us=t_us)

    def answering(self) -> Bitboard:
        """Squares of pieces that may be lifted as an answer."""
        return self.task.squares | 1 << self.none

    def marks(self) -> Marks:
        """What has been found."""
        ripening = self.touches.ripening & self.position.occupied
        return Marks(found=self._found, ripening=ripening)

    def solution(self) -> Marks:
        """The pieces still to be touched."""
        return Marks(asked=self._left or 1 << self.none)


class FindJudge(Judge[Find]):
    """An empty square is named by putting a piece there, an occupied one by lifting its piece."""

    def __init__(self, exercise: Exercise, task: Find, standing: Bitboard, t_us: int) -> None:
        super().__init__(exercise, task, standing, t_us)
        self.stays = self.position.occupied
        self._visits = Visits(ALL & ~self.position.occupied)
        self._found = 0
        self._news: list[Answer] = []
        self._wrong: Square | None = None
        """The square on which a piece stands that has to go first."""

    @property
    def _left(self) -> list[Square]:
        """What is still to be named; a dead switch is not asked for."""
        return [s for s in self.task.squares[self._found :] if not self.touches.dead >> s & 1]

    @property
    def _is_wrong(self) -> bool:
        return self._wrong is not None

    @property
    def _next(self) -> Square | None:
        return next(iter(self._left), None)

    def feed(self, t_us: int, square: Square, *, closed: bool) -> None:
        """A switch has settled."""
        super().feed(t_us, square, closed=closed)
        if square == self._wrong and not closed:
            self._wrong = None
        # While a wrong piece stands nothing is right, but what comes and goes is seen all the same.
        right = 0 if self._is_wrong or self._next is None else 1 << self._next
        is_lifted = not closed and self.position.occupied & right == 1 << square
        if self._visits.feed(t_us, square, closed=closed, right=right) or is_lifted:
            self._find(t_us, square)

    def _find(self, t_us: int, square: Square) -> None:
        self._found = self.task.squares.index(square, self._found) + 1
        self._visits.leave(square)
        self.touches.forget()  # a piece lifted as an answer is not put back as another one
        left = len(self._left)
        self._news.append(Right(t_us, square, left) if left else Solved(t_us, square))

    def judge(self, t_us: int) -> list[Answer]:
        """What counts by now."""
        if not self._is_wrong and self._next is not None and self._stands_on(self._next):
            self._find(t_us, self._next)  # it came while a wrong piece was there
        news, self._news = self._news, []
        if self._is_wrong or self._next is None:
            return news
        self._wrong = self._visits.wrong(t_us)
        # A piece to be lifted is named; another piece put back after a while is an answer.
        lifted = [square for square in self.touches.ripe(t_us) if self._is_named_wrong(square)]
        wrong = self._wrong if self._wrong is not None else next(iter(lifted), None)
        if wrong is None:
            return news
        return [*news, Wrong(t_us, 1 << wrong, sentence=wrong_square(self._next, wrong))]

    def _stands_on(self, square: Square) -> bool:
        """Whether a square that was empty is not."""
        return bool(self.touches.standing & ~self.position.occupied & 1 << square)

    def _is_named_wrong(self, square: Square) -> bool:
        is_asked = self._next is not None and self.position.occupied >> self._next & 1
        return bool(is_asked) and bool(self.position.occupied >> square & 1)

    def due_us(self, t_us: int) -> int | None:
        """When a touch, or a wrong square, counts."""
        return earliest(self._visits.wrong_us, self.touches.ripe_us, after_us=t_us)

    def answering(self) -> Bitboard:
        """Squares of pieces that may be lifted as an answer."""
        return bitboard_of(self.task.squares)

    def marks(self) -> Marks:
        """What has been found."""
        found = bitboard_of(self.task.squares[: self._found])
        surplus = 0 if self._wrong is None else 1 << self._wrong
        return Marks(found=found, surplus=surplus)

    def solution(self) -> Marks:
        """The square that is named now."""
        return Marks(put=0 if self._next is None else 1 << self._next)

    def stand(self) -> Stand:
        """The placement when the exercise began; a piece that is put down comes from anywhere."""
        return Stand(self.position.placement, is_misplaced=self._is_wrong)


class ReachJudge(HandlingJudge[Reach]):
    """One piece is touched down wherever it may go, and brought home.

    Empty squares are visited. Enemy pieces are captured, or lifted and put back instead.
    """

    def __init__(self, exercise: Exercise, task: Reach, standing: Bitboard, t_us: int) -> None:
        super().__init__(exercise, task, standing, t_us, roamer=1 << task.origin)
        self._origin = task.origin
        self._visits = Visits(ALL & ~(self.position.occupied | task.targets))
        self._found = 0
        self._news: list[Answer] = []
        self._wrong: Square | None = None
        """The square on which the piece stands and may not."""
        self._is_solved = False

    @property
    def _left(self) -> Bitboard:
        """What is still to be touched; squares of dead switches are not waited for."""
        return self.task.targets & ~self._found & ~self.touches.dead

    @property
    def _is_astray(self) -> bool:
        """Whether the piece stands on a wrong square, or another one on a square not its own."""
        return self._wrong is not None or self._is_led_home

    @property
    def _open(self) -> Bitboard:
        """Squares that may be touched down on; those of enemy pieces only by capturing."""
        right = self.task.targets & ~self._found
        return right & ~self.position.occupied if self._is_home else right

    @property
    def _is_home(self) -> bool:
        """Whether the piece's own square is occupied, as far as can be known."""
        return bool(self.touches.standing >> self._origin & 1)

    @property
    def _is_surely_home(self) -> bool:
        """Then a piece anywhere else is another one."""
        return self._is_home and not self.touches.dead >> self._origin & 1

    def feed(self, t_us: int, square: Square, *, closed: bool) -> None:
        """A switch has settled."""
        super().feed(t_us, square, closed=closed)
        if square == self._wrong and not closed:
            self._wrong = None
        if self._is_astray:
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

    def judge(self, t_us: int) -> list[Answer]:
        """What counts by now."""
        self._news += self._lead_home(t_us)
        if self._is_led_home:
            self._wrong = None
            self._visits.disown(t_us)
            news, self._news = self._news, []
            return news
        for square in self.touches.ripe(t_us):
            self._touched(t_us, square)
        if not (self._is_astray or self._is_surely_home):
            self._look_for_it(t_us)
        news, self._news = self._news, []
        if self._is_home and self.task.targets and not self._left and not self._is_solved:
            self._is_solved = True
            news.append(Solved(t_us, self._origin))
        return news

    def _look_for_it(self, t_us: int) -> None:
        """The piece is away, and may rest on a wrong square."""
        self._wrong = self._visits.wrong(t_us)
        if self._wrong is not None:
            self._refuse(t_us, self._wrong)

    def _touched(self, t_us: int, square: Square) -> None:
        """The piece of an occupied square was lifted and put back."""
        if square == self._origin or not self.position.occupied >> square & 1:
            return
        if self._left >> square & 1:
            self._find(t_us, square)
        elif square == self.none and not self.task.targets:
            self._is_solved = True
            self._news.append(Solved(t_us, square))
        elif not self._found >> square & 1:
            self._refuse(t_us, square)

    def _refuse(self, t_us: int, square: Square) -> None:
        # Where the piece may go, the only thing wrong is that squares are left.
        self._news.append(illegal(t_us, self.position, (self._origin, square)))

    def due_us(self, t_us: int) -> int | None:
        """When a touch, or a wrong square, counts, or a piece counts as misplaced."""
        return earliest(
            self._visits.wrong_us, self.touches.ripe_us, self._misplaced_us, after_us=t_us
        )

    def answering(self) -> Bitboard:
        """Squares of pieces that may be lifted as an answer."""
        return self.task.targets | 1 << self._origin | 1 << self.none

    def marks(self) -> Marks:
        """The piece, and the squares found."""
        ripening = self.touches.ripening & self.position.occupied & ~(1 << self._origin)
        is_over = self.task.targets and not self._left
        asked = 1 << self._origin
        return Marks(asked=asked, found=0 if is_over else self._found, ripening=ripening)

    def solution(self) -> Marks:
        """The squares that are left, or that there is none."""
        if not self.task.targets:
            return Marks(asked=1 << self.none)
        return Marks(asked=1 << self._origin, put=self._left)

    def stand(self) -> Stand:
        """As of any such task; the piece may leave a wrong square as it likes."""
        return super().stand()._replace(is_misplaced=self._is_astray)
