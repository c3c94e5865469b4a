"""Models of the TCA9555, PCA9555 and PCF8575 by their datasheets.

TI SCPS200, NXP PCA9555, TI SCPS121.
"""

from __future__ import annotations

from abc import abstractmethod

from hardware.sim.i2c.chip import ALL, SimChip

INPUT, OUTPUT, POLARITY, CONFIGURATION = 0, 2, 4, 6
"""Command bytes of port 0; port 1 follows."""


class _TwoPorts(SimChip):
    """Its interrupt lasts while an input differs from what its port last told."""

    has_reset = False

    def power_on(self) -> None:
        """Nothing is felt yet, and nothing told."""
        self._felt: int | None = None
        self._told = 0

    @abstractmethod
    def _roles(self) -> tuple[int, int]:
        """The pins that are inputs, and the latches of the others."""

    def look(self, t_us: int) -> None:
        """Feel the pins: each input has its pull-up."""
        inputs, latches = self._roles()
        first = self._felt is None
        self._felt = self.pins.sample(t_us, ALL) & inputs | latches & ~inputs
        if first:
            self._told = self._felt

    @property
    def int_low(self) -> bool:
        """While an input differs from what its port last told."""
        return self.answers and bool((self._levels ^ self._told) & self._roles()[0])

    @property
    def _levels(self) -> int:
        return self._felt or 0

    def _tell(self, port: int) -> int:
        """The levels of a port, which ends its interrupt."""
        mask = 0xFF << 8 * port
        self._told = self._told & ~mask | self._levels & mask
        return self._levels >> 8 * port & 0xFF


class SimTca9555(_TwoPorts):
    """Registers by command byte; read and set freely by tests."""

    def power_on(self) -> None:
        """Inputs all, their latches 1 (table 6)."""
        super().power_on()
        self.registers = {OUTPUT: 0xFF, 3: 0xFF, POLARITY: 0, 5: 0, CONFIGURATION: 0xFF, 7: 0xFF}
        self.pointer = 0
        self.command = 0

    def write(self, value: int, t_us: int) -> None:
        """A command, or a value; the pointer then toggles within its pair."""
        if self._addressing:
            self._addressing = False
            self.command = self.pointer = value & 7
            return
        if self.pointer in self.registers:
            self.registers[self.pointer] = value
        self.pointer ^= 1
        self.look(t_us)

    def read(self, t_us: int) -> int:
        """The register at the pointer, which toggles; reading a port ends its interrupt."""
        self.look(t_us)
        at = self.pointer
        self.pointer ^= 1
        if at in self.registers:
            return self.registers[at]
        return self._tell(at) ^ self.registers[POLARITY + at]

    def overhear(self, reading: bool) -> None:
        """The erratum of TI's chip: its interrupt is gone as if it had been read."""
        if reading and self.command == INPUT:
            self._told = self._levels

    def _roles(self) -> tuple[int, int]:
        return self._both(CONFIGURATION), self._both(OUTPUT)

    def _both(self, port_0: int) -> int:
        return self.registers[port_0] | self.registers[port_0 + 1] << 8


class SimPcf8575(_TwoPorts):
    """One latch of 16 bits: 0 drives the pin low, 1 leaves it to its weak pull-up."""

    def power_on(self) -> None:
        """All latches 1."""
        super().power_on()
        self.latch = ALL
        self._port = 0

    def begin(self, reading: bool) -> None:
        """Each transfer begins with port 0."""
        super().begin(reading)
        self._port = 0

    def write(self, value: int, t_us: int) -> None:
        """Port 0, port 1, port 0 ...; writing ends the interrupt."""
        mask = 0xFF << 8 * self._port
        self.latch = self.latch & ~mask | value << 8 * self._port
        self.look(t_us)
        self._tell(self._port)
        self._port ^= 1

    def read(self, t_us: int) -> int:
        """The pins of port 0, port 1, port 0 ...; reading ends the interrupt."""
        self.look(t_us)
        value = self._tell(self._port)
        self._port ^= 1
        return value

    def _roles(self) -> tuple[int, int]:
        return self.latch, 0
