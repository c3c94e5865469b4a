"""A way that a man was tried on: the two squares, and what all the rules about it look at."""

from __future__ import annotations

from typing import NamedTuple

from boardfw.rules.board import PAWN, SIDE, Color, Kind, Placement, attackers
from boardfw.rules.position import Position
from boardfw.squares import Occupancy, Square


class Attempt(NamedTuple):
    """A man of the side to move, and where somebody put him."""

    position: Position
    kind: Kind
    """What he is; 0: there is no man of the side to move."""
    origin: Square
    target: Square
    jumped: Square | None
    """The square that the last move jumped, whether or not a capture there is legal."""
    placement: Placement
    turn: Color
    own: Occupancy
    enemy: Occupancy
    king: Square
    targets: Occupancy
    """Where he may go: castling, to the king's new square and to the rook's old one."""

    @classmethod
    def of(
        cls, position: Position, origin: Square, target: Square, jumped: Square | None
    ) -> Attempt:
        """What these squares mean in a position."""
        placement, turn = position.placement, position.turn
        own, enemy = placement[SIDE[turn]], placement[SIDE[1 - turn]]
        man = own & 1 << origin
        kind = 0
        if man:
            kind = PAWN
            while not placement[kind] & man:
                kind += 1
        if position.en_passant is not None:
            jumped = position.en_passant
        king = position.king(turn)
        targets = _targets(position, origin) if kind else 0
        return cls(
            position, kind, origin, target, jumped, placement, turn, own, enemy, king, targets
        )

    @property
    def occupied(self) -> Occupancy:
        """Squares on which any man stands."""
        return self.own | self.enemy

    def attackers(self, square: Square, occupied: Occupancy) -> Occupancy:
        """Enemies that would attack a square if exactly ``occupied`` were on the lines."""
        return attackers(self.placement, square, 1 - self.turn, occupied)


def _targets(position: Position, origin: Square) -> Occupancy:
    squares = 0
    for move in position.legal_moves():
        if move.origin == origin:
            squares |= 1 << move.target
            if move.rook_step is not None:
                squares |= 1 << move.rook_step[0]
    return squares
