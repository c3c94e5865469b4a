"""Pulses: since when a thread of this process has not answered.

The scan thread feeds the watchdog by them, and ``boardfw status`` names the threads that hang.
"""

from __future__ import annotations

import logging
import time
from types import TracebackType

from boardfw.shell.systemd import Notifier

log = logging.getLogger(__name__)

NOTED_S = 3.0
"""A thread that has not answered for so long is reported. The loop turns at least once a second, a
round of the scan thread takes 0.3 s at most, and a write to a slow card a second."""

_beating: list[Pulse] = []
"""Those of the threads that run, each entered by its thread."""


class Pulse:
    """A thread that works in turns. It enters the pulse while it runs, and beats in each turn.

    ``limit_s``: without it for longer than this the board cannot play, so it has to be restarted;
    None: the game goes on without it.
    """

    def __init__(self, name: str, limit_s: float | None = None) -> None:
        self.name = name
        self.limit_s = limit_s
        self._since_s: float | None = None
        """When the turn began, seconds of the monotonic clock; None: there is nothing to do."""

    def __enter__(self) -> Pulse:
        _beating.append(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _beating.remove(self)
        self.rest()

    def beat(self) -> None:
        """Begin a turn."""
        self._since_s = time.monotonic()

    def rest(self) -> None:
        """Wait for something to do: nothing is expected meanwhile."""
        self._since_s = None

    @property
    def since_s(self) -> float | None:
        """Since when it has not answered, seconds of the monotonic clock; None: it waits."""
        return self._since_s

    def silent_s(self) -> float:
        """Seconds since the last beat; 0 while it waits for something to do."""
        since_s = self._since_s  # another thread may change it
        return 0.0 if since_s is None else time.monotonic() - since_s

    @property
    def is_lost(self) -> bool:
        """True if the board cannot play because this thread has not answered for too long."""
        return self.limit_s is not None and self.silent_s() > self.limit_s


def silent() -> list[Pulse]:
    """Return the pulses of threads that do not answer, the one silent for longest first."""
    return sorted(
        (pulse for pulse in tuple(_beating) if pulse.silent_s() > NOTED_S),
        key=Pulse.silent_s,
        reverse=True,
    )


class Watchdog:
    """Feeds the supervisor's watchdog while all ``vital`` threads answer."""

    def __init__(self, notifier: Notifier, *vital: Pulse) -> None:
        self._notifier = notifier
        self._vital = vital
        self._fed_s = time.monotonic()
        self._lost: Pulse | None = None
        """The thread for whose silence the watchdog gets nothing."""

    def feed(self) -> None:
        """Send a ping if one is due; called where a hang would be a hang of the board."""
        ping_us, now_s = self._notifier.ping_us, time.monotonic()
        if ping_us is None or (now_s - self._fed_s) * 1_000_000 < ping_us:
            return
        lost = next((pulse for pulse in self._vital if pulse.is_lost), None)
        if lost is None:
            self._notifier.watchdog()
            self._fed_s = now_s
        elif lost is not self._lost:
            log.error(
                "the thread %r has not answered for %.0f s; unless it does soon, the watchdog "
                "restarts the board",
                *(lost.name, lost.silent_s()),
            )
        self._lost = lost
