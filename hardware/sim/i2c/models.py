"""The model for each kind of chip in a wiring."""

from __future__ import annotations

from hardware.sim.i2c.chip import Pins
from hardware.sim.i2c.mcp23017 import SimMatrix
from hardware.sim.i2c.tca9555 import SimPcf8575
from hardware.wiring import Chip, ChipKind

from .chip import SimChip
from .mcp23017 import SimMcp23017
from .tca9555 import SimTca9555

MODELS: dict[ChipKind, type[SimMcp23017 | SimTca9555 | SimPcf8575 | SimMatrix]] = {
    ChipKind.MCP23017: SimMcp23017,
    ChipKind.TCA9555: SimTca9555,
    ChipKind.PCF8575: SimPcf8575,
    ChipKind.MATRIX: SimMatrix,
}


def model_of(chip: Chip, pins: Pins | None = None) -> SimChip:
    """The chip that a wiring describes, with the world at its pins (of a matrix: its switches)."""
    return MODELS[chip.kind](chip.address, pins)
