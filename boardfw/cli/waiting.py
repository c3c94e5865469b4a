"""A service without its board waits inside the program, so that the log has the reason once.

The first failure ends the program, for whoever started the service sees it then. systemd starts it
again, and from then on it tries in silence: each end of a service is seven lines of its log.
"""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

from boardfw.cli.journal import complain
from boardfw.errors import BoardError, BusError
from boardfw.shell.status.status_report import WAITING, place, wait_for_board, why_waiting
from boardfw.shell.systemd import Notifier

RETRY_S = 3.0
"""How often it is tried, as with RestartSec of the unit."""
LEAST_S, MOST_S = 60.0, 600.0
"""A program that finds another reason after the first time, or none for the second, ends: a device
that has come later may be used by a new process only (DeviceAllow of the unit)."""


class _Stopped(BaseException):
    """The service is to stop."""


def while_no_board(run: Callable[[], int], notifier: Notifier | None = None) -> int:
    """Return what ``run`` returns; a service that was started again waits while it raises BusError.

    Raises BusError where this is no service, or where the board was there before.
    """
    notifier = notifier or Notifier.from_environment()
    began_s = time.monotonic()
    try:
        while True:
            try:
                return run()
            except BusError as error:
                known = _known(notifier)
                if known != str(error):
                    wait_for_board(str(error))
                if known is None:
                    raise
                _wait(str(error), known, began_s, notifier)
    except _Stopped:
        _forget()
        return 0


def _wait(why: str, known: str, began_s: float, notifier: Notifier) -> None:
    """Wait for the next try, or end where a new process may find more."""
    waited_s = time.monotonic() - began_s
    if why != known:
        complain(why)
    if waited_s >= (MOST_S if why == known else LEAST_S):
        from boardfw.cli import BROKEN

        sys.exit(BROKEN)
    signal.signal(signal.SIGTERM, _stop)  # also for the try that follows; a run sets its own
    notifier.starting(round(10 * RETRY_S * 1_000_000), f"waiting for a board: {why}")
    time.sleep(RETRY_S)


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise _Stopped


def _known(notifier: Notifier) -> str | None:
    """Return why the board was waited for already; None: it was not, or this is no service."""
    file = place()
    if file is None or notifier.address is None:
        return None
    try:
        return why_waiting(file)
    except BoardError:
        return None


def _forget() -> None:
    """A service that is started by hand says at once what is wrong."""
    if file := place():
        with suppress(OSError):
            file.with_name(WAITING).unlink()
