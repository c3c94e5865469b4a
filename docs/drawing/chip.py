"""A picture of one chip: its legs, and where each goes, from above and from below."""

from __future__ import annotations

from collections.abc import Sequence

from docs.drawing.pins import PACKAGES, Leg, Role, legs
from docs.drawing.sheet import COLOURS, DEEP, FAINT, INK, PAPER, Sheet, ink_on
from hardware.datasheets import DATASHEETS
from hardware.wiring import Chip, Wiring

PITCH = 6.8
BODY, BODY_WIDTH = 83.0, 44.0
GOAL_WIDTH = 58.0
FILLS = {
    Role.COLUMN: COLOURS[2],
    Role.GROUND: COLOURS[6],
    Role.SUPPLY: DEEP,
    Role.PI: PAPER,
    Role.OPEN: PAPER,
}


def colour_of(wiring: Wiring, chip: Chip) -> str:
    """The colour of a chip's squares, in every picture of the board."""
    return COLOURS[wiring.chips.index(chip) % len(COLOURS)]


def chip_picture(wiring: Wiring, chip: Chip) -> str:
    """Both views of a chip on one sheet."""
    number = wiring.chips.index(chip) + 1
    name = DATASHEETS[chip.kind].title
    title = f"Chip {number} of {len(wiring.chips)}: {name} at {chip.address:#04x}"
    subtitle = f"{wiring.name} · {name}, {PACKAGES[chip.kind].form}"
    return legs_picture(title, subtitle, legs(wiring, chip), colour_of(wiring, chip))


def legs_picture(title: str, subtitle: str, of: Sequence[Leg], squares: str) -> str:
    """Any chip with two rows of legs."""
    height = len(of) // 2 * PITCH
    sheet = Sheet(210, 2 * height + 72, f"{title}, {subtitle}")
    sheet.text((10, 10), title, size=5, bold=True)
    sheet.text((10, 17), f"{subtitle} · 100 nF between the two supply pins, close to the chip")
    _view(sheet, 25, "from above: you read the print", of, squares, mirrored=False)
    _view(sheet, height + 51, "from below: you solder here", of, squares, mirrored=True)
    return sheet.svg()


def _view(
    sheet: Sheet, top: float, words: str, of: Sequence[Leg], squares: str, *, mirrored: bool
) -> None:
    half = len(of) // 2
    middle = BODY + BODY_WIDTH / 2
    sheet.text((middle, top), words, anchor="middle", bold=True)
    top += 4
    sheet.box((BODY, top), (BODY_WIDTH, half * PITCH + 5), "#f4f4f4", 1.5)
    sheet.line((middle - 4, top), (middle - 2.5, top + 2.2), (middle + 2.5, top + 2.2))
    sheet.line((middle + 2.5, top + 2.2), (middle + 4, top))
    first_x = BODY + (BODY_WIDTH - 2.6 if mirrored else 2.6)
    sheet.dot((first_x, top + 2.4), 0.9, INK)
    for at, leg in enumerate(of):
        row = at if at < half else len(of) - 1 - at
        y = top + 4 + (row + 0.5) * PITCH
        _leg(sheet, y, leg, squares, left=(at < half) != mirrored)


def _leg(sheet: Sheet, y: float, leg: Leg, squares: str, *, left: bool) -> None:
    edge, out = (BODY, -1) if left else (BODY + BODY_WIDTH, 1)
    sheet.line((edge, y), (edge + out * 9, y), width=1.1, ink="#777777")
    inward = "start" if left else "end"
    sheet.text((edge - out * 2, y + 0.2), str(leg.number), anchor=inward, bold=True)
    sheet.text((edge - out * 8.5, y + 0.2), leg.name, anchor=inward)
    near = edge + out * 9
    corner = near - GOAL_WIDTH if left else near
    fill = squares if leg.role is Role.SQUARE else FILLS[leg.role]
    if leg.role is not Role.OPEN:
        sheet.box((corner, y - PITCH / 2 + 0.6), (GOAL_WIDTH, PITCH - 1.2), fill, 1)
    ink = FAINT if leg.role is Role.OPEN else ink_on(fill)
    sheet.text((corner + GOAL_WIDTH / 2, y), leg.goal, anchor="middle", ink=ink)
