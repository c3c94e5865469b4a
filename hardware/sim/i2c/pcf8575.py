"""A model of the PCF8575 by its datasheet (TI SCPS121)."""

from __future__ import annotations

from .chip import SimChip
from .pins import ALL, Pins


class SimPcf8575(SimChip):
    """One latch of 16 bits: 0 drives the pin low, 1 leaves it to its weak pull-up."""

    has_reset = False

    def __init__(self, address: int, pins: Pins | None = None) -> None:
        super().__init__(address, pins)
        self.power_on()

    def power_on(self) -> None:
        """All latches 1."""
        self.latch = ALL
        self._port = 0
        self._felt: int | None = None
        self._told = 0

    def begin(self, reading: bool) -> None:
        """Each transfer begins with port 0."""
        super().begin(reading)
        self._port = 0

    def write(self, value: int, t_us: int) -> None:
        """Port 0, port 1, port 0 ...; writing ends the interrupt."""
        mask = 0xFF << 8 * self._port
        self.latch = self.latch & ~mask | value << 8 * self._port
        self.look(t_us)
        self._tell(mask)

    def read(self, t_us: int) -> int:
        """The pins of port 0, port 1, port 0 ...; reading ends the interrupt."""
        self.look(t_us)
        value = self._levels >> 8 * self._port & 0xFF
        self._tell(0xFF << 8 * self._port)
        return value

    def look(self, t_us: int) -> None:
        """Feel the pins."""
        first = self._felt is None
        self._felt = self.pins.sample(t_us, ALL) & self.latch
        if first:
            self._told = self._felt

    @property
    def int_low(self) -> bool:
        """While an input differs from what was last told."""
        return self.answers and bool((self._levels ^ self._told) & self.latch)

    @property
    def _levels(self) -> int:
        return self._felt or 0

    def _tell(self, mask: int) -> None:
        self._told = self._told & ~mask | self._levels & mask
        self._port ^= 1
