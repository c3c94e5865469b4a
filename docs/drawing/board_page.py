"""The page of one board: its pictures, and the same as lists to tick off."""

from __future__ import annotations

from collections.abc import Iterator

from docs.drawing.header import uses
from docs.drawing.pages import table
from docs.drawing.parts import RESET_PULL_UP
from docs.drawing.pins import Role, legs
from hardware.datasheets import DATASHEETS
from hardware.wiring import Chip, ChipKind, Wiring

MODULES = (
    "Modules print the names of the pins: go by the names then, not by the numbers. Many modules "
    "have pull-ups for SDA and SCL of their own: of four times 4.7 kΩ take off three, as the Pi "
    "has some. The address is often set by jumpers. Power modules from 3.3 V only."
)
NOTES = {
    ChipKind.MCP23017: (
        "GPA7 and GPB7 stay open: the datasheet allows no inputs there. INTA alone is wired, as "
        "the firmware joins both ports to it. RESET of all chips is one wire, with one resistor of "
        f"{RESET_PULL_UP} from it to 3.3 V."
    ),
    ChipKind.MATRIX: (
        "Each switch has a diode, and each column a resistor of 10 kΩ to 3.3 V. GPA7 and GPB7 are "
        "rows, which is what these two pins may be. No INT is wired: a matrix is read row by row. "
        f"RESET has a resistor of {RESET_PULL_UP} to 3.3 V."
    ),
    ChipKind.TCA9555: (
        "This chip has no RESET pin: if the bus hangs, only taking away its 3.3 V for a moment "
        "frees it. Bring that wire to a place where it can be pulled. A PCA9555 has the same legs. "
        f"Numbers are those of the packages with two rows of legs; a QFN has others. {MODULES}"
    ),
    ChipKind.PCF8575: (
        "This chip has no RESET pin: if the bus hangs, only taking away its 3.3 V for a moment "
        "frees it. Bring that wire to a place where it can be pulled. It has no registers either: "
        "a reading that noise falsifies cannot be told from a right one. So keep SDA, SCL and the "
        f"cables of the switches short, and away from the strip's wires. {MODULES}"
    ),
}


def board_page(name: str, wiring: Wiring) -> str:
    """The whole page."""
    return "\n\n".join(_paragraphs(name, wiring)) + "\n"


def pictures_of(name: str, wiring: Wiring) -> dict[str, str]:
    """The name of each picture of a board's page, in its order, and its heading."""
    chips = {f"{name}-chip-{chip.address:#04x}": _title(wiring, chip) for chip in wiring.chips}
    matrix = any(chip.kind is ChipKind.MATRIX for chip in wiring.chips)
    return {
        f"{name}-header": "The Raspberry Pi's header",
        **chips,
        **({f"{name}-crossing": "A crossing of the matrix"} if matrix else {}),
        f"{name}-switches-above": "The switches from above",
        f"{name}-switches-below": "The switches from below",
        f"{name}-strip": "The strip",
    }


def _title(wiring: Wiring, chip: Chip) -> str:
    number = wiring.chips.index(chip) + 1
    return f"Chip {number}: {DATASHEETS[chip.kind].title} at {chip.address:#04x}"


def _paragraphs(name: str, wiring: Wiring) -> Iterator[str]:
    yield f"# Wiring of the {wiring.name}"
    yield (
        f"Drawn from [`hardware/boards/{name}.toml`](../../hardware/boards/{name}.toml), which the "
        f"firmware reads when it is started with `i2c:{name}`. "
        "[How to wire](wiring.md) tells in which order; parts are in the [list](parts.md). Each "
        "picture prints on one sheet of A4."
    )
    for kind in dict.fromkeys(chip.kind for chip in wiring.chips):
        yield NOTES[kind]
    chips = {_title(wiring, chip): chip for chip in wiring.chips}
    for picture, heading in pictures_of(name, wiring).items():
        yield f"## {heading}"
        yield f"![{heading}](pictures/{picture}.svg)"
        if heading in chips:
            yield leg_list(wiring, chips[heading])
    yield "## The header as a list"
    yield header_list(wiring)


def leg_list(wiring: Wiring, chip: Chip) -> str:
    """Every leg that is wired, in the order of the numbers."""
    wired = [leg for leg in legs(wiring, chip) if leg.role is not Role.OPEN]
    return table(("leg", "name", "goes to"), ((leg.number, leg.name, leg.goal) for leg in wired))


def header_list(wiring: Wiring) -> str:
    """Every pin of the header that is used."""
    used = ((number, what) for number, (what, _) in sorted(uses(wiring).items()))
    return table(("header pin", "goes to"), used)
