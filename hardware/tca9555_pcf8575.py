"""Drivers of chips with 16 inputs and no RESET pin (400 kHz; 0x20-0x27); their supply resets them.

TCA9555 (TI SCPS200) and PCA9555 (NXP) have registers and pull-ups of 100 kOhm. PCF8575 (TI SCPS121,
NXP) has 16 quasi-bidirectional pins and no registers: a pin written 1 is an input with a weak
pull-up (100 uA), and what is read are the pins. So its state after a loss of power, all ones, is
the configured one.
"""

from __future__ import annotations

from enum import IntEnum

from hardware.bus import I2cBus
from hardware.expander import RegisterChip, pair, unpair, wired_inputs
from hardware.wiring import Chip


class Register(IntEnum):
    """Command bytes; the pointer toggles between the two of a pair."""

    INPUT_PORT_0 = 0x00
    INPUT_PORT_1 = 0x01
    OUTPUT_PORT_0 = 0x02
    OUTPUT_PORT_1 = 0x03
    POLARITY_INVERSION_PORT_0 = 0x04
    POLARITY_INVERSION_PORT_1 = 0x05
    CONFIGURATION_PORT_0 = 0x06
    CONFIGURATION_PORT_1 = 0x07


def mark(inputs: int) -> bytes:
    """What the output ports hold once the chip is configured: something that tells it is.

    With 16 inputs the configuration of a chip that lost power is the wanted one, so the latches
    behind the inputs must tell, which drive nothing: half of them 1. After a loss of power all
    are, and a bus whose SDA is held low reads zeros. A chip that lost its mark goes on reading
    right; with the inversion of polarity as the mark, every switch would read wrong until it is
    noticed. Pins that are not inputs are driven low.
    """
    return pair(inputs & 0x5555 or inputs)


class Tca9555:
    """One chip with a switch on each input; all other pins are outputs driven low."""

    def __init__(self, chip: Chip, bus: I2cBus) -> None:
        self._chip = RegisterChip("TCA9555", chip.address, bus)
        inputs = wired_inputs(chip)
        self._configuration = pair(inputs)
        self._mark = mark(inputs)

    def configure(self) -> None:
        """Every register, from any state, read back; INT is released. Raises BusError.

        The configuration comes first: it stops driving closed switches, whatever drove them high.
        """
        written = {
            Register.CONFIGURATION_PORT_0: self._configuration,
            Register.OUTPUT_PORT_0: self._mark,
            Register.POLARITY_INVERSION_PORT_0: pair(0),
        }
        for register, values in written.items():
            self._chip.write(register, values)
        for register, values in written.items():
            self._chip.verify(register, values)
        self.read()

    def is_configured(self) -> bool:
        """One transfer: whether the output ports still hold the mark. Raises BusError."""
        return self._chip.read(Register.OUTPUT_PORT_0, 2) == self._mark

    def read(self) -> int:
        """16 levels in one transfer, port 0 in the low bits; it releases INT. Raises BusError.

        Port 1 comes first: TI's chip gives up its INT when the last command byte was 00 and any
        other chip on the bus is read (SCPS200, "Interrupt Errata"). So 00 is never written.
        """
        return unpair(self._chip.read(Register.INPUT_PORT_1, 2)[::-1])


ALL_INPUTS = pair(0xFFFF)


class Pcf8575:
    """One chip with a switch on each input; pins without a switch are inputs too."""

    def __init__(self, chip: Chip, bus: I2cBus) -> None:
        self._bus = bus
        self._address = chip.address

    def configure(self) -> None:
        """All pins inputs; INT is released. Raises BusError.

        There is nothing to read back: a latch of 1 cannot be told from a high pin, and pins are
        not driven low for a test, because a switch may lead to the supply.
        """
        self._bus.write(self._address, ALL_INPUTS)
        self.read()

    def is_configured(self) -> bool:
        """One transfer: always true for a chip that answers. Raises BusError.

        It cannot be told from a bus whose SDA is held low, where each switch reads closed.
        """
        self.read()
        return True

    def read(self) -> int:
        """16 levels in one transfer, port 0 in the low bits; it releases INT. Raises BusError."""
        return unpair(self._bus.read(self._address, 2))
