"""Plans of the 64 squares: which input reads each, and the way of the strip; from both sides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from boardfw.squares import (
    EVERY_SWITCH,
    FILES,
    NAMES,
    RANKS,
    Switch,
    file_of,
    rank_of,
    switch_at,
)
from docs.drawing.chip import colour_of
from docs.drawing.pins import leg_of
from docs.drawing.sheet import COLOURS, PAPER, Point, Sheet
from hardware.datasheets import DATASHEETS
from hardware.wiring import Chip, ChipKind, Wiring

MARGIN = 13.0
SIDES = {False: "from above: as the players see it", True: "from below: as you solder it"}


@dataclass(frozen=True, slots=True)
class Grid:
    """Where each square lies on the sheet."""

    top: float
    square: float
    mirrored: bool

    def centre(self, square: Switch) -> Point:
        """The middle of a square."""
        column = 7 - file_of(square) if self.mirrored else file_of(square)
        row = 7 - rank_of(square)
        return MARGIN + (column + 0.5) * self.square, self.top + (row + 0.5) * self.square

    def draw(self, sheet: Sheet, fill: Callable[[Switch], str]) -> None:
        """The squares, and the letters and figures at the edge."""
        for square in EVERY_SWITCH:
            x, y = self.centre(square)
            half = self.square / 2
            sheet.box((x - half, y - half), (self.square, self.square), fill(square))
        for at in range(8):
            x, _ = self.centre(switch_at(at, 0))
            sheet.text((x, self.top - 4), FILES[at], size=4, anchor="middle", bold=True)
            _, y = self.centre(switch_at(0, at))
            sheet.text((MARGIN - 5, y), RANKS[at], size=4, anchor="middle", bold=True)


@dataclass(frozen=True, slots=True)
class Wire:
    """What reads a square."""

    fill: str
    lines: tuple[str, ...]


def wires(wiring: Wiring) -> dict[Switch, Wire]:
    """For each square its input, in words, and the colour of its chip (in a matrix: its row)."""
    found: dict[Switch, Wire] = {}
    for chip in wiring.chips:
        for at, square in enumerate(chip.squares):
            if square is not None:
                found[square] = _wire(wiring, chip, at)
    return found


def _wire(wiring: Wiring, chip: Chip, at: int) -> Wire:
    pins = DATASHEETS[chip.kind].inputs[at].pin.split("/")
    legs = [f"{pin} ({leg_of(chip, pin)})" for pin in pins]
    if chip.kind is ChipKind.MATRIX:
        row, column = legs
        return Wire(COLOURS[at // 8], (f"r {row}", f"c {column}"))
    return Wire(colour_of(wiring, chip), (*legs, f"{chip.address:#04x}"))


def switch_plan(wiring: Wiring, *, mirrored: bool) -> str:
    """The board with its switches."""
    sheet = Sheet(210, 240, f"The switches of the {wiring.name}, {SIDES[mirrored]}")
    sheet.text((10, 10), f"Switches, {SIDES[mirrored]}", size=5, bold=True)
    sheet.text((10, 17), f"{wiring.name} · {_legend(wiring)}")
    grid, found = Grid(30, 23, mirrored), wires(wiring)
    grid.draw(sheet, lambda square: found[square].fill)
    for square, wire in found.items():
        x, y = grid.centre(square)
        sheet.text((x, y - 6), NAMES[square], size=4.6, anchor="middle", bold=True)
        for row, words in enumerate(wire.lines):
            sheet.text((x, y + 0.5 + 5 * row), words, size=2.9, anchor="middle")
    sheet.text((10, 224), _grounds(wiring))
    sheet.text((10, 230), "In brackets: the number of the chip's leg.")
    return sheet.svg()


def _legend(wiring: Wiring) -> str:
    if any(chip.kind is ChipKind.MATRIX for chip in wiring.chips):
        return "one colour a row · r: the row's pin, c: the column's"
    return f"one colour for each of the {len(wiring.chips)} chips · last line: its address"


def _grounds(wiring: Wiring) -> str:
    if any(chip.kind is ChipKind.MATRIX for chip in wiring.chips):
        return (
            "Each square has a switch and a diode between its column and its row, ring to the row."
        )
    if any(chip.closed_high for chip in wiring.chips):
        return "The other end of each switch goes to 3.3 V; 10 kΩ from each pin to ground."
    return "The other end of each switch goes to ground."


def strip_plan(wiring: Wiring) -> str:
    """The strip's way, from above and from below."""
    sheet = Sheet(140, 292, f"The way of the strip of the {wiring.name}")
    sheet.text((10, 10), "The way of the strip", size=5, bold=True)
    last = len(wiring.leds.squares)
    sheet.text((10, 17), f"{wiring.name} · DIN, 5 V and GND come in at LED 1,")
    sheet.text((10, 22), f"5 V and GND once more at LED {last}")
    for top, mirrored in ((42, False), (172, True)):
        sheet.text((10, top - 10), SIDES[mirrored], bold=True)
        _strip(sheet, wiring, Grid(top, 14, mirrored))
    return sheet.svg()


def _strip(sheet: Sheet, wiring: Wiring, grid: Grid) -> None:
    grid.draw(sheet, lambda _: PAPER)
    places = _places(wiring.leds.squares, grid)
    for (_, start), (_, end) in pairwise(places):
        sheet.arrow(_towards(start, end, 2.9), _towards(end, start, 2.9), ink="#0060a0", width=0.6)
    for number, place in places:
        fill = COLOURS[1] if number in (1, len(wiring.leds.squares)) else PAPER
        sheet.dot(place, 2.8, fill)
        sheet.text(place, str(number), size=2.8, anchor="middle", bold=True)


def _places(squares: tuple[Switch | None, ...], grid: Grid) -> list[tuple[int, Point]]:
    """The number and the place of each LED that has a square; those of one square side by side."""
    placed = []
    for at, square in enumerate(squares):
        if square is not None:
            mates = [other for other, its in enumerate(squares) if its == square]
            x, y = grid.centre(square)
            shift = (mates.index(at) + 1) / (len(mates) + 1) - 0.5
            placed.append((at + 1, (x + shift * grid.square, y)))
    return placed


def _towards(start: Point, end: Point, distance: float) -> Point:
    """A point at a distance from ``start`` on the way to ``end``."""
    x, y = end[0] - start[0], end[1] - start[1]
    length = (x * x + y * y) ** 0.5
    return start[0] + x * distance / length, start[1] + y * distance / length
