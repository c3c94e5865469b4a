"""What a board can ask: eleven types of tasks, each answered by lifts and drops alone.

A task holds its answer. Answers are computed by the rules (``queries.py``), never typed in; what
an author writes down beside them is compared by the validator. Squares are squares of the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias, get_args

from boardfw.rules import Color, Move
from boardfw.squares import Bitboard, Square


class State(Enum):
    """The state of a position; the answers of a ``Verdict``."""

    MATE = "mate"
    """Shown by the mated king."""
    DRAW = "draw"
    """Stalemate, or neither side can win; shown by both kings."""
    CLAIM = "claim"
    """A draw that can be claimed; shown by both kings."""
    GOES_ON = "goes_on"
    """Shown by any legal move."""


class Goal(Enum):
    """What is played for."""

    MATE = "mate"
    PROMOTE = "promote"
    """A pawn is promoted, and the new piece is not captured at once."""
    RACE = "race"
    """The same, before the other side does."""
    HOLD = "hold"
    """A draw, or so many plies without loss."""
    GAME = "game"
    """To the end, whatever it is."""


@dataclass(frozen=True, slots=True)
class Find:
    """Put any piece on each square, one after the other; on an occupied one, lift its piece."""

    squares: tuple[Square, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Put all pieces of the position on their squares, and prove which piece is which.

    ``guided``: the lights ask for one type after the other. ``proof``: sets of pieces to be
    touched afterwards, one set after the other.
    """

    guided: bool
    proof: tuple[Bitboard, ...] = ()


@dataclass(frozen=True, slots=True)
class Touch:
    """Lift each of these pieces and put it back; empty: the opponent's king instead.

    ``asks`` and ``about``: the word of the query that finds them, and its square if it is about
    one: they tell why another piece is wrong.
    """

    squares: Bitboard
    asks: str = ""
    about: Square | None = None


@dataclass(frozen=True, slots=True)
class Reach:
    """Touch every square to which this piece may go, and bring it home; empty: as in ``Touch``."""

    origin: Square
    targets: Bitboard


@dataclass(frozen=True, slots=True)
class Stars:
    """Let pieces other than kings visit all these squares; the opponent never moves.

    ``par``: the fewest moves that do it.
    """

    squares: Bitboard
    par: int


@dataclass(frozen=True, slots=True)
class OneMove:
    """Play a move of these."""

    accepted: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class All:
    """Play each of these moves, and take it back."""

    accepted: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class May:
    """Play this move if it is allowed (or wise), else lift the piece and put it back.

    ``origin`` and ``target`` as hands make it: castling is the king's two squares.
    """

    origin: Square
    target: Square
    is_allowed: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """Say what is true of the position."""

    state: State


@dataclass(frozen=True, slots=True)
class Line:
    """Play a line; at each ply any of its moves is right, and the line goes on from the first.

    ``you``: the colour whose plies are asked for; None: both, from the text. The others are shown
    by lights and made by the learner's hand. ``claims``: at the end a draw is to be claimed by both
    kings (True), or one that cannot be is offered as a trap (False), or there is nothing (None).
    """

    plies: tuple[tuple[Move, ...], ...]
    you: Color | None
    claims: bool | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """Play against the board for a goal; ``plies``: how many at most, both sides'."""

    goal: Goal
    you: Color
    plies: int


Task: TypeAlias = Find | Place | Touch | Reach | Stars | OneMove | All | May | Verdict | Line | Play
NAMES: dict[type[Task], str] = {one: one.__name__.lower() for one in get_args(Task)}
NAMES[OneMove] = "move"  # a move is something else
"""Each type as lessons write it."""
