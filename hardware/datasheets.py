"""What the datasheets say about our chips as readers of switches: pins, addresses, limits.

MCP23017: Microchip DS20001952 (rev. D, 2022). TCA9555: Texas Instruments SCPS200; PCA9555: SCPS131.
PCF8575: SCPS121.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from boardfw.squares import NAMES, Occupancy, names_of
from hardware.strip_sheets import warnings_about_strip
from hardware.wiring import Chip, ChipKind, Leds

ADDRESSES: Final = range(0x20, 0x28)
"""All of them answer to 0100 A2 A1 A0."""


@dataclass(frozen=True, slots=True)
class Input:
    """What can read one switch."""

    pin: str
    """The datasheet's name; in a matrix the row's pin and the column's."""
    place: tuple[str | int, ...]
    """Where a board file names its square: the key, and the position (from 0) in its list."""
    output_only: bool = False
    """True if the datasheet allows no input here."""


@dataclass(frozen=True, slots=True)
class Datasheet:
    """One kind of chip."""

    title: str
    hz_most: int
    """Of the bus."""
    inputs: tuple[Input, ...]
    """In the order of ``Chip.squares``."""
    instead: str = ""
    """What to do rather than read an output-only pin."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys under which a board file lists its squares."""
        return tuple(dict.fromkeys(str(each.place[0]) for each in self.inputs))


def _port(key: str, prefix: str, output_only: tuple[str, ...] = ()) -> tuple[Input, ...]:
    pins = [f"{prefix}{bit}" for bit in range(8)]
    return tuple(Input(pin, (key, bit), pin in output_only) for bit, pin in enumerate(pins))


# An input that changes on these pins during a transfer can corrupt SDA; all silicon since 2005
# does that, the document says so since 2022.
_OUTPUT_ONLY: Final = ("GPA7", "GPB7")
_GPA: Final = _port("a", "GPA", _OUTPUT_ONLY)
_GPB: Final = _port("b", "GPB", _OUTPUT_ONLY)
_P0: Final = _port("p0", "P0")
_P1: Final = _port("p1", "P1")
MATRIX_ROWS: Final = (1, 2, 3, 4, 5, 6, 7, 15)
"""GPA1 to GPA7 and GPB7, as bits of both ports; row 0 first. Rows are driven, columns are read: so
both output-only pins are rows."""
MATRIX_COLUMNS: Final = (8, 9, 10, 11, 12, 13, 14, 0)
"""GPB0 to GPB6 and GPA0; column 0 first."""
_PINS: Final = tuple(each.pin for each in _GPA + _GPB)
_MATRIX: Final = tuple(
    Input(f"{_PINS[row]}/{_PINS[column]}", ("rows", r, c))
    for r, row in enumerate(MATRIX_ROWS)
    for c, column in enumerate(MATRIX_COLUMNS)
)

MCP23017_HZ: Final = 400_000
"""At 3.3 V, which the Pi's header gives (table 1-3: 2.7 to 5.5 V). 1.7 MHz wants 4.5 V or more, and
a chip at 5 V takes only 4 V or more for a 1 on SDA and SCL, where the Pi's lines have 3.3 V."""

DATASHEETS: Final = {
    ChipKind.MCP23017: Datasheet(
        "MCP23017", MCP23017_HZ, _GPA + _GPB, "wire it to GPA0-6 or GPB0-6 of this or another chip"
    ),
    ChipKind.TCA9555: Datasheet("TCA9555", 400_000, _P0 + _P1),
    ChipKind.PCF8575: Datasheet("PCF8575", 400_000, _P0 + _P1),
    ChipKind.MATRIX: Datasheet("MCP23017", MCP23017_HZ, _MATRIX),
}


RISK: Final = (
    "GPA7 and GPB7 of an MCP23017 are output-only, and a switch that changes there during a "
    "transfer can falsify it or hang the bus"
)


def misused_inputs(chip: Chip) -> Iterator[tuple[Input, str]]:
    """Output-only pins that read a square, each with the square's name."""
    for each, square in zip(DATASHEETS[chip.kind].inputs, chip.squares, strict=True):
        if each.output_only and square is not None:
            yield each, NAMES[square]


def _dead(dead: Occupancy) -> Iterator[str]:
    if dead:
        yield (
            f"no switch works under {', '.join(names_of(dead))}, by the board file: the board "
            "plays without, and knows a ply there later than others; fix the wire or the reed, "
            "then calibrate again, or list the square where it is wired and not in 'dead'"
        )


def warnings_about(chips: Iterable[Chip], leds: Leds, dead: Occupancy) -> tuple[str, ...]:
    """Return a line for each thing that the board can play with, though it should not be so."""
    told = [*_dead(dead), *warnings_about_strip(leds)]
    for chip in chips:
        misused = [f"{square} on {each.pin}" for each, square in misused_inputs(chip)]
        if misused:
            told.append(
                f"chip {chip.address:#04x} reads {', '.join(misused)}: {RISK}; "
                f"{DATASHEETS[chip.kind].instead}"
            )
    return tuple(told)
