"""I/O expanders: what a chip offers, its registers, when it is believed, repeated transfers.

After a loss of power a chip acknowledges as before, but its pull-ups are off and its inputs mean
nothing. So whatever changes is followed by a look at its registers.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol, TypeVar

from boardfw.errors import BusError
from hardware.bus import I2cBus
from hardware.wiring import Chip, ChipKind


@dataclass(frozen=True, slots=True)
class RegisterChip:
    """Where the registers of one chip are reached."""

    name: str
    """As printed on it."""
    address: int
    bus: I2cBus

    def write(self, first: IntEnum, values: bytes) -> None:
        """Values to registers in the order of the chip's pointer. Raises BusError."""
        self.bus.write(self.address, bytes((first,)) + values)

    def read(self, first: IntEnum, count: int) -> bytes:
        """Values of registers in the order of the chip's pointer. Raises BusError."""
        return self.bus.write_read(self.address, bytes((first,)), count)

    def verify(self, first: IntEnum, values: bytes) -> None:
        """Read back what was written. Raises BusError where a register holds something else.

        An acknowledgement proves nothing: with SDA held low, or on a Pi 3 or 4 with a DSI panel
        (raspberrypi/linux#5464), addresses are acknowledged where no chip is.
        """
        for at, (wrote, read) in enumerate(zip(values, self.read(first, len(values)), strict=True)):
            if wrote != read:
                register = type(first)(first + at)
                raise BusError(
                    f"{self.bus.device}: {self.name} at {self.address:#04x}: {register.name} was "
                    f"written {wrote:#04x} and reads {read:#04x}; look at its supply (100 nF "
                    "beside it), SDA, SCL and RESET, and whether this chip is what the board "
                    "file says"
                )


def wired_inputs(chip: Chip) -> int:
    """The inputs that have a square, as a mask."""
    return sum(1 << at for at, square in enumerate(chip.squares) if square is not None)


def pair(ports: int) -> bytes:
    """16 pins as the two bytes that every chip here uses: port A (or 0) first."""
    return ports.to_bytes(2, "little")


def unpair(data: bytes) -> int:
    """Two bytes as 16 pins: port A (or 0) first, in the low bits."""
    return int.from_bytes(data, "little")


class Expander(Protocol):
    """One chip that reads switches. Making one touches no hardware."""

    def configure(self) -> None:
        """Bring every register to what this board needs, whatever it held, and read them back.

        Raises BusError: the chip does not answer, or does not keep what is written.
        """

    def is_configured(self) -> bool:
        """One transfer: whether the chip still is as ``configure`` left it.

        False after a loss of power, and wherever the answers are not the chip's own. Raises
        BusError.
        """

    def read(self) -> int:
        """The levels of its inputs, bit n of ``Chip.squares[n]``: 1 is high, an open switch.

        Inputs of a chip that lost its configuration mean nothing. Raises BusError.
        """


def open_chip(chip: Chip, bus: I2cBus) -> Expander:
    """The driver of a chip of the wiring; it touches nothing before it is told to."""
    from hardware.mcp23017 import Mcp23017
    from hardware.mcp23017_matrix import Mcp23017Matrix
    from hardware.tca9555_pcf8575 import Pcf8575, Tca9555

    match chip.kind:
        case ChipKind.MCP23017:
            return Mcp23017(chip, bus)
        case ChipKind.TCA9555:
            return Tca9555(chip, bus)
        case ChipKind.PCF8575:
            return Pcf8575(chip, bus)
        case ChipKind.MATRIX:
            return Mcp23017Matrix(chip, bus)


T = TypeVar("T")
log = logging.getLogger(__name__)

TRIES = 3
"""How often a failing transfer is tried: most troubles of a bus are over at once."""


def insist(what: Callable[[], T], before_another: Callable[[], None]) -> T:
    """Do something over the bus, again if it fails. Raises BusError if it goes on failing."""
    for _ in range(TRIES - 1):
        try:
            return what()
        except BusError:
            before_another()
    return what()


class WatchedChip:
    """One chip of the wiring under watch. Making one touches no hardware.

    ``lost`` is called each time that it had lost its registers: its supply was gone.
    """

    def __init__(self, chip: Chip, bus: I2cBus, lost: Callable[[], None] | None = None) -> None:
        self.name = f"chip {chip.address:#04x}"
        self.recovered = 0
        """How often it had lost its registers and was configured again."""
        self._expander = open_chip(chip, bus)
        self._lost = lost
        self._levels: int | None = None

    def read(self) -> int:
        """The levels of its inputs, as of ``Expander.read``. Raises BusError."""
        levels = self._expander.read()
        if levels != self._levels and not self.verify():
            levels = self._expander.read()
        self._levels = levels
        return levels

    def verify(self) -> bool:
        """True if the chip was still configured; if it was not, it is again. Raises BusError."""
        if self._expander.is_configured():
            return True
        self.configure()
        self.recovered += 1
        log.warning("%s had lost its registers and was configured again", self.name)
        if self._lost:
            self._lost()
        return False

    def configure(self) -> None:
        """Bring the chip up, whatever it held. Raises BusError."""
        self.distrust()
        self._expander.configure()

    def distrust(self) -> None:
        """Something went wrong: look at its registers before anything it says is believed."""
        self._levels = None
