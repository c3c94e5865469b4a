"""An LED strip as its data sheet has it: it measures its line, and knows nothing of our encoder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby

from hypothesis import strategies as st

from boardfw.frame import Frame
from hardware.strip_sheets import STRIP_SHEETS, StripSheet
from hardware.wiring import Leds, StripKind

frames = st.binary(min_size=192, max_size=192).map(Frame)
orders = st.permutations("RGB").map("".join)
orders_with_white = st.permutations("RGBW").map("".join)
squares = st.lists(st.none() | st.integers(0, 63), min_size=1, max_size=130).map(tuple)
strips = st.builds(
    Leds, squares=squares, colours=orders | orders_with_white, kind=st.sampled_from(StripKind)
)


@dataclass(frozen=True, slots=True)
class Level:
    """The line is high or low for some nanoseconds."""

    is_high: bool
    ns: float


def no_pause(byte: int) -> int:
    """Return 0: after no byte is there a pause."""
    return 0


def line_of(
    transferred: bytes, spi_hz: float, pause: Callable[[int], int] = no_pause
) -> list[Level]:
    """Return the levels of MOSI one after another.

    ``pause`` gives for how many clocks SPI rests after a byte, by the byte's number. Meanwhile the
    line keeps its level.
    """
    levels = "".join(
        f"{byte:08b}" + str(byte & 1) * pause(number) for number, byte in enumerate(transferred)
    )
    bit_ns = 1_000_000_000 / spi_hz
    return [Level(level == "1", len([*run]) * bit_ns) for level, run in groupby(levels)]


def received(line: list[Level], kind: StripKind, latch_us: float = 280) -> list[str]:
    """Return the bits of each frame, as LEDs of this kind take them from a line.

    A high time that the data sheet has neither for a 0 nor for a 1 comes out as "?".
    """
    sheet = STRIP_SHEETS[kind]
    frames = [""]
    for level in line:
        if level.is_high:
            frames[-1] += _bit(sheet, level.ns)
        elif level.ns >= latch_us * 1000:
            frames.append("")
        elif level.ns < min(sheet.zero_low[0], sheet.one_low[0]):
            frames[-1] += "?"
    return [frame for frame in frames if frame]


def _bit(sheet: StripSheet, ns: float) -> str:
    for bit, (least, most) in (("0", sheet.zero_high), ("1", sheet.one_high)):
        if least <= ns <= most:
            return bit
    return "?"


def lit(bits: str, colours: str) -> list[dict[str, int]]:
    """Return what each LED of a strip shows after these bits."""
    values = [int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)]
    return [
        dict(zip(colours, values[at : at + len(colours)], strict=True))
        for at in range(0, len(values), len(colours))
    ]


def wanted(frame: Frame, leds: Leds) -> list[dict[str, int]]:
    """What each LED should take to show a frame."""
    shown = []
    for square in leds.squares:
        red, green, blue = (0, 0, 0) if square is None else frame[square]
        all_four = {"R": red, "G": green, "B": blue, "W": 0}
        shown.append({letter: all_four[letter] for letter in leds.colours})
    return shown
