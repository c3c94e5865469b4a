"""What the options of ``boardfw accuracy`` mean."""

from __future__ import annotations

from boardfw.errors import ConfigError
from boardfw.squares import BY_NAME, Occupancy, occupancy_of
from hardware.sim.manners import EVERYBODY, MANNERS

LEVELS = ("open", "closed")
FACTORS = ("times", "chances", "bounce")
LEAST, MOST = 0.1, 10.0


def parse_hands(text: str | None) -> list[str]:
    """The kinds of hands named, each once; the usual ones where none is. Raises ConfigError."""
    if text is None:
        return list(MANNERS)
    kinds = list(dict.fromkeys(word.strip() for word in text.split(",")))
    for kind in kinds:
        if kind not in EVERYBODY:
            raise ConfigError(f"--hands: no hands {kind!r}; there are {', '.join(EVERYBODY)}")
    return kinds


def parse_stuck(texts: tuple[str, ...]) -> dict[str, Occupancy]:
    """The switches that are stuck open, and closed, of texts like ``e4=open``.

    Raises ConfigError.
    """
    stuck: dict[str, str] = {}
    for text in texts:
        name, _, level = text.partition("=")
        if name not in BY_NAME or level not in LEVELS:
            raise ConfigError(f"--stuck: {text!r} is no stuck switch; write e4=open or e4=closed")
        if stuck.setdefault(name, level) != level:
            raise ConfigError(f"--stuck: {name} cannot be stuck open and closed")
    return {
        wanted: occupancy_of(BY_NAME[name] for name, level in stuck.items() if level == wanted)
        for wanted in LEVELS
    }


def parse_scale(texts: tuple[str, ...]) -> dict[str, float]:
    """The factors of texts like ``chances=2``; a number alone is that of times.

    Raises ConfigError.
    """
    factors: dict[str, float] = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        factor = _number(number)
        if (name or "times") not in FACTORS or not LEAST <= factor <= MOST:
            raise ConfigError(
                f"--scale: {text!r} is no factor; write times=, chances= or bounce= "
                f"and a number from {LEAST} to {MOST:.0f}"
            )
        factors[name or "times"] = factor
    return factors


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
