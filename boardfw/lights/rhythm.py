"""Rhythms: how a light changes with time. Each is a table of levels, one for every 20 ms.

Rhythms are the second language beside colour. They run on the absolute time of the session, so
all lights of a kind beat together, and a frame depends on the time alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

STEP_US = 20_000  # 50 frames a second: a fade looks smooth; 64 WS281x take 2.2 ms of it to send
STEP_MS = STEP_US // 1000

MAX_FLASHES_PER_S = 3  # WCAG 2.3.1, "three flashes or below threshold"


@dataclass(frozen=True, slots=True)
class Rhythm:
    """``levels``: lightness 0..1 (as the eye sees it) of each 20 ms of one period."""

    name: str
    levels: tuple[float, ...]

    @property
    def period_us(self) -> int:
        """Length of one period, microseconds."""
        return len(self.levels) * STEP_US

    @property
    def is_steady(self) -> bool:
        """Whether the light never changes."""
        return len(set(self.levels)) == 1

    def level_at(self, t_us: int) -> float:
        """Level 0..1 at a time of the session."""
        return self.levels[t_us // STEP_US % len(self.levels)]


def _swell(name: str, period_ms: int, floor: float) -> Rhythm:
    """A smooth rise and fall; begins at the top, so that a new light is seen at once."""
    steps = period_ms // STEP_MS
    height = (1 - floor) / 2
    levels = (floor + height * (1 + math.cos(2 * math.pi * i / steps)) for i in range(steps))
    return Rhythm(name, tuple(round(level, 3) for level in levels))


def _glow(name: str, lit_ms: int, dark_ms: int) -> Rhythm:
    """A smooth rise and fall out of the dark, and a long rest in it."""
    rise = _swell(name, lit_ms, floor=0)
    half = len(rise.levels) // 2
    levels = rise.levels[half:] + rise.levels[:half]
    return Rhythm(name, levels + (0.0,) * (dark_ms // STEP_MS))


def _switch(name: str, *phases: tuple[int, float]) -> Rhythm:
    """Hard changes: (milliseconds, level) one after the other."""
    return Rhythm(name, tuple(level for ms, level in phases for _ in range(ms // STEP_MS)))


STEADY = Rhythm("steady", (1.0,))
PULSE = _swell("pulse", 1000, floor=0.4)
BREATH = _swell("breath", 1400, floor=0.2)
BLINK = _switch("blink", (400, 1.0), (400, 0.0))
GLOW = _glow("glow", 1200, 1800)
SIGN = _glow("sign", 1800, 1200)
HEARTBEAT = _switch("heartbeat", (160, 1.0), (160, 0.3), (160, 1.0), (720, 0.3))
WINK = _switch("wink", (1100, 1.0), (140, 0.3), (160, 1.0), (140, 0.3))

RHYTHMS = (STEADY, PULSE, BREATH, BLINK, GLOW, SIGN, HEARTBEAT, WINK)

DESCRIPTIONS: dict[str, str] = {
    "steady": "does not change",
    "pulse": "swells once a second, never dark",
    "breath": "comes and goes slowly, 0.7 times a second",
    "blink": "on and off, 1¼ times a second",
    "glow": "comes up gently, and stays dark for longer, every 3 s",
    "sign": "comes up gently and is dark for less long, every 3 s",
    "heartbeat": "two beats and a pause, every 1.2 s",
    "wink": "bright, and two short dips every 1.5 s",
}
