"""Colours of the drawn board, for screens of many colours and for screens of sixteen."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, TypeAlias

from rich.style import Style

from boardfw.frame import Rgb
from boardfw.lights.palette import on_screen

DARK_SQUARE: Rgb = (36, 40, 48)
LIGHT_SQUARE: Rgb = (60, 66, 76)
FAINTEST = 44
"""Added to a light before it is mixed with its square: a faint light on a dark square must not
look like an unlit light square."""

BLACK: Rgb = (0, 0, 0)
GREY: Rgb = (85, 85, 85)
SILVER: Rgb = (170, 170, 170)
SNOW: Rgb = (255, 255, 255)
FAINT = 75  # of 255: none of the sixteen colours is as dark, so a faint light is a pattern
BRIGHT = 150  # of 255: from here on the brighter colour of a hue is the nearer one


class Ground(NamedTuple):
    """How an empty square looks."""

    paper: Rgb
    ink: Rgb = BLACK
    fill: str = " "


class ManyColours:
    """A screen that shows every colour, or 256 of them."""

    def ground(self, light: Rgb, *, is_light_square: bool) -> Ground:
        """The square with this light, bytes as sent to the strip, shining through it."""
        return _lit(light, LIGHT_SQUARE if is_light_square else DARK_SQUARE)

    def piece(self, *, is_black: bool) -> Style:
        """Ivory and ebony."""
        return (
            style((238, 238, 240), (8, 8, 10)) if is_black else style((10, 10, 12), (228, 228, 228))
        )


class SixteenColours:
    """A screen with sixteen colours; taking the nearest colour would mix lights up."""

    def ground(self, light: Rgb, *, is_light_square: bool) -> Ground:
        """A faint light is a pattern on the square."""
        square = GREY if is_light_square else BLACK
        if not any(light):
            return Ground(square)
        shown = on_screen(light)
        if max(shown) < FAINT:
            return Ground(square, _snapped(shown), "░")
        return Ground(_snapped(shown))

    def piece(self, *, is_black: bool) -> Style:
        """Black on white, white on black."""
        return style(SNOW, BLACK) if is_black else style(BLACK, SNOW)


class NoColours(ManyColours):
    """A screen on which colours are not wanted: the hue of a light is a sign all over its square.

    Its brightness is still visible, in grey and by the sign.
    """

    def ground(self, light: Rgb, *, is_light_square: bool) -> Ground:
        """Signs are letters that every terminal has."""
        paper = super().ground(light, is_light_square=is_light_square).paper
        if not any(light):
            return Ground(paper)
        weight = sum(part * share for part, share in zip(paper, LUMINANCE, strict=True))
        return Ground(paper, BLACK if weight > 127 else SNOW, SIGNS[_snapped(on_screen(light))])


Paint: TypeAlias = ManyColours | SixteenColours
"""How lights and pieces look on a screen."""


def paint_for(color_system: str | None, *, has_colours: bool = True) -> Paint:
    """The paint for a colour system as named by ``rich``."""
    if not has_colours:
        return NoColours()
    return SixteenColours() if color_system in ("standard", "windows") else ManyColours()


@lru_cache(maxsize=512)
def style(ink: Rgb, paper: Rgb) -> Style:
    """Ink on paper, in bold."""
    return Style(
        color=f"rgb{ink}".replace(" ", ""), bgcolor=f"rgb{paper}".replace(" ", ""), bold=True
    )


@lru_cache(maxsize=2048)
def _lit(light: Rgb, square: Rgb) -> Ground:
    if not any(light):
        return Ground(square)
    top = max(on_screen(light))
    scale = (FAINTEST + top * (255 - FAINTEST) / 255) / top
    red, green, blue = (
        255 - (255 - round(shown * scale)) * (255 - under) // 255
        for shown, under in zip(on_screen(light), square, strict=True)
    )
    return Ground((red, green, blue))


SIGNS: dict[Rgb, str] = {
    SILVER: ".",
    SNOW: ":",
    (0, 0, 170): "-",
    (85, 85, 255): "=",
    (170, 85, 0): "+",
    (255, 255, 85): "#",
    (170, 0, 0): "x",
    (255, 85, 85): "X",
}
"""For each hue, as ``_snapped``, the sign of a dim light and that of a bright one."""
LUMINANCE = (0.299, 0.587, 0.114)
"""Shares of red, green and blue in the brightness that the eye sees."""


def _snapped(shown: Rgb) -> Rgb:
    """The colour of the sixteen that has this hue; the four hues of the lights are told apart."""
    red, green, blue = shown
    bright = max(shown) >= BRIGHT
    if max(shown) - min(shown) < max(shown) // 3:
        return SNOW if bright else SILVER
    if blue > red:
        return (85, 85, 255) if bright else (0, 0, 170)
    if green > blue:
        return (255, 255, 85) if bright else (170, 85, 0)
    return (255, 85, 85) if bright else (170, 0, 0)
