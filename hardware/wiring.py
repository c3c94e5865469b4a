"""Wiring: which input and which lights belong to which square, and what else hangs on the board.

A board file (``hardware/boards/*.toml``, read by ``hardware.boards.board_file``) becomes one frozen
``Wiring``; everything that touches hardware is told by it where things are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from boardfw.ports import Button
from boardfw.squares import ALL_SWITCHES, NO_SWITCHES, Occupancy, Switch, occupancy_of


class ChipKind(Enum):
    """What reads the switches."""

    MCP23017 = "mcp23017"
    TCA9555 = "tca9555"
    """Or a PCA9555, which has the same registers."""
    PCF8575 = "pcf8575"
    MATRIX = "mcp23017-matrix"
    """One MCP23017 and 64 diodes; ``hardware.mcp23017_matrix`` says which pins are rows."""


@dataclass(frozen=True, slots=True)
class Chip:
    """One chip on the bus."""

    kind: ChipKind
    address: int
    """Seven bits."""
    squares: tuple[Switch | None, ...]
    """The square on each input; None where nothing is wired. 16 of them, port A (0) first, bit 0
    first; of a matrix 64, row after row."""
    closed_high: bool = False
    """True if a closed switch reads 1; usually it pulls its input to ground."""

    @property
    def covers(self) -> Occupancy:
        """The squares that it reads."""
        return occupancy_of(square for square in self.squares if square is not None)


@dataclass(frozen=True, slots=True)
class Bus:
    """The I2C bus."""

    device: str = "/dev/i2c-1"
    hz: int = 400_000
    """The clock that ``config.txt`` asks for."""


SPI_GPIO = 10
"""MOSI of SPI0."""


class LedDriver(Enum):
    """What turns frames into the signal of the strip."""

    AUTO = "auto"
    """By model: all of today's use SPI."""
    SPI = "spi"
    WS281X = "rpi_ws281x"
    KERNEL = "leds0"
    """The kernel's own driver of a Pi 5, ``dtoverlay=ws2812-pio``."""
    NONE = "none"

    def uses_spi(self, gpio: int) -> bool:
        """True if a strip whose data line is on this GPIO is sent over SPI."""
        return self in (LedDriver.AUTO, LedDriver.SPI, LedDriver.WS281X) and gpio == SPI_GPIO


class StripKind(Enum):
    """What the strip is made of; ``hardware.strip_sheets`` has the times of each."""

    WS2812B = "ws2812b"
    """As sold since 2013, and the choice where the seller names no version."""
    WS2812B_V5 = "ws2812b-v5"
    WS2812B_2020 = "ws2812b-2020"
    SK6812 = "sk6812"
    """With three lights, or four (RGBW)."""


@dataclass(frozen=True, slots=True)
class Leds:
    """The strip under the squares."""

    driver: LedDriver = LedDriver.AUTO
    kind: StripKind = StripKind.WS2812B
    device: str = ""
    """Empty: the driver's usual one, ``/dev/spidev0.0`` or ``/dev/leds0``."""
    gpio: int = SPI_GPIO
    """Where the data line begins: 10 is SPI; 12, 13, 18, 19, 21, PWM and PCM, want root."""
    colours: str = "GRB"
    """The order in which the strip wants them: R, G, B, and W (never lit) where an LED has four."""
    squares: tuple[Switch | None, ...] = ()
    """The square over each LED, from the strip's first one on; None: it is under no square."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Single GPIO lines, by BCM number; None where nothing is wired."""

    interrupt: int | None = None
    """All INT outputs together, open drain, with a pull-up: low while a chip has news."""
    reset: int | None = None
    """All RESET inputs together: low resets the chips."""
    buzzer: int | None = None
    buttons: dict[Button, int] = field(default_factory=dict)
    """Each closes to ground."""
    pin_factory: str = "gpiod"

    @property
    def wired(self) -> list[int]:
        """Every single line in use."""
        numbers = (self.interrupt, self.reset, self.buzzer, *self.buttons.values())
        return [number for number in numbers if number is not None]


@dataclass(frozen=True, slots=True)
class Wiring:
    """One board."""

    name: str
    chips: tuple[Chip, ...]
    bus: Bus = Bus()
    leds: Leds = Leds()
    lines: Lines = Lines()
    supply_ma: int = 2_000
    """What the supply can give the lights."""
    dead: Occupancy = NO_SWITCHES
    """Switches that are known to tell nothing: listed in the file, or read by no input."""
    warnings: tuple[str, ...] = ()
    """What is wired against a datasheet, yet may work mostly; said loudly at start-up."""


MOST_DEAD = 3
"""Switches that a board can play without; ``docs/calibrate.md`` has the figures."""


def unread_by(chips: Iterable[Chip]) -> Occupancy:
    """Return the switches that no input of these chips reads."""
    unread = ALL_SWITCHES
    for chip in chips:
        unread &= ~chip.covers
    return unread
