"""The model of the MCP23017 against its datasheet (DS20001952), by smbus2's own calls."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from smbus2 import SMBus, i2c_msg

from hardware.sim.i2c.bus import SimI2cBus
from hardware.sim.i2c.chip import Pins
from hardware.sim.i2c.ioctl import connector
from hardware.sim.i2c.mcp23017 import PORTS, SimMcp23017
from tests.i2c import get, put, set_inputs

AT = 0x20
IODIRA, GPINTENA, DEFVALA, INTCONA, IOCON, GPPUA = 0x00, 0x04, 0x06, 0x08, 0x0A, 0x0C
INTFA, INTCAPA, GPIOA, GPIOB, OLATA = 0x0E, 0x10, 0x12, 0x13, 0x14


class Bench:
    """One chip, with resistors at all pins, and smbus2 on its bus."""

    def __init__(self, pins: Pins | None = None) -> None:
        self.pins = pins or Pins(resistors=0xFFFF)
        self.chip = SimMcp23017(AT, self.pins)
        self.sim = SimI2cBus([self.chip])
        self.bus: SMBus = connector(self.sim)("/dev/i2c-1")

    def write(self, register: int, *values: int) -> None:
        put(self.bus, AT, register, *values)

    def read(self, register: int, count: int = 1) -> list[int]:
        return get(self.bus, AT, register, count)

    def bare_read(self, count: int) -> list[int]:
        answer = i2c_msg.read(AT, count)
        self.bus.i2c_rdwr(answer)
        return list(bytes(answer))


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_after_power_on_all_pins_are_inputs_and_everything_else_is_0(bench: Bench) -> None:
    set_inputs(bench.pins, 0)
    assert bench.read(0x00, 22) == [0xFF, 0xFF] + 20 * [0]


def test_the_pointer_goes_on_and_rolls_over_after_the_last_register(bench: Bench) -> None:
    bench.write(OLATA, 0x12, 0x34, 0x56)
    assert bench.chip.registers["OLAT"] == 0x3412
    assert bench.chip.registers["IODIR"] == 0xFF56


def test_in_byte_mode_the_pointer_toggles_within_its_pair(bench: Bench) -> None:
    bench.write(IOCON, 0x20)
    set_inputs(bench.pins, 0xBBAA)
    bench.write(GPIOA)
    assert bench.bare_read(2) == [0xAA, 0xBB]
    assert bench.bare_read(3) == [0xAA, 0xBB, 0xAA]
    assert bench.bare_read(1) == [0xBB]


def test_in_byte_mode_with_separate_banks_the_pointer_stays(bench: Bench) -> None:
    bench.write(IOCON, 0xA0)
    set_inputs(bench.pins, 0xBBAA)
    assert bench.read(0x09, 3) == [0xAA, 0xAA, 0xAA]
    assert bench.read(0x19, 2) == [0xBB, 0xBB]


def test_iocon_is_one_register_in_two_places(bench: Bench) -> None:
    bench.write(0x0B, 0x45)
    assert bench.read(0x0A) == [0x44]  # bit 0 does not exist


def test_ipol_inverts_what_inputs_read(bench: Bench) -> None:
    bench.write(0x02, 0xF0)
    set_inputs(bench.pins, 0xFFAA)
    assert bench.read(GPIOA) == [0x5A]


def test_writing_gpio_writes_the_latch_and_drives_outputs_only(bench: Bench) -> None:
    bench.write(IODIRA, 0x0F)
    set_inputs(bench.pins, 0xFFF5)
    bench.write(GPIOA, 0xA0)
    assert bench.read(OLATA) == [0xA0]
    assert bench.read(GPIOA) == [0xA5]


def test_intf_and_intcap_cannot_be_written(bench: Bench) -> None:
    bench.write(INTFA, 0xFF, 0xFF, 0xFF, 0xFF)
    assert bench.read(INTFA, 4) == [0, 0, 0, 0]


def test_an_input_without_pull_up_keeps_its_level_or_is_noise() -> None:
    bench = Bench(Pins())
    set_inputs(bench.pins, 0xFFFE)
    assert bench.read(GPIOA) == [0xFE]
    set_inputs(bench.pins, 0xFFFF)
    assert bench.read(GPIOA) == [0xFE]
    bench.write(GPPUA, 0x01)
    assert bench.read(GPIOA) == [0xFF]
    noisy = Bench(Pins(noise=Random(1)))
    assert len({noisy.read(GPIOA)[0] for _ in range(50)}) > 20


def test_the_first_change_is_captured_until_its_port_is_read(bench: Bench) -> None:
    bench.write(GPINTENA, 0xFF)
    set_inputs(bench.pins, 0xFFFE)
    bench.sim.look()
    set_inputs(bench.pins, 0xFFFC)  # no longer flagged
    bench.sim.look()
    assert bench.chip.inta
    assert not bench.chip._asserted(PORTS[1])
    assert bench.read(INTFA, 2) == [0x01, 0x00]
    assert bench.read(GPIOB) == [0xFF]  # of the other port
    assert bench.chip.inta
    assert bench.read(INTCAPA) == [0xFE]
    assert not bench.chip.inta
    assert bench.read(INTFA, 1) == [0]


def test_reading_gpio_drops_what_was_captured(bench: Bench) -> None:
    bench.write(GPINTENA, 0x01)
    set_inputs(bench.pins, 0xFFFE)
    bench.sim.look()
    set_inputs(bench.pins, 0xFFFF)
    assert bench.read(GPIOA) == [0xFF]
    assert not bench.chip.inta


def test_pins_without_gpinten_and_outputs_do_not_interrupt(bench: Bench) -> None:
    bench.write(GPINTENA, 0x03)
    bench.write(IODIRA, 0xFD)
    set_inputs(bench.pins, 0xFFF9)
    bench.write(GPIOA, 0x02)
    bench.sim.look()
    assert not bench.chip.inta


def test_compared_with_defval_it_interrupts_as_long_as_it_differs(bench: Bench) -> None:
    bench.write(DEFVALA, 0x01)
    bench.write(INTCONA, 0x01)
    bench.write(GPINTENA, 0x01)
    set_inputs(bench.pins, 0xFFFE)
    bench.sim.look()
    bench.read(GPIOA)
    assert bench.chip.inta
    set_inputs(bench.pins, 0xFFFF)
    bench.read(GPIOA)
    assert not bench.chip.inta


def test_mirror_joins_the_ports_on_both_pins(bench: Bench) -> None:
    bench.write(IOCON, 0x40)
    bench.write(GPINTENA, 0xFF, 0xFF)
    set_inputs(bench.pins, 0xFEFE)
    bench.sim.look()
    bench.read(GPIOA)
    assert bench.chip.inta
    assert bench.chip._asserted(PORTS[1])
    bench.read(GPIOB)
    assert not bench.chip.inta


@pytest.mark.parametrize(
    ("iocon", "idle", "asserted"), [(0x00, False, True), (0x02, True, False), (0x06, False, True)]
)
def test_intpol_is_overridden_by_odr(bench: Bench, iocon: int, idle: bool, asserted: bool) -> None:
    bench.write(IOCON, iocon)
    bench.write(GPINTENA, 0x01)
    assert bench.sim.int_low is idle
    set_inputs(bench.pins, 0xFFFE)
    assert bench.sim.int_low is asserted


def test_reset_brings_back_the_registers_of_power_on(bench: Bench) -> None:
    bench.write(IODIRA, 0x00)
    bench.sim.reset(low=True)
    with pytest.raises(OSError, match="Remote I/O"):
        bench.read(IODIRA, 1)
    bench.sim.reset(low=False)
    assert bench.read(IODIRA, 2) == [0xFF, 0xFF]


@given(st.lists(st.tuples(st.integers(0, 0xFF), st.binary(min_size=1, max_size=32)), max_size=20))
def test_whatever_is_written_the_chip_answers(writes: list[tuple[int, bytes]]) -> None:
    bench = Bench()
    for register, values in writes:
        bench.write(register, *values)
        assert len(bench.read(register, 32)) == 32
    assert all(0 <= value <= 0xFFFF for value in bench.chip.registers.values())
