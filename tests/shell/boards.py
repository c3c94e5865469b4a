"""A board of which a test decides what every reading and frame does, and who supervises it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from boardfw.errors import BusError
from boardfw.frame import Frame
from boardfw.ports import LedMatrix, Panel, Signal, SquareSensor
from boardfw.shell.config import Settings
from boardfw.shell.dates import undated
from boardfw.shell.pgn_file import Pgn, PgnFile, PgnFollower
from boardfw.shell.systemd import Notifier
from boardfw.squares import START, Occupancy
from hardware.strip import MemoryPanel
from tests.patience import PATIENCE_S

Reading = Callable[[int], Occupancy]


class ScriptedSensor:
    """``script(n)`` is what reading ``n`` (0 = the first) gives, or raises, or waits for."""

    def __init__(self, script: Reading) -> None:
        self._script = script
        self._read = threading.Condition()
        self.completed = 0
        """Readings that have come to an end, good or bad."""

    def read(self) -> Occupancy:
        try:
            return self._script(self.completed)
        finally:
            with self._read:
                self.completed += 1
                self._read.notify_all()

    def wait_for(self, readings: int) -> bool:
        """Wait until so many readings have come to an end."""
        with self._read:
            return self._read.wait_for(lambda: self.completed >= readings, PATIENCE_S)


class ScriptedLights:
    """Lights that do as ``script`` does with each frame, and remember what was shown."""

    def __init__(self, script: Callable[[Frame], None] = lambda frame: None) -> None:
        self._script = script
        self.shown: list[Frame] = []

    def show(self, frame: Frame) -> None:
        self._script(frame)
        self.shown.append(frame)


class ScriptedBoard:
    """A Board made of these."""

    def __init__(
        self, reading: Reading = lambda n: START, lights: ScriptedLights | None = None
    ) -> None:
        self.script = ScriptedSensor(reading)
        self.buttons = MemoryPanel()
        self.sensor: SquareSensor = self.script
        self.lights: LedMatrix = lights or ScriptedLights()
        self.panel: Panel = self.buttons
        self.wake: Signal | None = None

    def close(self) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Ear(Notifier):
    """A supervisor in the same process."""

    heard: list[str] = field(default_factory=list)

    def _send(self, state: str, status: str = "") -> bool:
        self.heard.append(state)
        return True


def in_step(path: Path) -> PgnFollower:
    """Who keeps a PGN file in step with the games, without dates."""
    return PgnFollower(PgnFile(path), Pgn(Settings(), undated))


def broken(what: str = "no acknowledgement") -> Occupancy:
    """A reading that fails."""
    raise BusError(what)
