"""Judges of tasks that are answered by touching squares: ``touch``, ``find`` and ``reach``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from boardfw.learning.course import Exercise
from boardfw.learning.judge.base import (
    NO_MOVE_ASKED,
    ONE_LEFT,
    SEVERAL_LEFT,
    Answer,
    Heard,
    Judge,
    Look,
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
    TRIES,
    WRONG_US,
)
from boardfw.learning.lesson import Marks
from boardfw.learning.lone_piece import carried
from boardfw.learning.task import Find, Reach, Task, Touch
from boardfw.rules.move import Step
from boardfw.squares import ALL, Bitboard, Square, bitboard_of, only_in

T = TypeVar("T", bound=Task)


class Visits:
    """Pieces that are put down on squares.

    ``empty``: those that are empty and not wanted: a piece that rests there is wrong.
    """

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


class SquaresJudge(Judge[T]):
    """Of a task in which squares are touched."""

    def __init__(self, exercise: Exercise, task: T, standing: Bitboard, t_us: int) -> None:
        super().__init__(exercise, task, standing, t_us)
        self._visits = Visits(ALL & ~self.position.occupied)
        self._wrong: Square | None = None
        """The square on which a piece stands that has to go first."""
        self._found: Bitboard = 0
        self._news: list[Answer] = []

    def look(self, heard: Heard) -> Look:
        """How it looks, once what was touched is known."""
        news: list[Answer] = []
        if heard.judges:
            self._judge(heard.t_us)
            news, self._news = self._news, news
        return Look(news, self.marks(), self.stand())

    def _judge(self, t_us: int) -> None:
        """Note what counts by now."""
        raise NotImplementedError

    def marks(self) -> Marks:
        """What lights may show that does not help."""
        raise NotImplementedError

    def feed(self, t_us: int, square: Square, *, closed: bool) -> None:
        """A switch has settled."""
        super().feed(t_us, square, closed=closed)
        if square == self._wrong and not closed:
            self._wrong = None

    def _due_us(self, _t_us: int) -> Iterable[int | None]:
        return (self._visits.wrong_us,)

    def stand(self) -> Stand:
        """The placement when it began: a piece that is put down comes from anywhere."""
        return Stand(self.position.placement, is_misplaced=self._wrong is not None)


class HandlingJudge(SquaresJudge[T]):
    """Of a task in which no piece moves: one left elsewhere is told after a while, and led home."""

    def __init__(self, exercise: Exercise, task: T, standing: Bitboard, t_us: int) -> None:
        super().__init__(exercise, task, standing, t_us)
        self.stays = self.position.occupied
        self._roamer: Bitboard = 0
        """The square of the one piece that may be put down anywhere; 0: there is none."""
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

    def _leads_home(self, t_us: int) -> bool:
        """Whether pieces have to go home; told once, until they are there."""
        if self._is_led_home:
            self._is_led_home = bool(self._left_us or self._gone & ~self._roamer)
            if not self._is_led_home:
                self._strayed = None
                self.touches.forget()  # a piece that comes home is no answer
        elif (counts_us := self._misplaced_us) is not None and t_us >= counts_us:
            self._is_led_home = True
            self._news.append(Notice(t_us, SEVERAL_LEFT if len(self._left_us) > 1 else ONE_LEFT))
        return self._is_led_home

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

    def _due_us(self, t_us: int) -> Iterable[int | None]:
        return (*super()._due_us(t_us), self._misplaced_us)

    def stand(self) -> Stand:
        """The placement as far as it can be known, and whether it has to be restored."""
        home = self.position.placement
        if not self._is_led_home:
            return Stand(self._strayed or home, is_misplaced=self._wrong is not None)
        pieces = self._strayed or home
        if self._strayed is None and self._gone.bit_count() == 1 == len(self._left_us):
            pieces = carried(home, only_in(self._gone), next(iter(self._left_us)))
        return Stand(pieces, home, is_misplaced=True)


class TouchJudge(HandlingJudge[Touch]):
    """Pieces are lifted and put back, each an answer."""

    may_touch = True
    waits_us = (RIPE_US,)

    def _judge(self, t_us: int) -> None:
        if self._leads_home(t_us):
            return
        step = self._capture()
        if step is None:
            for square in self.touches.ripe(t_us):
                self._take(t_us, square)
        elif t_us - self.touches.changed_us >= RIPE_US:  # both pieces have to go home
            self._is_led_home, self._strayed = True, carried(self.position.placement, *step)
            self._news.append(Notice(t_us, NO_MOVE_ASKED))

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

    def _take(self, t_us: int, square: Square) -> None:
        bit = 1 << square & self.position.occupied
        if bit and not self.task.squares and square == self.none:
            self._news.append(Solved(t_us, square))
        elif bit & ~self.task.squares:
            why = why_not_asked(self.position, self.task, square)
            self._news.append(why.wrong(t_us, bit))
        elif bit & ~self._found:
            self._found |= bit
            left = self._left.bit_count()
            self._news.append(Right(t_us, square, left) if left else Solved(t_us, square))

    @property
    def _left(self) -> Bitboard:
        """Pieces still to be touched; those on dead switches are not waited for."""
        return self.task.squares & ~self._found & ~self.touches.dead

    def marks(self) -> Marks:
        """What has been found."""
        ripening = self.touches.ripening & self.position.occupied
        return Marks(found=self._found, ripening=ripening)

    def solution(self) -> Marks:
        """The pieces still to be touched."""
        return Marks(asked=self._left or 1 << self.none)


class FindJudge(SquaresJudge[Find]):
    """An empty square is named by putting a piece there, an occupied one by lifting its piece."""

    def __init__(self, exercise: Exercise, task: Find, standing: Bitboard, t_us: int) -> None:
        super().__init__(exercise, task, standing, t_us)
        self.stays = self.position.occupied
        self._named = 0
        """How many squares have been found, or passed over."""

    @property
    def _left(self) -> list[Square]:
        """What is still to be named; a dead switch is not asked for."""
        return [s for s in self.task.squares[self._named :] if not self.touches.dead >> s & 1]

    @property
    def _next(self) -> Square | None:
        return next(iter(self._left), None)

    def feed(self, t_us: int, square: Square, *, closed: bool) -> None:
        """A switch has settled."""
        super().feed(t_us, square, closed=closed)
        # While a wrong piece stands nothing is right, but what comes and goes is seen all the same.
        right = 0 if self._wrong is not None or self._next is None else 1 << self._next
        is_lifted = not closed and self.position.occupied & right == 1 << square
        if self._visits.feed(t_us, square, closed=closed, right=right) or is_lifted:
            self._find(t_us, square)

    def _find(self, t_us: int, square: Square) -> None:
        self._named = self.task.squares.index(square, self._named) + 1
        self._visits.leave(square)
        self.touches.forget()  # a piece lifted as an answer is not put back as another one
        left = len(self._left)
        self._news.append(Right(t_us, square, left) if left else Solved(t_us, square))

    def _judge(self, t_us: int) -> None:
        occupied = self.position.occupied
        asked = self._next if self._wrong is None else None
        if asked is not None and self.touches.standing & ~occupied & 1 << asked:
            self._find(t_us, asked)  # it came while a wrong piece was there
            asked = self._next
        if asked is None:
            return
        self._wrong = wrong = self._visits.wrong(t_us)
        # A piece to be lifted is named; another piece put back after a while is an answer.
        is_piece = occupied >> asked & 1
        lifted = [s for s in self.touches.ripe(t_us) if is_piece and occupied >> s & 1]
        if wrong is None:
            wrong = next(iter(lifted), None)
        if wrong is not None:
            self._news.append(Wrong(t_us, 1 << wrong, sentence=wrong_square(asked, wrong)))

    def marks(self) -> Marks:
        """What has been found."""
        found = bitboard_of(self.task.squares[: self._named])
        return Marks(found=found, surplus=0 if self._wrong is None else 1 << self._wrong)

    def solution(self) -> Marks:
        """The square that is named now."""
        return Marks(put=0 if self._next is None else 1 << self._next)


class ReachJudge(HandlingJudge[Reach]):
    """One piece is touched down wherever it may go, and brought home.

    Empty squares are visited. Enemy pieces are captured, or lifted and put back instead.
    """

    def __init__(self, exercise: Exercise, task: Reach, standing: Bitboard, t_us: int) -> None:
        super().__init__(exercise, task, standing, t_us)
        self._visits = Visits(ALL & ~(self.position.occupied | task.targets))
        self._roamer = 1 << task.origin
        self.stays &= ~self._roamer
        self._is_solved = False

    @property
    def _left(self) -> Bitboard:
        """What is still to be touched; squares of dead switches are not waited for."""
        return self.task.targets & ~self._found & ~self.touches.dead

    @property
    def _is_home(self) -> bool:
        """Whether the piece's own square is occupied, as far as can be known."""
        return bool(self.touches.standing >> self.task.origin & 1)

    @property
    def _is_surely_home(self) -> bool:
        """Then a piece anywhere else is another one."""
        return self._is_home and not self.touches.dead >> self.task.origin & 1

    def feed(self, t_us: int, square: Square, *, closed: bool) -> None:
        """A switch has settled."""
        super().feed(t_us, square, closed=closed)
        is_misplaced = self._wrong is not None or self._is_led_home
        if not is_misplaced and square == self.task.origin and not closed:
            self._visits.disown(t_us - TOUCHED_US)
        elif not closed and (is_misplaced or self._is_surely_home):
            self._visits.leave(square)
        elif not is_misplaced:
            right = self.task.targets & ~self._found
            if self._is_home:  # squares of enemy pieces are touched down on only by capturing
                right &= ~self.position.occupied
            if self._visits.feed(t_us, square, closed=closed, right=right):
                self._find(t_us, square)

    def _find(self, t_us: int, square: Square) -> None:
        self._found |= 1 << square
        self._news.append(Right(t_us, square, self._left.bit_count()))

    def _judge(self, t_us: int) -> None:
        if self._leads_home(t_us):
            self._wrong = None
            self._visits.disown(t_us)
            return
        for square in self.touches.ripe(t_us):
            self._take(t_us, square)
        if self._wrong is None and not self._is_surely_home:  # it may rest on a wrong square
            self._wrong = self._visits.wrong(t_us)
            if self._wrong is not None:
                self._refuse(t_us, self._wrong)
        if self._is_home and self.task.targets and not self._left and not self._is_solved:
            self._is_solved = True
            self._news.append(Solved(t_us, self.task.origin))

    def _take(self, t_us: int, square: Square) -> None:
        """The piece of an occupied square was lifted and put back."""
        if square == self.task.origin or not self.position.occupied >> square & 1:
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
        self._news.append(illegal(t_us, self.position, (self.task.origin, square)))

    def marks(self) -> Marks:
        """The piece, and the squares found."""
        asked = 1 << self.task.origin
        ripening = self.touches.ripening & self.position.occupied & ~asked
        is_over = self.task.targets and not self._left
        return Marks(asked=asked, found=0 if is_over else self._found, ripening=ripening)

    def solution(self) -> Marks:
        """The squares that are left, or that there is none."""
        if not self.task.targets:
            return Marks(asked=1 << self.none)
        return Marks(asked=1 << self.task.origin, put=self._left)
