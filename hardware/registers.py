"""A chip with registers: written, read, and read back, by the names of its datasheet."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from boardfw.errors import BusError
from hardware.bus import I2cBus
from hardware.wiring import Chip


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
        return self.bus.read_registers(self.address, first, count)

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
