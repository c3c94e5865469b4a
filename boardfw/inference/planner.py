"""The planner: from what stands to what is wanted, in the fewest hand actions.

One action carries one man, from a square or the box beside the board to an empty square or to the
box. A man too many is led to a square that wants one of his kind and colour, so each pair costs one
action instead of two; what is left over goes to the box, what is still wanted comes from it. Who
stands right is never touched.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from boardfw.rules.board import KING, PAWN, SIDE, Placement
from boardfw.squares import Occupancy, Square, distance, squares_in

# FROM rings.py: Rings: men who stand on each other's squares, so that none of them can go first.
#
#   Two men of one kind may change their targets at no cost. So a ring is opened wherever another man
#   of one of its kinds is carried, too: the ring becomes a part of his way. What remains has its kinds
#   to itself, and one of its men has to be laid aside.


class Carry(NamedTuple):
    """One man carried from a square or the box (None) to a square or the box."""

    piece: int | None
    """Who he is, by any number; None: nobody knows, and nobody asks."""
    origin: Square | None
    target: Square | None

    @property
    def length(self) -> int:
        """How far he is carried; the box is near everywhere."""
        if self.origin is None or self.target is None:
            return 0
        return distance(self.origin, self.target)


Exchange: TypeAlias = tuple[int, Carry, Carry]
"""How much longer the ways get, and the two whose targets change."""


def open_rings(carried: list[Carry]) -> list[Carry]:
    """As many actions that do the same, in as few rings as there can be."""
    while True:
        found = [one for ring in rings(carried) for one in _exchanges(ring, carried)]
        if not found:
            return carried
        _, inside, outside = min(found, key=lambda exchange: exchange[0])
        rest = [carry for carry in carried if carry not in (inside, outside)]
        carried = [
            *rest,
            inside._replace(target=outside.target),
            outside._replace(target=inside.target),
        ]


def rings(carried: list[Carry]) -> list[list[Carry]]:
    """The rings among these: each man goes to where the next one stands."""
    onward = {carry.origin: carry for carry in carried if carry.origin is not None}
    found: list[list[Carry]] = []
    while onward:
        origin, carry = onward.popitem()
        way = [carry]
        while way[-1].target in onward:
            way.append(onward.pop(way[-1].target))
        if way[-1].target == origin:
            found.append(way)
    return found


def _exchanges(ring: list[Carry], carried: list[Carry]) -> Iterator[Exchange]:
    """Each man of the ring with each one of his kind outside."""
    for inside in ring:
        for outside in carried:
            if outside.piece == inside.piece and outside not in ring:
                length = (
                    inside._replace(target=outside.target).length
                    + outside._replace(target=inside.target).length
                )
                yield length - inside.length - outside.length, inside, outside


# FROM pairing.py: Which man goes to which square, so that all together are carried the least far.

Pairs: TypeAlias = list[tuple[Square, Square]]
Link: TypeAlias = tuple[tuple[Square, Square], "Link"] | None
"""The last pair of a way, and the way before it."""
Ways: TypeAlias = dict[int, tuple[int, Link]]
"""By the targets taken, as bits: how far it is, and who goes where."""

EXHAUSTIVE = 8
"""Up to so many squares wrong on one side the shortest ways of all are found (256 sets of targets);
beyond, the nearest pair goes first."""


def pairs(extra: list[Square], missing: list[Square]) -> Pairs:
    """As many (origin, target) as there can be."""
    if max(len(extra), len(missing)) > EXHAUSTIVE:
        return _nearest_first(extra, missing)
    if len(extra) > len(missing):
        return [(origin, target) for target, origin in pairs(missing, extra)]
    return _shortest(extra, missing)


def _shortest(extra: list[Square], missing: list[Square]) -> Pairs:
    """The best ways for the first men to every set of as many targets, a man more at a time."""
    ways: Ways = {0: (0, None)}
    for origin in extra:
        goals = [(1 << n, distance(origin, goal), goal) for n, goal in enumerate(missing)]
        longer: Ways = {}
        for taken, (length, way) in ways.items():
            for bit, further, goal in goals:
                if taken & bit:
                    continue
                known = longer.get(taken | bit)
                if known is None or length + further < known[0]:
                    longer[taken | bit] = length + further, ((origin, goal), way)
        ways = longer
    _, way = min(ways.values(), key=lambda one: one[0])
    return _unlinked(way)


def _unlinked(way: Link) -> Pairs:
    found = []
    while way is not None:
        pair, way = way
        found.append(pair)
    return found[::-1]


def _nearest_first(extra: list[Square], missing: list[Square]) -> Pairs:
    found: Pairs = []
    ways = sorted(
        (distance(origin, target), origin, target) for origin in extra for target in missing
    )
    origins, targets = set(extra), set(missing)
    for _, origin, target in ways:
        if origin in origins and target in targets:
            found.append((origin, target))
            origins.remove(origin)
            targets.remove(target)
    return found


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
    for piece, (kind, side) in enumerate(KINDS):
        stands, belongs = standing[kind] & standing[side], wanted[kind] & wanted[side]
        extra = [*squares_in(stands & ~belongs)]
        missing = [*squares_in(belongs & ~stands & ~unknown)]
        carried += _led(piece, extra, missing)
        wanting |= dict.fromkeys(set(missing) - {carry.target for carry in carried}, piece)
    strangers = [*squares_in(unknown & ~(wanted[0] | wanted[7]))]
    for carry in _led(None, strangers, sorted(wanting)):
        piece_wanted = None if carry.target is None else wanting.pop(carry.target)
        carried.append(carry._replace(piece=piece_wanted))
    return carried + [Carry(piece, None, target) for target, piece in wanting.items()]


def _led(piece: int | None, extra: list[Square], missing: list[Square]) -> list[Carry]:
    """Men too many led to where they are missing, the rest of them to the box."""
    led = pairs(extra, missing)
    left = set(extra) - {origin for origin, _ in led}
    carries = [Carry(piece, origin, target) for origin, target in led]
    return carries + [Carry(piece, origin, None) for origin in sorted(left)]


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
    return 2, carry.piece or 0, carry.target
