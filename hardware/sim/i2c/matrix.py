"""A model of 64 switches and diodes at one MCP23017."""

from __future__ import annotations

from hardware.datasheets import MATRIX_COLUMNS, MATRIX_ROWS
from hardware.mcp23017_matrix import COLUMNS

from .mcp23017 import SimMcp23017
from .pins import Pins

PULLED_DOWN = tuple(
    sum(1 << pin for at, pin in enumerate(MATRIX_COLUMNS) if closed >> at & 1)
    for closed in range(256)
)
"""The pins of the columns that are low, by the closed switches of a row that is driven low."""


class SimMatrix(SimMcp23017):
    """A chip whose pins have 64 switches between them; ``pins.levels`` tells those, row by row.

    A level of 0 is a closed switch: its column is low while its row is driven low. Pull-ups of
    10 kOhm are at the columns unless ``pins`` says otherwise.
    """

    def __init__(self, address: int, pins: Pins | None = None, *, rise_us: int = 3) -> None:
        self.rise_us = rise_us
        """How long a column takes to rise: 1.6 RC, by 10 kOhm and 155 pF."""
        self._risen_us: dict[int, int] = {}
        super().__init__(address, pins or Pins(resistors=COLUMNS))

    def _world(self, t_us: int) -> int:
        held = self._held(t_us)
        if held:
            self._risen_us[held] = t_us + self.rise_us
        rising = 0
        for columns, risen_us in list(self._risen_us.items()):
            if risen_us > t_us:
                rising |= columns
            else:
                del self._risen_us[columns]
        return self.pins.settle(~(held | rising), self.registers["GPPU"])

    def _held(self, t_us: int) -> int:
        """The columns that closed switches connect to a row driven low."""
        driven_low = ~(self.registers["IODIR"] | self.registers["OLAT"])
        rows = [row for row, pin in enumerate(MATRIX_ROWS) if driven_low >> pin & 1]
        if not rows:
            return 0
        closed = ~self.pins.levels(t_us)
        held = 0
        for row in rows:
            held |= PULLED_DOWN[closed >> 8 * row & 0xFF]
        return held
