"""The light thread: sends the newest frame; frames that came in between are never seen."""

from __future__ import annotations

import logging
from threading import Thread

from boardfw.errors import BusError
from boardfw.frame import Frame
from boardfw.ports import LedMatrix
from boardfw.shell.newest import Newest

log = logging.getLogger(__name__)

PATIENCE_S = 2.0
"""How long a frame may take at the end: a thousand times what a strip of 64 needs."""


class Lamp:
    """Owns the lights, so that a slow strip never delays a scan or a thought."""

    def __init__(self, lights: LedMatrix) -> None:
        self._lights = lights
        self._frames: Newest[Frame] = Newest()
        self._failing = False
        self._thread = Thread(target=self._run, name="light", daemon=True)

    def start(self) -> None:
        """Begin to light."""
        self._thread.start()

    def show(self, frame: Frame) -> None:
        """Let this be what is shown next; returns at once."""
        self._frames.put(frame)

    def stop(self) -> None:
        """Send the last frame, then stop; lights that hang are not waited for."""
        self._frames.close()
        self._thread.join(PATIENCE_S)

    def _run(self) -> None:
        while (frame := self._frames.take()) is not None:
            self._send(frame)

    def _send(self, frame: Frame) -> None:
        try:
            self._lights.show(frame)
        except BusError as error:
            if not self._failing:
                log.error("the lights cannot be reached: %s", error)
            self._failing = True
            return
        if self._failing:
            log.warning("the lights can be reached again")
            self._failing = False
