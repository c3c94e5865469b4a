"""What is read of switches that something other than a piece opens and closes."""

from __future__ import annotations

from boardfw.squares import SWITCH_BY_NAME, Occupancy, occupancy_of
from hardware.sim.forcing import FOR_EVER_US, Forcing, Scans, forced

PERIOD_US, END_US = 2_000, 100_000


def on(*names: str) -> Occupancy:
    return occupancy_of(SWITCH_BY_NAME[name] for name in names)


SCANS: Scans = [(0, on("a1", "b1")), (50_000, on("b1"))]


def read(*forcings: Forcing) -> list[tuple[int, Occupancy]]:
    return forced(SCANS, forcings, PERIOD_US, END_US)


def test_without_forcings_nothing_changes() -> None:
    assert read() == SCANS


def test_a_switch_is_open_from_the_next_scan_on_until_it_is_let_go() -> None:
    assert read(Forcing(10_500, 20_000, opened=on("b1"))) == [
        SCANS[0],
        (12_000, on("a1")),
        (20_000, on("a1", "b1")),
        SCANS[1],
    ]


def test_what_happens_between_two_scans_is_not_seen() -> None:
    assert read(Forcing(10_100, 11_900, opened=on("b1"), closed=on("h8"))) == SCANS


def test_the_pieces_move_on_under_a_forcing() -> None:
    frozen = Forcing(40_000, 60_000, closed=on("a1"))
    assert read(frozen) == [SCANS[0], (60_000, on("b1"))]


def test_where_two_contradict_the_switch_is_open() -> None:
    assert read(
        Forcing(0, FOR_EVER_US, closed=on("c3")), Forcing(0, FOR_EVER_US, opened=on("c3", "a1"))
    ) == [(0, on("b1"))]


def test_nothing_is_read_after_the_end() -> None:
    assert read(Forcing(END_US + 1, FOR_EVER_US, opened=on("b1"))) == SCANS
