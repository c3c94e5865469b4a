"""64 switches on one MCP23017: a matrix of 8 rows and 8 columns with a diode at each switch.

A row is chosen by driving it low; each closed switch of it pulls its column low through its diode,
whose cathode is at the row. The other rows are driven high, so that diodes block towards them.

GPA7 and GPB7 must not be inputs (see ``hardware.mcp23017``), least of all here, where columns
change during the transfers themselves. So both are rows, and a column is at port A.

Settling: a column that a row held low rises through its pull-up. Of the chip's own 100 kOhm with
155 pF (eight diodes, a pin, 30 cm of cable) that takes 25 us to 0.8 VDD, just what lies between
writing a row and sampling a column at 400 kHz (10 periods of SCL). So the columns want pull-ups
of 10 kOhm to 3.3 V: 2.5 us. The diodes want to be Schottky ones (BAT54, BAT85: 0.3 V): at 3.3 V
low is below 0.66 V (0.2 VDD), and a silicon diode leaves no margin.

A scan takes 8 transfers of 67 periods of SCL: 1.34 ms at 400 kHz.

There is no interrupt: columns in which pieces stand are low already when all rows are driven.
"""

from __future__ import annotations

from hardware.bus import I2cBus
from hardware.datasheets import MATRIX_COLUMNS, MATRIX_ROWS
from hardware.expander import RegisterChip, pair
from hardware.mcp23017 import IOCON, Register, bring_up, settings
from hardware.wiring import Chip

ROWS = sum(1 << pin for pin in MATRIX_ROWS)
COLUMNS = sum(1 << pin for pin in MATRIX_COLUMNS)

CHOICES = [bytes((Register.GPIOA,)) + pair(ROWS & ~(1 << row)) for row in MATRIX_ROWS]
"""What is written to choose a row; it leaves the pointer at GPIOA, where reading begins."""


def _columns(port: int) -> list[int]:
    """For each value read from port A (0) or B (1), the columns that it shows."""
    shown = [
        (pin - 8 * port, column) for column, pin in enumerate(MATRIX_COLUMNS) if pin // 8 == port
    ]
    return [sum((value >> bit & 1) << column for bit, column in shown) for value in range(256)]


PORT_A, PORT_B = _columns(0), _columns(1)


class Mcp23017Matrix:
    """One chip and 64 switches."""

    def __init__(self, chip: Chip, bus: I2cBus) -> None:
        self._chip = RegisterChip("MCP23017", chip.address, bus)
        self._bus = bus
        self._settings = settings(COLUMNS, 0, 0)
        # Within a pair the pointer then toggles, so a row's values and its columns fit a transfer.
        self._iocon = bytes((IOCON.SEQOP,))

    def configure(self) -> None:
        """Every register, from any state, read back. Raises BusError."""
        bring_up(self._chip, self._settings)
        self._chip.write(Register.IOCON, self._iocon)
        self._chip.verify(Register.IOCON, self._iocon)

    def is_configured(self) -> bool:
        """One transfer: whether rows are still outputs and columns inputs. Raises BusError.

        After a loss of power all pins are inputs.
        """
        return self._chip.read(Register.IODIRA, 2) == self._settings[:2]

    def read(self) -> int:
        """64 levels, row after row, in one transfer a row. Raises BusError."""
        levels = 0
        for at, values in enumerate(CHOICES):
            port_a, port_b = self._bus.write_read(self._chip.address, values, 2)
            levels |= (PORT_A[port_a] | PORT_B[port_b]) << 8 * at
        return levels
