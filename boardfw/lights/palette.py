"""How each cue looks: hue, level and rhythm; and how light becomes bytes and milliamperes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from boardfw.frame import Rgb
from boardfw.lights.cue import STARS, WAYS, Cue
from boardfw.lights.patterns import (
    BLINK,
    BREATH,
    GLOW,
    HEARTBEAT,
    KNOCK,
    LEAN,
    PULSE,
    RISE,
    RUNS,
    SIGN,
    STEADY,
    SWAY,
    TWICE,
    TWINKLES,
    WINK,
    Rhythm,
)

GAMMA = 2.2  # the eye's response: a level of one half is seen at about 22 % of the light

FAINTEST = 2 / 255  # of full light: below it amber and red round to the same bytes

CHANNEL_MA = 20  # one colour of a WS2812B at full: 50-60 mA a white LED, by its data sheet
QUIESCENT_MA = 1  # the driver chip of each LED while it is dark: 0.6-1 mA reported
LEDS = 64


class Hue(Enum):
    """The four hues that stay apart for colour-blind eyes, as linear light 0..255.

    With the three kinds of dichromatic vision simulated after Machado, Oliveira and Fernandes
    (2009), the nearest pair is 39 apart in CIE Lab. Green, cyan or violet would come within 8
    to 13 of one of these, so they are not used.
    """

    WHITE = (200, 200, 200)
    BLUE = (0, 80, 255)
    AMBER = (255, 110, 0)
    RED = (200, 0, 40)


class Look(NamedTuple):
    """``level``: lightness 0..1 as the eye sees it, before rhythm and brightness."""

    hue: Hue
    level: float
    rhythm: Rhythm
    other: Hue | None = None
    """Comes up as the first hue goes down; in one colour it is dark, and the rhythm tells."""


LOOKS: dict[Cue, Look] = {
    Cue.RESTING: Look(Hue.WHITE, 0.0, STEADY),
    Cue.ORIGIN: Look(Hue.WHITE, 0.0, STEADY),
    Cue.QUIET: Look(Hue.WHITE, 0.55, STEADY),
    Cue.CAPTURE: Look(Hue.AMBER, 1.0, PULSE),
    Cue.EN_PASSANT: Look(Hue.AMBER, 0.8, BLINK),
    Cue.CASTLING: Look(Hue.BLUE, 1.0, WINK),
    Cue.CHECK: Look(Hue.RED, 1.0, HEARTBEAT),
    Cue.CHECKER: Look(Hue.RED, 0.9, STEADY),
    Cue.LAST_MOVE: Look(Hue.WHITE, 0.25, STEADY),
    Cue.LAST_MOVE_PROVISIONAL: Look(Hue.WHITE, 0.35, BREATH),
    Cue.REPAIR_FROM: Look(Hue.RED, 1.0, BLINK),
    Cue.REPAIR_TO: Look(Hue.BLUE, 1.0, STEADY),
    Cue.MISSING: Look(Hue.BLUE, 0.5, STEADY),
    Cue.EXTRA: Look(Hue.RED, 0.6, PULSE),
    Cue.CANDIDATE: Look(Hue.BLUE, 1.0, BREATH),
    Cue.WANTED: Look(Hue.BLUE, 1.0, WINK),
    Cue.SURPLUS: Look(Hue.RED, 0.9, PULSE),
    Cue.LETTER: Look(Hue.WHITE, 0.7, STEADY),
    Cue.WINNERS_HALF: Look(Hue.WHITE, 0.35, STEADY),
    Cue.WINNERS_KING: Look(Hue.WHITE, 1.0, BREATH),
    Cue.LOSERS_KING: Look(Hue.RED, 0.8, STEADY),
    Cue.DRAWN: Look(Hue.BLUE, 0.5, STEADY),
    Cue.DRAWN_KING: Look(Hue.WHITE, 1.0, BREATH),
    Cue.STUCK: Look(Hue.AMBER, 0.4, GLOW),
    Cue.BLIND: Look(Hue.AMBER, 0.6, BREATH),
    Cue.GOOD_BYE: Look(Hue.WHITE, 0.6, STEADY),
    Cue.WHITES_LETTER: Look(Hue.WHITE, 0.7, SIGN),
    Cue.BLACKS_LETTER: Look(Hue.WHITE, 0.45, SIGN),
    Cue.FAULTY: Look(Hue.RED, 1.0, BREATH),
    Cue.REASON_PIECE: Look(Hue.RED, 0.66, STEADY),
    Cue.REASON_SQUARE: Look(Hue.RED, 1.0, PULSE),
    **{cue: Look(Hue.AMBER, 0.8, rhythm) for cue, rhythm in zip(WAYS, RUNS, strict=True)},
    Cue.THIS_ONE: Look(Hue.BLUE, 1.0, BREATH),
    Cue.PUT_HERE: Look(Hue.BLUE, 1.0, STEADY),
    Cue.DONE: Look(Hue.WHITE, 0.8, STEADY),
    Cue.WRONG: Look(Hue.RED, 1.0, TWICE),
    **{cue: Look(Hue.AMBER, 0.9, rhythm) for cue, rhythm in zip(STARS, TWINKLES, strict=True)},
    Cue.DANGER: Look(Hue.AMBER, 0.9, LEAN, Hue.RED),
    Cue.HANGS: Look(Hue.AMBER, 0.9, KNOCK),
    Cue.REALLY: Look(Hue.RED, 1.0, SWAY, Hue.BLUE),
    Cue.WHO_MOVES: Look(Hue.WHITE, 1.0, BREATH),
    Cue.RIPENING: Look(Hue.WHITE, 0.8, RISE),
    Cue.FOUND: Look(Hue.WHITE, 0.42, STEADY),
    Cue.AREA: Look(Hue.WHITE, 0.35, SIGN),  # faint: steady, it would be FOUND in one colour
    Cue.COUNTER: Look(Hue.BLUE, 0.66, STEADY),
    Cue.QUESTION: Look(Hue.BLUE, 0.9, PULSE),
    Cue.ATTACKER: Look(Hue.RED, 0.66, STEADY),
    Cue.LEVEL: Look(Hue.WHITE, 0.5, STEADY),
    Cue.GUARD: Look(Hue.BLUE, 0.6, PULSE),
}
"""The light language, one row a cue."""


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
    look = LOOKS[cue]
    hue, other = (Hue.WHITE, None) if settings.mono else (look.hue, look.other)
    top = look.level * settings.brightness
    levels = look.rhythm.levels
    first = [colour(hue, top * level, settings.gamma) for level in levels]
    if other is None:
        return tuple(map(bytes, first))
    second = [colour(other, top * (1 - level), settings.gamma) for level in levels]
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
