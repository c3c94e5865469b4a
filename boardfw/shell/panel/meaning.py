"""A panel whose buttons mean what the owner wants, around the one that is wired."""

from __future__ import annotations

from collections import deque

from msgspec.structs import asdict

from boardfw.ports import Clock, Panel
from boardfw.shell.panel.presses import Presses
from boardfw.shell.panel.settings import PanelSettings


class MeaningPanel:
    """A Panel that answers meanings instead of buttons; one may be ``SHUT_DOWN``."""

    def __init__(self, inner: Panel, settings: PanelSettings, clock: Clock) -> None:
        self._inner = inner
        self._clock = clock
        self._said: deque[str] = deque()
        self._presses = Presses(asdict(settings.short), asdict(settings.long))

    def say(self, meaning: str) -> None:
        """Let this be meant, as if a button that means it were pressed. Any thread may say so."""
        self._said.append(meaning)

    def presses(self) -> list[str]:
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
