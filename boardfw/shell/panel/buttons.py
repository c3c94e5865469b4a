"""The settings of the buttons, short and long presses, and a panel that gives them meaning."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import asdict

from boardfw.ports import BUTTONS, Clock, Panel, Pressed

SHUT_DOWN: Final = "shut_down"
NOTHING: Final = ""

Meaning = Annotated[
    Literal[Pressed, ""],
    Meta(description=f"one of {', '.join(map(repr, BUTTONS))}, '{SHUT_DOWN}', or '' for nothing"),
]
Beeps = Annotated[
    Literal["all", "trouble", "none"],
    Meta(description="'all', 'trouble' (what is wrong, and questions) or 'none'"),
]
Allowed = Annotated[bool, Meta(description="true or false")]


class ShortPresses(msgspec.Struct, frozen=True, kw_only=True):
    """What each button means when it is pressed; by default, its name."""

    new_game: Meaning = "new_game"
    draw: Meaning = "draw"
    claim: Meaning = "claim"
    resign_white: Meaning = "resign_white"
    resign_black: Meaning = "resign_black"
    clock_white: Meaning = "clock_white"
    clock_black: Meaning = "clock_black"
    pause: Meaning = "pause"
    take_back: Meaning = "take_back"
    hint: Meaning = "hint"
    answer_1: Meaning = "answer_1"
    answer_2: Meaning = "answer_2"
    answer_3: Meaning = "answer_3"
    answer_4: Meaning = "answer_4"


class LongPresses(msgspec.Struct, frozen=True, kw_only=True):
    """What each button means when it is held.

    One that means nothing then acts at once when it is pressed; so the clock's have no second
    meaning.
    """

    new_game: Meaning = SHUT_DOWN
    draw: Meaning = "claim"
    claim: Meaning = NOTHING
    resign_white: Meaning = NOTHING
    resign_black: Meaning = NOTHING
    clock_white: Meaning = NOTHING
    clock_black: Meaning = NOTHING
    pause: Meaning = NOTHING
    take_back: Meaning = NOTHING
    hint: Meaning = "pause"
    answer_1: Meaning = NOTHING
    answer_2: Meaning = NOTHING
    answer_3: Meaning = NOTHING
    answer_4: Meaning = NOTHING


class PanelSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Buttons and buzzer."""

    beeps: Beeps = "all"
    power_off: Allowed = False
    short: ShortPresses = ShortPresses()
    long: LongPresses = LongPresses()


LONG_US = 1_500_000
"""A press that lasts so long is a long one. It does not happen by chance, and with half a second
more the button would seem to do nothing."""
UP_US = 30_000
"""A button that seems to be up is believed after so long: its contact may bounce under a finger."""


@dataclass(slots=True)
class _Down:
    """A button that is down; ``up_us``: since when it seems not to be."""

    since_us: int
    is_said: bool
    up_us: int | None = None


class Presses:
    """Buttons come in by name, meanings go out; time is an argument.

    ``short``, ``long``: the meaning of each button, "" or missing for none. A button without a long
    one acts when it is pressed; one that has both acts when it is let go, or after ``LONG_US``.
    """

    def __init__(self, short: Mapping[str, Meaning], long: Mapping[str, Meaning]) -> None:
        self._short = short
        self._long = long
        self._down: dict[str, _Down] = {}

    @property
    def down(self) -> frozenset[str]:
        """Buttons that are down: the scanner should not rest."""
        return frozenset(self._down)

    def take(self, t_us: int, pressed: Iterable[str], held: Collection[str]) -> list[Pressed]:
        """What is meant by now. ``pressed`` since the last call, ``held`` at this instant."""
        said: list[Meaning] = []
        for name in pressed:
            said += self._press(t_us, name)
        for name in list(self._down):
            said += self._look(t_us, name, is_held=name in held)
        return [meaning for meaning in said if meaning]

    def _press(self, t_us: int, name: str) -> list[Meaning]:
        # Pressed again: it was up in between, however short the look away was.
        said = self._let_go(name) if name in self._down else []
        acts_at_once = not self._long.get(name)
        self._down[name] = _Down(t_us, is_said=acts_at_once)
        return [*said, self._short.get(name, "")] if acts_at_once else said

    def _look(self, t_us: int, name: str, *, is_held: bool) -> list[Meaning]:
        down = self._down[name]
        if is_held:
            down.up_us = None
            return self._hold(t_us, name)
        down.up_us = t_us if down.up_us is None else down.up_us
        return self._let_go(name) if t_us - down.up_us >= UP_US else []

    def _hold(self, t_us: int, name: str) -> list[Meaning]:
        down = self._down[name]
        if down.is_said or t_us - down.since_us < LONG_US:
            return []
        down.is_said = True
        return [self._long[name]]

    def _let_go(self, name: str) -> list[Meaning]:
        down = self._down.pop(name)
        return [] if down.is_said else [self._short.get(name, "")]


class MeaningPanel:
    """A Panel that answers meanings instead of buttons; one may be ``SHUT_DOWN``."""

    def __init__(self, inner: Panel, settings: PanelSettings, clock: Clock) -> None:
        self._inner = inner
        self._clock = clock
        self._said: deque[Pressed] = deque()
        self._presses = Presses(asdict(settings.short), asdict(settings.long))

    def say(self, meaning: Pressed) -> None:
        """Let this be meant, as if a button that means it were pressed. Any thread may say so."""
        self._said.append(meaning)

    def presses(self) -> list[Pressed]:
        """What was meant since the last call."""
        said = [self._said.popleft() for _ in range(len(self._said))]
        pressed = self._inner.presses()  # before who is held: what is pressed between is held too
        if not pressed and not self._presses.down:
            return said
        return said + self._presses.take(self._clock.now_us(), pressed, self._inner.held())

    def held(self) -> frozenset[str]:
        """Buttons of which more is to be expected."""
        return self._presses.down

    def buzz(self, *, on: bool) -> None:
        """Let the buzzer sound, or be silent."""
        self._inner.buzz(on=on)
