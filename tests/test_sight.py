"""A scan says since when the board could not be read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.errors import BusError
from boardfw.recording import Scan
from boardfw.sight import GAP_US, News, Sight
from boardfw.squares import NO_SWITCHES, START, Occupancy
from hardware.clock import VirtualClock

SCAN_US = 1_000


class Slow:
    """A sensor of which each reading takes its time, and may fail in the end."""

    def __init__(self, *takes_us: int) -> None:
        self.clock = VirtualClock()
        self.takes_us = list(takes_us)
        """Negative: so long, and then it fails. None left: a usual one."""
        self.occupancy: Occupancy = START

    def read(self) -> Occupancy:
        takes_us = self.takes_us.pop(0) if self.takes_us else SCAN_US
        self.clock.advance_to(self.clock.now_us() + abs(takes_us))
        if takes_us < 0:
            raise BusError("no acknowledgement")
        return self.occupancy

    def wait(self, for_us: int) -> None:
        self.clock.advance_to(self.clock.now_us() + for_us)


def looking(*takes_us: int) -> tuple[Slow, Sight]:
    sensor = Slow(*takes_us)
    return sensor, Sight(sensor, sensor.clock)


def test_a_usual_scan_is_of_its_end_and_leaves_no_gap() -> None:
    sensor, sight = looking()
    assert sight.read() == Scan(SCAN_US, START)
    sensor.wait(GAP_US - 2 * SCAN_US)
    assert sight.read() == Scan(GAP_US, START)


@given(st.lists(st.integers(0, 60_000), max_size=20))
def test_every_pause_that_is_too_long_is_told_and_no_other(pauses_us: list[int]) -> None:
    sensor, sight = looking()
    last = sight.read()
    for pause_us in pauses_us:
        sensor.wait(pause_us)
        scan = sight.read()
        gap_us = pause_us + 2 * SCAN_US  # what is read is of any time during a scan
        assert scan.since_us == (last.t_us if gap_us > GAP_US else None)
        last = scan


def test_after_a_slow_scan_it_is_unknown_what_was_since_the_one_before() -> None:
    sensor, sight = looking(SCAN_US, GAP_US)
    sight.read()
    sensor.wait(2_000)
    assert sight.read() == Scan(3_000 + GAP_US, START, since_us=SCAN_US)


def test_what_a_slow_scan_read_may_be_old_so_the_next_one_says_so_too() -> None:
    """The process may have been stopped after the switches were read, before their time was."""
    _, sight = looking(SCAN_US, 1_000_000)
    sight.read()
    slow = sight.read()
    assert sight.read().since_us == slow.t_us
    assert sight.read().since_us is None


def test_after_failed_scans_it_is_unknown_what_was_since_the_last_good_one() -> None:
    _, sight = looking(SCAN_US, -5_000, -GAP_US)
    sight.read()
    for _ in range(2):
        with pytest.raises(BusError):
            sight.read()
    assert sight.read().since_us == SCAN_US
    assert sight.read().since_us is None


# ------------------------------------------------------------- a board that tells of changes


def resting(sensor: Slow, sight: Sight, rests: int = 20) -> None:
    """The board would have told of a change, and tells of none for a fifth of a second."""
    for _ in range(rests):
        sensor.wait(10_000)
        sight.hear(News.QUIET)


def test_a_board_that_tells_of_changes_may_rest() -> None:
    sensor, sight = looking()
    sight.read()
    resting(sensor, sight)
    assert sight.read().since_us is None
    resting(sensor, sight)
    sight.hear(News.CHANGED)
    sensor.occupancy = NO_SWITCHES
    assert sight.read().since_us is None


def test_a_process_held_up_while_the_board_rested_has_not_heard_its_news() -> None:
    sensor, sight = looking()
    sight.read()
    resting(sensor, sight)
    rested_us = sensor.clock.now_us()
    sensor.wait(GAP_US + 1)
    sight.hear(News.QUIET)
    sight.hear(News.CHANGED)
    sensor.occupancy = NO_SWITCHES
    assert sight.read().since_us == rested_us


def test_a_change_of_which_the_board_should_have_told_came_at_any_time() -> None:
    sensor, sight = looking()
    read_us = sight.read().t_us
    resting(sensor, sight)
    sensor.occupancy = NO_SWITCHES
    assert sight.read().since_us == read_us


def test_what_was_foreseen_leaves_no_gap_however_long_nothing_happened() -> None:
    sensor, sight = looking()
    sight.read()
    sensor.wait(3_600_000_000)
    sight.hear(News.FORESEEN)
    sensor.occupancy = NO_SWITCHES
    assert sight.read().since_us is None


def test_what_was_foreseen_says_nothing_once_a_scan_has_failed() -> None:
    sensor, sight = looking(SCAN_US, -SCAN_US)
    sight.read()
    sensor.wait(5_000)
    sight.hear(News.FORESEEN)
    foreseen_us = sensor.clock.now_us()
    with pytest.raises(BusError):
        sight.read()
    sensor.wait(100_000)
    sight.hear(News.FORESEEN)
    assert sight.read().since_us == foreseen_us
