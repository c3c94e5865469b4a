"""Traces of the last games, beside their record: so much of them and no more.

They are for ``boardfw explain``. None is waited for and none is worth a ply: what the disk will
not have of them is left out, and the oldest make room.
"""

from __future__ import annotations

import io
import logging
import re
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from boardfw.errors import BoardError
from boardfw.game.course import Course
from boardfw.game.events import Event
from boardfw.game.phase import SettingUp
from boardfw.game.session import Session
from boardfw.notation.fen import format_fen
from boardfw.ports import BUTTONS
from boardfw.recording import SUFFIX, Press, Scan, TraceWriter

MOST = 1_000_000
"""Characters between two plies; a board that is shaken for days is no game."""


class Taped(NamedTuple):
    """More of the trace of a game.

    ``game``: as of ``Noted``. ``first``: after so many plies the trace begins. It is a new one
    where ``text`` begins with its head. ``end``: its last line, until there is more.
    """

    game: int
    first: int
    text: str
    end: str


class Tape:
    """Listens to what a session is told. A new trace begins where play begins or is resumed."""

    def __init__(self) -> None:
        self._course: Course | None = None
        self._stands: Scan | None = None
        self._text = io.StringIO()
        self._writer: TraceWriter | None = None
        self._first = 0
        self._began_us = 0

    def hear(self, event: Event, session: Session) -> None:
        """The session has taken an event."""
        if isinstance(event, Scan):
            self._stands = event
        if session.course is not self._course:
            self._begin(session)
        elif self._writer and self._text.tell() < MOST:
            self._write(self._writer, event)

    def cut(self, game: int, t_us: int) -> Taped:
        """What has been taken down since it was asked for last, until now."""
        text = self._text.getvalue()
        self._text.seek(0)
        self._text.truncate()
        end = f'{{"t":{t_us - self._began_us},"end":true}}\n'
        return Taped(game, self._first, text, end)

    def _begin(self, session: Session) -> None:
        self._course, self._writer = session.course, None
        self._text = io.StringIO()
        if isinstance(session.phase, SettingUp) or self._stands is None:
            return
        record = session.record
        self._first, self._began_us = len(record.moves), session.t_us
        self._writer = TraceWriter(
            self._text, format_fen(record.positions()[-1]), session.stuck.known
        )
        self._writer.scan(session.t_us, self._stands.occupancy)

    def _write(self, writer: TraceWriter, event: Event) -> None:
        if isinstance(event, Scan):
            writer.scan(event.t_us, event.occupancy, event.since_us)
        elif isinstance(event, Press) and event.button in BUTTONS:
            writer.button(event.t_us, event.button)


log = logging.getLogger(__name__)

_NAME = re.compile(r"(\d+)-(\d+)")
"""Number of the game in its record, and of the first ply that the trace tells."""


def tapes_beside(record: Path) -> Path:
    """The directory of the traces of a record."""
    return record.with_name(f"{record.stem}.traces")


def tapes_of(record: Path, game: int) -> dict[int, Path]:
    """The traces of a game by the first ply that each tells."""
    found = {}
    for path in tapes_beside(record).glob(f"{game}-*{SUFFIX}"):
        if name := _NAME.fullmatch(path.name.removesuffix(SUFFIX)):
            found[int(name[2])] = path
    return dict(sorted(found.items()))


def forget(record: Path, game: int) -> None:
    """Remove the traces of a game. Raises BoardError."""
    for path in tapes_of(record, game).values():
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise BoardError(f"{path}: cannot be removed: {error.strerror}") from error


class Tapes:
    """Writes traces, at most ``most`` bytes of them all; 0: none at all."""

    def __init__(self, record: Path, most: int) -> None:
        self._directory = tapes_beside(record)
        self._most = most
        self._path: Path | None = None
        """Which is being written; None: it cannot be."""
        self._length = 0
        """Bytes of it in front of its last line."""
        self._failed = False

    def add(self, number: int, taped: Taped) -> None:
        """More of the trace of the game that has this number in the record."""
        if not self._most or not taped.text:
            return
        path = self._directory / f"{number}-{taped.first + 1}{SUFFIX}"
        try:
            if taped.text.startswith('{"boardfw_trace"'):
                self._directory.mkdir(parents=True, exist_ok=True)
                self._path, self._length = path, 0
            if path == self._path:  # else its beginning could not be written
                self._write(path, taped)
                self._make_room()
        except OSError as error:
            if not self._failed:
                log.warning("%s: %s; games are kept without", self._directory, error.strerror)
            self._path, self._failed = None, True

    def _write(self, path: Path, taped: Taped) -> None:
        """Where the last line stood, it goes on."""
        text = taped.text.encode()
        with path.open("r+b" if self._length else "wb") as file:
            file.seek(self._length)
            file.write(text + taped.end.encode())
            file.truncate()
        self._length += len(text)

    def _make_room(self) -> None:
        """Remove the oldest; the newest too if it alone is too large."""
        paths = list(self._directory.glob(f"*{SUFFIX}"))
        tapes = sorted((path.stat().st_mtime_ns, path.stat().st_size, path) for path in paths)
        surplus = sum(size for _, size, _ in tapes) - self._most
        for _, size, path in tapes:
            if surplus <= 0:
                return
            with suppress(FileNotFoundError):
                path.unlink()
            surplus -= size
            if path == self._path:
                self._path = None
