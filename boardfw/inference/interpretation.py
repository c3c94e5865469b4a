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
    """The plies of a game that an earlier run has recorded."""

    moves: tuple[Move, ...]
    final: int
    """Number of these plies that are final."""
    since_us: int
    """Start of the record."""


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
        """Time at which the last ply, or its take-back, was complete."""

    @property
    def took_back(self) -> bool:
        """True if the newest change is the undoing of a ply."""

    def __hash__(self) -> int:
        """A game is equal to itself alone."""

    def plies_since(self, plies: int) -> Iterator[tuple[ReadGame, ReadGame]]:
        """The game before and after each ply but the first ``plies``, the last ply first."""


class RivalGame(NamedTuple):
    """Another game that is nearly as credible as the best one."""

    game: ReadGame
    behind: float
    """Evidence that it lacks compared with the best game, in settled edges; may be negative."""


class LiftedPiece(NamedTuple):
    """A piece that is away from its square."""

    square: Square
    since_us: int | None
    """Time at which its switch last changed; None if that is not remembered."""


@dataclass(frozen=True, slots=True)
class Choosing:
    """The way to choose another piece for a pawn that was promoted."""

    then: int
    """The type of piece (``rules``' KNIGHT..QUEEN) that one more put-back chooses."""
    until_us: int
    """A put-back before this instant counts."""
    is_exchanged: bool
    """True if a piece was put in the pawn's place; until then a put-back does just this, however
    late."""


class Interpretation(NamedTuple):
    """Everything that has been read by now. Squares are squares of the best game.

    It is a tuple, since one is made at every event; a frozen dataclass is slower.
    """

    game: ReadGame
    """The most credible game."""
    moves: tuple[Move, ...]
    """The plies to record. They differ from those of ``game`` for as long as a game that undoes a
    final ply is too new to be believed."""
    final: int
    """Number of these plies that are final; the others are provisional."""
    certain: int
    """Number of these plies that an engine may answer; no fewer than are final."""
    rivals: tuple[RivalGame, ...]
    """Games that differ in the plies so far."""
    standing: Occupancy
    """The switches that are closed, settled."""
    changed_us: int
    """Time at which a switch last changed."""
    missing: Bitboard
    """Squares that lack a piece."""
    lifted: tuple[LiftedPiece, ...]
    """The pieces of these squares."""
    extra: Bitboard
    """Squares with a piece that should not stand there."""
    is_half_way: bool
    """True if a piece on ``extra`` may still be on its way, so that it is too early to complain."""
    capture: Step | None
    """A capture that was made against the rules, though all switches read as if its piece were in a
    hand; None: nothing like that was seen."""
    dead: Occupancy
    """Switches that the best game believes stuck."""
    stuck: Occupancy
    """Switches that every credible game believes stuck."""
    is_handling: bool
    """True if the pieces are handled and not played with."""
    is_clearing: bool
    """True if the pieces are cleared away or set up."""
    shown: ReadGame
    """The game that the board showed when it last stood still."""
    was_set_up: bool
    """True if more pieces have been in the air at once since then than any play lifts."""
    is_clouded: bool
    """True if several plies were made unseen, so that those since then are guessed."""
    choosing: Choosing | None
    """The way to choose the last ply's promotion piece again; None: no pawn was promoted."""
    candidates: tuple[Move, ...]
    """The moves among which the players are asked to choose; empty if nothing is asked."""


class AtRest(NamedTuple):
    """News from a board at rest."""

    result: str | None
    """The result that the kings show in the centre, as in PGN; None if they show none."""
    is_chosen: bool
    """True if no promotion piece can be chosen any more, so the position counts."""
