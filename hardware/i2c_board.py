"""A board as a wiring describes it: switches over I2C, lights, lines, in one Board."""

from __future__ import annotations

import logging
from contextlib import ExitStack

from boardfw.frame import DARK
from boardfw.ports import Clock, LedMatrix, Panel, Signal, SquareSensor
from boardfw.squares import Occupancy
from hardware.bus import I2cBus
from hardware.gpio import Gpio
from hardware.leds import OnlyChanges, open_leds
from hardware.model import read_model
from hardware.reeds import Reeds
from hardware.wiring import Wiring

log = logging.getLogger(__name__)


class I2cBoard:
    """A Board over real drivers. ``open`` touches the hardware; until then nothing does."""

    def __init__(
        self, wiring: Wiring, clock: Clock, bus: I2cBus, gpio: Gpio, lights: OnlyChanges
    ) -> None:
        self.wiring = wiring
        self.bus = bus
        self.gpio = gpio
        # Where chips had no supply, the LEDs had no supply either, and are dark.
        self.reeds = Reeds(wiring.chips, bus, clock, gpio.pulse_reset, lights.forget)
        self.sensor: SquareSensor = self
        self.lights: LedMatrix = lights
        self.panel: Panel = gpio
        self.wake: Signal | None = gpio.wake if gpio.has_interrupt else None

    def open(self) -> None:
        """Take the bus and the lines. Chips that do not answer yet are no reason to give up.

        Raises BusError, WiringError.
        """
        self.bus.open()
        self.gpio.open()

    def read(self) -> Occupancy:
        """One scan, and then a look at the INT line. Raises BusError."""
        try:
            return self.reeds.read()
        finally:
            self.gpio.look_again()

    def close(self) -> None:
        """The lights go dark, the lines and the bus are free. May be called twice."""
        with ExitStack() as each:  # also where one of them fails
            each.callback(self.bus.close)
            each.callback(self.gpio.close)
            self.lights.show(DARK)


def real_board(wiring: Wiring, clock: Clock) -> I2cBoard:
    """The board of a wiring on this machine; nothing is touched yet. Raises WiringError."""
    for warning in wiring.warnings:
        log.warning("%s: %s", wiring.name, warning)
    lights, said = open_leds(wiring.leds, read_model())
    log.info(said)
    return I2cBoard(wiring, clock, I2cBus(wiring.bus.device), Gpio(wiring.lines), lights)
