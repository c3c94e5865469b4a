"""MCP23017, 16 pins of which 14 may be inputs (Microchip DS20001952; 400 kHz at 3.3 V; 0x20-0x27).

GPA7 and GPB7 are outputs only (revision D of 2022; all silicon is affected): an input there that
changes during a transfer can corrupt SDA. Wirings that use them nevertheless are warned of where
they are read; this driver does as it is told.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag

from hardware.bus import I2cBus
from hardware.expander import RegisterChip, pair, unpair, wired_inputs
from hardware.wiring import Chip


class Register(IntEnum):
    """Addresses with IOCON.BANK = 0 (table 3-3)."""

    IODIRA = 0x00
    IODIRB = 0x01
    IPOLA = 0x02
    IPOLB = 0x03
    GPINTENA = 0x04
    GPINTENB = 0x05
    DEFVALA = 0x06
    DEFVALB = 0x07
    INTCONA = 0x08
    INTCONB = 0x09
    IOCON = 0x0A
    IOCON_AGAIN = 0x0B
    GPPUA = 0x0C
    GPPUB = 0x0D
    INTFA = 0x0E
    INTFB = 0x0F
    INTCAPA = 0x10
    INTCAPB = 0x11
    GPIOA = 0x12
    GPIOB = 0x13
    OLATA = 0x14
    OLATB = 0x15


class RegisterBank1(IntEnum):
    """The one address that is needed with IOCON.BANK = 1."""

    IOCON = 0x05


class IOCON(IntFlag):
    """Bits of the configuration register."""

    BANK = 0x80
    MIRROR = 0x40
    SEQOP = 0x20
    DISSLW = 0x10
    HAEN = 0x08
    ODR = 0x04
    INTPOL = 0x02


class Mcp23017:
    """One chip with a switch on each input.

    Pull-ups are on at every input: a switch to ground needs one, and one of 100 kOhm does no harm
    where the wiring has resistors of its own. All other pins are outputs driven low.
    """

    def __init__(self, chip: Chip, bus: I2cBus) -> None:
        self._chip = RegisterChip("MCP23017", chip.address, bus)
        inputs = wired_inputs(chip)
        # INT of all chips hang on one line: open drain, both ports on either pin.
        self._settings = settings(inputs, inputs, IOCON.MIRROR | IOCON.ODR)

    def configure(self) -> None:
        """Every register, from any state, read back; INT is released. Raises BusError."""
        bring_up(self._chip, self._settings)
        self.read()

    def is_configured(self) -> bool:
        """One burst, IODIRA to GPPUB: a chip that lost power has IOCON at 0. Raises BusError."""
        return self._chip.read(Register.IODIRA, len(self._settings)) == self._settings

    def read(self) -> int:
        """16 levels in one transfer, port A first; reading GPIO releases INT. Raises BusError."""
        return unpair(self._chip.read(Register.GPIOA, 2))


def settings(inputs: int, interrupts: int, iocon: int) -> bytes:
    """IODIRA to GPPUB: inputs with pull-ups, those that may raise INT, all others outputs.

    INTCON stays 0: compared with DEFVAL, a piece that stands would raise INT for ever.
    """
    pairs = (
        inputs,  # IODIR
        0,  # IPOL
        interrupts,  # GPINTEN
        0,  # DEFVAL
        0,  # INTCON
        iocon << 8 | iocon,
        inputs,  # GPPU
    )
    return b"".join(map(pair, pairs))


def bring_up(chip: RegisterChip, registers: bytes) -> None:
    """Bring a chip of which nothing is known to these registers, IODIRA to GPPUB; OLAT to 0.

    Another program, or a glitch, may have left IOCON.BANK or IOCON.SEQOP at 1. The first write
    goes to IOCON if BANK is 1 and clears it; if BANK is 0 it goes to GPINTENB, where 0 does no
    harm. One value a write: how the pointer moves is not known yet. OLAT comes before IODIR, so
    that no pin that becomes an output drives a closed switch high against its ground.
    Raises BusError.
    """
    chip.write(RegisterBank1.IOCON, b"\x00")
    chip.write(Register.IOCON, registers[Register.IOCON : Register.IOCON + 1])
    chip.write(Register.OLATA, pair(0))
    chip.write(Register.IODIRA, registers)
    chip.verify(Register.IODIRA, registers)
    chip.verify(Register.OLATA, pair(0))
