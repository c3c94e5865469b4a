"""What a board file may say: its tables, their keys, their defaults and what each value must be."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from boardfw.document import ONE_LINE
from boardfw.squares import SWITCH_BY_NAME, Switch
from hardware.boards.led_rule import LEDS_PER_SQUARE, Along, Corner, LedRule
from hardware.wiring import MOST_DEAD, ChipKind, LedDriver, StripKind

GPIOS: Final = range(28)
"""What the 40-pin header brings out, by BCM number."""
MOST_LEDS: Final = 400
"""A limit of ours, so that a frame is sent within the time of one. SPI has a lower one."""

KINDS: Final[dict[str, ChipKind]] = {
    "mcp23017": ChipKind.MCP23017,
    "tca9555": ChipKind.TCA9555,
    "pca9555": ChipKind.TCA9555,
    "pcf8575": ChipKind.PCF8575,
    "mcp23017-matrix": ChipKind.MATRIX,
}
"""How a board file names the kinds of chips."""

# Each description completes the sentence "KEY must be ...".
Flag = Annotated[bool, Meta(description="true or false")]
BoardName = Annotated[
    str,
    Meta(pattern=ONE_LINE, max_length=80, description="one line of text, at most 80 characters"),
]
Supply = Annotated[
    int, Meta(ge=100, le=20_000, description="a whole number of milliamperes, 100 to 20000")
]
BusDevice = Annotated[
    str, Meta(pattern=r"^/dev/i2c-\d+\Z", description="an I2C device such as '/dev/i2c-1'")
]
BusHz = Annotated[
    int,
    Meta(
        ge=10_000,
        le=1_000_000,
        description="a whole number of hertz, 10000 to 1000000, as in config.txt "
        "(dtparam=i2c_arm_baudrate=...)",
    ),
]
Kind = Annotated[
    Literal["mcp23017", "tca9555", "pca9555", "pcf8575", "mcp23017-matrix"],
    Meta(description=f"one of {', '.join(KINDS)}"),
]
Address = Annotated[int, Meta(description="the chip's address, 0x20 to 0x27 without quotes")]
Level = Annotated[
    Literal["low", "high"],
    Meta(description="'low' (a closed switch pulls its input to ground) or 'high'"),
]
SquareName = Annotated[
    str,
    Meta(
        pattern=r"^([a-h][1-8])?\Z",
        description="a square in quotes such as 'e4', or '' where nothing is wired",
    ),
]
Dead = Annotated[
    tuple[Annotated[str, Meta(pattern=r"^[a-h][1-8]\Z", description="a square such as 'e4'")], ...],
    Meta(description=f"a list of squares such as ['e4'], at most {MOST_DEAD}"),
]
Port = Annotated[
    tuple[SquareName, ...],
    Meta(description="a list of 8 squares, pin 0 first, '' for an unused pin"),
]
Rows = Annotated[
    tuple[Port, ...],
    Meta(description="a list of 8 rows, GPA1's first, each a list of 8 squares, GPB0's first"),
]
Driver = Annotated[
    LedDriver, Meta(description=f"one of {', '.join(driver.value for driver in LedDriver)}")
]
LedDevice = Annotated[
    str,
    Meta(
        pattern=r"^(/dev/[^\x00-\x20/]+)?\Z",
        description="a device such as '/dev/spidev0.0', or '' for the driver's usual one",
    ),
]
StripKindName = Annotated[
    StripKind, Meta(description=f"one of {', '.join(kind.value for kind in StripKind)}")
]
Colours = Annotated[
    str,
    Meta(
        pattern=r"^(?=.*R)(?=.*G)(?=.*B)([RGB]{3}|(?=.*W)[RGBW]{4})\Z",
        description="the letters R, G and B in the strip's order, such as 'GRB', and a W for a "
        "white light ('GRBW')",
    ),
]
StripCorner = Annotated[Corner, Meta(description="the corner 'a1', 'h1', 'a8' or 'h8'")]
StripAlong = Annotated[Along, Meta(description="'ranks' or 'files'")]
Count = Annotated[
    int,
    Meta(ge=1, le=LEDS_PER_SQUARE, description=f"a whole number from 1 to {LEDS_PER_SQUARE}"),
]
Strip = Annotated[
    tuple[SquareName, ...],
    Meta(description=f"a list of squares, the strip's first LED first, at most {MOST_LEDS}"),
]
Gpio = Annotated[
    int,
    Meta(
        ge=GPIOS[0],
        le=GPIOS[-1],
        description=f"a GPIO's BCM number, {GPIOS[0]} to {GPIOS[-1]}, not the pin of the header",
    ),
]
MaybeGpio = Annotated[
    Annotated[int, Meta(ge=GPIOS[0], le=GPIOS[-1])] | None,
    Meta(description=f"a GPIO's BCM number, {GPIOS[0]} to {GPIOS[-1]}; leave it out for none"),
]
PinFactory = Annotated[
    Literal["gpiod", "lgpio", "rpigpio", "pigpio", "native", "mock"],
    Meta(description="one of gpiod, lgpio, rpigpio, pigpio, native, mock"),
]


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """One section of the file."""


class BusTable(Table, frozen=True, kw_only=True):
    """The I2C bus."""

    device: BusDevice = "/dev/i2c-1"
    hz: BusHz = 400_000


class ChipTable(Table, frozen=True, kw_only=True):
    """One chip and the squares on its inputs."""

    kind: Kind
    address: Address
    a: Port = ()
    b: Port = ()
    p0: Port = ()
    p1: Port = ()
    rows: Rows = ()
    closed: Level = "low"
    allow_output_only_pins: Flag = False

    @property
    def chip_kind(self) -> ChipKind:
        """Which driver it wants."""
        return KINDS[self.kind]

    def switch_at(self, place: tuple[str | int, ...]) -> Switch | None:
        """The square at a key and the positions in its list; None where nothing is wired.

        Raises IndexError where a list is shorter than its port.
        """
        listed = getattr(self, str(place[0]))
        for position in place[1:]:
            listed = listed[position] if listed else ""
        return SWITCH_BY_NAME.get(listed)


PORT_KEYS: Final = ("a", "b", "p0", "p1", "rows")
"""Where squares are listed; which of them a chip has is up to its kind."""


class LedTable(Table, frozen=True, kw_only=True):
    """The strip, laid by rule or listed LED by LED."""

    driver: Driver = LedDriver.AUTO
    kind: StripKindName = StripKind.WS2812B
    device: LedDevice = ""
    gpio: Gpio = 10
    colours: Colours = "GRB"
    corner: StripCorner = "a1"
    along: StripAlong = "ranks"
    serpentine: Flag = True
    per_square: Count = 1
    passes: Count = 1
    squares: Strip = ()

    @property
    def rule(self) -> LedRule:
        """The strip as it lies where it is not listed LED by LED."""
        return LedRule(self.corner, self.along, self.serpentine, self.per_square, self.passes)


class LineTable(Table, frozen=True, kw_only=True):
    """Single lines between the Pi and the board."""

    interrupt: MaybeGpio = None
    reset: MaybeGpio = None
    buzzer: MaybeGpio = None
    pin_factory: PinFactory = "gpiod"


LINE_KEYS: Final = ("interrupt", "reset", "buzzer")
"""Those of them that are lines."""


class BoardTable(Table, frozen=True, kw_only=True):
    """The whole file."""

    chips: tuple[ChipTable, ...]
    name: BoardName = ""
    supply_ma: Supply = 2_000
    dead: Dead = ()
    bus: BusTable = BusTable()
    leds: LedTable = LedTable()
    lines: LineTable = LineTable()
    buttons: dict[str, Gpio] = {}
