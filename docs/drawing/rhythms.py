"""The rhythms of the lights by name, and what the eye sees of each."""

from __future__ import annotations

from boardfw.lights import patterns
from boardfw.lights.patterns import STEP_US, Rhythm

RHYTHMS: dict[str, Rhythm] = {
    "steady": patterns.STEADY,
    "pulse": patterns.PULSE,
    "breath": patterns.BREATH,
    "blink": patterns.BLINK,
    "glow": patterns.GLOW,
    "sign": patterns.SIGN,
    "heartbeat": patterns.HEARTBEAT,
    "wink": patterns.WINK,
    **{f"run-{number}": rhythm for number, rhythm in enumerate(patterns.RUNS, 1)},
    "rise": patterns.RISE,
    "twice": patterns.TWICE,
    "knock": patterns.KNOCK,
    **dict(zip(("twinkle", "twinkle-back"), patterns.TWINKLES, strict=True)),
    "lean": patterns.LEAN,
    "sway": patterns.SWAY,
}
NAMES = {rhythm: name for name, rhythm in RHYTHMS.items()}


def level_at(rhythm: Rhythm, t_us: int) -> float:
    """Level 0..1 at a time of the session."""
    return rhythm[t_us // STEP_US % len(rhythm)]


DESCRIPTIONS: dict[str, str] = {
    "steady": "does not change",
    "pulse": "swells once a second, never dark",
    "breath": "comes and goes slowly, 0.7 times a second",
    "blink": "on and off, 1¼ times a second",
    "glow": "comes up gently, and stays dark for longer, every 3 s",
    "sign": "comes up gently and is dark for less long, every 3 s",
    "heartbeat": "two beats and a pause, every 1.2 s",
    "wink": "bright, and two short dips every 1.5 s",
    "run-1": "a light that runs along six squares in 1.2 s: the first of them",
    "run-2": "the second of them",
    "run-3": "the third",
    "run-4": "the fourth",
    "run-5": "the fifth",
    "run-6": "the sixth, after which it begins again",
    "rise": "grows brighter and brighter for 1.5 s, again and again",
    "twice": "flashes twice, 0.4 s apart, every 2.4 s",
    "knock": "two short knocks, every 3 s",
    "twinkle": "bright and less bright in turn, every second",
    "twinkle-back": "the same, bright when the other is not",
    "lean": "on for long and off for short, every second; of two hues, mostly the first",
    "sway": "on and off 1½ times a second; of two hues, one and the other",
}
