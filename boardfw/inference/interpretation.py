"""The values at the door of this room: what a reader is told beforehand, and what it has read.

A reader of another kind takes and gives the same values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from boardfw.rules.board import Color
from boardfw.rules.move import Move, Step, alike
from boardfw.rules.position import Position
from boardfw.squares import Bitboard, Occupancy, Orientation, Square


@dataclass(slots=True)
class AwaySide:
    """The side whose player is not at the board: by hand only the moves that it made are legal."""

    color: Color | None = None
    """None while both players are at the board."""
    game: tuple[Move, ...] = ()
    """All plies, of both sides, up to its last move, which may have still to be made by hand."""

    def moves_after(self, moves: tuple[Move, ...]) -> list[Move]:
        """Its move after these, all of them from the start of the game; empty if there is none."""
        plies = len(moves)
        is_known = plies < len(self.game) and alike(self.game[:plies], moves)
        return [self.game[plies]] if is_known else []


class RecordedPlies(NamedTuple):
    """What was recorded of a game before it was read."""

    moves: tuple[Move, ...]
    final: int
    """How many of these plies are final."""
    since_us: int
    """When the record began."""


class ReadGame(Protocol):
    """One game that the switches may have told, as it was after its last ply."""

    @property
    def position(self) -> Position:
        """The position after the last ply."""

    @property
    def moves(self) -> tuple[Move, ...]:
        """All plies since the start of the game."""

    @property
    def orientation(self) -> Orientation:
        """Which way round the board lies in this game."""

    @property
    def expected(self) -> Occupancy:
        """The switches that are closed when every piece stands where this game has it."""

    @property
    def parent(self) -> ReadGame | None:
        """The game without its last ply; None at the start."""

    @property
    def landed_us(self) -> int:
        """When the last piece of the last ply stood, or was home again after a take-back."""

    @property
    def took_back(self) -> bool:
        """Whether the newest change is the undoing of a ply."""

    def __hash__(self) -> int:
        """A game is equal to itself alone."""

    def plies_since(self, plies: int) -> Iterator[tuple[ReadGame, ReadGame]]:
        """The game before and after each ply but the first ``plies``, the last ply first."""


class RivalGame(NamedTuple):
    """Another game that is nearly as credible as the best one."""

    game: ReadGame
    behind: float
    """How much less speaks for it, in settled edges; below 0 if more does."""


class LiftedPiece(NamedTuple):
    """A piece that is away from its square."""

    square: Square
    since_us: int | None
    """When its switch last changed; None if that is not remembered."""


@dataclass(frozen=True, slots=True)
class Choosing:
    """How another piece may be chosen for a pawn that was promoted."""

    then: int
    """The type of piece (``rules``' KNIGHT..QUEEN) that one more put-back chooses."""
    until_us: int
    """A put-back before this instant counts."""
    is_exchanged: bool
    """Whether a piece was put in the pawn's place; until then a put-back does just this, however
    late."""


class Interpretation(NamedTuple):
    """What has been read by now. Squares are squares of the best game.

    It is a tuple, since one is made at every event; a frozen dataclass is slower.
    """

    game: ReadGame
    """The most credible game."""
    moves: tuple[Move, ...]
    """The plies to record: those of ``game``, but for a final ply that it contradicts too
    shortly."""
    final: int
    """How many of these are final; the others are provisional."""
    rivals: tuple[RivalGame, ...]
    """Games that differ in the plies so far."""
    standing: Occupancy
    """The switches that are closed, settled."""
    changed_us: int
    """When a switch last changed."""
    missing: Bitboard
    """Squares that lack a piece."""
    lifted: tuple[LiftedPiece, ...]
    """The pieces of these squares."""
    extra: Bitboard
    """Squares with a piece that should not stand there."""
    is_half_way: bool
    """Whether a piece on ``extra`` may still be on its way, so that it is too early to complain."""
    capture: Step | None
    """A capture that was made against the rules, though all switches read as if its piece were in a
    hand; None: nothing like that was seen."""
    dead: Occupancy
    """Switches that the best game believes stuck,"""
    stuck: Occupancy
    """and those among them of which every credible game does."""
    is_handling: bool
    """Whether the pieces are handled and not played with."""
    is_clearing: bool
    """Whether the pieces are cleared away or set up."""
    shown: ReadGame
    """The game that the board showed when it last stood still."""
    was_set_up: bool
    """Whether more pieces have been in the air at once since then than any play lifts."""
    is_clouded: bool
    """Whether several plies were made unseen, so that those since then are guessed."""
    choosing: Choosing | None
    """How the last ply's promotion piece may be chosen again; None: no pawn was promoted."""
    candidates: tuple[Move, ...]
    """The moves among which the players are asked to choose; empty if nothing is asked."""


class AtRest(NamedTuple):
    """What a board at rest shows that it did not show before."""

    result: str | None
    """The result that the kings show in the centre, as in PGN; None if they show none."""
    is_chosen: bool
    """Whether no promotion piece can be chosen any more, so the position counts."""
