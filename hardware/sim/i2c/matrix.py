"""A model of 64 switches and diodes at one MCP23017."""

from __future__ import annotations

from hardware.mcp23017_matrix import COLUMN_PINS, ROW_PINS

from .mcp23017 import SimMcp23017
from .pins import ALL, Pins

COLUMNS = sum(1 << pin for pin in COLUMN_PINS)


class SimMatrix(SimMcp23017):
    """A chip whose pins have 64 switches between them; ``pins.levels`` tells those, row by row.

    A level of 0 is a closed switch: its column is low while its row is driven low. Pull-ups of
    10 kOhm are at the columns unless ``pins`` says otherwise.
    """

    def __init__(self, address: int, pins: Pins | None = None, *, rise_us: int = 3) -> None:
        self.rise_us = rise_us
        """How long a column takes to rise: 1.6 RC, by 10 kOhm and 155 pF."""
        self._low_us: dict[int, int] = {}
        super().__init__(address, pins or Pins(resistors=COLUMNS))

    def _world(self, t_us: int) -> int:
        switches = self.pins.levels(t_us)
        for row, row_pin in enumerate(ROW_PINS):
            if self._drives_low(row_pin):
                closed = ~switches >> 8 * row & 0xFF
                held = (pin for at, pin in enumerate(COLUMN_PINS) if closed >> at & 1)
                self._low_us.update(dict.fromkeys(held, t_us))
        low = sum(1 << pin for pin, low_us in self._low_us.items() if self._is_low(low_us, t_us))
        return self.pins.settle(ALL & ~low, self._both("GPPU"))

    def _is_low(self, low_us: int, t_us: int) -> bool:
        """Held now, or so lately that it has not risen yet."""
        return t_us == low_us or t_us - low_us < self.rise_us

    def _drives_low(self, pin: int) -> bool:
        return not (self._both("IODIR") | self._both("OLAT")) >> pin & 1
