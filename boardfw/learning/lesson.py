"""What a lesson looks like from outside at one instant: what lights, screens and logs see."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from boardfw.game.view import View
from boardfw.learning.course import Exercise
from boardfw.rules import Move, Piece
from boardfw.rules.planner import Step
from boardfw.rules.reasons import Reason
from boardfw.squares import Bitboard, Square


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


NO_MARKS = Marks()


class Phase(Enum):
    """What goes on in a lesson."""

    SETUP = "setup"
    """The pieces are set up for the exercise."""
    ASKED = "asked"
    SOLVED = "solved"
    OVER = "over"
    """There is no exercise any more."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson at one instant. All squares are squares of the game, not of the wiring."""

    phase: Phase
    game: View
    """The board as any game sees it: the placement, and how pieces are set up."""
    exercise: Exercise | None = None
    marks: Marks = NO_MARKS
    plays_on: bool = False
    """Whether a game is played: while it is the learner's turn it looks like any game."""
    may_ask: bool = True
    """Whether lights may ask; False: words alone do, until the first error."""
    wrong: Bitboard = 0
    """Where a wrong answer was given just now."""
    reason: Reason | None = None
    """Why it is wrong; stays until the piece is home."""
    reply: Move | None = None
    """The move of the other side that shows why it is wrong; stays as long."""
    way_home: tuple[Step, ...] = ()
    """How the pieces get back to where the answer began."""
    missing: Bitboard = 0
    """Where pieces are missing that seem to have been forgotten."""
    area: Bitboard = 0
    """Where to look."""
    solution: Marks | None = None
    """The next answer, for a learner who has given up."""
    who_moves: Square | None = None
    """The king of the side to move, while the task is new."""
    wave: tuple[Square, int] | None = None
    """From where and how far the light of a right answer has come, in king's steps."""


class Kind(Enum):
    """What is told."""

    SETUP = "setup"
    ASK = "ask"
    RIGHT = "right"
    WRONG = "wrong"
    PUT = "put"
    """Which piece is waited for, and where it goes: true until it is there."""
    HINT = "hint"
    SHOWN = "shown"
    """The answer."""
    SOLVED = "solved"
    SKIPPED = "skipped"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Told:
    """One sentence, or a few, at an instant: for screen, log and speech."""

    t_us: int
    kind: Kind
    text: str
    exercise: Exercise | None = None
    beside: str | None = None
    """What of it is not the task; None: the task is not in it."""

    @property
    def news(self) -> str:
        """What is to be shown where the task is shown as well."""
        return self.text if self.beside is None else self.beside


def latest(told: Iterable[Told], most: int) -> list[str]:
    """The last things that were told beside the task, each once."""
    news = [one.news for one in told if one.news]
    return [text for at, text in enumerate(news) if text not in news[at + 1 :]][-most:]


@dataclass(frozen=True, slots=True)
class Result:
    """The result of an exercise. Times in microseconds of the session."""

    exercise: Exercise
    asked_us: int
    first_answer_us: int | None
    errors: int
    helps: int
    is_solved: bool
    """False: skipped."""
    over_us: int = 0
    """When it was."""
    moves: int = 0
    """How many it took, where moves are counted."""
    played: tuple[Move, ...] = ()
    """The plies on the board when it was over, those shown by lights among them."""
    tried: tuple[Move, ...] = ()
    """Legal moves that were answers, and wrong ones."""
    was_asked: bool = True
    """False: left out, since dead switches could not have told an answer."""
