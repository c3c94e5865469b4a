"""What pieces are worth, and whether they suffice to mate at all."""

from __future__ import annotations

from boardfw.rules.board import (
    BISHOP,
    BLACK,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    SIDE,
    WHITE,
    Color,
    Placement,
)
from boardfw.squares import LIGHT

WORTH = (0, 1, 3, 3, 5, 9, 0)
"""In pawns, by piece type, as every primer counts. The king has none: it is never captured."""


def material(placement: Placement, color: Color) -> int:
    """What the pieces of a colour are worth together, in pawns."""
    pieces = placement[SIDE[color]]
    return sum(WORTH[kind] * (placement[kind] & pieces).bit_count() for kind in range(PAWN, KING))


def is_insufficient_material(placement: Placement) -> bool:
    """Whether the pieces on the board rule out every mate, wherever they are."""
    return lacks_mating_material(placement, WHITE) and lacks_mating_material(placement, BLACK)


def lacks_mating_material(placement: Placement, color: Color) -> bool:
    """Whether the pieces on the board rule out every mate by ``color``, wherever they are.

    A lone king never mates. A single knight needs an enemy piece that can shut in its own king
    without being able to capture the knight or to block its check: any but queens. Bishops of one
    colour never attack the squares of the other, which only a knight, a pawn or a bishop of the
    other colour can block; enemy rooks and queens that block one can step in between.
    """
    pieces = placement[SIDE[color]]
    if pieces & (placement[PAWN] | placement[ROOK] | placement[QUEEN]):
        return False
    knights, bishops = placement[KNIGHT] & pieces, placement[BISHOP]
    if knights:
        others = placement[0] ^ placement[7] ^ placement[KING] ^ placement[QUEEN] & ~pieces
        return others == knights and knights.bit_count() == 1
    if not bishops & pieces:
        return True
    bishops_are_alike = not bishops & LIGHT or not bishops & ~LIGHT
    return bishops_are_alike and not placement[PAWN] | placement[KNIGHT]
