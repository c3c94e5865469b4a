"""What is wrong with a simulated board's electricity; every choice comes from a seeded source.

Reed switches operate within 0.3 ms and bounce 0.5 to 1 ms when they are new (data sheets of
KSK-1A04 and HSR-0025); larger and older ones, and magnets that arrive slowly, bounce for several.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from boardfw.squares import Occupancy, Square, file_of, rank_of, square_at

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Faults:
    """Probabilities are per contact change, rates per second, ranges (from, to) microseconds."""

    bounce: float = 0.0
    bounce_us: Range = (500, 6_000)
    lost: float = 0.0  # a man off its centre lets its switch open again by itself
    lost_after_us: Range = (20_000, 3_000_000)
    lost_us: Range = (20_000, 400_000)
    neighbour: float = 0.0  # the switch next door closes while a man passes
    neighbour_us: Range = (2_000, 30_000)
    late: float = 0.0  # an edge is missed and seen later, or never if it was short
    late_us: Range = (4_000, 40_000)
    glitch_hz: float = 0.0
    glitch_us: int = 2_000  # one scan at 500 Hz
    bus_error_hz: float = 0.0
    bus_error_reads: int = 3  # reads that fail in a row
    stuck_open: Occupancy = 0
    stuck_closed: Occupancy = 0


PRESETS: dict[str, Faults] = {
    "none": Faults(),
    "reed": Faults(bounce=0.6),
    "wooden": Faults(bounce=0.8, lost=0.06, neighbour=0.03, late=0.02, glitch_hz=0.15),
    "cable": Faults(bounce=0.6, bus_error_hz=0.2),
}


def within(random: Random, limits: Range) -> int:
    """A number from a range, both ends included."""
    return random.randint(*limits)


def contact_edges(faults: Faults, random: Random, closed: bool) -> list[tuple[int, bool]]:
    """What a switch does when its magnet arrives or leaves: (offset us, closed), in order."""
    start = within(random, faults.late_us) if random.random() < faults.late else 0
    edges = [(start, closed)]
    if random.random() < faults.bounce:
        length = within(random, faults.bounce_us)
        offsets = sorted(random.sample(range(1, length + 1), 2 * random.randint(1, 3)))
        edges += [(start + at, closed == bool(n % 2)) for n, at in enumerate(offsets)]
    return edges


def lost_contact(faults: Faults, random: Random) -> list[tuple[int, bool]]:
    """How a switch under a man that just arrived opens and closes again by itself, if it does."""
    if random.random() >= faults.lost:
        return []
    opens = within(random, faults.lost_after_us)
    return [(opens, False), (opens + within(random, faults.lost_us), True)]


def disturbed_neighbour(
    faults: Faults, random: Random, square: Square, magnets: Occupancy
) -> tuple[Square, list[tuple[int, bool]]] | None:
    """The empty square beside ``square`` whose switch closes for a moment, if one does."""
    if random.random() >= faults.neighbour:
        return None
    empty = [near for near in neighbours(square) if not magnets >> near & 1]
    if not empty:
        return None
    return random.choice(empty), [(0, True), (within(random, faults.neighbour_us), False)]


def neighbours(square: Square) -> list[Square]:
    """The three to eight squares that touch this one."""
    files = range(max(file_of(square) - 1, 0), min(file_of(square) + 1, 7) + 1)
    ranks = range(max(rank_of(square) - 1, 0), min(rank_of(square) + 1, 7) + 1)
    around = [square_at(file, rank) for rank in ranks for file in files]
    return [near for near in around if near != square]


class Glitches:
    """Single scans in which one switch reads wrong, whoever reads and however often."""

    def __init__(self, faults: Faults, random: Random, t_us: int) -> None:
        self._faults = faults
        self._random = random
        self._mask: Occupancy = 0
        self._start_us = self._end_us = t_us

    def mask(self, t_us: int) -> Occupancy:
        """The switches that read wrong at this time; times must not decrease."""
        if not self._faults.glitch_hz:
            return 0
        while self._end_us <= t_us:
            self._draw()
        return self._mask if self._start_us <= t_us else 0

    def next_change_us(self, t_us: int) -> int | None:
        """When the mask changes next after ``t_us``, the time it was last asked for."""
        if not self._faults.glitch_hz:
            return None
        return self._start_us if t_us < self._start_us else self._end_us

    def _draw(self) -> None:
        self._start_us = self._end_us + _wait_us(self._random, self._faults.glitch_hz)
        self._end_us = self._start_us + self._faults.glitch_us
        self._mask = 1 << self._random.randrange(64)


class BusFailures:
    """Bursts of reads that fail, as with a plug that is not quite in."""

    def __init__(self, faults: Faults, random: Random, t_us: int) -> None:
        self._faults = faults
        self._random = random
        self._next_us = t_us
        self._left = 0
        if faults.bus_error_hz:
            self._draw()

    def add(self, reads: int) -> None:
        """Let this many more reads fail."""
        self._left += reads

    def fails(self, t_us: int) -> bool:
        """Whether the read that happens now fails; counts it."""
        while self._faults.bus_error_hz and self._next_us <= t_us:
            self._left += self._faults.bus_error_reads
            self._draw()
        if not self._left:
            return False
        self._left -= 1
        return True

    def _draw(self) -> None:
        self._next_us += _wait_us(self._random, self._faults.bus_error_hz)


def _wait_us(random: Random, rate_hz: float) -> int:
    return 1 + int(random.expovariate(rate_hz) * 1_000_000)
