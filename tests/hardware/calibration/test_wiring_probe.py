"""The wiring probe: a board whose wires are tried one by one."""

from __future__ import annotations

import pytest

from boardfw.errors import WiringError
from boardfw.squares import Switch
from hardware.calibration.inputs import InputReader, find_chips, pins_of
from hardware.clock import VirtualClock
from hardware.spi import transfer
from hardware.wiring import Leds, StripKind
from hardware.wiring_probe import LIT, LedsByNumber, open_probe
from tests.hardware.fake_spi_device import Bench
from tests.i2c import power_cycle

RGBS = bytes(LIT)


def test_leds_are_lit_by_their_number_whatever_lies_over_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = Bench(monkeypatch)
    lights = LedsByNumber(
        Leds(squares=(None, Switch(5), Switch(5), Switch(63))), "Raspberry Pi 4 Model B"
    )
    lights.light((0, 3))
    lights.close()
    kind = StripKind.WS2812B
    shown = [sent for _, _, sent in bench.sent]
    assert shown == [transfer(RGBS + bytes(6) + RGBS, kind), transfer(bytes(12), kind)]


@pytest.mark.parametrize("board", ["reference", "tca9555", "pcf8575", "matrix"])
def test_chips_are_found_and_all_their_inputs_can_be_read(board: str) -> None:
    probe = open_probe(f"sim-i2c:{board}?faults=none", VirtualClock())
    found = find_chips(probe.bus)
    assert [(c.kind, c.address) for c in found] == [(c.kind, c.address) for c in probe.wiring.chips]
    reader = InputReader(found, pins_of(found), probe.bus)
    assert reader.read() == 0
    assert probe.sim is not None
    probe.sim.inner.drop(Switch(28), "P")
    assert reader.read().bit_count() == 1


def test_a_chip_that_lost_its_registers_is_configured_within_as_many_readings_as_chips() -> None:
    probe = open_probe("sim-i2c:?faults=none", VirtualClock())
    assert probe.sim is not None
    probe.sim.inner.drop(Switch(28), "P")
    pins = pins_of(probe.wiring.chips)
    reader = InputReader(probe.wiring.chips, pins, probe.bus)
    assert reader.read().bit_count() == 1
    power_cycle(probe.sim.wire)
    probe.sim.inner.lift(Switch(28))
    readings = [reader.read() for _ in probe.wiring.chips]
    assert readings[-1] == 0


def test_a_bus_without_chips_is_one_line() -> None:
    probe = open_probe("sim-i2c:", VirtualClock())
    assert probe.sim is not None
    probe.sim.wire.chips.clear()
    with pytest.raises(WiringError, match="no chip answers at 0x20 to 0x27"):
        find_chips(probe.bus)
