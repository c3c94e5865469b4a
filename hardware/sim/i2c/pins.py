"""The world at the inputs of a simulated chip."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

ALL = 0xFFFF


class Pins:
    """The pins of a chip: what switches and resistors do to them.

    A pin's level is 0 where a switch pulls it to ground. Elsewhere it is 1 if something pulls it
    up, and otherwise it floats: it keeps what it last had, or is noise.
    """

    def __init__(
        self,
        levels: Callable[[int], int] | None = None,
        *,
        resistors: int = 0,
        noise: Random | None = None,
    ) -> None:
        self.levels = levels or self._as_set
        """Microseconds -> levels by input, as of ``Chip.squares``; 1: no switch pulls down."""
        self.resistors = resistors
        """Pins with pull-ups outside the chip."""
        self._noise = noise
        self._set = ~0
        self._last = ALL

    def set_inputs(self, levels: int) -> None:
        """From now on these."""
        self.levels = self._as_set
        self._set = levels

    def sample(self, t_us: int, pulled_up: int) -> int:
        """16 levels at a time, with the chip's own pull-ups at these pins."""
        return self.settle(self.levels(t_us), pulled_up)

    def settle(self, free: int, pulled_up: int) -> int:
        """16 levels, of pins that nothing pulls down."""
        idle = self._last if self._noise is None else self._noise.getrandbits(16)
        self._last = ALL & free & (pulled_up | self.resistors | idle)
        return self._last

    def _as_set(self, _: int) -> int:
        return self._set
