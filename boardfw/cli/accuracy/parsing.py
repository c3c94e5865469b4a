"""What the options of ``boardfw accuracy`` mean."""

from __future__ import annotations

from dataclasses import dataclass

from boardfw.errors import ConfigError
from boardfw.squares import BY_NAME, NAMES, Occupancy, occupancy_of
from hardware.sim.manners import ANY, EVERYBODY, MANNERS

LEVELS = ("open", "closed")
EACH = "each"
"""Instead of a switch: another one in each game."""
FACTORS = ("times", "chances", "bounce")
LEAST, MOST = 0.1, 10.0


def parse_hands(text: str | None) -> list[str]:
    """The kinds of hands named, each once; the usual ones where none is. Raises ConfigError."""
    if text is None:
        return [*MANNERS, ANY]
    known = [*EVERYBODY, ANY]
    kinds = list(dict.fromkeys(word.strip() for word in text.split(",")))
    for kind in kinds:
        if kind not in known:
            raise ConfigError(f"--hands: no hands {kind!r}; there are {', '.join(known)}")
    return kinds


@dataclass(frozen=True, slots=True)
class Stuck:
    """Switches that are stuck: always the same ones, and one more that is another in each game."""

    levels: dict[str, str]
    """Names of switches, or ``each``, and how they are stuck: ``open`` or ``closed``."""

    def of(self, level: str, number: int) -> Occupancy:
        """The switches stuck at this level in game ``number``, 1 = the first."""
        names = [name for name, stuck in self.levels.items() if stuck == level]
        each = NAMES[(number - 1) % len(NAMES)]
        return occupancy_of(BY_NAME[each if name == EACH else name] for name in names)


def parse_stuck(texts: tuple[str, ...]) -> Stuck:
    """The switches that are stuck, of texts like ``e4=open``. Raises ConfigError."""
    levels: dict[str, str] = {}
    for text in texts:
        name, _, level = text.partition("=")
        if (name not in BY_NAME and name != EACH) or level not in LEVELS:
            raise ConfigError(
                f"--stuck: {text!r} is no stuck switch; write e4=open or e4=closed, "
                "or each=open for another switch in each game"
            )
        if levels.setdefault(name, level) != level:
            raise ConfigError(f"--stuck: {name} cannot be stuck open and closed")
    return Stuck(levels)


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
