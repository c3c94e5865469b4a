"""Looking at the switches: what a scan reads, when, and since when nobody could have seen more.

A scan may fail for a while, take a second until a bus gives up, or come late because the process
was held up. What has changed by the next one changed at some time in between, and whoever weighs
evidence has to know that: two plies that look like one change are not one.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from boardfw.ports import Clock, SquareSensor
from boardfw.recording import Scan

LATE_US = 25_000
"""Scans further apart than this have a gap between them (a contract): no hand does two things in
less, a slow bus takes 3 ms, and a resting board is read every 10 ms."""


@runtime_checkable
class Informed(Protocol):
    """A sensor that notes what is read of another one, and so has to know when it may be quiet."""

    def unchanged(self) -> None:
        """As of ``Sight``."""


class Sight:
    """A sensor with a clock beside it."""

    def __init__(self, sensor: SquareSensor, clock: Clock) -> None:
        self._sensor = sensor
        self._clock = clock
        self._seen_us: int | None = None
        """Up to when the switches are known; None: nobody has looked yet."""

    def unchanged(self) -> None:
        """The switches are known to have stayed as they were up to now, without a scan.

        A chip rings when one changes, and a simulated board knows when one will.
        """
        self._seen_us = self._clock.now_us()
        if isinstance(self._sensor, Informed):
            self._sensor.unchanged()

    def read(self) -> Scan:
        """One scan; ``since_us`` is the last good one where that is too long ago.

        Raises BusError; then that scan was none.
        """
        seen_us = self._clock.now_us() if self._seen_us is None else self._seen_us
        self._seen_us = seen_us  # before the first scan nobody has looked either
        occupancy = self._sensor.read()
        t_us = self._clock.now_us()
        self._seen_us = t_us
        return Scan(t_us, occupancy, seen_us if t_us - seen_us > LATE_US else None)
