"""Faults of a board, as transformations of the scans of a good one.

Each takes scans (times in microseconds, and what all switches read from then on) and returns what a
board with the fault would have read while the hands did the same. Squares: a1 = 0, h8 = 63.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tests.foreign_hands.trace import Scans

FOREVER_US = 10**15


def lines() -> list[int]:
    """Return the sets of switches that share a wire or a chip: ranks, files, and pairs of ranks."""
    ranks = [0xFF << 8 * n for n in range(8)]
    files = [0x0101_0101_0101_0101 << n for n in range(8)]
    return [*ranks, *files, *(0xFFFF << 16 * n for n in range(4))]


def stuck(scans: Scans, switches: int, *, closed: bool, from_us: int = 0) -> Scans:
    """Let switches always read closed, or always open, from an instant on."""

    def read(t_us: int, occupancy: int) -> int:
        if t_us < from_us:
            return occupancy
        return occupancy | switches if closed else occupancy & ~switches

    return _changed(scans, read, (from_us,))


def frozen(scans: Scans, switches: int, from_us: int, until_us: int = FOREVER_US) -> Scans:
    """Let switches read between two instants what they read at the first."""
    before = [occupancy for t_us, occupancy in scans if t_us <= from_us][-1] & switches

    def read(t_us: int, occupancy: int) -> int:
        if from_us <= t_us < until_us:
            return occupancy & ~switches | before
        return occupancy

    return _changed(scans, read, (from_us, until_us))


def bridged(scans: Scans, one: int, other: int) -> Scans:
    """Join the lines of two squares: each reads closed as soon as one of the switches is."""
    both = 1 << one | 1 << other

    def read(_: int, occupancy: int) -> int:
        return occupancy | both if occupancy & both else occupancy

    return _changed(scans, read)


def rewired(scans: Scans, read_at: Callable[[int], int]) -> Scans:
    """Let the switch under each square be read as that of another square."""

    def read(_: int, occupancy: int) -> int:
        return sum(1 << read_at(n) for n in range(64) if occupancy >> n & 1)

    return _changed(scans, read)


def mirrored(square: int) -> int:
    """Return the square with files counted from the other side."""
    return square ^ 7


def swapped(one: int, other: int) -> Callable[[int], int]:
    """Return the wiring in which two wires are exchanged."""
    return lambda square: {one: other, other: one}.get(square, square)


def unread(scans: Scans, from_us: int, until_us: int) -> tuple[Scans, int | None]:
    """Read nothing between two instants; return the scans, and when the one after the gap is."""
    before = [one for one in scans if one[0] <= from_us]
    within = [one for one in scans if from_us < one[0] < until_us]
    after = [one for one in scans if one[0] >= until_us]
    if not within:
        return scans, None
    return [*before, (until_us, within[-1][1]), *after], until_us


def _changed(scans: Scans, read: Callable[[int, int], int], also_us: Iterable[int] = ()) -> Scans:
    """Return what is read instead, in scans in which something changes; ``also_us`` are scanned."""
    extra = [t_us for t_us in also_us if 0 < t_us < scans[-1][0]]
    changed: Scans = []
    occupancy = scans[0][1]
    moments = sorted([*((t_us, 1, occ) for t_us, occ in scans), *((t_us, 0, 0) for t_us in extra)])
    for t_us, is_scan, new in moments:
        occupancy = new if is_scan else occupancy
        now = read(t_us, occupancy)
        if not changed or now != changed[-1][1]:
            changed.append((t_us, now))
    return changed
