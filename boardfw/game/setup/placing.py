"""Leads the setting up of pieces: which is wanted next, which is misplaced, which way round.

Switches do not tell a knight from a bishop. So the board asks for the pieces one type after the
other, and takes a piece that comes to a wanted square for the piece wanted there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from boardfw.game.events import Action, Misplaced, Wanted
from boardfw.rules.board import BLACK, KING, PAWN, WHITE, Piece, Placement, placement_of
from boardfw.rules.position import Position
from boardfw.sensing.debounce import Edge
from boardfw.squares import HALF_TURN, START, Occupancy, Square, squares_in, turned_occupancy

ORDER = tuple(Piece(kind, color) for kind in range(KING, PAWN - 1, -1) for color in (WHITE, BLACK))
"""The order of asking: first the kings, which are soonest found and show which way round the board
is meant, last the many pawns, between pieces that already stand."""
NEARLY = 2
"""Squares that may differ from the start and play begins all the same: a contact may be poor."""
PIECES_A_CONTACT = 16
"""Pieces for each poor contact: if only few pieces are wanted, a missing one was not put yet."""


class Asked(NamedTuple):
    """The pieces to be placed next: of one type and colour, on squares of the game."""

    piece: Piece
    squares: Occupancy


class Placing:
    """What has been set up of a position, as far as switches can tell.

    ``standing`` is always the closed switches; the results name squares of the game.
    """

    def __init__(
        self,
        position: Position,
        standing: Occupancy,
        *,
        orientation: int = 0,
        dead: Occupancy = 0,
        known: Mapping[Square, Piece] | None = None,
        may_reorient: bool = True,
    ) -> None:
        """``known``: the piece on each switch; None: those of the usual start, if they stand.

        ``may_reorient``: whether the pieces may be set up the other way round.
        """
        self.position = position
        self.orientation = orientation
        """As of ``Hypothesis``: which way round the pieces are being set up."""
        self.dead = dead
        """Switches that told nothing when the set-up began."""
        self.pieces = dict(_pieces_of_the_start(position, standing) if known is None else known)
        """The piece on each switch that has not opened since, where that is known."""
        self._put: Occupancy = 0
        """Switches on which a piece was put."""
        self._followed: dict[int, Occupancy] = {0: 0, HALF_TURN: 0}
        """For each way round: switches with a piece that was asked for just there."""
        self._told: Piece | None = None
        self._may_reorient = may_reorient
        self.has_led = False
        """Whether a piece has been asked for."""
        if self._is_complete(orientation ^ HALF_TURN, standing):
            self._turn_round()

    @property
    def switches(self) -> Occupancy:
        """The switches that have to close."""
        return oriented(self.position.occupied, self.orientation)

    @property
    def known(self) -> Placement:
        """Which piece stands where, as far as that is known."""
        return placement_of(
            {switch ^ self.orientation: piece for switch, piece in self.pieces.items()}
        )

    def missing(self, standing: Occupancy) -> Occupancy:
        """Squares that still lack a piece."""
        return oriented(self._missing(self.orientation, standing), self.orientation)

    def surplus(self, standing: Occupancy) -> Occupancy:
        """Squares whose piece does not belong there, or is known to be another than wanted."""
        wrong = self._surplus(self.orientation, standing) | self._strangers(self.orientation)
        return oriented(wrong, self.orientation)

    def asked(self, standing: Occupancy) -> Asked | None:
        """The pieces to be placed next; None if none is missing."""
        return self._asked(self.orientation, standing)

    @property
    def has_strangers(self) -> bool:
        """Whether a piece is known to stand where another one should."""
        return bool(self._strangers(self.orientation))

    def feed(self, edge: Edge, standing: Occupancy) -> None:
        """A switch has changed, and now these are closed."""
        bit = 1 << edge.square
        self.pieces.pop(edge.square, None)
        self._put = self._put & ~bit | edge.closed << edge.square
        for orientation in self._followed:
            self._followed[orientation] &= ~bit
            if edge.closed and self._asks_for(orientation, edge.square, standing & ~bit):
                self._followed[orientation] |= bit
        other = self.orientation ^ HALF_TURN
        if self._speaks_for(other, bit, standing) or self._is_complete(other, standing):
            self._turn_round()

    def lead(self, t_us: int, standing: Occupancy, put: Square | None = None) -> list[Action]:
        """What is to be said after a piece was ``put`` on a switch (None if none was)."""
        said: list[Action] = []
        if put is not None and self._surplus(self.orientation, standing) >> put & 1:
            said.append(Misplaced(t_us, put ^ self.orientation))
        asked = self.asked(standing)
        piece = asked.piece if asked else None
        if asked and piece != self._told:
            said.append(Wanted(t_us, asked.piece.letter, asked.squares))
            self.has_led = True
        self._told = piece
        return said

    # --- for either way round; squares here are switches

    def _missing(self, orientation: int, standing: Occupancy) -> Occupancy:
        return oriented(self.position.occupied, orientation) & ~standing & ~self.dead

    def _surplus(self, orientation: int, standing: Occupancy) -> Occupancy:
        return standing & ~oriented(self.position.occupied, orientation) & ~self.dead

    def _strangers(self, orientation: int) -> Occupancy:
        strangers = 0
        for switch, piece in self.pieces.items():
            wanted = self.position.piece_at(switch ^ orientation)
            strangers |= (wanted is not None and wanted != piece) << switch
        return strangers

    def _asked(self, orientation: int, standing: Occupancy) -> Asked | None:
        missing = oriented(self._missing(orientation, standing), orientation)
        groups = (Asked(piece, self.position.pieces_of(*piece) & missing) for piece in ORDER)
        return next((asked for asked in groups if asked.squares), None)

    def _asks_for(self, orientation: int, switch: Square, standing: Occupancy) -> bool:
        asked = self._asked(orientation, standing)
        return asked is not None and bool(asked.squares >> (switch ^ orientation) & 1)

    def _speaks_for(self, other: int, put: Occupancy, standing: Occupancy) -> bool:
        """Whether the piece just ``put``, and most before it, came where ``other`` asks for them.

        Pieces placed in another order come there now and then, but not mostly.
        """
        followed = self._followed[other]
        is_most = 2 * followed.bit_count() > self._put.bit_count()
        is_asked = bool(followed & put) and is_most
        return is_asked and self._fit(other, standing) > self._fit(self.orientation, standing)

    def _fit(self, orientation: int, standing: Occupancy) -> int:
        """How well what was put fits this way round."""
        return (
            self._followed[orientation].bit_count()
            - self._surplus(orientation, standing).bit_count()
        )

    def _is_complete(self, other: int, standing: Occupancy) -> bool:
        """Whether all stands in the other way round, and not in this one."""
        here, there = (
            self._missing(orientation, standing) | self._surplus(orientation, standing)
            for orientation in (self.orientation, other)
        )
        return bool(here) and not there

    def _turn_round(self) -> None:
        if self._may_reorient:
            self.orientation ^= HALF_TURN
            self._told = None


def _pieces_of_the_start(position: Position, standing: Occupancy) -> dict[Square, Piece]:
    """The pieces of the usual start, if that is what stands, and something else is wanted.

    Where the wanted squares are the same, as in Chess960, what stands there has been set up.
    """
    is_start = standing == START and position.occupied != START
    return pieces_of(Position.start(), standing) if is_start else {}


def pieces_of(position: Position, standing: Occupancy, orientation: int = 0) -> dict[Square, Piece]:
    """The piece on each of these switches, if the board shows this position."""
    pieces = ((switch, position.piece_at(switch ^ orientation)) for switch in squares_in(standing))
    return {switch: piece for switch, piece in pieces if piece is not None}


def oriented(squares: Occupancy, orientation: int) -> Occupancy:
    """Squares of the game as switches of a board that lies this way round, or the other way."""
    return turned_occupancy(squares) if orientation else squares


def poor(wanted: Occupancy, standing: Occupancy) -> Occupancy:
    """The switches that read otherwise than wanted, if poor contacts are enough to explain it."""
    differing = wanted ^ standing
    most = min(NEARLY, wanted.bit_count() // PIECES_A_CONTACT)
    return differing if is_poor(standing, differing, most) else 0


def is_poor(standing: Occupancy, differing: Occupancy, most: int = NEARLY) -> bool:
    """Whether poor contacts are enough to explain what differs."""
    # A piece on a wrong square is missing in one place and extra in another.
    is_piece = differing & standing and differing & ~standing
    return not is_piece and differing.bit_count() <= most
