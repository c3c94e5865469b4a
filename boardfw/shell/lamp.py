"""The light thread: sends the newest frame; frames that came in between are never seen."""

from __future__ import annotations

import logging
import threading

from boardfw.errors import BusError
from boardfw.frame import Frame
from boardfw.ports import LedMatrix

log = logging.getLogger(__name__)


class Lamp:
    """Owns the lights, so that a slow strip never delays a scan or a thought."""

    def __init__(self, lights: LedMatrix) -> None:
        self._lights = lights
        self._wake = threading.Condition()
        self._frame: Frame | None = None
        self._stopping = False
        self._failing = False
        self._thread = threading.Thread(target=self._run, name="light", daemon=True)

    def start(self) -> None:
        """Begin to light."""
        self._thread.start()

    def show(self, frame: Frame) -> None:
        """Let this be what is shown next; returns at once."""
        with self._wake:
            self._frame = frame
            self._wake.notify()

    def stop(self) -> None:
        """Send the last frame, then stop and wait until the thread has gone."""
        with self._wake:
            self._stopping = True
            self._wake.notify()
        self._thread.join()

    def _run(self) -> None:
        while (frame := self._next()) is not None:
            self._send(frame)

    def _send(self, frame: Frame) -> None:
        try:
            self._lights.show(frame)
        except BusError as error:
            if not self._failing:
                log.error("the lights cannot be reached, trying again: %s", error)
            self._failing = True
            return
        if self._failing:
            log.warning("the lights can be reached again")
            self._failing = False

    def _next(self) -> Frame | None:
        """The newest frame not yet sent; None when there is none and the lamp is to stop."""
        with self._wake:
            self._wake.wait_for(lambda: self._frame is not None or self._stopping)
            frame, self._frame = self._frame, None
            return frame
