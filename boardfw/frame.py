"""A frame: the colours of all 64 lights at one instant. Immutable, as sent to the strip."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from boardfw.squares import Switch

Rgb: TypeAlias = tuple[int, int, int]
BYTES = 64 * 3


@dataclass(frozen=True, slots=True)
class Frame:
    """64 colours in the order a1, b1 ... h8; ``pixels`` holds red, green, blue bytes (192)."""

    pixels: bytes = bytes(BYTES)

    def __post_init__(self) -> None:
        if len(self.pixels) != BYTES:
            raise ValueError(f"a frame has {BYTES} bytes, not {len(self.pixels)}")

    @classmethod
    def of(cls, colours: Mapping[Switch, Rgb]) -> Frame:
        """The frame in which these squares have these colours and all others are dark."""
        pixels = bytearray(BYTES)
        for square, rgb in colours.items():
            pixels[3 * square : 3 * square + 3] = bytes(rgb)
        return cls(bytes(pixels))

    def __getitem__(self, square: Switch) -> Rgb:
        red, green, blue = self.pixels[3 * square : 3 * square + 3]
        return red, green, blue

    def hex(self) -> str:
        """The 384 hex digits of the trace format."""
        return self.pixels.hex()


DARK = Frame()
