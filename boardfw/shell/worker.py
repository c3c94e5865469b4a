"""A thread that works on the newest thing it was given; what came in between is forgotten."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from boardfw.errors import BoardError

T = TypeVar("T")
log = logging.getLogger(__name__)

RETRY_S = 2.0
"""What could not be done is tried again so often: a strip may be plugged in again."""


class Worker(Generic[T]):
    """Calls ``work`` with the newest thing. A failure is told once, and once that it is over.

    What was given last and failed is tried again from time to time, and when the worker stops.
    """

    def __init__(self, name: str, work: Callable[[T], None]) -> None:
        self._name = name
        self._work = work
        self._wake = threading.Condition()
        self._thing: T | None = None
        self._closed = False
        self._failing = False
        self.left: T | None = None
        """What was given last and could not be done."""
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def put(self, thing: T) -> None:
        """Let this be what is worked on next; returns at once."""
        with self._wake:
            self._thing = thing
            self._wake.notify()

    def stop(self, patience_s: float | None = None) -> None:
        """Do what is left to do, then end; wait for that, or for so many seconds."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        self._thread.join(patience_s)

    def _run(self) -> None:
        while (thing := self._take()) is not None:
            self.left = None if self._is_done(thing) else thing
        if self.left is not None and self._is_done(self.left):  # what was in the way may be gone
            self.left = None

    def _take(self) -> T | None:
        """Wait for the newest thing and take it; None when all is done and it is to end."""
        with self._wake:
            patience_s = None if self.left is None else RETRY_S
            self._wake.wait_for(lambda: self._thing is not None or self._closed, patience_s)
            if self._thing is None and not self._closed:
                return self.left
            thing, self._thing = self._thing, None
            return thing

    def _is_done(self, thing: T) -> bool:
        try:
            self._work(thing)
        except BoardError as error:
            self._tell(str(error))
        except Exception as error:  # a fault in a driver must not end the light, or the record
            log.debug("where the %s thread failed", self._name, exc_info=True)
            self._tell(repr(error))
        else:
            if self._failing:
                log.warning("%s: works again", self._name)
            self._failing = False
            return True
        return False

    def _tell(self, trouble: str) -> None:
        if not self._failing:
            log.error("%s: %s; the game goes on", self._name, trouble)
        self._failing = True
