"""The planner: the fewest hand actions that turn what stands into what is wanted.

One action carries one piece from a square or the box beside the board to an empty square or to the
box. An extra piece goes to a square that wants one of its type and colour, so each pair costs one
action instead of two; what is left over goes to the box, and what is still missing comes from it. A
piece that stands right is never touched. Pairs are chosen so that the pieces are carried least far.

Pieces that stand on each other's squares form a ring, in which none can go first. Two pieces of one
type may swap targets at no cost, so a ring opens wherever another piece of one of its types is
carried too. In each ring that remains, one piece has to be laid aside.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from boardfw.rules.board import KING, PAWN, SIDE, Placement
from boardfw.squares import Bitboard, Square, distance, squares_in

# --- rings


class Carry(NamedTuple):
    """One piece carried from a square or the box (None) to a square or the box."""

    piece: int | None
    """An index into ``KINDS``; None if the piece is unknown and does not matter."""
    origin: Square | None
    target: Square | None

    @property
    def length(self) -> int:
        """How far the piece is carried; 0 to or from the box."""
        if self.origin is None or self.target is None:
            return 0
        return distance(self.origin, self.target)


Exchange: TypeAlias = tuple[int, Carry, Carry]
"""How much longer the paths get, and the two whose targets change."""


def open_rings(carried: list[Carry]) -> list[Carry]:
    """The same number of actions with the same result, in as few rings as possible."""
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
    """The rings among these: each piece goes to where the next one stands."""
    onward = {carry.origin: carry for carry in carried if carry.origin is not None}
    found: list[list[Carry]] = []
    while onward:
        origin, carry = onward.popitem()
        path = [carry]
        while path[-1].target in onward:
            path.append(onward.pop(path[-1].target))
        if path[-1].target == origin:
            found.append(path)
    return found


def _exchanges(ring: list[Carry], carried: list[Carry]) -> Iterator[Exchange]:
    """Each piece of the ring with each one of its type outside."""
    for inside in ring:
        for outside in carried:
            if outside.piece == inside.piece and outside not in ring:
                length = (
                    inside._replace(target=outside.target).length
                    + outside._replace(target=inside.target).length
                )
                yield length - inside.length - outside.length, inside, outside


# --- pairs

Pairs: TypeAlias = list[tuple[Square, Square]]
Link: TypeAlias = tuple[tuple[Square, Square], "Link"] | None
"""The last pair of a pairing, and the pairs before it."""
Pairings: TypeAlias = dict[int, tuple[int, Link]]
"""For each set of targets used, as bits: the total distance, and the pairs."""

EXHAUSTIVE = 8
"""With up to this many wrong squares on one side the shortest pairing of all is found (256 sets of
targets); with more, the nearest pair goes first."""


def pairs(extra: list[Square], missing: list[Square]) -> Pairs:
    """As many (origin, target) pairs as possible."""
    if max(len(extra), len(missing)) > EXHAUSTIVE:
        return _nearest_first(extra, missing)
    if len(extra) > len(missing):
        return [(origin, target) for target, origin in pairs(missing, extra)]
    return _shortest(extra, missing)


def _shortest(extra: list[Square], missing: list[Square]) -> Pairs:
    """The best pairing of the first pieces with every set of targets, one piece more at a time."""
    best: Pairings = {0: (0, None)}
    for origin in extra:
        goals = [(1 << n, distance(origin, goal), goal) for n, goal in enumerate(missing)]
        longer: Pairings = {}
        for used, (length, link) in best.items():
            for bit, further, goal in goals:
                if used & bit:
                    continue
                known = longer.get(used | bit)
                if known is None or length + further < known[0]:
                    longer[used | bit] = length + further, ((origin, goal), link)
        best = longer
    _, link = min(best.values(), key=lambda one: one[0])
    return _unlinked(link)


def _unlinked(link: Link) -> Pairs:
    found = []
    while link is not None:
        pair, link = link
        found.append(pair)
    return found[::-1]


def _nearest_first(extra: list[Square], missing: list[Square]) -> Pairs:
    found: Pairs = []
    candidates = sorted(
        (distance(origin, target), origin, target) for origin in extra for target in missing
    )
    origins, targets = set(extra), set(missing)
    for _, origin, target in candidates:
        if origin in origins and target in targets:
            found.append((origin, target))
            origins.remove(origin)
            targets.remove(target)
    return found


# --- the plan

Step: TypeAlias = tuple[Square | None, Square | None]
"""(from, to) of one carried piece; None is the box beside the board."""

KINDS = tuple((kind, side) for kind in range(KING, PAWN - 1, -1) for side in SIDE)
"""Piece type and side in the order in which they come from the box: kings first, pawns last."""
REMEMBERED = 16
"""Plans kept: what stands changes with a hand, but is asked for many times in between."""


@lru_cache(maxsize=REMEMBERED)
def plan(standing: Placement, wanted: Placement, unknown: Bitboard = 0) -> tuple[Step, ...]:
    """The fewest actions that turn one placement into another, in an order that hands can keep.

    ``unknown``: squares, besides those of ``standing``, with an unidentified piece. On a wanted
    square it counts as the piece wanted there, elsewhere as any missing one. There are as many
    actions as the larger number of extra and missing pieces, for each type and colour, and one more
    for each ring that cannot be opened. First the board is cleared, then pieces are moved, then
    they come from the box.
    """
    carried = open_rings(_carried(standing, wanted, unknown))
    aside = [max(ring, key=lambda carry: carry.length) for ring in rings(carried)]
    carried = [carry for carry in carried if carry not in aside]
    carried += [carry._replace(target=None) for carry in aside]
    carried += [carry._replace(origin=None) for carry in aside]
    return tuple(_in_order(carried))


def _carried(standing: Placement, wanted: Placement, unknown: Bitboard) -> list[Carry]:
    """Which piece goes where, leaving aside whether the squares are free."""
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
    """Lead extra pieces to where they are missing, and the rest of them to the box."""
    led = pairs(extra, missing)
    left = set(extra) - {origin for origin, _ in led}
    carries = [Carry(piece, origin, target) for origin, target in led]
    return carries + [Carry(piece, origin, None) for origin in sorted(left)]


def _in_order(carried: list[Carry]) -> Iterator[Step]:
    """Only empty squares are targets; short paths go before long ones."""
    waiting = sorted(carried, key=_priority)
    occupied = {carry.origin for carry in carried} - {None}
    while waiting:
        carry = next(one for one in waiting if one.target not in occupied)
        waiting.remove(carry)
        occupied.discard(carry.origin)
        yield carry.origin, carry.target


def _priority(carry: Carry) -> tuple[int, int, int]:
    """To the box first, from the box last."""
    if carry.target is None:
        return 0, 0, carry.origin or 0
    if carry.origin is not None:
        return 1, carry.length, carry.origin
    return 2, carry.piece or 0, carry.target
