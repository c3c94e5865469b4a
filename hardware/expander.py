"""What an I/O expander offers, whatever its registers are called."""

from __future__ import annotations

from typing import Protocol

from hardware.bus import I2cBus
from hardware.wiring import Chip, ChipKind


class Expander(Protocol):
    """One chip that reads switches. Making one touches no hardware."""

    @property
    def address(self) -> int:
        """Seven bits."""

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
    from hardware.pcf8575 import Pcf8575
    from hardware.tca9555 import Tca9555

    match chip.kind:
        case ChipKind.MCP23017:
            return Mcp23017(chip, bus)
        case ChipKind.TCA9555:
            return Tca9555(chip, bus)
        case ChipKind.PCF8575:
            return Pcf8575(chip, bus)
        case ChipKind.MATRIX:
            return Mcp23017Matrix(chip, bus)
