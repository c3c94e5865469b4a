"""Looking at the switches: what a scan reads, when, and since when nobody could have seen more.

A scan may fail for a while, or take a second until a bus gives up. What has changed by the next one
changed at some time in between, and whoever weighs evidence has to know that.
"""

from __future__ import annotations

from boardfw.ports import Clock, SquareSensor
from boardfw.recording import Scan

GAP_US = 20_000
"""Shorter than that is no gap: no hand does two things meanwhile, and a slow bus takes 3 ms."""


class Sight:
    """A sensor with a clock beside it."""

    def __init__(self, sensor: SquareSensor, clock: Clock) -> None:
        self._sensor = sensor
        self._clock = clock
        self._began_us: int | None = None
        """When the scan was begun that has not succeeded yet."""

    def read(self) -> Scan:
        """One scan. Raises BusError; the next one that succeeds says since when none has."""
        if self._began_us is None:
            self._began_us = self._clock.now_us()
        occupancy = self._sensor.read()
        t_us, began_us, self._began_us = self._clock.now_us(), self._began_us, None
        return Scan(t_us, occupancy, began_us if t_us - began_us >= GAP_US else None)
