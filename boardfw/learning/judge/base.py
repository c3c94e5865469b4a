"""What every judge is, and what it says: fed with touches and plies, asked at every instant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, NamedTuple, TypeAlias, TypeVar

from boardfw.learning.course import Exercise
from boardfw.learning.judge.touches import Touches
from boardfw.learning.lesson import Marks
from boardfw.learning.task import Task
from boardfw.ports import earliest
from boardfw.rules import Move, Position
from boardfw.rules.board import Placement, kept
from boardfw.rules.move import Step
from boardfw.rules.reasons import Reason, Why, in_words, not_like_that, why_not
from boardfw.squares import ALL, Bitboard, Square


@dataclass(frozen=True, slots=True)
class Right:
    """One of several answers was found; ``left`` are still to come.

    ``wanted``: the pieces that are asked for next, where that is a question of its own.
    """

    t_us: int
    square: Square
    left: int
    wanted: Bitboard = 0


@dataclass(frozen=True, slots=True)
class Wrong:
    """A wrong answer. ``squares``: where it was given.

    ``reason``: why a move is not legal, where that is what is wrong, and ``sentence`` says so.
    ``text``: what else is wrong, in sentences, or empty. ``move``: the move that it was, if legal.
    ``reply``: the other side's move that shows what is wrong.
    """

    t_us: int
    squares: Bitboard
    reason: Reason | None = None
    sentence: str = ""
    text: str = ""
    move: Move | None = None
    reply: Move | None = None


@dataclass(frozen=True, slots=True)
class Solved:
    """Everything was found. ``square``: the last answer; ``moves``: how many it took, where moves
    are counted."""

    t_us: int
    square: Square
    moves: int = 0


@dataclass(frozen=True, slots=True)
class YourTurn:
    """The other side's ply was made as shown: now the learner is asked. No answer yet."""

    t_us: int


@dataclass(frozen=True, slots=True)
class Notice:
    """No answer, no error: something comes first. ``text``: what."""

    t_us: int
    text: str


NO_PIECE_LEFT = (
    "No piece has left its square. If you did move a piece, its switch is broken: put it back, and "
    "skip this exercise."
)
"""Said of an extra piece: it came from the box, or the switch that it left is dead."""
NOT_SHOWN = "The lights show another move. Put that back, and play the one they show."
ONE_LEFT = "A piece stands on a wrong square. First it goes home: the lights lead it."
SEVERAL_LEFT = "Some pieces stand on wrong squares. First they go home: the lights lead them."
NO_MOVE_ASKED = (
    "No move is asked for. Only lift each piece that is asked for, and put it back on its square."
)
"""Said of a capture where pieces are only to be touched: they have to go home."""
UNSURE = "Is this a capture? Then lift the piece once more, and put it down there."
"""Asked of a piece that has been away for long: in a hand, or on the square of a piece that it
pushed off and whose switch has never opened."""

Answer: TypeAlias = Right | Wrong | Solved | YourTurn | Notice


class Because(NamedTuple):
    """Why an answer is wrong. ``text``: a part of a sentence. Of it lights can show the ``reason``,
    or the other side's ``reply``; None: nothing of it."""

    text: str
    reason: Reason | None = None
    reply: Move | None = None

    def wrong(self, t_us: int, squares: Bitboard) -> Wrong:
        """The wrong answer, given on these squares."""
        return Wrong(t_us, squares, self.reason, self.text, reply=self.reply)


def illegal(t_us: int, position: Position, step: Step, jumped: Square | None = None) -> Wrong:
    """An illegal move or path; where the piece may go there, only the square is wrong.

    ``jumped``: as of ``why_not``.
    """
    origin, target = step
    reason = why_not(position, origin, target, jumped)
    squares = 1 << target
    if reason is None:
        return Wrong(t_us, squares)
    if reason.why is Why.NOT_LIKE_THAT:  # where the piece may go is what most lessons ask
        return Wrong(t_us, squares, Reason(reason.why), not_like_that(position, origin))
    return Wrong(t_us, squares, reason, in_words(position, reason, origin))


class Plies(NamedTuple):
    """The game that a session has read since the exercise began."""

    moves: tuple[Move, ...]
    is_exchanged: bool = False
    """Whether the last of them promotes, and a piece was put in the pawn's place."""
    is_over: bool = False
    """Whether the session takes the game to have ended."""


class Heard(NamedTuple):
    """What is heard at an instant."""

    t_us: int
    touched: Sequence[tuple[Square, bool]] = ()
    """Switches that have settled, and whether they are closed."""
    plies: Plies | None = None
    """None where no game is played, or nothing is new of it."""
    judges: bool = True
    """Whether answers may count."""


class Stand(NamedTuple):
    """How the pieces stand, as far as answers have told."""

    pieces: Placement
    """Only true of occupied squares."""
    home: Placement | None = None
    """The placement to restore before anything else is judged; None: no piece has to go home."""
    is_misplaced: bool = False
    """Whether a wrong piece has to go first; nothing else is judged meanwhile."""


class Look(NamedTuple):
    """What a judge has to say of an instant."""

    answers: Sequence[Answer]
    """What counts by now, each told once."""
    marks: Marks
    """What lights may show that does not help."""
    stand: Stand
    is_lost: bool = False
    """Whether the session has lost the game: it is to be read again from the plies that count."""


T = TypeVar("T", bound=Task)


class Judge(Generic[T]):
    """Judges one exercise. Squares are squares of the game, times those of the session.

    At every instant it hears what was touched, and what was played where ``reads_plies``, and says
    how it looks. Whoever shows an exercise asks all judges the same, and none which judge it is.
    """

    reads_plies: ClassVar[bool] = False
    """Whether answers are plies, read from the board as those of a game."""
    sets_up: ClassVar[bool] = False
    """Whether setting up the pieces is the task: they need not stand when it begins."""
    plays_on: ClassVar[bool] = False
    """Whether a game is played, in which where a piece may go is no answer."""
    names_mover: ClassVar[bool] = False
    """Whether a move is asked for, so that the king of the side to move is shown at first."""
    may_touch: ClassVar[bool] = False
    """Whether a piece that is lifted and put back is an answer."""
    waits_us: ClassVar[tuple[int, ...]] = ()
    """How long the board has to rest before something counts, for everything that may count so."""

    def __init__(self, exercise: Exercise, task: T, _standing: Bitboard, t_us: int) -> None:
        """``task``: that of the exercise. ``_standing``: what stands as it begins."""
        self.exercise, self.task = exercise, task
        self.position = exercise.position
        self.touches = Touches(self.position.occupied, self.position.occupied, t_us)
        self.none = self.position.king(1 - exercise.you)
        """The king to touch for "no piece" or "no more pieces"."""
        self.stays: Bitboard = 0
        """Pieces that are missed when they are off the board for long."""
        self.counted: tuple[Move, ...] = ()
        """The plies that count."""
        self._strayed: Placement | None = None
        """The placement that a wrong answer has left; None: as it should be, or unknown."""

    def weigh(self, heard: Heard) -> Look:
        """How it looks now."""
        for square, closed in heard.touched:
            self.feed(heard.t_us, square, closed=closed)
        return self.look(heard)

    def look(self, heard: Heard) -> Look:
        """The same, once what was touched is known."""
        raise NotImplementedError

    def feed(self, t_us: int, square: Square, *, closed: bool) -> None:
        """A switch has settled."""
        self.touches.feed(t_us, square, closed=closed)
        if self._strayed is not None and not closed:  # what comes there next is another piece
            self._strayed = kept(self._strayed, ALL ^ 1 << square)

    def let_count(self) -> bool:
        """The learner says that what stands counts; whether that means anything here."""
        return False

    @property
    def taken_off(self) -> Bitboard:
        """Pieces off the board that may be the beginning of a capture, by a learner who thinks."""
        return 0

    def due_us(self, t_us: int) -> int | None:
        """When, after this instant, time alone may make an answer count; None: never."""
        touches = self.touches
        rested_us = (touches.changed_us + wait_us for wait_us in self.waits_us)
        return earliest(*rested_us, touches.ripe_us, *self._due_us(t_us), after_us=t_us)

    def _due_us(self, _t_us: int) -> Iterable[int | None]:
        """When else something may count."""
        return ()

    def forget(self) -> None:
        """What has been touched until now is no answer: it asked for help."""
        self.touches.forget()

    def stand(self) -> Stand:
        """How the pieces stand now."""
        raise NotImplementedError

    def solution(self) -> Marks:
        """What lights show to a learner who has given up: the next answer."""
        raise NotImplementedError
