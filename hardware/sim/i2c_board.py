"""A simulated board whose switches are read over a bus of registers and bits, by the real drivers.

The magnets are those of ``SimBoard``; between them and the firmware lie the chips' models, the bus,
smbus2, and gpiozero's mock pins for INT and RESET.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, cast

from gpiozero.pins.mock import MockFactory, MockPin

from boardfw.frame import Frame
from boardfw.ports import Clock, earliest
from boardfw.squares import NO_SWITCHES, Occupancy
from hardware.bus import I2cBus
from hardware.clock import VirtualClock
from hardware.gpio import Gpio
from hardware.i2c_board import I2cBoard
from hardware.leds import OnlyChanges
from hardware.sim.wiring_mistakes import Reality, as_wired
from hardware.wiring import Chip, ChipKind, Wiring

from .board import SimBoard
from .i2c.bus import SimI2cBus
from .i2c.chip import Pins, SimChip
from .i2c.controller import BCM2835, Controller
from .i2c.faults import BusFaults
from .i2c.ioctl import connector
from .i2c.mcp23017 import SimMatrix, SimMcp23017
from .i2c.tca9555 import SimPcf8575, SimTca9555

LIT = (255, 255, 255)
LOOK_S = 0.001
"""How often the chips feel their inputs while time runs by itself."""


class SimI2cBoard(I2cBoard):
    """``inner`` is the SimBoard whose magnets it reads and whose lights it shows."""

    def __init__(
        self,
        wiring: Wiring,
        clock: Clock,
        inner: SimBoard,
        *,
        controller: Controller = BCM2835,
        faults: BusFaults | None = None,
        reality: Reality | None = None,
    ) -> None:
        self.inner = inner
        self.reality = reality or as_wired(wiring)
        """How it is really wired; ``wiring`` is what the firmware believes."""
        self._clock = clock
        self.wire = SimI2cBus(
            [
                model_of(chip, Pins(_levels(self.reality, number, inner.closed)))
                for number, chip in enumerate(wiring.chips)
            ],
            controller=controller,
            hz=wiring.bus.hz,
            clock=clock,
            pass_us=None if isinstance(clock, VirtualClock) else self._pass,
            faults=faults,
            device=wiring.bus.device,
        )
        self._factory = wired_factory()
        bus = I2cBus(wiring.bus.device, connect=connector(self.wire))
        gpio = Gpio(wiring.lines, lambda _: self._factory)
        super().__init__(wiring, clock, bus, gpio, OnlyChanges(inner.matrix))
        self.panel = inner.panel
        self._seen: Occupancy | None = None
        """What the last scan has read; None: it failed."""
        self._closing = threading.Event()

    def open(self) -> None:
        """Take the bus and the lines, as the firmware does. Raises BusError, WiringError."""
        super().open()
        lines = self.wiring.lines
        if lines.reset is not None:
            self._pin(lines.reset).on_output = lambda level: self.wire.reset(low=not level)
        if lines.interrupt is not None:
            pin = self._pin(lines.interrupt)
            self.wire.on_interrupt = lambda low, seen: pin.drive(low=low, seen=seen)
            if not isinstance(self._clock, VirtualClock):
                threading.Thread(target=self._feel, name="chips", daemon=True).start()

    def close(self) -> None:
        """As any board."""
        self._closing.set()
        super().close()
        self.inner.close()

    def light(self, leds: tuple[int, ...]) -> None:
        """Light these LEDs of the strip alone, whatever square they lie under."""
        squares = (self.reality.strip[led] for led in leds)
        self.lights.show(Frame.of({s: LIT for s in squares if s is not None}))

    # --- for a loop that jumps from change to change

    @property
    def busy(self) -> bool:
        """True if hands have something to do yet."""
        return self.inner.busy

    def next_change_us(self) -> int | None:
        """When a reading may next differ; soon, if the last one is out of date."""
        now_us = self._clock.now_us()
        times = [self.inner.next_change_us()]
        times += [fault.at_us for fault in self.wire.faults.pending if fault.at_us > now_us]
        if self._seen != self.inner.closed():
            times.append(now_us + 1)
        return earliest(*times)

    def read(self) -> Occupancy:
        """One scan over the bus. Raises BusError."""
        self._seen = None
        read = self._seen = super().read()
        return read

    def _pin(self, number: int) -> WiredPin:
        return cast("WiredPin", self._factory.pin(number))

    def _pass(self, wait_us: int) -> None:
        self._closing.wait(wait_us / 1_000_000)

    def _feel(self) -> None:
        """Chips pull INT by themselves; models have to be asked to."""
        while not self._closing.wait(LOOK_S):
            self.wire.look()


def _levels(reality: Reality, chip: int, closed: Callable[[], Occupancy]) -> Callable[[int], int]:
    """What the switches do to the inputs of a chip: 1 where nothing pulls down."""
    wired = [(1 << at, squares) for at, squares in enumerate(reality.inputs[chip]) if squares]
    always = sum(1 << at for number, at in reality.shorted if number == chip)
    last: tuple[Occupancy, int] = (NO_SWITCHES, ~always)

    def levels(_: int) -> int:
        nonlocal last
        now = closed()
        if now != last[0]:
            pulled = sum(bit for bit, squares in wired if now & squares)
            last = now, ~(pulled | always)
        return last[1]

    return levels


class WiredPin(MockPin):  # type: ignore[misc]  # gpiozero has no type hints
    """A pin that tells what is put out on it, and that can fall without its edge being seen."""

    on_output: Callable[[bool], None] | None = None
    """Called with each level that is put out."""

    def _set_state(self, value: bool) -> None:
        super()._set_state(value)
        if self.on_output is not None:
            self.on_output(value)

    def drive(self, *, low: bool, seen: bool) -> None:
        """Pull it low or let it go; not ``seen``: the edge is missed."""
        if self.function != "input":
            return
        if not seen:
            self._change_state(not low)
        elif low:
            self.drive_low()
        else:
            self.drive_high()


def wired_factory() -> Any:
    """A factory of these pins."""
    return MockFactory(pin_class=WiredPin)


MODELS: dict[ChipKind, type[SimChip]] = {
    ChipKind.MCP23017: SimMcp23017,
    ChipKind.TCA9555: SimTca9555,
    ChipKind.PCF8575: SimPcf8575,
    ChipKind.MATRIX: SimMatrix,
}


def model_of(chip: Chip, pins: Pins | None = None) -> SimChip:
    """The chip that a wiring describes, with the world at its pins (of a matrix: its switches)."""
    return MODELS[chip.kind](chip.address, pins)
