"""How a strip lies under the board, as a rule of a few words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Literal, TypeAlias, get_args

from boardfw.squares import Switch, switch_at

Corner: TypeAlias = Literal["a1", "h1", "a8", "h8"]
Along: TypeAlias = Literal["ranks", "files"]

LEDS_PER_SQUARE = 4
"""Most LEDs under a square."""


@dataclass(frozen=True, slots=True)
class LedRule:
    """A strip that begins in a corner and lies in parallel lines.

    Four corners times two directions are all the ways in which a board can lie turned or mirrored
    over its strip, so there is no angle beside them.
    """

    corner: Corner = "a1"
    along: Along = "ranks"
    """What the first line of the strip lies under: a rank or a file."""
    serpentine: bool = True
    """True if every other line runs back; otherwise all run the same way."""
    per_square: int = 1
    """LEDs that follow each other under one square."""
    passes: int = 1
    """How many lines of the strip lie under each rank (or file)."""

    @property
    def leds(self) -> int:
        """How many there are."""
        return 64 * self.per_square * self.passes

    def squares(self) -> tuple[Switch, ...]:
        """The square over each LED, from the strip's first one on."""
        lines = [line for line in self._lines() for _ in range(self.passes)]
        run = [
            line[::-1] if self.serpentine and number % 2 else line
            for number, line in enumerate(lines)
        ]
        return tuple(square for line in run for square in line for _ in range(self.per_square))

    def _lines(self) -> list[list[Switch]]:
        files = range(8) if self.corner[0] == "a" else range(7, -1, -1)
        ranks = range(8) if self.corner[1] == "1" else range(7, -1, -1)
        if self.along == "ranks":
            return [[switch_at(file, rank) for file in files] for rank in ranks]
        return [[switch_at(file, rank) for rank in ranks] for file in files]


def all_rules() -> Iterator[LedRule]:
    """Every rule there is, the simplest first."""
    counts = range(1, LEDS_PER_SQUARE + 1)
    for passes, per_square in product(counts, counts):
        if passes * per_square <= LEDS_PER_SQUARE:
            for serpentine, along, corner in product(
                (True, False), get_args(Along), get_args(Corner)
            ):
                yield LedRule(corner, along, serpentine, per_square, passes)


def rule_of(squares: tuple[Switch | None, ...]) -> LedRule | None:
    """The simplest rule by which a strip lies like this; None if no rule fits."""
    rules = (rule for rule in all_rules() if rule.leds == len(squares))
    return next((rule for rule in rules if rule.squares() == squares), None)
