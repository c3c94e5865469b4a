"""What a running board says of itself; the form of its file, and of ``boardfw status --json``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from boardfw.errors import BoardError
from boardfw.given import read_given
from boardfw.shell.files import write_whole
from boardfw.shell.systemd import runtime_directory

FILE = "status.json"
USUAL = Path("/run/boardfw")
"""The service's directory below /run."""


class ClockReport(msgspec.Struct, frozen=True, kw_only=True):
    """What both clocks showed when this was written, milliseconds; a running one is written again
    every second."""

    white_ms: int
    black_ms: int
    running: str = ""
    """"white", "black", or empty: both are stopped."""


class GameReport(msgspec.Struct, frozen=True, kw_only=True):
    """The game that goes on, or the last one."""

    number: int
    """From 1, counted since the start."""
    plies: int
    turn: str
    """"white" or "black"."""
    last_move: str = ""
    """As ``12...Nf6``."""
    result: str = "*"
    termination: str = ""
    table: str = "play"
    """What goes on: setup, play or over."""
    clock: ClockReport | None = None
    is_kept: bool = True
    """Whether all plies are on the disk."""
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    """Squares where a piece is missing, and squares where one is too many."""
    asked: tuple[str, ...] = ()
    """Moves among which the board asks, in UCI."""


class LateReport(msgspec.Struct, frozen=True, kw_only=True):
    """Scans so late that what happened before them is unknown."""

    count: int = 0
    """Since the start."""
    longest_ms: int = 0
    """The longest time in which the board was not read."""


class BoardReport(msgspec.Struct, frozen=True, kw_only=True):
    """Switches, chips and lights."""

    url: str
    outage: str = ""
    """Why switches cannot be read; empty: all can."""
    stuck: tuple[str, ...] = ()
    """Squares whose switch does not move."""
    troubles: dict[str, int] = {}
    """What was done about failures of the bus, and how often each chip had lost its registers."""
    late: LateReport = LateReport()


class ErrorReport(msgspec.Struct, frozen=True, kw_only=True):
    """The last error of the log."""

    text: str
    at: str = ""
    """ISO 8601, in UTC; empty: the time was unknown."""
    after_s: int
    """Since the start, seconds."""


class SilentReport(msgspec.Struct, frozen=True, kw_only=True):
    """A thread of the program that does not answer."""

    thread: str
    """Its name, as in docs/architecture.md."""
    since_s: int
    """On the machine's monotonic clock, seconds."""
    restarts: bool
    """True if the watchdog restarts the board unless the thread answers."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All of it."""

    version: str
    pid: int
    since: str
    """ISO 8601, in UTC; empty: the time was unknown."""
    since_s: int
    """On the machine's monotonic clock, seconds."""
    board: BoardReport
    game: GameReport
    records: tuple[str, ...] = ()
    """Files in which the games are."""
    error: ErrorReport | None = None
    silent: tuple[SilentReport, ...] = ()
    """Threads that do not answer, the one silent for longest first."""


def place(environment: Mapping[str, str] = os.environ) -> Path | None:
    """Where a run has to say how it is; None: it is no service."""
    directory = runtime_directory(environment)
    return directory / FILE if directory else None


UNITS = tuple(
    Path(folder, "systemd/system") for folder in ("/etc", "/run", "/usr/local/lib", "/usr/lib")
)
"""Where systemd finds the services of a machine."""


def stopped_service(file: Path) -> str | None:
    """Return the name of the service that would write ``file``; None: there is no such service.

    A report that is still there was left by a process that was killed.
    """
    name = file.parent.name
    is_one = file.exists() or any((units / f"{name}.service").exists() for units in UNITS)
    return name if is_one else None


WAITING = "waiting"
"""Beside the status of a board: why there is none, until the service has one or is stopped."""


def wait_for_board(why: str, environment: Mapping[str, str] = os.environ) -> None:
    """Say that the service will start again, and why; nothing where this is no service.

    What cannot be said does no harm.
    """
    file = place(environment)
    if file is not None:
        with suppress(BoardError):
            write_whole(file.with_name(WAITING), f"{why}\n")


def why_waiting(file: Path) -> str | None:
    """Why there is no board of which ``file`` would tell; None: none is waited for.

    Raises BoardError.
    """
    waiting = file.with_name(WAITING)
    try:
        return read_given(waiting).decode(errors="replace").strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unreadable(waiting, error) from error


def _unreadable(file: Path, error: OSError) -> BoardError:
    return BoardError(
        f"{file}: cannot be read: {error.strerror}; join the group boardfw, or use sudo"
    )


def read_report(file: Path) -> Report | None:
    """What a board says of itself; None: none runs. Raises BoardError."""
    try:
        report = msgspec.json.decode(read_given(file), type=Report)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unreadable(file, error) from error
    except msgspec.MsgspecError as error:
        raise BoardError(f"{file}: is no status of this boardfw: {error}") from error
    return report if _runs(report.pid) else None


def _runs(pid: int) -> bool:
    """Whether the process still runs: a killed one leaves its file behind."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True  # another user's, as a service's is
    return True
