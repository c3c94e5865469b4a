"""What one needs to buy: quantities and ratings, counted in the board files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from boardfw.squares import START
from docs.drawing.pages import table
from hardware.wiring import ChipKind, LedDriver, Wiring

FUSES_MA = (500, 630, 800, 1000, 1250, 1600, 2000, 2500, 3150, 4000, 5000, 6300, 8000, 10_000)
"""As fuses are made (IEC 60127)."""
SUPPLIES_MA = (1000, 2000, 3000, 4000, 5000, 6000, 8000, 10_000)
"""As 5 V adapters are usually sold."""
HEADROOM = 1.25
"""A fuse that carries its own rating all evening grows tired."""
SPARE_QUEENS = 2
RESET_PULL_UP = "4.7 kΩ"
"""The Pi pulls the line down until the firmware runs, by 50 kΩ or so; RESET wants 0.8 VDD, 2.64 V.

So 10 kΩ leave 2.75 V, these 3.0 V.
"""


def fuse_ma(wiring: Wiring) -> int:
    """The smallest fuse that carries what the lights may draw."""
    return _least(FUSES_MA, HEADROOM * wiring.supply_ma)


def supply_ma(wiring: Wiring) -> int:
    """The smallest adapter that gives no less than that fuse carries."""
    return _least(SUPPLIES_MA, fuse_ma(wiring))


def _least(made: Iterable[int], wanted: float) -> int:
    """Raises ValueError where nothing so strong is in the list."""
    for rating in made:
        if rating >= wanted:
            return rating
    raise ValueError(f"no rating of {wanted:g} mA is listed")


def amperes(rating_ma: int) -> str:
    """2500 as "2.5 A"."""
    return f"{rating_ma / 1000:g} A"


@dataclass(frozen=True, slots=True)
class Part:
    """One line of the list."""

    name: str
    rating: str
    why: str
    count: Callable[[Wiring], int]
    rated: Callable[[Wiring], int] | None = None
    """Its rating in milliamperes, where the board file decides on it."""


def _one(_: Wiring) -> int:
    return 1


def _of(kind: ChipKind, *more: ChipKind) -> Callable[[Wiring], int]:
    return lambda wiring: sum(chip.kind in (kind, *more) for chip in wiring.chips)


def has_lights(wiring: Wiring) -> int:
    """1 where there is a strip."""
    return int(wiring.leds.driver is not LedDriver.NONE)


def switches(wiring: Wiring) -> int:
    """One a square."""
    return sum(chip.covers.bit_count() for chip in wiring.chips)


def diodes(wiring: Wiring) -> int:
    """One at each crossing of a matrix."""
    matrices = (chip for chip in wiring.chips if chip.kind is ChipKind.MATRIX)
    return sum(chip.covers.bit_count() for chip in matrices)


def columns(wiring: Wiring) -> int:
    """Columns of matrices that read a square."""
    matrices = (chip for chip in wiring.chips if chip.kind is ChipKind.MATRIX)
    return sum(
        any(s is not None for s in chip.squares[at::8]) for chip in matrices for at in range(8)
    )


def resets(wiring: Wiring) -> int:
    """1 where the RESET line is wired."""
    return int(wiring.lines.reset is not None)


def pull_ups(wiring: Wiring) -> int:
    """10 kΩ: each column of a matrix, the shifter's input, each switch that closes to 3.3 V."""
    to_ground = sum(chip.covers.bit_count() for chip in wiring.chips if chip.closed_high)
    return columns(wiring) + has_lights(wiring) + to_ground


def ceramics(wiring: Wiring) -> int:
    """100 nF: one at each chip, one at the level shifter."""
    return len(wiring.chips) + has_lights(wiring)


def buzzers(wiring: Wiring) -> int:
    """1 where one is wired."""
    return int(wiring.lines.buzzer is not None)


PARTS = (
    Part(
        "Raspberry Pi",
        "Zero 2 W, 3, 4 or 5, with a 40-pin header",
        "see [config.md](config.md)",
        _one,
    ),
    Part("Adapter for it", "the official one of the model", "a weak one shows as odd faults", _one),
    Part("Memory card", "16 GB or more", "the system and the games", _one),
    Part(
        "MCP23017",
        "DIP-28 (MCP23017-E/SP), each with a narrow socket, 7.62 mm; not the MCP23S17 (SPI)",
        "read the switches; 14 inputs each, or a matrix",
        _of(ChipKind.MCP23017, ChipKind.MATRIX),
    ),
    Part(
        "TCA9555 or PCA9555",
        "24 legs, each on an adapter of its pitch to DIP-24, or as modules",
        "16 inputs each, with pull-ups; not the TCA9535, which has none",
        _of(ChipKind.TCA9555),
    ),
    Part(
        "PCF8575",
        "24 legs, as modules or on adapters of their pitch; not the PCF8575C, which wants 5 V",
        "16 inputs each; cannot tell a false reading: short cables only",
        _of(ChipKind.PCF8575),
    ),
    Part(
        "Reed switch", "normally open, glass of 10 to 14 mm, 10 to 20 AT", "one a square", switches
    ),
    Part(
        "Magnet",
        "neodymium disc, 8 to 10 mm wide, 3 mm high, all alike",
        f"one in the foot of each piece, and of {SPARE_QUEENS} more queens",
        lambda _: START.bit_count() + SPARE_QUEENS,
    ),
    Part(
        "Schottky diode",
        "BAT85; not 1N4148, which leaves no margin at 3.3 V",
        "one a switch; without them three pieces look like a fourth",
        diodes,
    ),
    Part(f"Resistor {RESET_PULL_UP}", "¼ W", "from RESET to 3.3 V", resets),
    Part(
        "Resistor 10 kΩ",
        "¼ W",
        "to 3.3 V: each column of a matrix; to ground: the shifter's input",
        pull_ups,
    ),
    Part(
        "Capacitor 100 nF", "ceramic, 16 V or more", "beside each chip, the shifter too", ceramics
    ),
    Part(
        "WS2812B LED",
        "or SK6812, also RGBW; 5 V, strip or pixels on wires; its kind goes into the board file",
        "one a square; see [power.md](power.md) for how far apart",
        lambda wiring: len(wiring.leds.squares),
    ),
    Part(
        "74AHCT125",
        "DIP-14, with a socket; neither 74HC125 nor 74HCT125, see [power.md](power.md)",
        "the strip wants 5 V signals",
        has_lights,
    ),
    Part("Resistor 330 Ω", "¼ W", "in the data line, at the first LED", has_lights),
    Part(
        "Capacitor 1000 µF",
        "electrolytic, 10 V or more",
        "where the strip's supply comes in",
        has_lights,
    ),
    Part(
        "Adapter for the strip",
        "5 V, regulated, with a socket for its plug",
        "1.25 times `supply_ma` and more",
        has_lights,
        supply_ma,
    ),
    Part(
        "Fuse with holder",
        "slow (T); in the strip's 5 V line",
        "1.25 times `supply_ma`; against shorts",
        has_lights,
        fuse_ma,
    ),
    Part(
        "Push button",
        "closes while pressed",
        "one for each line of `[buttons]`",
        lambda wiring: len(wiring.lines.buttons),
    ),
    Part("Active buzzer", "5 V, up to 30 mA, sounds by itself", "`lines.buzzer`", buzzers),
    Part(
        "NPN transistor", "BC547 or 2N3904", "switches the buzzer: a GPIO gives too little", buzzers
    ),
    Part("Resistor 1 kΩ", "¼ W", "from the GPIO to the transistor's base", buzzers),
    Part(
        "Diode 1N4148", "across the buzzer, ring to plus", "a magnetic buzzer kicks back", buzzers
    ),
)


def parts_table(boards: Sequence[tuple[str, Wiring]]) -> str:
    """Every part, and how many of it each board takes."""
    head = ("part", *(f"`{name}`" for name, _ in boards), "rating", "why")
    rows = (
        (part.name, *(_cell(part, wiring) for _, wiring in boards), part.rating, part.why)
        for part in PARTS
    )
    return table(head, rows)


def _cell(part: Part, wiring: Wiring) -> str:
    count = part.count(wiring)
    if not count:
        return "-"
    return f"{count} of {amperes(part.rated(wiring))}" if part.rated else str(count)
