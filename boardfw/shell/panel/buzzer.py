"""The buzzer thread: sounds the newest beep; one that could not be begun in time is not heard."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from itertools import cycle

from boardfw.game.events import Action
from boardfw.ports import Panel
from boardfw.shell.panel.beeps import Beep, beep_of, is_wanted
from boardfw.shell.worker import Worker

PATIENCE_S = 2.0
"""How long the last beep may take at the end."""


class Buzzer:
    """Owns the buzzer of a panel. ``wish``: which beeps are wanted, as in the settings."""

    def __init__(
        self, panel: Panel, wish: str, pause: Callable[[float], object] | None = None
    ) -> None:
        """``pause``: waits for so many seconds; true where the rest is not to be heard."""
        self._panel = panel
        self._wish = wish
        self._closing = threading.Event()
        self._pause = pause or self._closing.wait
        self._worker: Worker[Beep] = Worker("buzzer", self._sound)

    def start(self) -> None:
        """Begin to listen for what is to be said."""
        self._worker.start()

    def stop(self) -> None:
        """Be silent, whatever is being said: nobody waits for the end of a beep."""
        self._closing.set()
        self._worker.stop(PATIENCE_S)

    def say(self, beep: Beep) -> None:
        """Let this be heard, if the owner wants to hear it; returns at once."""
        if is_wanted(beep, self._wish):
            self._worker.put(beep)

    def answer(self, said: Iterable[Action]) -> None:
        """Say the most important thing of what a session has just answered: the last one."""
        beeps = [beep for action in said if (beep := beep_of(action)) is not None]
        if beeps:
            self.say(beeps[-1])

    def _sound(self, beep: Beep) -> None:
        try:
            for ms, on in zip(beep.value, cycle((True, False)), strict=False):
                self._panel.buzz(on=on)
                if self._pause(ms / 1000):
                    return
        finally:
            self._panel.buzz(on=False)
