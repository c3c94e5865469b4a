"""The models of the TCA9555 (SCPS200) and the PCF8575 (SCPS121) by smbus2's own calls."""

from __future__ import annotations

import pytest
from smbus2 import SMBus, i2c_msg

from hardware.sim.i2c.bus import SimI2cBus
from hardware.sim.i2c.ioctl import connector
from hardware.sim.i2c.tca9555 import SimPcf8575, SimTca9555
from tests.i2c import get, power_cycle, put, set_inputs


def bus_of(*chips: SimTca9555 | SimPcf8575) -> tuple[SimI2cBus, SMBus]:
    sim = SimI2cBus(chips)
    return sim, connector(sim)("/dev/i2c-1")


def bare_read(bus: SMBus, address: int, count: int) -> list[int]:
    answer = i2c_msg.read(address, count)
    bus.i2c_rdwr(answer)
    return list(bytes(answer))


def test_tca9555_after_power_on_is_all_inputs_with_latches_of_1() -> None:
    _, bus = bus_of(SimTca9555(0x20))
    assert [get(bus, 0x20, at)[0] for at in range(8)] == [255, 255, 255, 255, 0, 0, 255, 255]


def test_tca9555_the_pointer_toggles_within_a_pair() -> None:
    chip = SimTca9555(0x20)
    _, bus = bus_of(chip)
    set_inputs(chip.pins, 0xBBAA)
    assert get(bus, 0x20, 0, 4) == [0xAA, 0xBB, 0xAA, 0xBB]
    assert get(bus, 0x20, 1, 3) == [0xBB, 0xAA, 0xBB]
    put(bus, 0x20, 3, 0x33, 0x22, 0x44)
    assert get(bus, 0x20, 2, 2) == [0x22, 0x44]


def test_tca9555_polarity_and_outputs() -> None:
    chip = SimTca9555(0x20)
    _, bus = bus_of(chip)
    put(bus, 0x20, 2, 0x0A, 0x00)
    put(bus, 0x20, 4, 0xF0, 0x00)
    put(bus, 0x20, 6, 0xF0, 0xFF)
    set_inputs(chip.pins, 0x0F5F)
    assert get(bus, 0x20, 0, 2) == [0xAA, 0x0F]


@pytest.mark.parametrize(
    ("chip", "clear_0"), [(SimTca9555(0x20), True), (SimPcf8575(0x20), False)], ids=["tca", "pcf"]
)
def test_int_goes_when_the_port_is_read_or_the_input_returns(
    chip: SimTca9555 | SimPcf8575, clear_0: bool
) -> None:
    sim, bus = bus_of(chip)
    sim.look()
    set_inputs(chip.pins, 0xFFFE)
    assert sim.int_low
    set_inputs(chip.pins, 0xFFFF)
    assert not sim.int_low
    set_inputs(chip.pins, 0x7FFF)
    assert sim.int_low
    if clear_0:
        get(bus, 0x20, 0)  # port 0 has no news
        assert sim.int_low
        get(bus, 0x20, 1)
    else:
        bare_read(bus, 0x20, 2)
    assert not sim.int_low
    set_inputs(chip.pins, 0xFFFF)
    assert sim.int_low


@pytest.mark.parametrize(("command", "kept"), [(0, False), (1, True)])
def test_tca9555_gives_up_int_after_command_0_when_another_chip_is_read(
    command: int, kept: bool
) -> None:
    chip, other = SimTca9555(0x20), SimTca9555(0x21)
    sim, bus = bus_of(chip, other)
    get(bus, 0x20, command, 2)
    set_inputs(chip.pins, 0xFFFE)
    assert sim.int_low
    bare_read(bus, 0x21, 2)
    assert sim.int_low is kept


def test_pcf8575_pins_written_0_read_0_and_others_are_inputs() -> None:
    chip = SimPcf8575(0x20)
    _, bus = bus_of(chip)
    bus.i2c_rdwr(i2c_msg.write(0x20, [0xF0, 0xFF]))
    set_inputs(chip.pins, 0xA5FF)
    assert bare_read(bus, 0x20, 4) == [0xF0, 0xA5, 0xF0, 0xA5]


@pytest.mark.parametrize("chip", [SimTca9555(0x20), SimPcf8575(0x20)], ids=["tca", "pcf"])
def test_a_chip_without_reset_pin_keeps_its_registers_but_for_its_supply(
    chip: SimTca9555 | SimPcf8575,
) -> None:
    sim, bus = bus_of(chip)
    bus.i2c_rdwr(i2c_msg.write(0x20, [2, 0, 0]))
    sim.reset(low=True)
    sim.reset(low=False)
    before = get(bus, 0x20, 2, 2)
    power_cycle(sim)
    assert get(bus, 0x20, 2, 2) != before
