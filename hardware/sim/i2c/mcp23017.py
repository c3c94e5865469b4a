"""A model of the MCP23017 by its datasheet (Microchip DS20001952)."""

from __future__ import annotations

from .chip import SimChip
from .pins import Pins

NAMES = [
    "IODIR",
    "IPOL",
    "GPINTEN",
    "DEFVAL",
    "INTCON",
    "IOCON",
    "GPPU",
    "INTF",
    "INTCAP",
    "GPIO",
    "OLAT",
]
BANK, MIRROR, SEQOP, ODR, INTPOL = 0x80, 0x40, 0x20, 0x04, 0x02
READ_ONLY = {"INTF", "INTCAP"}

LAST_BANK0 = 0x15
LAST_BANK1 = 0x1A


def locate(pointer: int, bank1: bool) -> tuple[str, int] | None:
    """Register and port (0 is A) at an address; None where there is none (table 3-1)."""
    number, port = (pointer & 0x0F, pointer >> 4) if bank1 else (pointer >> 1, pointer & 1)
    return (NAMES[number], port) if number < len(NAMES) and port < 2 else None


class SimMcp23017(SimChip):
    """Registers as pairs [A, B]; read and set freely by tests."""

    def __init__(self, address: int, pins: Pins | None = None) -> None:
        super().__init__(address)
        self.pins = pins or Pins()
        self.power_on()

    def power_on(self) -> None:
        """IODIR all ones, everything else 0 (table 3-5)."""
        self.registers: dict[str, list[int]] = {name: [0, 0] for name in NAMES}
        self.registers["IODIR"] = [0xFF, 0xFF]
        self.pointer = 0
        self._addressing = False
        self._felt: int | None = None

    @property
    def iocon(self) -> int:
        """One register for both ports."""
        return self.registers["IOCON"][0]

    def begin(self, reading: bool, t_us: int) -> None:
        """The first byte that is written is the pointer."""
        self._addressing = not reading
        self.look(t_us)

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
        value = self._gpio(port) if name == "GPIO" else self.registers[name][port]
        if name in ("GPIO", "INTCAP"):
            self._end_interrupt(port, t_us)
        return value

    def look(self, t_us: int) -> None:
        """Feel the pins; the first change of a port sets INTF and freezes INTCAP."""
        levels = self._levels(t_us)
        changed = 0 if self._felt is None else levels ^ self._felt
        self._felt = levels
        for port in (0, 1):
            self._interrupt(port, levels >> 8 * port & 0xFF, changed >> 8 * port & 0xFF)

    @property
    def inta(self) -> bool:
        """Whether INTA is asserted."""
        return self._asserted(0)

    @property
    def intb(self) -> bool:
        """Whether INTB is asserted."""
        return self._asserted(1)

    @property
    def int_low(self) -> bool:
        """INTA is what is wired; driven to the polarity of INTPOL unless ODR overrides it."""
        active_high = bool(self.iocon & INTPOL) and not self.iocon & ODR
        return self.answers and self.inta != active_high

    def _asserted(self, port: int) -> bool:
        intf = self.registers["INTF"]
        return any(intf) if self.iocon & MIRROR else bool(intf[port])

    def _levels(self, t_us: int) -> int:
        """Levels at the 16 pins: outputs as driven, inputs as the world has them."""
        directions = self._both("IODIR")
        world = self._world(t_us)
        return world & directions | self._both("OLAT") & ~directions & 0xFFFF

    def _world(self, t_us: int) -> int:
        return self.pins.sample(t_us, self._both("GPPU"))

    def _both(self, name: str) -> int:
        low, high = self.registers[name]
        return low | high << 8

    def _gpio(self, port: int) -> int:
        """IPOL inverts what inputs read."""
        felt = (self._felt or 0) >> 8 * port & 0xFF
        inverted = self.registers["IPOL"][port] & self.registers["IODIR"][port]
        return felt ^ inverted

    def _interrupt(self, port: int, levels: int, changed: int) -> None:
        registers = self.registers
        if registers["INTF"][port]:
            return
        compared = registers["INTCON"][port]
        differs = (levels ^ registers["DEFVAL"][port]) & compared | changed & ~compared
        flags = differs & registers["GPINTEN"][port] & registers["IODIR"][port]
        if flags:
            registers["INTF"][port] = flags
            registers["INTCAP"][port] = self._gpio(port)

    def _end_interrupt(self, port: int, t_us: int) -> None:
        """Where DEFVAL is compared, it comes again at once while the difference lasts."""
        self.registers["INTF"][port] = 0
        self.look(t_us)

    def _store(self, name: str, port: int, value: int) -> None:
        if name in READ_ONLY:
            return
        if name == "IOCON":
            self.registers[name] = [value & 0xFE, value & 0xFE]
            return
        # Writing GPIO writes the latch.
        self.registers["OLAT" if name == "GPIO" else name][port] = value

    def _advance(self) -> None:
        """Byte mode toggles within a pair if BANK is 0 and stays if it is 1; else to the next."""
        bank1 = bool(self.iocon & BANK)
        if self.iocon & SEQOP:
            self.pointer ^= not bank1
        elif self.pointer == (LAST_BANK1 if bank1 else LAST_BANK0):
            self.pointer = 0
        else:
            self.pointer = self.pointer + 1 & 0xFF
