"""Which chips are on a bus, where no board file says so.

No chip tells its name. But what was written to registers can be read back only where those
registers are, so each kind is tried in turn. The order matters: an MCP23017 has memory wherever a
TCA9555 has registers, so it would pass for one; a PCF8575, which has none, passes last. None of
these writes drives a pin high that a closed switch holds to ground.
"""

from __future__ import annotations

from dataclasses import replace

from boardfw.errors import BusError, WiringError
from hardware.bus import I2cBus
from hardware.datasheets import ADDRESSES
from hardware.expander import open_chip
from hardware.wiring import Chip, ChipKind

ORDER = (ChipKind.MCP23017, ChipKind.TCA9555, ChipKind.PCF8575)


def find_chips(bus: I2cBus) -> tuple[Chip, ...]:
    """The chips at 0x20 to 0x27, nothing wired to them yet. Raises BusError, WiringError.

    A single MCP23017 must be a diode matrix, because it has too few inputs for anything else.
    """
    found = tuple(chip for address in ADDRESSES if (chip := _at(bus, address)) is not None)
    if not found:
        raise WiringError(
            f"{bus.device}: no chip answers at 0x20 to 0x27; look at supply, SDA, SCL and RESET"
        )
    if len(found) == 1 and found[0].kind is ChipKind.MCP23017:
        return (replace(found[0], kind=ChipKind.MATRIX, squares=(None,) * 64),)
    return found


def _at(bus: I2cBus, address: int) -> Chip | None:
    for kind in ORDER:
        # All legal inputs of an MCP23017; the others have no other.
        pins = 0x7F7F if kind is ChipKind.MCP23017 else 0xFFFF
        chip = Chip(kind, address, tuple(0 if pins >> at & 1 else None for at in range(16)))
        try:
            open_chip(chip, bus).configure()
        except BusError:
            continue
        return replace(chip, squares=(None,) * 16)
    return None
