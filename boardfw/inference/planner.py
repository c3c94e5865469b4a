"""The planner: from what stands to what is wanted, in the fewest hand actions.

One action carries one man, from a square or the box beside the board to an empty square or to the
box. A man too many is led to a square that wants one of his kind and colour, so each pair costs one
action instead of two; what is left over goes to the box, what is still wanted comes from it. Who
stands right is never touched.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

from boardfw.inference.pairing import pairs
from boardfw.inference.rings import Carry, open_rings, rings
from boardfw.rules.board import KING, PAWN, SIDE, Placement
from boardfw.squares import Occupancy, Square, squares_in

Step: TypeAlias = tuple[Square | None, Square | None]
"""(from, to): one man carried; None is the box beside the board."""

KINDS = tuple((kind, side) for kind in range(KING, PAWN - 1, -1) for side in SIDE)
"""As they come from the box: the kings first, the pawns last."""
REMEMBERED = 16
"""Plans kept: what stands changes with a hand, and is looked at many times in between."""


@lru_cache(maxsize=REMEMBERED)
def plan(standing: Placement, wanted: Placement, unknown: Occupancy = 0) -> tuple[Step, ...]:
    """The fewest actions that turn one placement into another, in an order that hands can keep.

    ``unknown``: squares, besides those of ``standing``, on which somebody stands whom nobody
    knows. On a wanted square he is taken for who is wanted there, elsewhere for one who is missing.
    There are as many actions as the larger of men too many and men missing, for each kind and
    colour, and one more for each ring that nothing opens. First the board is cleared, then men are
    moved, then they come from the box.
    """
    carried = open_rings(_carried(standing, wanted, unknown))
    aside = [max(ring, key=lambda carry: carry.length) for ring in rings(carried)]
    carried = [carry for carry in carried if carry not in aside]
    carried += [carry._replace(target=None) for carry in aside]
    carried += [carry._replace(origin=None) for carry in aside]
    return tuple(_in_order(carried))


def _carried(standing: Placement, wanted: Placement, unknown: Occupancy) -> list[Carry]:
    """Who goes where, if nobody stood in another one's way."""
    carried: list[Carry] = []
    wanting: dict[Square, int] = {}
    for man, (kind, side) in enumerate(KINDS):
        stands, belongs = standing[kind] & standing[side], wanted[kind] & wanted[side]
        extra = [*squares_in(stands & ~belongs)]
        missing = [*squares_in(belongs & ~stands & ~unknown)]
        carried += _led(man, extra, missing)
        wanting |= dict.fromkeys(set(missing) - {carry.target for carry in carried}, man)
    strangers = [*squares_in(unknown & ~(wanted[0] | wanted[7]))]
    for carry in _led(None, strangers, sorted(wanting)):
        man_wanted = None if carry.target is None else wanting.pop(carry.target)
        carried.append(carry._replace(man=man_wanted))
    return carried + [Carry(man, None, target) for target, man in wanting.items()]


def _led(man: int | None, extra: list[Square], missing: list[Square]) -> list[Carry]:
    """Men too many led to where they are missing, the rest of them to the box."""
    led = pairs(extra, missing)
    left = set(extra) - {origin for origin, _ in led}
    carries = [Carry(man, origin, target) for origin, target in led]
    return carries + [Carry(man, origin, None) for origin in sorted(left)]


def _in_order(carried: list[Carry]) -> Iterator[Step]:
    """Nobody is put where somebody stands; short ways go before long ones."""
    waiting = sorted(carried, key=_turn)
    occupied = {carry.origin for carry in carried} - {None}
    while waiting:
        carry = next(one for one in waiting if one.target not in occupied)
        waiting.remove(carry)
        occupied.discard(carry.origin)
        yield carry.origin, carry.target


def _turn(carry: Carry) -> tuple[int, int, int]:
    """To the box first, from the box last."""
    if carry.target is None:
        return 0, 0, carry.origin or 0
    if carry.origin is not None:
        return 1, carry.length, carry.origin
    return 2, carry.man or 0, carry.target
