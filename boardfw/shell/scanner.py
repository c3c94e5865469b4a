"""The scan thread: reads the switches at a steady pace and posts what changed to the loop."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from boardfw.errors import BusError
from boardfw.game.events import Event, Press, Sample
from boardfw.ports import Board, Clock
from boardfw.shell.systemd import Notifier
from boardfw.squares import Occupancy

log = logging.getLogger(__name__)

RETRY_S = 0.1
"""Pause after a failed scan: a bus in trouble is not helped by being asked 500 times a second."""


class Scanner:
    """Owns the sensor; nobody else reads it while the thread runs."""

    def __init__(
        self,
        board: Board,
        clock: Clock,
        post: Callable[[Event], None],
        *,
        period_us: int,
        notifier: Notifier,
    ) -> None:
        self._board = board
        self._clock = clock
        self._post = post
        self._period_s = period_us / 1_000_000
        self._notifier = notifier
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="scan", daemon=True)
        self._last: Occupancy | None = None
        self._failing = False
        self._fed_s = time.monotonic()

    def start(self) -> None:
        """Begin to scan."""
        self._thread.start()

    def stop(self) -> None:
        """Stop scanning and wait until the thread has gone."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        next_s = time.monotonic()
        while not self._stop.is_set():
            pause_s = self.scan()
            # Only a completed round feeds the watchdog: a hang must starve it.
            self._feed_watchdog()
            now_s = time.monotonic()
            next_s = max(next_s + pause_s, now_s)
            self._stop.wait(next_s - now_s)

    def _feed_watchdog(self) -> None:
        ping_us, now_s = self._notifier.ping_us, time.monotonic()
        if ping_us is not None and (now_s - self._fed_s) * 1_000_000 >= ping_us:
            self._notifier.watchdog()
            self._fed_s = now_s

    def scan(self) -> float:
        """One round: read, post what changed; seconds to wait before the next one."""
        try:
            occupancy = self._board.sensor.read()
        except BusError as error:
            if not self._failing:
                log.error("the switches cannot be read, trying again: %s", error)
            self._failing = True
            return RETRY_S
        if self._failing:
            log.warning("the switches can be read again")
            self._failing = False
        now_us = self._clock.now_us()
        if occupancy != self._last:
            self._last = occupancy
            self._post(Sample(now_us, occupancy))
        for button in self._board.panel.presses():
            self._post(Press(now_us, button))
        return self._period_s
