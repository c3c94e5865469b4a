"""How the look of a cue becomes bytes for the strip, within the milliamperes of its supply."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from boardfw.frame import Rgb
from boardfw.lights.cue import Cue, Hue

GAMMA = 2.2  # the eye's response: a level of one half is seen at about 22 % of the light

FAINTEST = 2 / 255  # of full light: below it amber and red round to the same bytes

CHANNEL_MA = 20  # one colour of a WS2812B at full: 50-60 mA a white LED, by its data sheet
QUIESCENT_MA = 1  # the driver chip of each LED while it is dark: 0.6-1 mA reported
LEDS = 64


@dataclass(frozen=True, slots=True)
class Settings:
    """What the owner of a board can set for its lights.

    ``brightness`` 0..1, as the eye sees it; ``mono``: white only, for eyes and photographs that
    see no hues; ``budget_ma``: what the supply gives the lights, milliamperes; ``gamma``:
    exponent from level to light. The settings of the board keep them in their ranges.
    """

    brightness: float = 0.8
    mono: bool = False
    budget_ma: int = 1000  # a board on a USB port of its own: 5 V, 3 A, most of it for the Pi
    gamma: float = GAMMA


DEFAULT = Settings()


def colour(hue: Hue, level: float, gamma: float = GAMMA) -> Rgb:
    """Bytes for the strip; a level above 0 never rounds to dark, nor a hue to another one."""
    light = level**gamma
    if not light:
        return (0, 0, 0)
    red, green, blue = (round(channel * max(light, FAINTEST)) for channel in hue.value)
    return red, green, blue


@lru_cache(maxsize=512)
def ramp(cue: Cue, settings: Settings) -> tuple[bytes, ...]:
    """The cue's colour, 3 bytes, in each 20 ms of its rhythm, before the current budget."""
    look = cue.look
    hue, other = (Hue.WHITE, None) if settings.mono else (look.hue, look.other)
    top = look.level * settings.brightness
    first = [colour(hue, top * level, settings.gamma) for level in look.rhythm]
    if other is None:
        return tuple(map(bytes, first))
    second = [colour(other, top * (1 - level), settings.gamma) for level in look.rhythm]
    return tuple(bytes(map(max, one, two)) for one, two in zip(first, second, strict=True))


def share(light: float, budget_ma: int) -> float:
    """Factor 0..1 that keeps frames whose bytes add up to ``light`` within the budget."""
    allowed = (budget_ma - LEDS * QUIESCENT_MA) * 255 / CHANNEL_MA
    return 1.0 if light <= allowed else max(allowed, 0) / light


def scaled(colours: bytes, factor: float) -> bytes:
    """Every byte times 0..1, rounded down, so that a sum never exceeds what it should be."""
    return colours if factor >= 1 else bytes(int(value * factor) for value in colours)


def on_screen(rgb: Rgb) -> Rgb:
    """The same light as a screen shows it: strips are linear in light, screens are not."""
    red, green, blue = (round(255 * (channel / 255) ** (1 / GAMMA)) for channel in rgb)
    return red, green, blue
