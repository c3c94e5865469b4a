"""A terminal driver that survives the loss of its terminal, and the log while a screen is open.

``textual`` writes and reads in threads of its own. When the terminal has gone, they fail in ways
that can keep the program waiting for ever, with the board still open. Log records appear as a line
on the screen instead of text across it.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TextIO

from textual.drivers.linux_driver import LinuxDriver

from boardfw.errors import BoardError

if TYPE_CHECKING:
    from textual.app import App


class Outlet:
    """A text file that accepts all writes, even after its reader has gone."""

    def __init__(self, file: TextIO, lost: Callable[[], None]) -> None:
        self._file = file
        self._lost = lost

    def write(self, text: str) -> None:
        """Write; if that fails, report the loss and drop the text."""
        try:
            self._file.write(text)
        except OSError:
            self._lost()

    def flush(self) -> None:
        """Send what was written."""
        try:
            self._file.flush()
        except OSError:
            self._lost()

    def fileno(self) -> int:
        """The file's number."""
        return self._file.fileno()

    def isatty(self) -> bool:
        """Whether it is, or was, a terminal."""
        return self._file.isatty()


class DetachableDriver(LinuxDriver):
    """Leaves the app properly when the terminal has gone."""

    def __init__(self, app: App[Any], **options: Any) -> None:
        super().__init__(app, **options)
        self._file: Any = Outlet(self._file, self._hang_up)

    def _run_input_thread(self) -> None:
        try:
            self.run_input_thread()
        except OSError:
            self._hang_up()

    def _hang_up(self) -> None:
        """Nothing reaches the terminal any more: send the rest nowhere, and leave."""
        nowhere = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(nowhere, number)
        os.close(nowhere)
        self._loop.call_soon_threadsafe(lambda: self._app.run_worker(self._app.run_action("leave")))


def one_line(error: BaseException) -> str:
    """The error in one line, for a person."""
    text = " ".join(str(error).split())
    if isinstance(error, BoardError):
        return text
    return f"the board stopped unexpectedly: {type(error).__name__}: {text}"


class ScreenLog(logging.Handler):
    """Shows log records from any thread on the screen; replaces the root logger's handlers."""

    def __init__(self, show: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._show = show
        self._loop: asyncio.AbstractEventLoop | None = None
        self._before: list[logging.Handler] = []

    def take_over(self, loop: asyncio.AbstractEventLoop) -> None:
        """Show log records from now on, in the thread of this loop."""
        root = logging.getLogger()
        self._loop, self._before = loop, root.handlers[:]
        root.handlers[:] = [self]

    def give_back(self) -> None:
        """Restore the log's former handlers."""
        logging.getLogger().handlers[:] = self._before

    def emit(self, record: logging.LogRecord) -> None:
        """Pass a record on to the screen."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._show, record.getMessage())
