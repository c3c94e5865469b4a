"""A simulated world that runs faster waits for its scans."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.recording import Scan
from boardfw.sight import Sight
from boardfw.squares import START, Occupancy
from hardware.board_url import parse_url
from hardware.clock import STEP_US, PacedClock

MS_NS = 1_000_000


class World:
    """The machine's time, as a test wants it."""

    def __init__(self) -> None:
        self.ns = 5_000

    def __call__(self) -> int:
        return self.ns


class Quick:
    """A sensor that takes its time."""

    def __init__(self, world: World, takes_ns: int) -> None:
        self._world = world
        self._takes_ns = takes_ns

    def read(self) -> Occupancy:
        self._world.ns += self._takes_ns
        return START


@given(
    st.floats(1.1, 50),
    st.lists(st.integers(0, 2_000 * MS_NS), min_size=1, max_size=30),
    st.integers(0, 50 * MS_NS),
)
def test_however_late_scans_come_paced_time_leaves_no_gap(
    speed: float, pauses_ns: list[int], takes_ns: int
) -> None:
    world = World()
    clock = PacedClock(speed, world)
    sight = Sight(Quick(world, takes_ns), clock)
    last_us = 0
    for pause_ns in pauses_ns:
        world.ns += pause_ns
        scan = sight.read()
        assert scan == Scan(scan.t_us, START, since_us=None)
        assert last_us <= scan.t_us <= last_us + 2 * STEP_US
        last_us = scan.t_us


def test_a_world_that_is_scanned_often_enough_runs_as_fast_as_planned() -> None:
    world = World()
    clock = PacedClock(8, world)
    told: list[float] = []
    clock.tell_if_slow(told.append)
    for _ in range(10_000):
        world.ns += MS_NS
        clock.looked()
    assert clock.now_us() == 8 * 10_000_000
    assert told == []


def test_one_that_is_not_says_once_how_fast_it_runs() -> None:
    world = World()
    clock = PacedClock(8, world)
    told: list[float] = []
    clock.tell_if_slow(told.append)
    for _ in range(5_000):
        world.ns += 3 * MS_NS  # 24 ms of its time, of which it takes 12
        clock.looked()
    assert told == [pytest.approx(4, rel=0.01)]


@pytest.mark.parametrize(
    ("url", "is_so"),
    [("sim:", True), ("replay:x", True), ("spy:f,sim:", True), ("spy:f,i2c:reference", False)],
)
def test_no_real_board_waits(url: str, *, is_so: bool) -> None:
    assert parse_url(url).is_artificial == is_so
