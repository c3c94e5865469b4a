"""Ghosts: plies that are in the record although the board never showed them.

The switch under the origin of such a ply never read open, or the one under its target never
changed: a piece was held up, or not touched at all. A capture that its switch missed becomes a ply
when the reply has landed (as promised to players), so it is no ghost from then on.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter

from boardfw.accuracy.stand import Stand
from boardfw.accuracy.truth import GameTruth
from boardfw.squares import SWITCH_BY_NAME, Occupancy, Switch

Scans = Sequence[tuple[int, Occupancy]]
GHOST_US = 500_000
"""What is corrected sooner misleads nobody."""
TOUCHED_US = 1_000_000
"""A piece may be lifted so long before the ply two before it is recorded."""
BOUNCED_US = 10_000
"""A contact has bounced out so long after its piece has landed."""


def ghosts(truth: GameTruth, stands: Iterable[Stand], scans: Scans) -> Iterator[Stand]:
    """Yield the plies that were in the record for more than half a second without being shown."""
    everything = list(stands)
    for stand in everything:
        seen_us = stand.since_us + GHOST_US
        if stand.until_us > seen_us and not _was_due(truth, stand, seen_us):
            begin_us = _earliest_us(everything, stand)
            if not _was_shown(truth, stand, scans, (begin_us, seen_us)):
                yield stand


def _was_due(truth: GameTruth, stand: Stand, seen_us: int) -> bool:
    """True if the ply was played by then, and its capture seen or answered."""
    played = truth.at(stand.ply)
    if played is None or played.uci != stand.uci or played.landed_us > seen_us:
        return False
    reply = truth.at(stand.ply + 1)
    is_answered = reply is not None and reply.landed_us <= seen_us
    return is_answered or "never_open" not in played.tags


def _earliest_us(stands: Iterable[Stand], stand: Stand) -> int:
    """Return when the pieces of this ply may have been touched at the earliest."""
    before = [
        other.since_us
        for other in stands
        if other.ply <= stand.ply - 2 and other.since_us < stand.since_us <= other.until_us
    ]
    return max(before, default=TOUCHED_US) - TOUCHED_US


def _was_shown(truth: GameTruth, stand: Stand, scans: Scans, window: tuple[int, int]) -> bool:
    origin, target = SWITCH_BY_NAME[stand.uci[:2]], SWITCH_BY_NAME[stand.uci[2:4]]
    begin_us, end_us = window
    left = _read(scans, origin, max(begin_us, _arrived_us(truth, stand, origin)), end_us)
    came = _read(scans, target, max(begin_us, _arrived_us(truth, stand, target)), end_us)
    return False in left and len(came) == 2


def _arrived_us(truth: GameTruth, stand: Stand, switch: Switch) -> int:
    """Return when the last piece before this ply came to a square, and its contact was steady."""
    times = [
        ply.landed_us + BOUNCED_US
        for ply in truth.plies[: stand.ply]
        if SWITCH_BY_NAME[ply.uci[2:4]] == switch
    ]
    return max(times, default=0)


def _read(scans: Scans, switch: Switch, begin_us: int, end_us: int) -> set[bool]:
    """Return the levels that a switch read between two instants."""
    first = max(0, bisect_right(scans, begin_us, key=itemgetter(0)) - 1)
    last = bisect_right(scans, end_us, key=itemgetter(0))
    return {bool(occupancy >> switch & 1) for _, occupancy in scans[first : max(last, first + 1)]}
