"""What the program has to report while a screen is open: a line on it, not text across it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from boardfw.errors import BoardError


def one_line(error: BaseException) -> str:
    """The error in one line, for a person."""
    text = " ".join(str(error).split())
    if isinstance(error, BoardError):
        return text
    return f"the board stopped, which it should not: {type(error).__name__}: {text}"


class ScreenLog(logging.Handler):
    """Shows what is logged, from any thread; takes the place of the root logger's handlers."""

    def __init__(self, show: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._show = show
        self._loop: asyncio.AbstractEventLoop | None = None
        self._before: list[logging.Handler] = []

    def take_over(self, loop: asyncio.AbstractEventLoop) -> None:
        """Show what is logged from now on, in the thread of this loop."""
        root = logging.getLogger()
        self._loop, self._before = loop, root.handlers[:]
        root.handlers[:] = [self]

    def give_back(self) -> None:
        """Let the log go where it went before."""
        logging.getLogger().handlers[:] = self._before

    def emit(self, record: logging.LogRecord) -> None:
        """Pass a record on to the screen."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._show, record.getMessage())
