"""The planner: from what stands to what is wanted, in the fewest hand actions.

A man too many is led to a square that wants one, so each pair costs one action instead of two;
what is left over goes to the box, what is still wanted comes from it. Only occupancy is known,
so pairs are chosen by the length of the way: a knocked man has not rolled far.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from boardfw.squares import Occupancy, Square, distance, squares_in

Pairs: TypeAlias = list[tuple[Square, Square]]
Step: TypeAlias = tuple[Square | None, Square | None]
"""(from, to): one man carried; None is the box beside the board."""

EXHAUSTIVE = 8
"""Up to so many squares wrong on one side the shortest ways of all are found (256 sets of targets);
beyond, the nearest pair goes first."""
REMEMBERED = 16
"""Plans kept: what stands changes with a hand, and is looked at many times in between."""


@lru_cache(maxsize=REMEMBERED)
def plan(standing: Occupancy, wanted: Occupancy) -> tuple[Step, ...]:
    """The fewest actions that turn one occupancy into the other, the shortest ways first.

    Their number is the larger of the men too many and the men missing.
    """
    extra = list(squares_in(standing & ~wanted))
    missing = list(squares_in(wanted & ~standing))
    pairs = _pairs(extra, missing)
    left_over = set(extra) - {origin for origin, _ in pairs}
    still_wanted = set(missing) - {target for _, target in pairs}
    carried: list[Step] = [*sorted(pairs, key=lambda pair: distance(*pair))]
    carried += [(square, None) for square in sorted(left_over)]
    carried += [(None, square) for square in sorted(still_wanted)]
    return tuple(carried)


def _pairs(extra: list[Square], missing: list[Square]) -> Pairs:
    if max(len(extra), len(missing)) > EXHAUSTIVE:
        return _nearest_first(extra, missing)
    if len(extra) > len(missing):
        return [(origin, target) for target, origin in _pairs(missing, extra)]
    # The best ways for the first men to every set of as many targets, a man more at a time.
    ways: dict[frozenset[Square], tuple[int, Pairs]] = {frozenset(): (0, [])}
    for origin in extra:
        longer: dict[frozenset[Square], tuple[int, Pairs]] = {}
        for taken, (length, pairs) in ways.items():
            for target in (square for square in missing if square not in taken):
                way = (length + distance(origin, target), [*pairs, (origin, target)])
                targets = taken | {target}
                longer[targets] = min(longer.get(targets, way), way)
        ways = longer
    return min(ways.values())[1]


def _nearest_first(extra: list[Square], missing: list[Square]) -> Pairs:
    pairs = []
    ways = sorted(
        (distance(origin, target), origin, target) for origin in extra for target in missing
    )
    origins, targets = set(extra), set(missing)
    for _, origin, target in ways:
        if origin in origins and target in targets:
            pairs.append((origin, target))
            origins.remove(origin)
            targets.remove(target)
    return pairs
