"""What every expander's driver must do, over the registers of its chip and both controllers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.errors import BusError
from hardware.bus import I2cBus
from hardware.expander import open_chip
from hardware.sim.i2c.bus import SimI2cBus
from hardware.sim.i2c.controller import BCM2835, CONTROLLERS, Controller
from hardware.sim.i2c.faults import Fault, FaultKind
from hardware.sim.i2c.ioctl import connector
from hardware.sim.i2c_board import model_of
from hardware.wiring import ChipKind
from tests.i2c import DEVICE, Rig, chip_of, rig_of, set_inputs, wired

KINDS = list(ChipKind)
WITH_REGISTERS = [kind for kind in KINDS if kind is not ChipKind.PCF8575]

kinds = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.value)
controllers = st.sampled_from(list(CONTROLLERS.values()))
IOCON_WRITES = st.tuples(st.sampled_from((0x05, 0x0A, 0x0B, 0x15)), st.integers(0, 0xFF)).map(bytes)
WRITES = st.lists(IOCON_WRITES | st.binary(min_size=1, max_size=24), max_size=12)
"""What another program may have written: registers and values, often to what may be IOCON."""


def configured(kind: ChipKind, controller: Controller = BCM2835) -> Rig:
    rig = rig_of(kind, controller)
    rig.driver.configure()
    return rig


@kinds
@given(levels=st.lists(st.integers(0, (1 << 64) - 1), max_size=5), controller=controllers)
def test_reading_tells_the_levels_of_the_inputs(
    kind: ChipKind, levels: list[int], controller: Controller
) -> None:
    rig = configured(kind, controller)
    for level in levels:
        set_inputs(rig.pins, level)
        assert rig.driver.read() == level & wired(kind)


@kinds
@given(writes=WRITES, level=st.integers(0, (1 << 64) - 1), controller=controllers)
def test_a_chip_of_which_nothing_is_known_is_brought_to_its_configuration(
    kind: ChipKind, writes: list[bytes], level: int, controller: Controller
) -> None:
    rig = rig_of(kind, controller)
    for data in writes:
        rig.bus.write(0x20, data)
    rig.driver.configure()
    assert rig.driver.is_configured()
    set_inputs(rig.pins, level)
    assert rig.driver.read() == level & wired(kind)


@kinds
@given(level=st.integers(0, 0xFFFF), inputs=st.integers(0, 0xFFFF))
def test_inputs_without_a_square_are_no_news(kind: ChipKind, level: int, inputs: int) -> None:
    if kind is ChipKind.MATRIX:
        return
    rig = rig_of(kind, inputs=inputs)
    set_inputs(rig.pins, ~level)
    rig.driver.configure()
    set_inputs(rig.pins, level)
    assert rig.driver.read() & inputs == level & inputs


@pytest.mark.parametrize("kind", WITH_REGISTERS, ids=lambda kind: kind.value)
@pytest.mark.parametrize("lost", [FaultKind.BROWN_OUT, FaultKind.GONE])
def test_a_chip_that_lost_its_registers_is_noticed_in_one_transfer(
    kind: ChipKind, lost: FaultKind
) -> None:
    rig = configured(kind)
    rig.sim.faults.add(Fault(lost, span_us=1 if lost is FaultKind.GONE else 0))
    rig.sim.look()
    rig.clock.advance_to(rig.clock.now_us() + 10)
    rig.periods()
    assert not rig.driver.is_configured()
    assert len(rig.periods()) == 1
    rig.driver.configure()
    assert rig.driver.is_configured()


def test_a_tca9555_that_lost_its_registers_still_reads_right() -> None:
    rig = configured(ChipKind.TCA9555)
    rig.model.power_on()
    set_inputs(rig.pins, 0x1234)
    assert rig.driver.read() == 0x1234


@kinds
def test_a_chip_that_does_not_answer_is_an_error_that_names_it(kind: ChipKind) -> None:
    rig = configured(kind)
    rig.model.present = False
    for ask in (rig.driver.read, rig.driver.is_configured, rig.driver.configure):
        with pytest.raises(BusError, match=r"/dev/i2c-1: chip 0x20: no acknowledgement"):
            ask()


@pytest.mark.parametrize("kind", WITH_REGISTERS, ids=lambda kind: kind.value)
def test_a_bus_that_acknowledges_with_zeros_passes_for_no_chip(kind: ChipKind) -> None:
    rig = configured(kind, BCM2835)
    rig.sim.faults.add(Fault(FaultKind.STUCK_SDA))
    assert rig.driver.read() == 0
    assert not rig.driver.is_configured()
    with pytest.raises(BusError, match="reads 0x00; look at"):
        rig.driver.configure()


@pytest.mark.parametrize(
    ("kind", "register", "line"),
    [
        (ChipKind.MCP23017, "IODIR", "MCP23017 at 0x20: IODIRA was written 0x7f and reads 0x7e"),
        (ChipKind.MATRIX, "GPPU", "MCP23017 at 0x20: GPPUA was written 0x01 and reads 0x00"),
    ],
)
def test_a_register_that_does_not_keep_what_is_written_is_named(
    kind: ChipKind, register: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = rig_of(kind)
    store = rig.model._store

    def broken(name: str, port: int, value: int) -> None:
        store(name, port, value & 0xFE if name == register else value)

    monkeypatch.setattr(rig.model, "_store", broken)
    with pytest.raises(BusError, match=line) as caught:
        rig.driver.configure()
    assert "\n" not in str(caught.value)


@kinds
def test_making_a_driver_touches_no_hardware(kind: ChipKind) -> None:
    rig = rig_of(kind)
    assert rig.bus.transfers == 0


@pytest.mark.parametrize("controller", CONTROLLERS.values(), ids=CONTROLLERS.keys())
@pytest.mark.parametrize("kind", [ChipKind.MCP23017, ChipKind.TCA9555, ChipKind.PCF8575])
def test_an_input_that_changes_pulls_int_until_it_is_read(
    kind: ChipKind, controller: Controller
) -> None:
    rig = configured(kind, controller)
    for at in range(16):
        if not wired(kind) >> at & 1:
            continue
        assert not rig.sim.int_low
        set_inputs(rig.pins, 0xFFFF & ~(1 << at))
        assert rig.sim.int_low, at
        rig.driver.read()
        assert not rig.sim.int_low
        set_inputs(rig.pins, 0xFFFF)
        assert rig.sim.int_low
        rig.driver.read()


@kinds
def test_configuring_releases_int(kind: ChipKind) -> None:
    rig = configured(kind)
    set_inputs(rig.pins, 0)
    rig.driver.configure()
    assert not rig.sim.int_low


@pytest.mark.parametrize("kind", [ChipKind.MCP23017, ChipKind.TCA9555, ChipKind.PCF8575])
def test_reading_one_chip_keeps_the_news_of_another(kind: ChipKind) -> None:
    chips = [chip_of(kind, address) for address in (0x20, 0x21, 0x22, 0x23)]
    models = [model_of(chip) for chip in chips]
    sim = SimI2cBus(models)
    bus = I2cBus(DEVICE, connect=connector(sim))
    drivers = [open_chip(chip, bus) for chip in chips]
    for driver in drivers:
        driver.configure()
    for driver in drivers:
        driver.read()
    set_inputs(models[0].pins, 0xFFFE)
    assert sim.int_low
    for driver in drivers[1:]:
        driver.read()
        assert sim.int_low
    drivers[0].read()
    assert not sim.int_low


@pytest.mark.parametrize(
    ("kind", "scan", "check"),
    [
        (ChipKind.MCP23017, [49], [157]),
        (ChipKind.TCA9555, [49], [49]),
        (ChipKind.PCF8575, [30], [30]),
        (ChipKind.MATRIX, [67] * 8, [49]),
    ],
)
def test_a_scan_takes_the_periods_of_its_messages(
    kind: ChipKind, scan: list[int], check: list[int]
) -> None:
    rig = configured(kind)
    rig.periods()
    rig.driver.read()
    assert rig.periods() == scan
    rig.driver.is_configured()
    assert rig.periods() == check


@pytest.mark.parametrize(("rise_us", "ghosts"), [(3, 0), (24, 0), (100, 0xFF)])
def test_columns_that_rise_too_slowly_show_pieces_that_are_not_there(
    rise_us: int, ghosts: int
) -> None:
    """Why the matrix wants pull-ups of 10 kOhm: what 100 kOhm need, long cables exceed."""
    rig = configured(ChipKind.MATRIX)
    rig.model.rise_us = rise_us
    set_inputs(rig.pins, ~0xFF)
    assert ~rig.driver.read() >> 8 & 0xFF == ghosts
