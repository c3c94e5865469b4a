"""Leads the setting up of pieces: which is wanted next, which is misplaced, which way round.

Switches do not tell a knight from a bishop. So the board asks for the pieces one type after the
other, and takes a piece that comes to a wanted square for the piece wanted there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeVar

from boardfw.game.events import Action, Misplaced, Wanted
from boardfw.inference import Edge
from boardfw.rules.board import BLACK, KING, PAWN, WHITE, Piece, Placement, placement_of
from boardfw.rules.position import Position
from boardfw.squares import (
    NO_SWITCHES,
    START,
    Bitboard,
    Occupancy,
    Orientation,
    Switch,
    switches_in,
)

ORDER = tuple(Piece(kind, color) for kind in range(KING, PAWN - 1, -1) for color in (WHITE, BLACK))
"""The order of asking: first the kings, which are soonest found and show which way round the board
is meant, last the many pawns, between pieces that already stand."""
NEARLY = 2
"""Squares that may differ from the start and play begins all the same: a contact may be poor."""
PIECES_A_CONTACT = 16
"""Pieces for each poor contact: if only few pieces are wanted, a missing one was not put yet."""


_Set = TypeVar("_Set", Bitboard, Occupancy)


class NextPieces(NamedTuple):
    """The pieces to be placed next: of one type and colour."""

    piece: Piece
    squares: Bitboard


def next_asked(position: Position, missing: Bitboard) -> NextPieces | None:
    """The pieces to be placed next where these squares still lack one; None if none does."""
    groups = (NextPieces(piece, position.pieces_of(*piece) & missing) for piece in ORDER)
    return next((asked for asked in groups if asked.squares), None)


class Placing:
    """What has been set up of a position, as far as switches can tell.

    ``standing`` is always the closed switches.
    """

    def __init__(
        self,
        position: Position,
        standing: Occupancy,
        *,
        orientation: Orientation = Orientation.AS_WIRED,
        dead: Occupancy = NO_SWITCHES,
        known: Mapping[Switch, Piece] | None = None,
        may_reorient: bool = True,
    ) -> None:
        """``known``: the piece on each switch; None: those of the usual start, if they stand.

        ``may_reorient``: whether the pieces may be set up the other way round.
        """
        self.position = position
        self.orientation = orientation
        """Which way round the pieces are being set up."""
        self.dead = dead
        """Switches that told nothing when the set-up began."""
        self.pieces = dict(_pieces_of_the_start(position, standing) if known is None else known)
        """The piece on each switch that has not opened since, where that is known."""
        self._put = NO_SWITCHES
        """Switches on which a piece was put."""
        self._followed = dict.fromkeys(Orientation, NO_SWITCHES)
        """For each way round: switches with a piece that was asked for just there."""
        self._told: Piece | None = None
        self._may_reorient = may_reorient
        self.has_led = False
        """Whether a piece has been asked for."""
        if self._is_complete(orientation.other, standing):
            self._turn_round()

    @property
    def switches(self) -> Occupancy:
        """The switches that have to close."""
        return self.orientation.switches(self.position.occupied)

    @property
    def known(self) -> Placement:
        """Which piece stands where, as far as that is known."""
        square = self.orientation.square
        return placement_of({square(switch): piece for switch, piece in self.pieces.items()})

    def missing(self, standing: Occupancy) -> Bitboard:
        """Squares that still lack a piece."""
        return self._missing(self.orientation, standing)

    def surplus(self, standing: Occupancy) -> Bitboard:
        """Squares whose piece does not belong there, or is known to be another than wanted."""
        return self._surplus(self.orientation, standing) | self._strangers()

    def asked(self, standing: Occupancy) -> NextPieces | None:
        """The pieces to be placed next; None if none is missing."""
        return next_asked(self.position, self.missing(standing))

    @property
    def has_strangers(self) -> bool:
        """Whether a piece is known to stand where another one should."""
        return bool(self._strangers())

    def feed(self, edge: Edge, standing: Occupancy) -> None:
        """A switch has changed, and now these are closed."""
        bit = 1 << edge.switch
        self.pieces.pop(edge.switch, None)
        self._put = self._put | bit if edge.closed else self._put & ~bit
        for orientation in self._followed:
            self._followed[orientation] &= ~bit
            if edge.closed and self._asks_for(orientation, edge.switch, standing & ~bit):
                self._followed[orientation] |= bit
        other = self.orientation.other
        if self._speaks_for(other, bit, standing) or self._is_complete(other, standing):
            self._turn_round()

    def lead(self, t_us: int, standing: Occupancy, put: Switch | None = None) -> list[Action]:
        """What is to be said after a piece was ``put`` on a switch (None if none was)."""
        said: list[Action] = []
        square = None if put is None else self.orientation.square(put)
        if square is not None and self._surplus(self.orientation, standing) >> square & 1:
            said.append(Misplaced(t_us, square))
        asked = self.asked(standing)
        piece = asked.piece if asked else None
        if asked and piece != self._told:
            said.append(Wanted(t_us, asked.piece.letter, asked.squares))
            self.has_led = True
        self._told = piece
        return said

    # --- for either way round

    def _missing(self, orientation: Orientation, standing: Occupancy) -> Bitboard:
        return self.position.occupied & ~orientation.squares(standing | self.dead)

    def _surplus(self, orientation: Orientation, standing: Occupancy) -> Bitboard:
        return orientation.squares(standing & ~self.dead) & ~self.position.occupied

    def _strangers(self) -> Bitboard:
        strangers, wanted = 0, self.position.piece_at
        for switch, piece in self.pieces.items():
            square = self.orientation.square(switch)
            strangers |= (wanted(square) not in (piece, None)) << square
        return strangers

    def _asks_for(self, orientation: Orientation, switch: Switch, standing: Occupancy) -> bool:
        asked = next_asked(self.position, self._missing(orientation, standing))
        return asked is not None and bool(asked.squares >> orientation.square(switch) & 1)

    def _speaks_for(self, other: Orientation, put: Occupancy, standing: Occupancy) -> bool:
        """Whether the piece just ``put``, and most before it, came where ``other`` asks for them.

        Pieces placed in another order come there now and then, but not mostly.
        """
        followed = self._followed[other]
        is_most = 2 * followed.bit_count() > self._put.bit_count()
        is_asked = bool(followed & put) and is_most
        return is_asked and self._fit(other, standing) > self._fit(self.orientation, standing)

    def _fit(self, orientation: Orientation, standing: Occupancy) -> int:
        """How well what was put fits this way round."""
        return (
            self._followed[orientation].bit_count()
            - self._surplus(orientation, standing).bit_count()
        )

    def _is_complete(self, other: Orientation, standing: Occupancy) -> bool:
        """Whether all stands in the other way round, and not in this one."""
        here, there = (
            self._missing(orientation, standing) | self._surplus(orientation, standing)
            for orientation in (self.orientation, other)
        )
        return bool(here) and not there

    def _turn_round(self) -> None:
        if self._may_reorient:
            self.orientation = self.orientation.other
            self._told = None


def _pieces_of_the_start(position: Position, standing: Occupancy) -> dict[Switch, Piece]:
    """The pieces of the usual start, if that is what stands, and something else is wanted.

    Where the wanted squares are the same, as in Chess960, what stands there has been set up.
    """
    is_start = standing == START and position.occupied != int(START)
    return pieces_of(Position.start(), standing) if is_start else {}


def pieces_of(
    position: Position, standing: Occupancy, orientation: Orientation = Orientation.AS_WIRED
) -> dict[Switch, Piece]:
    """The piece on each of these switches, if the board shows this position."""
    square = orientation.square
    pieces = ((switch, position.piece_at(square(switch))) for switch in switches_in(standing))
    return {switch: piece for switch, piece in pieces if piece is not None}


def poor(wanted: Occupancy, standing: Occupancy) -> Occupancy:
    """The switches that read otherwise than wanted, if poor contacts are enough to explain it."""
    differing = wanted ^ standing
    most = min(NEARLY, wanted.bit_count() // PIECES_A_CONTACT)
    return differing if is_poor(standing, differing, most) else NO_SWITCHES


def is_poor(standing: _Set, differing: _Set, most: int = NEARLY) -> bool:
    """Whether poor contacts are enough to explain what differs."""
    # A piece on a wrong square is missing in one place and extra in another.
    is_piece = differing & standing and differing & ~standing
    return not is_piece and differing.bit_count() <= most
