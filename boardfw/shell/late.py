"""Scans that came late, because the machine was busy or the program stopped: counted and told.

What happened between such a scan and the one before nobody has seen (``boardfw/sight.py``).
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable

log = logging.getLogger(__name__)

LONG_US = 100_000
"""So long a gap is told each time, and to everybody: a piece may have been carried in it."""
PAUSE_S = 60.0
"""Shorter ones are told once in so long, in the log of a service; what repeats within it is told on
the screen."""
OFTEN = 3
"""So many late scans within ``PAUSE_S`` are no accident."""


class LateScans:
    """One thread notes them, others read. ``now_s``: seconds of the world's time."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self.count = 0
        """Late scans since the start."""
        self.longest_us = 0
        """The longest time between two scans, of those that were late; microseconds."""
        self.slowed = ""
        """That time runs slower than was wished, and how fast; empty: it does not."""
        self._lately: deque[tuple[float, int]] = deque(maxlen=OFTEN)
        """When the last ones came, and how long nobody had looked."""
        self._told_s: float | None = None

    def note(self, gap_us: int) -> None:
        """A scan came so long after the one before that nobody knows what happened between."""
        now_s = self._now_s()
        self.count += 1
        self.longest_us = max(self.longest_us, gap_us)
        self._lately.append((now_s, gap_us))
        if gap_us >= LONG_US:
            log.warning("%s; check what was moved meanwhile", self._told(gap_us))
        elif self._told_s is None or now_s - self._told_s >= PAUSE_S:
            self._told_s = now_s
            log.info("%s", self._told(gap_us))

    def slow_down(self, wished: float, reached: float) -> None:
        """Time was to run ``wished`` times as fast as the world, and runs ``reached`` times."""
        self.slowed = (
            f"this computer cannot keep up with --speed {wished:g}: "
            f"the game goes on at about {reached:.1f}"
        )
        log.warning("%s", self.slowed)

    @property
    def notices(self) -> tuple[str, ...]:
        """What the players have to know, a line each."""
        return tuple(filter(None, (self.warning, self.slowed)))

    @property
    def warning(self) -> str:
        """What to do, where late scans repeat; empty: they do not."""
        lately = list(self._lately)  # the other thread may add one meanwhile
        if len(lately) < OFTEN or self._now_s() - lately[0][0] > PAUSE_S:
            return ""
        longest_us = max(gap_us for _, gap_us in lately)
        return (
            f"The computer is too busy to watch the board (not looked for {duration(longest_us)}): "
            "close other programs, and check each move here"
        )

    def _told(self, gap_us: int) -> str:
        return (
            f"nobody looked at the board for {duration(gap_us)}, because the computer was busy or "
            f"the program was stopped (late scans since the start: {self.count}, the longest after "
            f"{duration(self.longest_us)})"
        )


def duration(us: int) -> str:
    """``31 ms``, ``1.2 s``."""
    return f"{us / 1_000_000:.1f} s" if us >= 1_000_000 else f"{us // 1000} ms"
