"""Where time comes from: the machine's monotonic clock, or one that a loop moves itself."""

from __future__ import annotations

import time
from collections.abc import Callable

STEP_US = 12_000
"""Paced time goes on no further without a look at the switches: two such steps are less than the
25 ms after which it is uncertain what a hand has done."""
TRIAL_NS = 3_000_000_000
"""How long at least a paced clock is watched before it is called too slow."""
FAST_ENOUGH = 0.9
"""Share of the wanted speed below which a clock is called too slow."""


class MonotonicClock:
    """Microseconds since it was made, run ``speed`` times as fast as the world."""

    def __init__(self, speed: float = 1.0) -> None:
        if speed <= 0:
            raise ValueError(f"a clock's speed must be above 0, not {speed}")
        self.speed = speed
        self._start_ns = time.monotonic_ns()

    def now_us(self) -> int:
        """Microseconds since the clock was made."""
        return int((time.monotonic_ns() - self._start_ns) * self.speed) // 1000


class PacedClock:
    """Time of a simulated world that runs ``speed`` times as fast, and waits for its scans.

    A machine that cannot scan as often as that gets a slower world, not one with gaps in it.
    ``now_ns``: the world's own time.
    """

    def __init__(self, speed: float, now_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self._speed = speed
        self._slow: Callable[[float], None] | None = None
        self._now_ns = now_ns
        # One value, so that other threads read both numbers of the same moment.
        self._state = now_ns(), STEP_US
        """When it would have been 0, and how far time goes until the next look."""
        self._trial: tuple[int, int] | None = None
        """When the trial began, in the world's time and in this one."""

    def now_us(self) -> int:
        """Microseconds since the clock was made; never decreasing."""
        start_ns, until_us = self._state
        return min(self._us(self._now_ns() - start_ns), until_us)

    def tell_if_slow(self, listener: Callable[[float], None]) -> None:
        """Tell this listener once, in the thread that scans, how fast time runs if that is less
        than was wished."""
        self._slow = listener

    def looked(self) -> None:
        """The switches have been looked at: time may go on."""
        now_ns = self._now_ns()
        start_ns, until_us = self._state
        now_us = self._us(now_ns - start_ns)
        if now_us > until_us:  # what the world was ahead is given up
            now_us, start_ns = until_us, now_ns - int(until_us * 1000 / self._speed)
        self._state = start_ns, now_us + STEP_US
        self._try(now_ns, now_us)

    def _us(self, world_ns: int) -> int:
        return int(world_ns * self._speed) // 1000

    def _try(self, now_ns: int, now_us: int) -> None:
        """Find out how fast it is; say so where that is too slow."""
        if self._slow is None:
            return
        began_ns, began_us = self._trial = self._trial or (now_ns, now_us)
        if now_ns - began_ns < TRIAL_NS:
            return
        reached = (now_us - began_us) * 1000 / (now_ns - began_ns)
        self._trial = None
        if reached < FAST_ENOUGH * self._speed:
            slow, self._slow = self._slow, None
            slow(reached)


class VirtualClock:
    """Stands still until it is moved: a whole game then takes as long as its arithmetic."""

    def __init__(self, now_us: int = 0) -> None:
        self._now_us = now_us

    def now_us(self) -> int:
        """The time it was last moved to."""
        return self._now_us

    def advance_to(self, t_us: int) -> None:
        """Move to a later time; a time that has passed already changes nothing."""
        self._now_us = max(self._now_us, t_us)
