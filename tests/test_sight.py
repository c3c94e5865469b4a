"""A scan says since when nobody could look."""

from __future__ import annotations

import pytest

from boardfw.errors import BusError
from boardfw.recording import Scan
from boardfw.sight import GAP_US, Sight
from boardfw.squares import START, Occupancy
from hardware.clock import VirtualClock


class Slow:
    """A sensor of which each reading takes its time, and may fail in the end."""

    def __init__(self, *takes_us: int) -> None:
        self.clock = VirtualClock()
        self.takes_us = list(takes_us)
        """Negative: so long, and then it fails."""

    def read(self) -> Occupancy:
        takes_us = self.takes_us.pop(0)
        self.clock.advance_to(self.clock.now_us() + abs(takes_us))
        if takes_us < 0:
            raise BusError("no acknowledgement")
        return START


def test_a_usual_scan_is_of_its_end_and_leaves_no_gap() -> None:
    sensor = Slow(1_000, GAP_US - 1)
    sight = Sight(sensor, sensor.clock)
    assert sight.read() == Scan(1_000, START)
    assert sight.read() == Scan(1_000 + GAP_US - 1, START)


def test_after_a_slow_scan_nobody_knows_what_was_since_it_began() -> None:
    sensor = Slow(1_000, GAP_US)
    sight = Sight(sensor, sensor.clock)
    sight.read()
    assert sight.read() == Scan(1_000 + GAP_US, START, since_us=1_000)


def test_after_scans_that_failed_nobody_knows_what_was_since_the_first_of_them() -> None:
    sensor = Slow(1_000, -5_000, -GAP_US, 500, 500)
    sight = Sight(sensor, sensor.clock)
    sight.read()
    for _ in range(2):
        with pytest.raises(BusError):
            sight.read()
    assert sight.read().since_us == 1_000
    assert sight.read().since_us is None
