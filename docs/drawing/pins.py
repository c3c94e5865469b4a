"""Which pin of a chip goes where: the legs by number, and what a wiring says of each.

Pin numbers: MCP23017 in DIP-28 (SPDIP), Microchip DS20001952 table 1-1. TCA9555 and PCA9555 in
TSSOP-24, SSOP-24 or SOIC-24, TI SCPS200 and SCPS131; PCF8575 in the same packages, SCPS121: the
three have the same legs. In QFN all numbers are others. 74AHCT125 in DIP-14, TI SCLS264.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from boardfw.squares import NAMES, Switch
from docs.drawing.header import GROUND_OF_CHIPS, SUPPLY_OF_CHIPS, pin_of
from hardware.datasheets import DATASHEETS, MATRIX_COLUMNS, MATRIX_ROWS
from hardware.wiring import Chip, ChipKind, Wiring


class Role(Enum):
    """What kind of thing a pin goes to."""

    SQUARE = "a square's switch"
    COLUMN = "a column of a matrix"
    GROUND = "ground"
    SUPPLY = "supply"
    PI = "the Raspberry Pi"
    OPEN = "nothing"


@dataclass(frozen=True, slots=True)
class Leg:
    """One pin of a chip."""

    number: int
    name: str
    """The datasheet's."""
    goal: str
    """What it is wired to, in a few words."""
    role: Role


@dataclass(frozen=True, slots=True)
class Package:
    """A chip as one buys it."""

    form: str
    names: tuple[str, ...]
    """Of the pins, pin 1 first."""


def _bits(prefix: str) -> tuple[str, ...]:
    return tuple(f"{prefix}{bit}" for bit in range(8))


_MCP23017 = Package(
    "DIP-28",
    (
        *(*_bits("GPB"), "VDD", "VSS", "NC", "SCL", "SDA", "NC"),
        *("A0", "A1", "A2", "RESET", "INTB", "INTA", *_bits("GPA")),
    ),
)
_24_LEGS = Package(
    "24 legs", ("INT", "A1", "A2", *_bits("P0"), "GND", *_bits("P1"), "A0", "SCL", "SDA", "VCC")
)
PACKAGES = {
    ChipKind.MCP23017: _MCP23017,
    ChipKind.MATRIX: _MCP23017,
    ChipKind.TCA9555: _24_LEGS,
    ChipKind.PCF8575: _24_LEGS,
}
OPEN = ("leave open", Role.OPEN)
GROUND = (f"GND, header pin {GROUND_OF_CHIPS}", Role.GROUND)
SUPPLY = (f"3.3 V, header pin {SUPPLY_OF_CHIPS}", Role.SUPPLY)


def legs(wiring: Wiring, chip: Chip) -> tuple[Leg, ...]:
    """Every pin of a chip, pin 1 first, and where this wiring leads it."""
    goals = _inputs(chip) | _others(wiring, chip)
    names = PACKAGES[chip.kind].names
    return tuple(Leg(number, name, *goals[name]) for number, name in enumerate(names, 1))


def leg_of(chip: Chip, name: str) -> int:
    """The number of the pin of this name."""
    return PACKAGES[chip.kind].names.index(name) + 1


def has_interrupt(wiring: Wiring, chip: Chip) -> bool:
    """Whether this chip's INT is to be wired; a matrix has none."""
    return wiring.lines.interrupt is not None and chip.kind is not ChipKind.MATRIX


def _inputs(chip: Chip) -> dict[str, tuple[str, Role]]:
    if chip.kind is ChipKind.MATRIX:
        return _rows_and_columns(chip)
    pairs = zip(DATASHEETS[chip.kind].inputs, chip.squares, strict=True)
    return {each.pin: _switch(square, each.output_only) for each, square in pairs}


def _switch(square: Switch | None, output_only: bool) -> tuple[str, Role]:
    if square is not None:
        return f"switch {NAMES[square]}", Role.SQUARE
    return ("leave open: no input", Role.OPEN) if output_only else OPEN


def _rows_and_columns(chip: Chip) -> dict[str, tuple[str, Role]]:
    pins = (*_bits("GPA"), *_bits("GPB"))
    rows = {
        pins[pin]: (f"row {_span(chip.squares[8 * at : 8 * at + 8])}", Role.SQUARE)
        for at, pin in enumerate(MATRIX_ROWS)
    }
    columns = {
        pins[pin]: (f"column {_span(chip.squares[at::8])}, 10 kΩ", Role.COLUMN)
        for at, pin in enumerate(MATRIX_COLUMNS)
    }
    return rows | columns


def _span(squares: tuple[Switch | None, ...]) -> str:
    """Like "a1 to h1" where the names go up in steps; else all of them."""
    known = [square for square in squares if square is not None]
    steps = {int(after) - int(before) for before, after in pairwise(known)}
    if len(known) == 8 and len(steps) == 1:
        return f"{NAMES[known[0]]} to {NAMES[known[-1]]}"
    return " ".join(NAMES[square] for square in known)


def _others(wiring: Wiring, chip: Chip) -> dict[str, tuple[str, Role]]:
    interrupt = OPEN
    if has_interrupt(wiring, chip) and wiring.lines.interrupt is not None:
        interrupt = (f"INT, {pin_of(wiring.lines.interrupt)}", Role.PI)
    reset = SUPPLY
    if wiring.lines.reset is not None:
        reset = (f"RESET, {pin_of(wiring.lines.reset)}", Role.PI)
    strapped = (("GND = 0", Role.GROUND), ("3.3 V = 1", Role.SUPPLY))
    straps = {f"A{bit}": strapped[chip.address >> bit & 1] for bit in range(3)}
    bus = {"SDA": ("SDA, header pin 3", Role.PI), "SCL": ("SCL, header pin 5", Role.PI)}
    power = dict.fromkeys(("VDD", "VCC"), SUPPLY) | dict.fromkeys(("VSS", "GND"), GROUND)
    single = {"INT": interrupt, "INTA": interrupt, "INTB": OPEN, "NC": OPEN, "RESET": reset}
    return straps | bus | power | single
