"""PCF8575 (TI SCPS121, NXP), 16 quasi-bidirectional pins (400 kHz; 0x20-0x27; no RESET pin).

It has no registers: a pin written 1 is an input with a weak pull-up (100 uA), and what is read
are the pins. So the state after a loss of power, all ones, is the configured one.
"""

from __future__ import annotations

from hardware.bus import I2cBus
from hardware.registers import pair, unpair
from hardware.wiring import Chip

ALL_INPUTS = pair(0xFFFF)


class Pcf8575:
    """One chip with a switch on each input; pins without a switch are inputs too."""

    def __init__(self, chip: Chip, bus: I2cBus) -> None:
        self._bus = bus
        self._address = chip.address

    @property
    def address(self) -> int:
        """Seven bits."""
        return self._address

    def configure(self) -> None:
        """All pins inputs; INT is released. Raises BusError.

        There is nothing to read back: a latch of 1 cannot be told from a high pin, and pins are
        not driven low for a test, because a switch may lead to the supply.
        """
        self._bus.write(self._address, ALL_INPUTS)
        self.read()

    def is_configured(self) -> bool:
        """One transfer: always true for a chip that answers. Raises BusError.

        Nothing tells it from a bus whose SDA is held low, where each switch reads closed.
        """
        self.read()
        return True

    def read(self) -> int:
        """16 levels in one transfer, port 0 in the low bits; it releases INT. Raises BusError."""
        return unpair(self._bus.read(self._address, 2))
