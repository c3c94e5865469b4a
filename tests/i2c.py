"""A driver on a simulated bus, for the tests of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from smbus2 import SMBus, i2c_msg

from boardfw.squares import EVERY_SWITCH
from hardware.bus import I2cBus
from hardware.clock import VirtualClock
from hardware.expander import Expander, open_chip
from hardware.sim.i2c.bus import SimI2cBus
from hardware.sim.i2c.chip import Pins
from hardware.sim.i2c.controller import BCM2835, Controller, Message
from hardware.sim.i2c.ioctl import connector
from hardware.sim.i2c_board import model_of
from hardware.wiring import Chip, ChipKind

DEVICE = "/dev/i2c-1"


def put(bus: SMBus, address: int, register: int, *values: int) -> None:
    """Write to registers of a chip, from this one on."""
    bus.i2c_rdwr(i2c_msg.write(address, [register, *values]))


def power_cycle(sim: SimI2cBus) -> None:
    """Take the chips' supply away and give it back."""
    for chip in sim.chips:
        chip.power_on()
    sim.faults._stuck.clear()
    sim.look()


def set_inputs(pins: Pins, levels: int) -> None:
    """Let the inputs of a chip be at these levels from now on."""
    pins.levels = lambda _: levels


def get(bus: SMBus, address: int, register: int, count: int = 1) -> list[int]:
    """Read registers of a chip, from this one on."""
    answer = i2c_msg.read(address, count)
    bus.i2c_rdwr(i2c_msg.write(address, [register]), answer)
    return list(bytes(answer))


WIRED = {ChipKind.MCP23017: 0x7F7F, ChipKind.MATRIX: (1 << 64) - 1}
"""The inputs that a legal wiring of a chip uses; all 16 of the others."""


def wired(kind: ChipKind) -> int:
    return WIRED.get(kind, 0xFFFF)


def chip_of(kind: ChipKind, address: int = 0x20, inputs: int | None = None) -> Chip:
    """A chip of a wiring, square n on input n for each of these inputs."""
    inputs = wired(kind) if inputs is None else inputs
    size = 64 if kind is ChipKind.MATRIX else 16
    return Chip(
        kind, address, tuple(s if inputs >> int(s) & 1 else None for s in EVERY_SWITCH[:size])
    )


@dataclass(frozen=True)
class Transfer:
    """One transfer that is over."""

    t_us: int
    """When it began."""
    periods: int
    """Of SCL."""
    wire_us: int
    """How long it held the bus, waits included."""


class RecordedBus(SimI2cBus):
    """Remembers its transfers."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.history: list[Transfer] = []

    def transfer(self, messages: Sequence[Message]) -> None:
        wire = self.wire
        with self._lock:
            wire.begin()
            start_us, periods, busy_us = wire.now_us, wire.periods, wire.busy_us
            try:
                super().transfer(messages)
            finally:
                took = wire.periods - periods, wire.busy_us - busy_us
                self.history.append(Transfer(start_us, *took))


@dataclass
class Rig:
    """One chip with its driver on a bus of its own."""

    clock: VirtualClock
    model: Any
    """The simulated chip, whatever its kind."""
    sim: RecordedBus
    bus: I2cBus
    driver: Expander

    @property
    def pins(self) -> Pins:
        return self.sim.chips[0].pins

    def periods(self) -> list[int]:
        """Periods of SCL of all transfers since the last call."""
        periods = [transfer.periods for transfer in self.sim.history]
        self.sim.history.clear()
        return periods


def rig_of(
    kind: ChipKind, controller: Controller = BCM2835, inputs: int | None = None, **options: Any
) -> Rig:
    chip, clock = chip_of(kind, inputs=inputs), VirtualClock()
    model = model_of(chip)
    sim = RecordedBus([model], controller=controller, clock=clock, **options)
    bus = I2cBus(DEVICE, connect=connector(sim))
    return Rig(clock, model, sim, bus, open_chip(chip, bus))
