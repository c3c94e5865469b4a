"""Beeps and the thread that sounds them: rhythms alone, since most buzzers have one tone only.

The newest beep is sounded; one that could not begin in time is dropped.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from enum import Enum, unique
from itertools import cycle

from boardfw.game.events import Action, Asked, Doubted, Ended, Mismatched, Moved, NewGame, Outage
from boardfw.ports import Panel
from boardfw.shell.outbox import newest


@unique
class Beep(Enum):
    """How each beep sounds: milliseconds of sound, silence, sound ..."""

    HEARD = (15,)
    PLY = (40,)
    QUESTION = (60, 90, 60)
    ILLEGAL = (400,)
    BLIND = (400, 150, 400)
    FLAG = (250, 120, 250, 120, 250)
    OVER = (60, 90, 60, 90, 250)
    NEW_GAME = (250, 90, 60)
    READY = (60, 90, 250)
    GOOD_BYE = (250, 90, 60, 90, 60)


TROUBLE = frozenset({Beep.QUESTION, Beep.ILLEGAL, Beep.BLIND, Beep.FLAG})
"""What is said where the owner wants to hear of trouble alone."""

_ANSWERS: dict[type[Action], Beep] = {
    Moved: Beep.PLY,
    Asked: Beep.QUESTION,
    Doubted: Beep.QUESTION,
    Mismatched: Beep.ILLEGAL,
    Outage: Beep.BLIND,
    Ended: Beep.OVER,
    NewGame: Beep.NEW_GAME,
}


def beep_of(action: Action) -> Beep | None:
    """What answers an action; None: nothing is to be heard."""
    if isinstance(action, Ended) and action.termination == "time":
        return Beep.FLAG
    return _ANSWERS.get(type(action))


def is_wanted(beep: Beep, wish: str) -> bool:
    """Whether the owner wants to hear it; ``wish`` as in the settings."""
    return wish == "all" or (wish == "trouble" and beep in TROUBLE)


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
        self._worker = newest("buzzer", self._sound)

    def start(self) -> None:
        """Begin to listen for what is to be said."""
        self._worker.start()

    def stop(self) -> None:
        """Be silent at once, also in the middle of a beep."""
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
