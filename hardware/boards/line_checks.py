"""What cannot be true about the strip, the lines and the buttons of a board file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from boardfw.document import Place, Trouble, named, unknown_key
from boardfw.ports import BUTTONS
from boardfw.squares import ALL_SWITCHES, SWITCH_BY_NAME, names_of, occupancy_of
from hardware.boards.chip_checks import some
from hardware.boards.led_rule import LEDS_PER_SQUARE, LedRule
from hardware.boards.tables import GPIOS, LINE_KEYS, MOST_LEDS, BoardTable, LedTable
from hardware.spi import most_leds
from hardware.strip_sheets import STRIP_SHEETS
from hardware.wiring import SPI_GPIO, LedDriver, StripKind

SPI_GPIOS: Final = (7, 8, 9, SPI_GPIO, 11)  # CE1, CE0, MISO, MOSI, SCLK
I2C_GPIOS: Final = {"/dev/i2c-0": (0, 1), "/dev/i2c-1": (2, 3)}  # SDA, SCL

STRIP_GPIOS: Final = {
    LedDriver.AUTO: (SPI_GPIO,),
    LedDriver.SPI: (SPI_GPIO,),
    LedDriver.WS281X: (SPI_GPIO, 12, 13, 18, 19, 21),  # SPI, PWM0, PWM1, PWM0, PWM1, PCM
    LedDriver.KERNEL: tuple(GPIOS),
    LedDriver.NONE: tuple(GPIOS),
}
"""Where each driver can send its signal."""

STRIP_DEVICES: Final = {
    LedDriver.AUTO: ("/dev/spidev0.0", "/dev/spidev0.1"),
    LedDriver.SPI: ("/dev/spidev0.0", "/dev/spidev0.1"),
    LedDriver.WS281X: ("/dev/spidev0.0",),  # the library knows no other
    LedDriver.KERNEL: ("/dev/leds0", "/dev/leds1", "/dev/leds2", "/dev/leds3"),
    LedDriver.NONE: ("/dev/spidev0.0",),
}
"""What each driver can open, the usual device first."""


def troubles_of_lines(board: BoardTable) -> Iterator[Trouble]:
    """What to mend, in order."""
    yield from _signal(board.leds)
    yield from _colours(board.leds)
    yield from _strip(board.leds)
    yield from _unknown_buttons(board.buttons)
    yield from _taken_gpios(board)


def _signal(leds: LedTable) -> Iterator[Trouble]:
    driver = leds.driver
    if driver is LedDriver.NONE:
        return
    if leds.gpio not in STRIP_GPIOS[driver]:
        what = f"'leds.gpio' {leds.gpio} cannot carry the signal of the driver {driver.value!r}"
        other = "" if driver is LedDriver.WS281X else _drivers_for(leds.gpio)
        yield ("leds", "gpio"), f"{what}; use {_or(STRIP_GPIOS[driver])}{other}"
    if leds.device and leds.device not in STRIP_DEVICES[driver]:
        what = f"'leds.device' {leds.device!r} cannot be opened by the driver {driver.value!r}"
        yield ("leds", "device"), f"{what}; use {_or(STRIP_DEVICES[driver])}, or leave it out"


def _drivers_for(gpio: int) -> str:
    able = [LedDriver.WS281X] if gpio in STRIP_GPIOS[LedDriver.WS281X] else []
    names = [f"driver = {driver.value!r}" for driver in (*able, LedDriver.KERNEL)]
    return f", or write {_or(names)}"


def _colours(leds: LedTable) -> Iterator[Trouble]:
    if "W" not in leds.colours:
        return
    if not STRIP_SHEETS[leds.kind].has_white:
        what = (
            f"'leds.colours' {leds.colours!r} has a W, and a {leds.kind.value} has no white light"
        )
        yield (
            ("leds", "colours"),
            f"{what}; write kind = {StripKind.SK6812.value!r}, or leave W out",
        )
    if leds.driver is LedDriver.WS281X and not leds.colours.endswith("W"):
        what = f"'leds.colours' {leds.colours!r}: the driver {leds.driver.value!r} wants W last"
        yield ("leds", "colours"), f"{what}; write driver = 'spi'"


def _strip(leds: LedTable) -> Iterator[Trouble]:
    if leds.squares:
        yield from _rule_and_list(leds)
        yield from _incomplete(leds)
    elif leds.per_square * leds.passes > LEDS_PER_SQUARE:
        what = f"'leds.passes' {leds.passes} times 'leds.per_square' {leds.per_square} are more"
        yield ("leds", "passes"), f"{what} LEDs under a square than {LEDS_PER_SQUARE}; lower one"
    elif leds.rule.leds > (most := _most_leds(leds)):
        key = "passes" if leds.passes > 1 else "per_square"
        what = (
            f"'leds.{key}' makes a strip of {leds.rule.leds} LEDs, and at most {most} can be sent"
        )
        yield ("leds", key), f"{what}; lower it"


def _rule_and_list(leds: LedTable) -> Iterator[Trouble]:
    for key in LedRule.__dataclass_fields__:
        if getattr(leds, key) != getattr(LedRule(), key):
            what = f"'leds.{key}' is part of a rule, but 'leds.squares' lists LED by LED"
            yield ("leds", key), f"{what}; remove one of the two"


def _incomplete(leds: LedTable) -> Iterator[Trouble]:
    if len(leds.squares) > (most := _most_leds(leds)):
        what = f"'leds.squares' lists {len(leds.squares)} LEDs, and at most {most} can be sent"
        yield ("leds", "squares", most), f"{what}; cut the strip behind the last square"
    dark = ALL_SWITCHES & ~occupancy_of(SWITCH_BY_NAME[text] for text in leds.squares if text)
    if dark and leds.driver is not LedDriver.NONE:
        what = f"'leds.squares' has no LED for {some(names_of(dark))}"
        yield ("leds", "squares"), f"{what}; name each square at its LED's place in the strip"


def _most_leds(leds: LedTable) -> int:
    """Return how many LEDs the driver can send to: over SPI a frame has to fit one transfer."""
    return most_leds(leds.colours) if leds.driver in (LedDriver.AUTO, LedDriver.SPI) else MOST_LEDS


def _unknown_buttons(buttons: Iterable[str]) -> Iterator[Trouble]:
    known = [f"buttons.{name}" for name in BUTTONS]
    for name in buttons:
        if name not in BUTTONS:
            yield ("buttons", name), unknown_key(f"buttons.{name}", known)


def _taken_gpios(board: BoardTable) -> Iterator[Trouble]:
    taken = _taken_by_buses(board)
    used = _gpios(board)
    for gpio, place in used:
        if gpio in taken:
            # 0 and 1 are left to the identification of add-on boards.
            free = [each for each in GPIOS if each > 1 and each not in taken | dict(used)]
            what = f"{named(place)} is GPIO {gpio}, which {taken[gpio]} uses"
            yield place, f"{what}; wire it to a free one such as {_or(free[:3])}"
        taken[gpio] = named(place)


def _taken_by_buses(board: BoardTable) -> dict[int, str]:
    bus = board.bus.device
    taken = dict.fromkeys(I2C_GPIOS.get(bus, ()), f"the bus {bus}")
    if board.leds.driver.uses_spi(board.leds.gpio):
        taken |= dict.fromkeys(SPI_GPIOS, "the strip's SPI")
    return taken


def _gpios(board: BoardTable) -> list[tuple[int, Place]]:
    """Every single line in use, by its GPIO."""
    leds = board.leds
    has_line = leds.driver is not LedDriver.NONE and not leds.driver.uses_spi(leds.gpio)
    strip: list[tuple[int, Place]] = [(leds.gpio, ("leds", "gpio"))] if has_line else []
    lines = [(getattr(board.lines, key), ("lines", key)) for key in LINE_KEYS]
    buttons = [(gpio, ("buttons", name)) for name, gpio in board.buttons.items()]
    return strip + [(gpio, place) for gpio, place in (*lines, *buttons) if gpio is not None]


def _or(words: Iterable[object]) -> str:
    texts = [str(word) for word in words]
    return " or ".join(part for part in (", ".join(texts[:-1]), texts[-1]) if part)
