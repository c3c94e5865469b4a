"""Where time comes from: the machine's monotonic clock, or one that a loop moves itself."""

from __future__ import annotations

import time


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
