"""The 40-pin header of a Raspberry Pi, and what a wiring puts on it."""

from __future__ import annotations

from docs.drawing.parts import RESET_PULL_UP
from docs.drawing.sheet import COLOURS, DEEP, FAINT, INK, PAPER, Sheet, ink_on
from hardware.boards.line_checks import I2C_GPIOS, SPI_GPIOS
from hardware.wiring import LedDriver, Wiring

# Pin 1 first; the same on every model that has 40 pins.
HEADER = (
    *("3V3", "5V", "GPIO2", "5V", "GPIO3", "GND", "GPIO4", "GPIO14", "GND", "GPIO15"),
    *("GPIO17", "GPIO18", "GPIO27", "GND", "GPIO22", "GPIO23", "3V3", "GPIO24", "GPIO10", "GND"),
    *("GPIO9", "GPIO25", "GPIO11", "GPIO8", "GND", "GPIO7", "GPIO0", "GPIO1", "GPIO5", "GND"),
    *("GPIO6", "GPIO12", "GPIO13", "GND", "GPIO19", "GPIO16", "GPIO26", "GPIO20", "GND", "GPIO21"),
)
SUPPLY_OF_CHIPS, GROUND_OF_CHIPS = 1, 6
SUPPLY_OF_BUZZER = 4
GROUND_OF_BUZZER, GROUND_OF_LIGHTS, GROUND_OF_BUTTONS = 14, 20, 39

PITCH, TOP, LEFT = 11.0, 38.0, 91.0
KINDS = {"supply": DEEP, "ground": COLOURS[6], "signal": COLOURS[0], "button": COLOURS[2]}


def pin_of(gpio: int) -> str:
    """Where a GPIO is on the header, in words."""
    return f"header pin {number_of(gpio)}"


def number_of(gpio: int) -> int:
    """The number of a GPIO's pin."""
    return HEADER.index(f"GPIO{gpio}") + 1


def uses(wiring: Wiring) -> dict[int, tuple[str, str]]:
    """For each pin in use: what is wired to it, and of which of ``KINDS`` that is."""
    lines, used = wiring.lines, _power(wiring)
    for gpio, name in zip(I2C_GPIOS[wiring.bus.device], ("SDA", "SCL"), strict=True):
        used[number_of(gpio)] = (f"{name} of every chip", "signal")
    if wiring.leds.driver is not LedDriver.NONE:
        used[number_of(wiring.leds.gpio)] = ("lights: level shifter, 1A (2)", "signal")
    singles = (
        ("INT of every chip", lines.interrupt),
        (f"RESET, with {RESET_PULL_UP} to 3.3 V", lines.reset),
        ("buzzer: 1 kΩ, transistor", lines.buzzer),
    )
    used |= {number_of(gpio): (name, "signal") for name, gpio in singles if gpio is not None}
    buttons = lines.buttons.items()
    return used | {number_of(gpio): (f"button {name}", "button") for name, gpio in buttons}


def _power(wiring: Wiring) -> dict[int, tuple[str, str]]:
    used = {
        SUPPLY_OF_CHIPS: ("3.3 V of every chip", "supply"),
        GROUND_OF_CHIPS: ("ground of chips and switches", "ground"),
    }
    if wiring.lines.buzzer is not None:
        used[SUPPLY_OF_BUZZER] = ("plus of the buzzer: 5 V!", "supply")
        used[GROUND_OF_BUZZER] = ("ground of the buzzer", "ground")
    if wiring.leds.driver is not LedDriver.NONE:
        used[GROUND_OF_LIGHTS] = ("ground of shifter and strip", "ground")
    if wiring.lines.buttons:
        used[GROUND_OF_BUTTONS] = ("ground of the buttons", "ground")
    return used


def kept_free(wiring: Wiring) -> dict[int, str]:
    """Pins that nothing may use though nothing is wired to them, and why."""
    free = {number: "leave open" for number, name in enumerate(HEADER, 1) if name == "5V"}
    if number_of(wiring.leds.gpio) == number_of(SPI_GPIOS[3]):
        free |= {number_of(gpio): "leave open: SPI" for gpio in SPI_GPIOS}
    return {number: why for number, why in free.items() if number not in uses(wiring)}


def header_picture(wiring: Wiring) -> str:
    """The header from above, pin 1 at the upper left."""
    sheet = Sheet(210, TOP + 20 * PITCH + 14, f"The Pi's header, as the {wiring.name} uses it")
    sheet.text((10, 11), "The Raspberry Pi's header", size=5, bold=True)
    sheet.text((10, 18.5), f"{wiring.name} · seen from above, with the pins pointing at you.")
    sheet.text((10, 24), "Pin 1 is at the end nearest the memory card; even pins are at the edge.")
    sheet.box((LEFT - 1, TOP - 4), (30, 20 * PITCH + 3), COLOURS[7], 1.5)
    used, free = uses(wiring), kept_free(wiring)
    for number, name in enumerate(HEADER, 1):
        _draw_pin(sheet, number, name, used.get(number), free.get(number, ""))
    return sheet.svg()


def _draw_pin(sheet: Sheet, number: int, name: str, use: tuple[str, str] | None, free: str) -> None:
    right = number % 2 == 0
    y = TOP + (number - 1) // 2 * PITCH + 1.5
    x = LEFT + (21 if right else 7)
    side, anchor = (1, "start") if right else (-1, "end")
    fill = KINDS[use[1]] if use else PAPER
    if number == 1:
        sheet.box((x - 4.2, y - 4.2), (8.4, 8.4), fill)
    else:
        sheet.dot((x, y), 4.2, fill)
    sheet.text((x, y), str(number), anchor="middle", bold=bool(use), ink=ink_on(fill))
    ink = INK if use else FAINT
    sheet.text((x + side * 11, y), name, anchor=anchor, bold=bool(use), ink=ink)
    what = use[0] if use else free
    if use:
        sheet.line((x + side * 4.2, y), (x + side * 10, y))
    sheet.text((x + side * 26, y), what, anchor=anchor, ink=ink)
