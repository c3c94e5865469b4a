"""A strip of WS281x LEDs: which byte of a frame goes where, and how long a frame takes.

Also lights and buttons that exist only in memory, for back-ends that have no others.

Source: datasheets WS2812B (Worldsemi) and SK6812. A strip never answers: that it is dead, unplugged
or without power cannot be seen from here, whichever driver sends to it.
"""

from __future__ import annotations

from collections import deque
from importlib import import_module
from operator import itemgetter
from typing import Any

from boardfw.errors import BusError, WiringError
from boardfw.frame import BYTES, DARK, Frame
from boardfw.ports import Button, button_named
from boardfw.squares import Switch
from hardware.wiring import Leds

BIT_US = 1.25
"""One bit on the wire: 800 kHz."""
LATCH_US = 280
"""How long the line rests low until all LEDs take over what they were sent; older ones need 50."""

NOTHING = BYTES
"""Index of the byte behind a frame's last: always 0, for what stays dark."""


class StripOrder:
    """The bytes of a frame in the order in which a strip wants them: LED after LED.

    Raises WiringError where there is no LED, or where the colours are not R, G and B, with a W for
    strips of four (it stays dark).
    """

    def __init__(self, leds: Leds) -> None:
        if not leds.squares:
            raise WiringError("leds.squares names no LED; list them, or set leds.driver to 'none'")
        if sorted(leds.colours.replace("W", "", 1)) != ["B", "G", "R"]:
            raise WiringError(
                f"leds.colours is {leds.colours!r}; write R, G and B in the strip's order (most "
                "strips: 'GRB'), with a W where its LEDs have a white light too"
            )
        # Three indices at least, so that it gives a tuple.
        self._pick = itemgetter(
            *(_source(square, colour) for square in leds.squares for colour in leds.colours)
        )

    def __call__(self, frame: Frame) -> bytes:
        """The frame as the strip wants it, one byte a colour."""
        return bytes(self._pick(frame.pixels + b"\0"))


def frame_us(leds: Leds) -> float:
    """How long a frame takes on the wire until it is seen, in microseconds."""
    return len(leds.squares) * len(leds.colours) * 8 * BIT_US + LATCH_US


def _source(square: Switch | None, colour: str) -> int:
    if square is None or colour == "W":
        return NOTHING
    return 3 * square + "RGB".index(colour)


def library(module: str, missing: str) -> Any:
    """The Python module of a driver. Raises BusError, ``missing``, where it is not there."""
    try:
        return import_module(module)
    except ImportError as error:
        raise BusError(missing) from error


class MemoryMatrix:
    """The lights of a board without LEDs: they remember the frame they show."""

    def __init__(self) -> None:
        self.frame: Frame = DARK

    def show(self, frame: Frame) -> None:
        """Show a frame."""
        self.frame = frame

    def close(self) -> None:
        """Nothing to let go of."""


class MemoryPanel:
    """A Panel whose buttons are pressed by calling; any thread may press."""

    def __init__(self) -> None:
        self._pressed: deque[Button] = deque()

    def press(self, name: str) -> None:
        """Press a button and let go. Raises ValueError if the panel does not have it."""
        button = button_named(name)
        if button is None:
            raise ValueError(f"no button {name!r} on the panel")
        self._pressed.append(button)

    def presses(self) -> list[Button]:
        """The buttons pressed since the last call, oldest first."""
        return [self._pressed.popleft() for _ in range(len(self._pressed))]

    def held(self) -> frozenset[str]:
        """Names of the buttons that are down now."""
        return frozenset()  # a press here has no length

    def buzz(self, *, on: bool) -> None:
        """Nothing to hear."""
