"""The exchange map: of every man who is attacked, by whom, who guards him, what would be lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from boardfw.rules.attacks import SQUARES
from boardfw.rules.board import BLACK, KING, SIDE, WHITE, Color, Placement, attacked
from boardfw.rules.exchange.pins import Pin, pins_of
from boardfw.rules.exchange.swap import behind, lookers, won
from boardfw.rules.exchange.worth import WORTH
from boardfw.rules.position import Position
from boardfw.squares import NAMES, Occupancy, Square


class Contact(NamedTuple):
    """Who looks at one man."""

    attackers: Occupancy
    """Enemies who attack his square at once; pinned men attack, too (FIDE 3.1.2)."""
    guards: Occupancy
    """Men of his own colour who do."""
    loss: int
    """What his side loses, in pawns, if the enemy may begin to take him now; 0: nothing."""


def contacts(position: Position) -> dict[Square, Contact]:
    """Every attacked man of either colour but the kings, by his square."""
    placement = position.placement
    occupied = position.occupied
    held = pins_of(placement)
    found: dict[Square, Contact] = {}
    for color in (WHITE, BLACK):
        men = placement[SIDE[color]] & ~placement[KING]
        men &= attacked(placement, 1 - color, occupied)
        for square in SQUARES[men]:
            looking = lookers(placement, square, occupied)
            found[square] = _contact(placement, square, color, looking, held)
    return found


def contact(position: Position, square: Square) -> tuple[Contact, Occupancy]:
    """Who looks at the man of a square, attacked or not, and who stands behind those who do.

    Raises LookupError where nobody stands.
    """
    man = position.piece_at(square)
    if man is None:
        raise LookupError(f"nobody stands on {NAMES[square]}")
    placement = position.placement
    looking = lookers(placement, square, position.occupied)
    known = _contact(placement, square, man.color, looking, pins_of(placement))
    return known, behind(placement, square)


def _contact(
    placement: Placement, square: Square, color: Color, looking: Occupancy, held: Sequence[Pin]
) -> Contact:
    attackers = looking & placement[SIDE[1 - color]]
    guards = looking & placement[SIDE[color]]
    bit = 1 << square
    stake = next((WORTH[kind] for kind in range(1, KING) if placement[kind] & bit), 0)
    lost = won(placement, square, 1 - color, stake, held) if attackers and stake else 0
    return Contact(attackers, guards, lost)
