"""A mailbox between the loop and a thread: only the newest thing in it matters."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

T = TypeVar("T")


class Newest(Generic[T]):
    """Holds at most one thing; what was put in before and not yet taken is forgotten."""

    def __init__(self) -> None:
        self._wake = threading.Condition()
        self._thing: T | None = None
        self._closed = False

    def put(self, thing: T) -> None:
        """Let this be what is taken next; returns at once."""
        with self._wake:
            self._thing = thing
            self._wake.notify()

    def take(self) -> T | None:
        """Wait for the newest thing and take it; None when it is closed and empty."""
        with self._wake:
            self._wake.wait_for(lambda: self._thing is not None or self._closed)
            thing, self._thing = self._thing, None
            return thing

    def close(self) -> None:
        """Nothing more will be put in; what is in may still be taken."""
        with self._wake:
            self._closed = True
            self._wake.notify()
