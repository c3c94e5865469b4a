"""Who is pinned to his king, by whom, and the line on which he still may go."""

from __future__ import annotations

from typing import NamedTuple

from boardfw.rules.attacks import BETWEEN, DIAGONAL_LINES, LINE, SQUARES, STRAIGHT_LINES
from boardfw.rules.board import BISHOP, BLACK, KING, QUEEN, ROOK, SIDE, WHITE, Color, Placement
from boardfw.rules.position import Position
from boardfw.squares import Occupancy


class Pin(NamedTuple):
    """One man before his king (FIDE 3.9.2), as sets of squares."""

    man: Occupancy
    pinner: Occupancy
    line: Occupancy
    """The whole line, on which he may go to and fro."""


def pins(position: Position) -> tuple[Pin, ...]:
    """Everybody of either colour who is pinned."""
    return pins_of(position.placement)


def pins_of(placement: Placement) -> tuple[Pin, ...]:
    """As ``pins``, without a position."""
    return (*_pins(placement, WHITE), *_pins(placement, BLACK))


def _pins(placement: Placement, color: Color) -> list[Pin]:
    own, enemy = placement[SIDE[color]], placement[SIDE[1 - color]]
    king = (placement[KING] & own).bit_length() - 1
    queens = placement[QUEEN]
    snipers = enemy & (
        STRAIGHT_LINES[king] & (placement[ROOK] | queens)
        | DIAGONAL_LINES[king] & (placement[BISHOP] | queens)
    )
    found: list[Pin] = []
    for sniper in SQUARES[snipers] if snipers else ():
        shields = BETWEEN[king][sniper] & (own | enemy)
        if shields & own and not shields & (shields - 1):
            found.append(Pin(shields, 1 << sniper, LINE[king][sniper]))
    return found
