"""The static exchange: both sides take on one square in turn, the cheapest man first.

Who stands behind a man of the same line comes in when that one has taken; whoever is pinned takes
only along the line of his pin while the pinner stands; a king takes only what nobody guards any
more. Either side stops when going on would cost it. What happens elsewhere is not looked at.
"""

from __future__ import annotations

from collections.abc import Sequence

from boardfw.rules.attacks import (
    KING_REACH,
    KNIGHT_REACH,
    LAST_RANKS,
    PAWN_REACH,
    diagonal_reach,
    straight_reach,
)
from boardfw.rules.board import BLACK, KING, KNIGHT, PAWN, QUEEN, SIDE, WHITE, Color, Placement
from boardfw.rules.exchange.pins import Pin
from boardfw.rules.exchange.worth import WORTH, promotion_worth
from boardfw.squares import Occupancy, Square


def lookers(placement: Placement, square: Square, occupied: Occupancy) -> Occupancy:
    """Men of both colours, among ``occupied``, who attack a square."""
    white, pawns, knights, bishops, rooks, queens, kings, black = placement
    return occupied & (
        (PAWN_REACH[BLACK][square] & white | PAWN_REACH[WHITE][square] & black) & pawns
        | KNIGHT_REACH[square] & knights
        | KING_REACH[square] & kings
        | straight_reach(square, occupied) & (rooks | queens)
        | diagonal_reach(square, occupied) & (bishops | queens)
    )


def won(placement: Placement, square: Square, taker: Color, stake: int, held: Sequence[Pin]) -> int:
    """What ``taker`` wins at most, in pawns, by taking first a man worth ``stake``; 0: nothing.

    ``held``: the pins of both sides.
    """
    occupied = placement[0] | placement[7]
    looking = lookers(placement, square, occupied)
    becomes = QUEEN if 1 << square & LAST_RANKS else 0
    stakes: list[int] = []
    while men := looking & placement[SIDE[taker]]:
        for pinned, pinner, line in held:
            if pinned & men and occupied & pinner and not line >> square & 1:
                men ^= pinned
        man, kind = _cheapest(placement, men)
        if not man or (kind == KING and looking & placement[SIDE[1 - taker]]):
            break
        promotion = becomes if kind == PAWN else 0
        stakes.append(stake + promotion_worth(promotion))
        stake = WORTH[promotion or kind]
        occupied ^= man
        # Only who goes along a line leaves it open to one behind.
        looking = looking ^ man if kind in (KNIGHT, KING) else lookers(placement, square, occupied)
        taker = 1 - taker
    best = 0
    for stake in reversed(stakes):
        best = max(0, stake - best)
    return best


def _cheapest(placement: Placement, men: Occupancy) -> tuple[Occupancy, int]:
    for kind in range(PAWN, KING + 1):
        if among := placement[kind] & men:
            return among & -among, kind
    return 0, 0


def behind(placement: Placement, square: Square) -> Occupancy:
    """Men of both colours who will look at a square when those before them have taken there."""
    occupied = placement[0] | placement[7]
    looking = found = lookers(placement, square, occupied)
    while looking:
        occupied ^= looking
        looking = lookers(placement, square, occupied)
        found |= looking
    return found & ~lookers(placement, square, placement[0] | placement[7])
