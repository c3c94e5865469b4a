"""The switches over chips and wiring: what is read, what is mended, what is said of the rest."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.errors import BusError
from boardfw.frame import DARK, Frame
from boardfw.squares import (
    ALL_SWITCHES,
    EVERY_SWITCH,
    START,
    SWITCH_BY_NAME,
    Occupancy,
    Switch,
    occupancy_of,
)
from hardware.boards.board_file import find_wiring, shipped_boards
from hardware.clock import VirtualClock
from hardware.sim.board import SimBoard
from hardware.sim.faults import PRESETS
from hardware.sim.i2c.controller import BCM2835, CONTROLLERS, Controller
from hardware.sim.i2c.faults import BusFaults, Fault, FaultKind
from hardware.sim.i2c_board import SimI2cBoard
from hardware.wiring import Chip, Wiring
from tests.sizes import sized

BOARDS = shipped_boards()
WIRINGS = {name: find_wiring(name) for name in BOARDS}
WITH_RESET = ["matrix", "reference"]
E2 = SWITCH_BY_NAME["e2"]


class Bench:
    """A board on a bus with faults, and time that is moved by hand."""

    def __init__(
        self, name: str | Wiring, *faults: Fault, controller: Controller = BCM2835
    ) -> None:
        self.clock = VirtualClock()
        self.pieces = SimBoard(self.clock, faults=PRESETS["none"])
        self.faults = BusFaults(faults)
        self.board = SimI2cBoard(
            WIRINGS[name] if isinstance(name, str) else name,
            self.clock,
            self.pieces,
            controller=controller,
            faults=self.faults,
        )
        self.board.open()

    def read(self) -> Occupancy:
        return self.board.sensor.read()

    def wait(self, wait_us: int) -> None:
        self.clock.advance_to(self.clock.now_us() + wait_us)

    def read_until(self, done: Callable[[], bool], most: int = 200) -> list[str]:
        """Scan every 10 ms; the messages of scans that failed."""
        told: list[str] = []
        for _ in range(most):
            try:
                self.read()
                if done():
                    return told
            except BusError as error:
                told.append(str(error))
            self.wait(10_000)
        raise AssertionError(f"never read again: {told[-1:]}")


@pytest.mark.parametrize("controller", CONTROLLERS)
@pytest.mark.parametrize("name", BOARDS)
def test_a_scan_is_what_stands_on_the_board(name: str, controller: str) -> None:
    bench = Bench(name, controller=CONTROLLERS[controller])
    assert bench.read() == START
    bench.pieces.lift(E2)
    assert bench.read() == START & ~(1 << E2)


@settings(max_examples=sized(6, 30))
@given(st.sampled_from(BOARDS), st.sets(st.sampled_from(EVERY_SWITCH), max_size=63))
def test_any_pieces_are_read_by_any_wiring(name: str, switches: set[Switch]) -> None:
    bench = Bench(name)
    bench.pieces.arrange(dict.fromkeys(switches, "P"))
    assert bench.read() == occupancy_of(switches)


def test_a_switch_that_pulls_up_reads_the_other_way_round() -> None:
    from hardware.reeds import tables

    chip = find_wiring("tca9555").chips[0]
    low, high = tables(chip), tables(replace(chip, closed_high=True))
    assert [[table[255 - byte] for byte in range(256)] for table in low] == high


@pytest.mark.parametrize("name", BOARDS)
def test_one_transfer_that_fails_is_not_even_noticed(name: str) -> None:
    bench = Bench(name)
    bench.read()
    bench.faults.add(Fault(FaultKind.NACK))
    bench.pieces.lift(E2)
    assert bench.read() == START & ~(1 << E2)
    assert bench.board.reeds.counts == {"retries": 1}


def test_a_chip_that_lost_its_registers_has_them_again_before_a_lift_can_be_missed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    bench = Bench("reference")
    bench.read()
    bench.faults.add(Fault(FaultKind.BROWN_OUT, address=0x20))
    bench.pieces.lift(E2)  # its pull-ups are off: the input floats where it was
    told = bench.read_until(lambda: bench.board.sensor.read() == START & ~(1 << E2), most=30)
    assert told == []
    assert sum(bench.board.reeds.recovered.values()) == 1
    assert caplog.messages == ["chip 0x20 had lost its registers and was configured again"]


@pytest.mark.parametrize("kind", [FaultKind.BROWN_OUT, FaultKind.GONE])
def test_lights_that_lost_their_supply_with_the_chips_are_lit_again(kind: FaultKind) -> None:
    bench = Bench("reference")
    red = Frame.of({E2: (255, 0, 0)})
    bench.read_until(lambda: True)
    bench.board.lights.show(red)
    bench.pieces.lights.show(DARK)
    bench.board.lights.show(red)
    assert bench.pieces.frame == DARK  # nothing told of it, and what did not change is not sent
    bench.faults.add(Fault(kind, span_us=30_000))
    for _ in range(20):
        bench.wait(10_000)
        with suppress(BusError):
            bench.read()
    bench.board.lights.show(red)
    assert bench.pieces.frame == red


def test_of_a_chip_that_is_gone_its_squares_are_named_and_the_remedy() -> None:
    bench = Bench("reference", Fault(FaultKind.GONE, span_us=1_000_000, address=0x21))
    with pytest.raises(BusError, match=r"chip 0x21: no acknowledgement; look at") as caught:
        bench.read()
    assert caught.value.switches == find_wiring("reference").chips[1].covers
    assert "\n" not in str(caught.value)


def test_if_no_chip_answers_it_is_their_common_cable() -> None:
    bench = Bench("reference", Fault(FaultKind.GONE, span_us=1_000_000))
    with pytest.raises(BusError, match="no chip answers: look at the cable") as caught:
        bench.read()
    assert caught.value.switches == ALL_SWITCHES


@pytest.mark.parametrize("name", BOARDS)
def test_a_chip_that_comes_back_is_configured_again(name: str) -> None:
    bench = Bench(name)
    bench.read()
    bench.faults.add(Fault(FaultKind.GONE, span_us=300_000, address=0x20))
    bench.pieces.lift(E2)
    told = bench.read_until(lambda: bench.faults.counts[FaultKind.GONE] == 1)
    assert len(set(told)) == 1
    assert bench.read() == START & ~(1 << E2)


@pytest.mark.parametrize("kind", [FaultKind.STUCK_SDA, FaultKind.STUCK_SCL])
@pytest.mark.parametrize("name", WITH_RESET)
def test_a_stuck_bus_is_freed_by_the_reset_line(name: str, kind: FaultKind) -> None:
    bench = Bench(name)
    bench.read()
    bench.faults.add(Fault(kind, address=0x20))
    bench.read_until(lambda: True)
    assert bench.board.reeds.counts["resets"] == 1
    assert bench.read() == START


def test_the_reset_line_is_not_pulled_without_end() -> None:
    bench = Bench("reference", Fault(FaultKind.GONE, span_us=60_000_000))
    for _ in range(100):
        with pytest.raises(BusError):
            bench.read()
        bench.wait(10_000)
    assert bench.board.reeds.counts["resets"] <= 2


@pytest.mark.parametrize("name", BOARDS)
def test_sda_held_low_is_never_64_pieces(name: str) -> None:
    bench = Bench(name)
    bench.read()
    bench.faults.add(Fault(FaultKind.STUCK_SDA))
    read = []
    for _ in range(5):
        with suppress(BusError):
            read.append(bench.read())
        bench.wait(2_000)
    assert set(read) <= {START}


@pytest.mark.parametrize("kind", [FaultKind.TIMEOUT, FaultKind.NACK])
def test_a_scan_is_of_one_time_even_if_a_transfer_took_a_second(kind: FaultKind) -> None:
    """A piece moving from the first chip to the last must not be seen on both, or on neither."""
    bench = Bench("reference")
    bench.read()
    h8, a3 = SWITCH_BY_NAME["h8"], SWITCH_BY_NAME["a3"]
    bench.pieces.arrange({h8: "K", SWITCH_BY_NAME["a1"]: "K"})
    bench.read()
    bench.faults.add(Fault(kind, transfer=bench.faults.transfers + 3))
    original = bench.board.wire.wire.wait

    def move_meanwhile(wait_us: int) -> None:
        bench.pieces.arrange({a3: "K", SWITCH_BY_NAME["a1"]: "K"})
        original(wait_us)

    bench.board.wire.wire.wait = move_meanwhile  # type: ignore[method-assign]
    assert bench.read().bit_count() == 2


@pytest.mark.parametrize("name", BOARDS)
def test_sda_held_low_is_never_63_pieces_where_one_square_has_no_input(name: str) -> None:
    bench = Bench(without(WIRINGS[name], E2))
    assert bench.read() == START & ~occupancy_of([E2])
    bench.faults.add(Fault(FaultKind.STUCK_SDA))
    with suppress(BusError):
        assert bench.read() == START & ~occupancy_of([E2])


def without(wiring: Wiring, switch: Switch) -> Wiring:
    """Return the same board with no input for a switch."""

    def cut(chip: Chip) -> Chip:
        squares = tuple(None if square == switch else square for square in chip.squares)
        return replace(chip, squares=squares)

    return replace(wiring, chips=tuple(map(cut, wiring.chips)))


@pytest.mark.parametrize("name", BOARDS)
def test_sda_held_low_for_long_is_one_outage(name: str) -> None:
    wiring = WIRINGS[name]  # without a RESET line nothing frees the bus
    bench = Bench(replace(wiring, lines=replace(wiring.lines, reset=None)))
    bench.read()
    bench.faults.add(Fault(FaultKind.STUCK_SDA))
    for _ in range(30):
        with suppress(BusError):
            bench.read()
        bench.wait(100_000)
    assert bench.board.reeds.counts["outages"] == 1
