"""Which man goes to which square, so that all together are carried the least far."""

from __future__ import annotations

from typing import TypeAlias

from boardfw.squares import Square, distance

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
