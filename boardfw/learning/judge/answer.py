"""What a judge says of an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from boardfw.rules import Move, Position
from boardfw.rules.move import Step
from boardfw.rules.reasons import Reason, Why, in_words, why_not
from boardfw.squares import Occupancy, Square


@dataclass(frozen=True, slots=True)
class Right:
    """One of several answers was found; ``left`` are still to come.

    ``wanted``: the men who are asked for next, where that is a question of its own.
    """

    t_us: int
    square: Square
    left: int
    wanted: Occupancy = 0


@dataclass(frozen=True, slots=True)
class Wrong:
    """An answer that is none. ``squares``: where it was given.

    ``reason``: why a move is not legal, where that is what is wrong, and ``sentence`` says so.
    ``word``: what else is wrong, as a key for words: empty, or such as ``stalemate``. ``move``: the
    move that it was, if legal. ``reply``: the other side's move that shows what is wrong.
    """

    t_us: int
    squares: Occupancy
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
    """The other side's ply was made as it was shown: now the learner is asked. No answer yet."""

    t_us: int


@dataclass(frozen=True, slots=True)
class Astray:
    """Men stand on squares that are not theirs, and have to go home first. No answer, no error."""

    t_us: int
    are_several: bool


@dataclass(frozen=True, slots=True)
class Captured:
    """A capture was made where nobody moves: pieces are only to be lifted and put back. No answer,
    no error; the pieces have to go home first."""

    t_us: int


@dataclass(frozen=True, slots=True)
class Unsure:
    """A man has been away for long: in a hand, or on the square of one whom he has pushed off and
    whose switch has never opened. No answer until he is touched again."""

    t_us: int


Answer: TypeAlias = Right | Wrong | Solved | YourTurn | Astray | Captured | Unsure


def illegal(t_us: int, position: Position, step: Step, jumped: Square | None = None) -> Wrong:
    """A way that no man may go; where he may, only the square says that it is wrong.

    ``jumped``: as of ``why_not``.
    """
    origin, target = step
    reason = why_not(position, origin, target, jumped)
    squares = 1 << target
    if reason is None:
        return Wrong(t_us, squares)
    sentence = in_words(position, reason, origin)
    if reason.why is Why.NOT_LIKE_THAT:  # where the man may go is what most lessons ask
        reason, sentence = Reason(reason.why), sentence.partition(";")[0]
    return Wrong(t_us, squares, reason, sentence)
