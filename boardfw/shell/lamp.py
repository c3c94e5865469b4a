"""The light thread: sends the newest frame; frames that came in between are never seen."""

from __future__ import annotations

from boardfw.frame import Frame
from boardfw.ports import LedMatrix
from boardfw.shell.worker import Worker

PATIENCE_S = 2.0
"""How long a frame may take at the end: a thousand times what a strip of 64 needs."""


class Lamp:
    """Owns the lights, so that a slow strip never delays a scan or a thought."""

    def __init__(self, lights: LedMatrix) -> None:
        self._worker: Worker[Frame] = Worker("lights", lights.show)

    def start(self) -> None:
        """Begin to light."""
        self._worker.start()

    def show(self, frame: Frame) -> None:
        """Let this be what is shown next; returns at once."""
        self._worker.put(frame)

    def stop(self) -> None:
        """Send the last frame, then stop; lights that hang are not waited for."""
        self._worker.stop(PATIENCE_S)
