"""Rings: men who stand on each other's squares, so that none of them can go first.

Two men of one kind may change their targets at no cost. So a ring is opened wherever another man
of one of its kinds is carried, too: the ring becomes a part of his way. What remains has its kinds
to itself, and one of its men has to be laid aside.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from boardfw.squares import Square, distance


class Carry(NamedTuple):
    """One man carried from a square or the box (None) to a square or the box."""

    man: int | None
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
            if outside.man == inside.man and outside not in ring:
                length = (
                    inside._replace(target=outside.target).length
                    + outside._replace(target=inside.target).length
                )
                yield length - inside.length - outside.length, inside, outside
