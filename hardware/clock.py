"""Where time comes from: the machine's monotonic clock, or one that a loop moves itself."""

from __future__ import annotations

import logging
import threading
import time

log = logging.getLogger(__name__)

STEP_US = 20_000
"""A paced clock goes on by no more between two scans: less than a gap in what is seen."""
SLOW_US = 10_000_000
"""A paced clock that stood still for so long, and for more than half of the time, is told of."""


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


class PacedClock(MonotonicClock):
    """A fast clock that waits for whoever scans: of a simulated board time may stand still.

    So a machine that cannot keep up plays slower, and no hand moves between two scans unseen.
    """

    def __init__(self, speed: float) -> None:
        super().__init__(speed)
        self.held_us = 0
        """For how long it has stood still, microseconds of this clock."""
        self._allowed_us = STEP_US
        self._has_told = False
        self._first: tuple[int, int] | None = None
        self._lock = threading.Lock()

    def now_us(self) -> int:
        """Microseconds since the clock was made, without those for which it stood still."""
        with self._lock:
            now_us = super().now_us() - self.held_us
            self.held_us += max(0, now_us - self._allowed_us)
            return min(now_us, self._allowed_us)

    def scanned(self) -> None:
        """The switches have been read: time may go on for another step."""
        now_us = self.now_us()
        self._allowed_us = now_us + STEP_US
        if self._first is None:
            self._first = now_us, self.held_us
        played_us, held_us = now_us - self._first[0], self.held_us - self._first[1]
        if held_us > SLOW_US and held_us > played_us and not self._has_told:
            self._has_told = True
            log.warning("this machine cannot play %g times as fast: it goes slower", self.speed)


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
