"""What a strip of LEDs makes of its data line: slow, plain, and knowing nothing of our encoder."""

from __future__ import annotations

from hypothesis import strategies as st

from boardfw.frame import Frame
from hardware.wiring import Leds

BIT_OF = {"100": "0", "110": "1"}

frames = st.binary(min_size=192, max_size=192).map(Frame)
orders = st.permutations("RGB").map("".join)
orders_with_white = st.permutations("RGBW").map("".join)
squares = st.lists(st.none() | st.integers(0, 63), min_size=1, max_size=130).map(tuple)
strips = st.builds(Leds, squares=squares, colours=orders | orders_with_white)


def line_of(transferred: bytes) -> str:
    """The levels of the data line, one digit an SPI bit."""
    return "".join(f"{byte:08b}" for byte in transferred)


def received(line: str, colours: str, leds: int) -> list[dict[str, int]]:
    """What each LED of a strip takes from a line that has just risen to its first bit."""
    symbols = [line[at : at + 3] for at in range(0, 3 * 8 * len(colours) * leds, 3)]
    bits = "".join(BIT_OF[symbol] for symbol in symbols)
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
