"""What every judge is, and what it says: fed with edges and plies, asked at every instant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

from boardfw.learning.judge.surface import Surface
from boardfw.rules import Move, Piece, Position
from boardfw.rules.board import Placement
from boardfw.rules.move import Step
from boardfw.rules.reasons import Reason, Why, in_words, why_not
from boardfw.squares import Bitboard, Square


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
    ``word``: what else is wrong, as a key for words: empty, or such as ``stalemate``. ``move``: the
    move that it was, if legal. ``reply``: the other side's move that shows what is wrong.
    """

    t_us: int
    squares: Bitboard
    reason: Reason | None = None
    sentence: str = ""
    word: str = ""
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
class Misplaced:
    """Pieces stand on wrong squares, and have to go home first. No answer, no error."""

    t_us: int
    are_several: bool


@dataclass(frozen=True, slots=True)
class Captured:
    """A capture was made where no move is asked for: pieces are only to be lifted and put back.
    No answer, no error; the pieces have to go home first."""

    t_us: int


@dataclass(frozen=True, slots=True)
class Unsure:
    """A piece has been away for long: in a hand, or on the square of a piece that it pushed off and
    whose switch has never opened. No answer until the piece is touched again."""

    t_us: int


Answer: TypeAlias = Right | Wrong | Solved | YourTurn | Misplaced | Captured | Unsure


def illegal(t_us: int, position: Position, step: Step, jumped: Square | None = None) -> Wrong:
    """An illegal move or path; where the piece may go there, only the square is wrong.

    ``jumped``: as of ``why_not``.
    """
    origin, target = step
    reason = why_not(position, origin, target, jumped)
    squares = 1 << target
    if reason is None:
        return Wrong(t_us, squares)
    sentence = in_words(position, reason, origin)
    if reason.why is Why.NOT_LIKE_THAT:  # where the piece may go is what most lessons ask
        reason, sentence = Reason(reason.why), sentence.partition(";")[0]
    return Wrong(t_us, squares, reason, sentence)


class Marks(NamedTuple):
    """Squares by which lights can ask, answer or help."""

    asked: Bitboard = 0
    """Pieces that are asked about, or are to be moved."""
    put: Bitboard = 0
    """Where a piece is to be put."""
    stars: Bitboard = 0
    found: Bitboard = 0
    """Right answers so far."""
    ripening: Bitboard = 0
    """Answers that do not count yet."""
    surplus: Bitboard = 0
    """Pieces to be taken off."""
    piece: Piece | None = None
    """The piece to be put."""
    left: int = 0
    """So many answers are still to come, where lights may say so."""


class Judge(Protocol):
    """Judges one exercise. Squares are squares of the game, times those of the session."""

    surface: Surface
    """What stands, and which switches tell nothing."""

    @property
    def is_misplaced(self) -> bool:
        """Whether a wrong piece has to go home first; nothing else is judged meanwhile."""

    @property
    def goes_home(self) -> bool:
        """Whether pieces have to go back to where they stood, after any answer."""

    def feed(self, t_us: int, square: Square, *, closed: bool) -> None:
        """A switch has settled."""

    def follow(self, moves: Sequence[Move], *, is_exchanged: bool = False) -> None:
        """The game that has been played since the exercise began is this one.

        ``is_exchanged``: its last ply promotes, and a piece was put in the pawn's place.
        """

    def judge(self, t_us: int) -> list[Answer]:
        """What counts as an answer by now, each told once."""

    def due_us(self, t_us: int) -> int | None:
        """When, after this instant, time alone may make an answer count; None: never."""

    def answering(self) -> Bitboard:
        """Squares of pieces that may be lifted as an answer; no king there asks for help."""

    def forget(self) -> None:
        """What has been touched until now is no answer: it asked for help."""

    def marks(self) -> Marks:
        """What lights may show that does not help."""

    def solution(self) -> Marks:
        """What lights show to a learner who has given up: the next answer."""

    def pieces(self) -> Placement:
        """The placement as far as answers have told; only true of occupied squares."""

    def home(self) -> Placement | None:
        """The placement to restore after a wrong answer; None: the wrong piece just goes."""
