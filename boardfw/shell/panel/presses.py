"""Short and long presses: what somebody means who presses a button, and for how long.

Time is an argument, so whoever scans asks as often as he likes, and a test as it likes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

LONG_US = 1_500_000
"""A press that lasts so long is a long one. Nobody rests a finger on a button for that by chance,
and half a second longer would be taken for a button that does nothing."""
UP_US = 30_000
"""A button that seems to be up is believed after so long: its contact may bounce under a finger."""


@dataclass(slots=True)
class _Down:
    """A button that is down; ``up_us``: since when it seems not to be."""

    since_us: int
    is_said: bool
    up_us: int | None = None


class Presses:
    """Buttons come in by name, meanings go out.

    ``short``, ``long``: the meaning of each button, "" or missing for none. A button without a long
    one acts when it is pressed; one that has both acts when it is let go, or after ``LONG_US``.
    """

    def __init__(self, short: Mapping[str, str], long: Mapping[str, str]) -> None:
        self._short = short
        self._long = long
        self._down: dict[str, _Down] = {}

    @property
    def down(self) -> frozenset[str]:
        """Buttons of which more is to be expected: whoever scans should not rest."""
        return frozenset(self._down)

    def take(self, t_us: int, pressed: Iterable[str], held: Collection[str]) -> list[str]:
        """What is meant by now. ``pressed`` since the last call, ``held`` at this instant."""
        said: list[str] = []
        for name in pressed:
            said += self._press(t_us, name)
        for name in list(self._down):
            said += self._look(t_us, name, is_held=name in held)
        return [meaning for meaning in said if meaning]

    def _press(self, t_us: int, name: str) -> list[str]:
        # Pressed anew: it was up in between, however short the look away was.
        said = self._let_go(name) if name in self._down else []
        acts_at_once = not self._long.get(name)
        self._down[name] = _Down(t_us, is_said=acts_at_once)
        return [*said, self._short.get(name, "")] if acts_at_once else said

    def _look(self, t_us: int, name: str, *, is_held: bool) -> list[str]:
        down = self._down[name]
        if is_held:
            down.up_us = None
            return self._hold(t_us, name)
        down.up_us = t_us if down.up_us is None else down.up_us
        return self._let_go(name) if t_us - down.up_us >= UP_US else []

    def _hold(self, t_us: int, name: str) -> list[str]:
        down = self._down[name]
        if down.is_said or t_us - down.since_us < LONG_US:
            return []
        down.is_said = True
        return [self._long[name]]

    def _let_go(self, name: str) -> list[str]:
        down = self._down.pop(name)
        return [] if down.is_said else [self._short.get(name, "")]
