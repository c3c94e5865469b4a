"""Switches that something other than a piece opens or closes for a while.

An interference is a list of such times. It is laid over what the switches read of the pieces, so
any hands can play through any interference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random

from boardfw.squares import NO_SWITCHES, Occupancy
from hardware.sim.gesture import Gesture

Scans = Sequence[tuple[int, Occupancy]]
"""(t us, occupancy), one for each scan that changed."""
FOR_EVER_US = 1 << 62


@dataclass(frozen=True, slots=True)
class Forcing:
    """From one instant until another these switches read open, and those read closed.

    ``is_fault``: the switches are broken meanwhile; else something passes by.
    """

    since_us: int
    until_us: int
    opened: Occupancy = NO_SWITCHES
    closed: Occupancy = NO_SWITCHES
    is_fault: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """A game as hands played it, before anything disturbs its switches.

    ``scans`` go on until ``end_us``; ``gestures`` are in the order in which they begin.
    """

    random: Random
    scans: Scans
    gestures: Sequence[Gesture]
    end_us: int

    def closed_at(self, t_us: int) -> Occupancy:
        """The switches that read closed at an instant."""
        closed = self.scans[0][1]
        for scanned_us, occupancy in self.scans:
            if scanned_us > t_us:
                break
            closed = occupancy
        return closed

    def some_time_us(self, first: float = 0.0, last: float = 1.0) -> int:
        """A random instant between these shares of the game."""
        begin_us = self.gestures[0].begin_us if self.gestures else 0
        share = self.random.uniform(first, last)
        return begin_us + round(share * (self.end_us - begin_us))


Interference = Callable[[Scene], Iterable[Forcing]]


def forced(
    scans: Scans, forcings: Iterable[Forcing], period_us: int, end_us: int
) -> list[tuple[int, Occupancy]]:
    """Return what the switches read with these forcings; where two contradict, the switch is open.

    A forcing that no scan falls into is not seen.
    """
    listed = list(forcings)
    waiting = sorted(
        (_next_scan_us(forcing.since_us, period_us), _next_scan_us(forcing.until_us, period_us), at)
        for at, forcing in enumerate(listed)
    )
    times = {t_us for t_us, _ in scans}.union(*(span[:2] for span in waiting))
    active: list[tuple[int, int, int]] = []
    seen: list[tuple[int, Occupancy]] = []
    began, scanned = 0, 0
    for t_us in sorted(t_us for t_us in times if t_us <= end_us):
        while began < len(waiting) and waiting[began][0] <= t_us:
            active.append(waiting[began])
            began += 1
        active = [span for span in active if span[1] > t_us]
        while scanned + 1 < len(scans) and scans[scanned + 1][0] <= t_us:
            scanned += 1
        read = scans[scanned][1]
        for _, _, at in active:
            read |= listed[at].closed
        for _, _, at in active:
            read &= ~listed[at].opened
        if not seen or seen[-1][1] != read:
            seen.append((t_us, read))
    return seen


def _next_scan_us(t_us: int, period_us: int) -> int:
    """When a change at an instant is first scanned."""
    return -(-t_us // period_us) * period_us
