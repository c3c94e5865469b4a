"""Draws the pictures and tables of docs/build from the board files.

Run ``make docs``. A test compares the committed files with what this would write,
so that a picture cannot say otherwise than the firmware does.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from docs.drawing.board_page import board_page, pictures_of
from docs.drawing.chip import chip_picture
from docs.drawing.figures import common_lines, config_table, power_table
from docs.drawing.header import header_picture
from docs.drawing.lights import crossing_picture, power_picture, shifter_picture
from docs.drawing.pages import between, write
from docs.drawing.parts import parts_table
from docs.drawing.plan import strip_plan, switch_plan
from hardware.boards.board_file import find_wiring, shipped_boards
from hardware.wiring import Wiring

DOCS = Path(__file__).resolve().parent
BUILD = DOCS / "build"
FIRST = "reference"


def boards() -> list[tuple[str, Wiring]]:
    """Every shipped board that can be built, the reference first; not one of imagined pins."""
    found = [(name, find_wiring(name)) for name in shipped_boards()]
    real = [each for each in found if each[1].lines.pin_factory != "mock"]
    return sorted(real, key=lambda each: (each[0] != FIRST, each[0]))


def pictures(name: str, wiring: Wiring) -> Iterator[tuple[str, str]]:
    """The name and the SVG text of each picture of a board."""
    yield f"{name}-header", header_picture(wiring)
    for chip in wiring.chips:
        yield f"{name}-chip-{chip.address:#04x}", chip_picture(wiring, chip)
    if f"{name}-crossing" in pictures_of(name, wiring):
        yield f"{name}-crossing", crossing_picture(wiring)
    yield f"{name}-switches-above", switch_plan(wiring, mirrored=False)
    yield f"{name}-switches-below", switch_plan(wiring, mirrored=True)
    yield f"{name}-strip", strip_plan(wiring)


def tables() -> dict[Path, tuple[str, str]]:
    """The table of each page: the name of its marks, and its text."""
    all_boards = boards()
    lines = f"{common_lines(all_boards)}\n\nand, by model:\n\n{config_table()}"
    return {
        BUILD / "parts.md": ("parts", parts_table(all_boards)),
        BUILD / "power.md": ("figures", power_table(all_boards)),
        BUILD / "config.md": ("lines", lines),
    }


def files() -> dict[Path, str]:
    """Every file that is made here, and its text."""
    made: dict[Path, str] = {}
    for name, wiring in boards():
        made[BUILD / f"board-{name}.md"] = board_page(name, wiring)
        drawn = pictures(name, wiring)
        made |= {BUILD / "pictures" / f"{picture}.svg": text for picture, text in drawn}
    first = find_wiring(FIRST)
    made[BUILD / "pictures" / "power.svg"] = power_picture(first)
    made[BUILD / "pictures" / "shifter.svg"] = shifter_picture(first)
    for page, (name, table) in tables().items():
        made[page] = between(page.read_text(encoding="utf-8"), name, table)
    return made


def main() -> None:
    """Write the files; pictures of removed boards are deleted."""
    made = files()
    for old in (BUILD / "pictures").glob("*.svg"):
        if old not in made:
            old.unlink()
    write(made)


if __name__ == "__main__":
    main()
