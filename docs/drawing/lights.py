"""Pictures of the strip's supply and of the level shifter."""

from __future__ import annotations

from docs.drawing.chip import legs_picture
from docs.drawing.header import GROUND_OF_LIGHTS, pin_of
from docs.drawing.parts import amperes, fuse_ma, supply_ma
from docs.drawing.pins import Leg, Role
from docs.drawing.sheet import COLOURS, Point, Sheet
from hardware.datasheets import DATASHEETS
from hardware.wiring import ChipKind, Wiring

RED, BLACK, BLUE = "#c04000", "#1a1a1a", "#0060a0"

# How the picture of the power is wired: a colour and the corners of each line, in millimetres.
WIRES: tuple[tuple[str, *tuple[Point, ...]], ...] = (
    (RED, (54, 44), (128, 44), (128, 36), (162, 36)),
    (RED, (128, 44), (128, 49)),
    (RED, (106, 44), (106, 92)),
    (RED, (106, 78), (162, 78)),
    (BLACK, (54, 62), (64, 62), (64, 68), (162, 68)),
    (BLACK, (128, 62), (128, 68)),
    (BLACK, (90, 68), (90, 92)),
    (BLACK, (64, 68), (64, 124), (54, 124)),
    (BLUE, (54, 99), (80, 99)),
    (BLUE, (122, 99), (144, 99)),
    (BLUE, (160, 99), (182, 99), (182, 84)),
    (BLUE, (32, 130), (32, 144)),
)
JOINTS: tuple[tuple[str, Point], ...] = (
    *((BLACK, (x, 68)) for x in (64, 90, 128)),
    *((RED, place) for place in ((106, 44), (106, 78), (128, 44))),
)


def shifter_legs(wiring: Wiring) -> tuple[Leg, ...]:
    """The 74AHCT125; only the first of its four drivers is used."""
    ground = ("GND", Role.GROUND)
    source = (f"{pin_of(wiring.leds.gpio)}; 10 kΩ to GND", Role.PI)
    goals = (
        ("1OE", *ground),
        ("1A", *source),
        ("1Y", "330 Ω, then DIN of LED 1", Role.SQUARE),
        *(("2OE", *ground), ("2A", *ground), ("2Y", "leave open", Role.OPEN)),
        ("GND", f"GND of 5 V and {_ground()}", Role.GROUND),
        *(("3Y", "leave open", Role.OPEN), ("3A", *ground), ("3OE", *ground)),
        *(("4Y", "leave open", Role.OPEN), ("4A", *ground), ("4OE", *ground)),
        ("VCC", "5 V of the strip", Role.SUPPLY),
    )
    return tuple(Leg(number, *goal) for number, goal in enumerate(goals, 1))


def _ground() -> str:
    return f"header pin {GROUND_OF_LIGHTS}"


def shifter_picture(wiring: Wiring) -> str:
    """Its legs."""
    subtitle = "from 3.3 V to 5 V, 74AHCT125, DIP-14"
    return legs_picture("The level shifter", subtitle, shifter_legs(wiring), COLOURS[2])


def power_picture(wiring: Wiring) -> str:
    """From the two adapters to the strip, the Pi and the chips."""
    sheet = Sheet(210, 160, "Two supplies: one for the lights, one for the Raspberry Pi")
    sheet.text((10, 10), "Power", size=5, bold=True)
    sheet.text((10, 17), "The 5 V of the two adapters are never joined. The grounds are.")
    _lines(sheet)
    _block(sheet, (10, 38), (44, 30), "Adapter", f"5 V, {amperes(supply_ma(wiring))}")
    _block(sheet, (70, 38), (24, 12), f"fuse {amperes(fuse_ma(wiring))}", "", COLOURS[1])
    _block(sheet, (112, 49), (32, 13), "1000 µF", "stripe: GND")
    _block(sheet, (162, 30), (40, 54), "Strip", f"{len(wiring.leds.squares)} LEDs")
    _block(sheet, (80, 92), (42, 30), "Level shifter", "74AHCT125", COLOURS[2])
    _block(sheet, (144, 93), (16, 12), "330 Ω", "", COLOURS[2])
    _block(sheet, (10, 90), (44, 40), "Raspberry Pi", "with its own adapter")
    _block(sheet, (10, 144), (44, 12), "Chips", "", COLOURS[0])
    _notes(sheet, wiring)
    return sheet.svg()


def _lines(sheet: Sheet) -> None:
    for ink, *points in WIRES:
        sheet.line(*points, ink=ink, width=1)
    for ink, place in JOINTS:
        sheet.dot(place, 0.9, ink)


def _notes(sheet: Sheet, wiring: Wiring) -> None:
    for place, words, anchor in (
        ((160, 33), "5 V, at LED 1", "end"),
        ((160, 65), "GND, at both ends", "end"),
        ((160, 81.5), f"5 V, at LED {len(wiring.leds.squares)}", "end"),
        ((52, 99), pin_of(wiring.leds.gpio), "end"),
        ((52, 124), _ground(), "end"),
        ((82, 99), "1A (2)", "start"),
        ((120, 99), "1Y (3)", "end"),
        ((90, 95), "GND (7)", "middle"),
        ((106, 95), "VCC (14)", "middle"),
        ((180, 92), "DIN, LED 1", "end"),
        ((101, 115.5), "10 kΩ from 1A to GND", "middle"),
        ((101, 119.5), "100 nF from VCC to GND", "middle"),
        ((36, 137), "3.3 V, GND, SDA, SCL, INT, RESET: no chip sees 5 V", "start"),
    ):
        sheet.text(place, words, size=2.7, anchor=anchor)
    for row, (ink, words) in enumerate(
        ((RED, "5 V"), (BLACK, "GND"), (BLUE, "signals, 3.3 V supply"))
    ):
        sheet.line((150, 118 + 7 * row), (160, 118 + 7 * row), ink=ink, width=1)
        sheet.text((163, 118 + 7 * row), words)


def _block(
    sheet: Sheet, corner: Point, size: Point, name: str, more: str, fill: str = "#f4f4f4"
) -> None:
    sheet.box(corner, size, fill, 1.5)
    x, y = corner[0] + size[0] / 2, corner[1] + size[1] / 2
    sheet.text((x, y - (2.5 if more else 0)), name, anchor="middle", bold=True)
    if more:
        sheet.text((x, y + 3), more, anchor="middle", size=2.9)


def crossing_picture(wiring: Wiring) -> str:
    """Four crossings of a matrix: which way the diodes lie."""
    sheet = Sheet(150, 118, f"Crossings of the {wiring.name}: column, switch, diode, row")
    sheet.text((10, 10), "At each crossing a switch and a diode", size=5, bold=True)
    sheet.text((10, 17), f"{wiring.name} · the ring of the diode is towards the row")
    pins = [DATASHEETS[ChipKind.MATRIX].inputs[at].pin.split("/") for at in (0, 9)]
    rows, columns = zip(*pins, strict=True)
    for at, name in enumerate(columns):
        x = 40 + 55 * at
        sheet.line((x, 40), (x, 108), ink=BLUE, width=1)
        sheet.box((x - 1.6, 30), (3.2, 8), COLOURS[1])
        sheet.line((x, 38), (x, 40))
        sheet.text((x, 26), "3.3 V", size=2.8, anchor="middle")
        sheet.text((x + 4, 32), "10 kΩ", size=2.8)
        sheet.text((x + 4, 37), f"column {name}", size=2.8, bold=True)
    for at, name in enumerate(rows):
        y = 70 + 32 * at
        sheet.line((26, y), (142, y), ink=BLACK, width=1)
        sheet.text((10, y), f"row {name}", size=2.8, bold=True)
        for x in (40, 95):
            _crossing(sheet, x, y)
    return sheet.svg()


def _crossing(sheet: Sheet, x: float, y: float) -> None:
    """From the column down to the row: switch, then diode."""
    above = y - 20
    sheet.dot((x, above), 0.9, BLUE)
    sheet.line((x, above), (x + 8, above))
    sheet.dot((x + 8, above), 0.7)
    sheet.line((x + 8, above), (x + 17, above - 5))
    sheet.dot((x + 18, above), 0.7)
    sheet.line((x + 18, above), (x + 28, above), (x + 28, y - 12))
    sheet.shape((x + 25, y - 12), (x + 31, y - 12), (x + 28, y - 7))
    sheet.line((x + 25, y - 7), (x + 31, y - 7), width=0.8)
    sheet.line((x + 28, y - 7), (x + 28, y))
    sheet.dot((x + 28, y), 0.9, BLACK)
    sheet.text((x + 33, y - 7), "ring", size=2.8)
    sheet.text((x + 8, above + 5), "switch", size=2.8)
