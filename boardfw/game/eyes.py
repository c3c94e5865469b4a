"""What a trained eye sees on the board: who is attacked, who is guarded, who would be lost."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from boardfw.rules import KING, Color, Position
from boardfw.rules.board import SIDE
from boardfw.rules.exchange import contact, contacts, exchange
from boardfw.rules.reasons import Reason, why_none
from boardfw.squares import Occupancy, Square, occupancy_of

REMEMBERED = 16
"""A man in a hand is looked at many times in between."""


class Seen(NamedTuple):
    """Who looks at a man."""

    attackers: Occupancy = 0
    guards: Occupancy = 0


@lru_cache(maxsize=REMEMBERED)
def dangers(position: Position, origin: Square) -> Occupancy:
    """Legal targets of a man on which he would be lost, wholly or in part."""
    moves = (move for move in position.legal_moves() if move.origin == origin)
    return occupancy_of(move.target for move in moves if exchange(position, move) < 0)


@lru_cache(maxsize=REMEMBERED)
def seen(position: Position, square: Square) -> Seen:
    """Who attacks and who guards the man of a square; of a king, whom all guard, nothing."""
    if position.placement[KING] >> square & 1:
        return Seen()
    found, _ = contact(position, square)
    return Seen(found.attackers, found.guards)


@lru_cache(maxsize=REMEMBERED)
def hanging(position: Position, color: Color) -> Occupancy:
    """The men of a colour that would be lost, wholly or in part, if the enemy might take now."""
    own = position.placement[SIDE[color]]
    found = (square for square, looks in contacts(position).items() if looks.loss > 0)
    return occupancy_of(found) & own


@lru_cache(maxsize=REMEMBERED)
def held_fast(position: Position, origin: Square) -> Reason | None:
    """Why a man of the side to move has no legal move; None: he has one."""
    return why_none(position, origin)
