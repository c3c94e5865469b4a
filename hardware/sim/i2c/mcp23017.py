"""A model of the MCP23017 by its datasheet (Microchip DS20001952), alone or with a diode matrix."""

from __future__ import annotations

from hardware.datasheets import MATRIX_COLUMNS, MATRIX_ROWS
from hardware.mcp23017_matrix import COLUMNS
from hardware.sim.i2c.chip import ALL, Pins, SimChip

NAMES = "IODIR IPOL GPINTEN DEFVAL INTCON IOCON GPPU INTF INTCAP GPIO OLAT"
PAIRS = tuple(NAMES.split())
"""Register pairs in the order of their addresses."""
BANK, MIRROR, SEQOP, ODR, INTPOL = 0x80, 0x40, 0x20, 0x04, 0x02
PORTS = (0x00FF, 0xFF00)
"""Port A and port B in a register pair."""
LAST_BANK0 = 0x15
LAST_BANK1 = 0x1A


def locate(pointer: int, bank1: bool) -> tuple[str, int] | None:
    """Register pair and port (0 is A) at an address; None if it has no register (table 3-1)."""
    number, port = (pointer & 0x0F, pointer >> 4) if bank1 else (pointer >> 1, pointer & 1)
    return (PAIRS[number], port) if number < len(PAIRS) and port < 2 else None


class SimMcp23017(SimChip):
    """Registers are pairs of 16 bits, port A below; tests may read and set them."""

    def power_on(self) -> None:
        """IODIR all ones, everything else 0 (table 3-1)."""
        self.registers = dict.fromkeys(PAIRS, 0) | {"IODIR": ALL}
        self.pointer = 0
        self._felt: int | None = None

    @property
    def iocon(self) -> int:
        """One register for both ports."""
        return self.registers["IOCON"] & 0xFF

    def write(self, value: int, t_us: int) -> None:
        """A pointer, or a value where it points."""
        if self._addressing:
            self._addressing = False
            self.pointer = value
            return
        self.look(t_us)
        place = locate(self.pointer, bool(self.iocon & BANK))
        self._advance()
        if place is not None:
            self._store(*place, value)
            self.look(t_us)

    def read(self, t_us: int) -> int:
        """The value where the pointer is; reading GPIO or INTCAP ends the port's interrupt."""
        self.look(t_us)
        place = locate(self.pointer, bool(self.iocon & BANK))
        self._advance()
        if place is None:
            return 0
        name, port = place
        value = self._gpio() if name == "GPIO" else self.registers[name]
        if name in ("GPIO", "INTCAP"):
            self._end_interrupt(PORTS[port])
        return value >> 8 * port & 0xFF

    def look(self, t_us: int) -> None:
        """Feel the pins; changes of inputs may interrupt."""
        registers = self.registers
        directions = registers["IODIR"]
        levels = self._world(t_us) & directions | registers["OLAT"] & ~directions
        changed = 0 if self._felt is None else levels ^ self._felt
        self._felt = levels
        self._interrupt(changed)

    @property
    def inta(self) -> bool:
        """True if INTA is asserted."""
        return self._asserted(PORTS[0])

    @property
    def int_low(self) -> bool:
        """INTA is what is wired; driven to the polarity of INTPOL unless ODR overrides it."""
        active_high = bool(self.iocon & INTPOL) and not self.iocon & ODR
        return self.answers and self.inta != active_high

    def _asserted(self, port: int) -> bool:
        return bool(self.registers["INTF"] & (ALL if self.iocon & MIRROR else port))

    def _world(self, t_us: int) -> int:
        """Levels of the pins, as far as they are inputs."""
        return self.pins.sample(t_us, self.registers["GPPU"])

    def _gpio(self) -> int:
        """IPOL inverts what inputs read."""
        return (self._felt or 0) ^ self.registers["IPOL"] & self.registers["IODIR"]

    def _interrupt(self, changed: int) -> None:
        """Set INTF and freeze INTCAP, port by port, where no interrupt waits to be read."""
        registers = self.registers
        compared = registers["INTCON"]
        differs = ((self._felt or 0) ^ registers["DEFVAL"]) & compared | changed & ~compared
        flags = differs & registers["GPINTEN"] & registers["IODIR"]
        for port in PORTS if flags else ():
            if flags & port and not registers["INTF"] & port:
                registers["INTF"] |= flags & port
                registers["INTCAP"] = registers["INTCAP"] & ~port | self._gpio() & port

    def _end_interrupt(self, port: int) -> None:
        """Where DEFVAL is compared, it comes again at once while the difference lasts."""
        self.registers["INTF"] &= ~port
        self._interrupt(0)

    def _store(self, name: str, port: int, value: int) -> None:
        """Writing GPIO writes the latch; INTF and INTCAP cannot be written."""
        if name == "IOCON":
            self.registers[name] = (value & 0xFE) * 0x0101
        elif name not in ("INTF", "INTCAP"):
            name = "OLAT" if name == "GPIO" else name
            self.registers[name] = self.registers[name] & ~PORTS[port] | value << 8 * port

    def _advance(self) -> None:
        """Byte mode toggles within a pair if BANK is 0 and stays if it is 1; else to the next."""
        bank1 = bool(self.iocon & BANK)
        if self.iocon & SEQOP:
            self.pointer ^= not bank1
        elif self.pointer == (LAST_BANK1 if bank1 else LAST_BANK0):
            self.pointer = 0
        else:
            self.pointer = self.pointer + 1 & 0xFF


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

    def __init__(self, address: int, pins: Pins | None = None) -> None:
        self.rise_us = 3
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
