"""The status thread: rewrites the file when something has changed, once a second at most.

The directory is in memory, so no card wears out; a reader sees the old report or the new one.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import msgspec

from boardfw import __version__
from boardfw.errors import BoardError
from boardfw.game.clock import ChessClock
from boardfw.game.events import Action, Outage, Restored
from boardfw.game.record import Record
from boardfw.notation.san import format_san, move_number
from boardfw.ports import Clock
from boardfw.rules import BLACK, WHITE
from boardfw.rules.board import COLOR_NAMES
from boardfw.shell.dates import Calendar
from boardfw.shell.desk import Desk
from boardfw.shell.files import write_whole
from boardfw.shell.pulse import silent
from boardfw.shell.status.status_report import (
    WAITING,
    BoardReport,
    ClockReport,
    ErrorReport,
    GameReport,
    LateReport,
    Report,
    SilentReport,
)
from boardfw.squares import names_of


def game_report(desk: Desk, t_us: int) -> GameReport:
    """The game at an instant of the session's clock."""
    view, record = desk.view, desk.session.record
    outcome = record.outcome
    return GameReport(
        number=len(desk.session.games),
        plies=len(record.moves),
        turn=COLOR_NAMES[view.position.turn].lower(),
        last_move=_last_move(record),
        result="*" if outcome is None else outcome.result,
        termination="" if outcome is None else outcome.termination,
        table=view.phase.name.lower(),
        clock=None if view.clock is None else _clock(view.clock, t_us),
        is_kept=not view.unkept,
        missing=tuple(names_of(view.missing)),
        extra=tuple(names_of(view.extra)),
        asked=tuple(move.uci() for move in view.candidates),
    )


def _last_move(record: Record) -> str:
    if not record.moves:
        return ""
    *_, before, _ = record.positions()
    number = move_number(record.start, len(record.moves))
    return f"{number}{format_san(before, record.moves[-1])}"


def _clock(clock: ChessClock, t_us: int) -> ClockReport:
    runs = clock.is_running and clock.flag_fallen(t_us) is None
    return ClockReport(
        white_ms=clock.remaining_us(WHITE, t_us) // 1000,
        black_ms=clock.remaining_us(BLACK, t_us) // 1000,
        running=COLOR_NAMES[clock.turn].lower() if runs else "",
    )


log = logging.getLogger(__name__)

PAUSE_S = 1.0
LONGEST_S = 30.0
"""What nobody tells of, such as a transfer that had to be repeated, is looked for so often."""
LOOK_S = 1.0
"""How often threads that hang are looked for, which send no news."""


@dataclass(frozen=True, slots=True)
class Sources:
    """What a run knows beside its game."""

    url: str
    clock: Clock
    calendar: Calendar
    troubles: Callable[[], dict[str, int]]
    records: Callable[[], list[Path]]


class _LastError(logging.Handler):
    """Remembers the last error of the log, and says that there is a new one."""

    def __init__(self, sources: Sources, changed: Callable[[], None]) -> None:
        super().__init__(logging.ERROR)
        self.report: ErrorReport | None = None
        self._sources = sources
        self._changed = changed
        self._began_s = time.monotonic()

    def emit(self, record: logging.LogRecord) -> None:
        self.report = ErrorReport(
            text=record.getMessage(),
            at=_iso(self._sources.calendar.now()),
            after_s=int(time.monotonic() - self._began_s),
        )
        self._changed()


class StatusFile:
    """A Follower that writes how the board is."""

    def __init__(self, file: Path, sources: Sources) -> None:
        self._file = file
        self._sources = sources
        self._since_s = int(time.monotonic())
        self._since = ""
        self._outage = ""
        self._written = b""
        self._silent: tuple[SilentReport, ...] = ()
        """The threads that the file reports as silent."""
        self._news = threading.Event()
        self._closing = threading.Event()
        self._error = _LastError(sources, self._news.set)
        self._thread: threading.Thread | None = None

    def start(self, desk: Desk) -> None:
        """Say how it is from now on."""
        logging.getLogger().addHandler(self._error)
        with suppress(OSError):
            self._file.with_name(WAITING).unlink(missing_ok=True)
        self._thread = threading.Thread(target=self._run, args=(desk,), name="status", daemon=True)
        self._thread.start()

    def take(self, said: list[Action]) -> None:
        """Something may be otherwise now."""
        for action in said:
            if isinstance(action, Outage | Restored):
                self._outage = action.text if isinstance(action, Outage) else ""
        self._news.set()

    def stop(self) -> None:
        """Say no more."""
        logging.getLogger().removeHandler(self._error)
        self._closing.set()
        self._news.set()
        if self._thread is not None:
            self._thread.join()
        with suppress(OSError):
            self._file.unlink(missing_ok=True)

    def report(self, desk: Desk) -> Report:
        """How it is now."""
        return Report(
            version=__version__,
            pid=os.getpid(),
            since=self._began(),
            since_s=self._since_s,
            board=BoardReport(
                url=self._sources.url,
                outage=self._outage,
                stuck=tuple(names_of(desk.view.stuck)),
                troubles=self._sources.troubles(),
                late=LateReport(count=desk.late.count, longest_ms=desk.late.longest_us // 1000),
            ),
            game=game_report(desk, self._sources.clock.now_us()),
            records=tuple(str(path) for path in self._sources.records()),
            error=self._error.report,
            silent=silent_threads(),
        )

    def _began(self) -> str:
        """When the run began; reckoned back where that became known later."""
        now = None if self._since else self._sources.calendar.now()
        if now is not None:
            self._since = _iso(now - timedelta(seconds=int(time.monotonic()) - self._since_s))
        return self._since

    # --- in the thread

    def _run(self, desk: Desk) -> None:
        while not self._closing.is_set():
            self._news.clear()
            time_runs = self._renew(desk)
            self._closing.wait(PAUSE_S)
            if not time_runs:
                self._wait_for_news()

    def _wait_for_news(self) -> None:
        until_s = time.monotonic() + LONGEST_S
        while not self._news.wait(LOOK_S) and time.monotonic() < until_s:
            if silent_threads() != self._silent:
                return

    def _renew(self, desk: Desk) -> bool:
        """Write what is otherwise now; whether it will be again before anything happens."""
        try:
            report = self.report(desk)
            text = msgspec.json.encode(report)
            if text != self._written:
                write_whole(self._file, text.decode())
                self._written = text
            self._silent = report.silent
        except BoardError as error:
            log.warning("status: %s", error)
            self._closing.set()  # it is a convenience, and no reason to fill the log
            return False
        except Exception:  # the loop's thread changed what was read: the next look is soon
            log.debug("where the status failed", exc_info=True)
            return True
        return report.game.clock is not None and bool(report.game.clock.running)


def silent_threads() -> tuple[SilentReport, ...]:
    """Return the threads of this process that do not answer."""
    return tuple(
        SilentReport(thread=pulse.name, since_s=int(since_s), restarts=pulse.limit_s is not None)
        for pulse in silent()
        if (since_s := pulse.since_s) is not None
    )


def _iso(moment: datetime | None) -> str:
    """A moment as reports have it."""
    return "" if moment is None else f"{moment:%Y-%m-%dT%H:%M:%SZ}"
