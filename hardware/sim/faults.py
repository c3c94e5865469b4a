"""What is wrong with a simulated board's electricity; every choice comes from a seeded source.

Reed switches operate within 0.3 ms and bounce 0.5 to 1 ms when they are new (data sheets of
KSK-1A04 and HSR-0025); larger and older ones, and magnets that arrive slowly, bounce for several.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from boardfw.squares import (
    EVERY_SWITCH,
    NO_SWITCHES,
    Occupancy,
    Switch,
    distance,
)

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Faults:
    """Probabilities are per contact change, rates per second, ranges (from, to) microseconds."""

    bounce: float = 0.0
    bounce_us: Range = (500, 6_000)
    reach: float = 0.46  # squares: a usual piece closes a usual switch from this distance
    hysteresis: tuple[float, float] = (1.10, 1.28)  # opening by closing distance, of its switches
    spread: float = 0.0  # of the strengths of pieces and of switches about 1, one sigma
    lost: float = 0.0  # a piece at the edge of its reach lets its switch open again by itself
    lost_after_us: Range = (20_000, 1_500_000)
    lost_us: Range = (20_000, 400_000)
    late: float = 0.0  # an edge is missed and seen later, or never if it was short
    late_us: Range = (4_000, 40_000)
    glitch_hz: float = 0.0
    glitch_us: int = 2_000  # one scan at 500 Hz
    bus_error_hz: float = 0.0
    bus_error_reads: int = 3  # reads that fail in a row
    stuck_open: Occupancy = NO_SWITCHES
    stuck_closed: Occupancy = NO_SWITCHES
    hang_us: int | None = None  # after the start: a reading then never comes back

    @property
    def longest_us(self) -> int:
        """How long after a touch its contacts may still change."""
        lost_us = self.lost_after_us[1] + self.lost_us[1]
        return self.bounce_us[1] + self.late_us[1] + MOST_LOSSES * lost_us

    def scaled(self, *, times: float = 1.0, chances: float = 1.0) -> Faults:
        """The same board with all its times and all its chances multiplied; at most certain."""
        return replace(
            self,
            bounce=min(self.bounce * chances, 1.0),
            bounce_us=scaled_range(self.bounce_us, times),
            lost=min(self.lost * chances, 1.0),
            lost_after_us=scaled_range(self.lost_after_us, times),
            lost_us=scaled_range(self.lost_us, times),
            late=min(self.late * chances, 1.0),
            late_us=scaled_range(self.late_us, times),
            glitch_hz=self.glitch_hz * chances,
            bus_error_hz=self.bus_error_hz * chances,
        )


PRESETS: dict[str, Faults] = {
    "none": Faults(),
    "reed": Faults(bounce=0.6, spread=0.06, lost=0.15),
    "wooden": Faults(bounce=0.8, reach=0.40, spread=0.1, lost=0.6, late=0.02, glitch_hz=0.15),
    "cable": Faults(bounce=0.6, spread=0.06, bus_error_hz=0.2),
    "strong": Faults(bounce=0.6, reach=0.54, hysteresis=(1.24, 1.30), spread=0.03, lost=0.1),
    # Halls that feel half a square beyond their own: digital, so they do not bounce.
    "wide": Faults(reach=0.65, hysteresis=(1.12, 1.20), spread=0.03),
    "weak": Faults(bounce=0.6, reach=0.33, hysteresis=(1.06, 1.28), spread=0.03, lost=0.1),
}

MOST_LOSSES = 2
"""How often in a row a contact is lost at most; then the piece has found its place."""


def scaled_range(limits: Range, by: float) -> Range:
    """Both ends of a range multiplied."""
    return round(limits[0] * by), round(limits[1] * by)


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


def lost_contact(faults: Faults, random: Random, slack: float) -> list[tuple[int, bool]]:
    """How the switch of a piece that just arrived opens and closes again by itself, if it does.

    ``slack``: how near the edge of its reach it stands, 0 in the middle to 1.
    """
    edges: list[tuple[int, bool]] = []
    after_us = 0
    while len(edges) < 2 * MOST_LOSSES and random.random() < faults.lost * slack * slack:
        opens_us = after_us + within(random, faults.lost_after_us)
        after_us = opens_us + within(random, faults.lost_us)
        edges += [(opens_us, False), (after_us, True)]
    return edges


def neighbours(square: Switch) -> list[Switch]:
    """The three to eight squares that touch this one."""
    return [near for near in EVERY_SWITCH if distance(near, square) == 1]


class Glitches:
    """Single scans in which one switch reads wrong; independent of how often it is read."""

    def __init__(self, faults: Faults, random: Random, t_us: int) -> None:
        self._faults = faults
        self._random = random
        self._mask = NO_SWITCHES
        self._start_us = self._end_us = t_us

    def mask(self, t_us: int) -> Occupancy:
        """The switches that read wrong at this time; times must not decrease."""
        if not self._faults.glitch_hz:
            return NO_SWITCHES
        while self._end_us <= t_us:
            self._draw()
        return self._mask if self._start_us <= t_us else NO_SWITCHES

    def next_change_us(self, t_us: int) -> int | None:
        """When the mask changes next after ``t_us``, the time it was last asked for."""
        if not self._faults.glitch_hz:
            return None
        return self._start_us if t_us < self._start_us else self._end_us

    def _draw(self) -> None:
        self._start_us = self._end_us + _wait_us(self._random, self._faults.glitch_hz)
        self._end_us = self._start_us + self._faults.glitch_us
        self._mask = 1 << EVERY_SWITCH[self._random.randrange(64)]


class BusFailures:
    """Bursts of reads that fail, as with a plug that is not quite in."""

    def __init__(self, faults: Faults, random: Random, t_us: int) -> None:
        self._faults = faults
        self._random = random
        self._next_us = t_us
        self._left = 0
        if faults.bus_error_hz:
            self._draw()

    def fails(self, t_us: int) -> bool:
        """True if the read that happens now fails; counts it."""
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
