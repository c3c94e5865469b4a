"""Reads every game's entries for damage: when a board starts, it reads the last game only.

A bit that flips in the text of an earlier game is no damage to SQLite. Only the checksum of that
entry shows it, and to read all of them at the start would keep the players waiting.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from boardfw.errors import BoardError
from boardfw.shell.store.database import DAMAGED, code_of, told
from boardfw.shell.store.game_store import is_as_written
from boardfw.shell.store.rescue import named

log = logging.getLogger(__name__)

SLICE_BYTES = 10_000
"""Read at once, some 100 entries: half a millisecond on a laptop, so neither a ply nor a light
waits for it."""
DAY_S = 86_400.0
"""After this time a check begins again, on a board that is never switched off."""
_BEGINNING = (0, -1)
_ENTRIES = """
SELECT game, number, at_ms, entry FROM entries WHERE (game, number) > (?, ?) ORDER BY game, number
"""


class Reading:
    """One reading of all entries of a record, slice by slice."""

    def __init__(self, path: Path) -> None:
        self.damaged: set[int] = set()
        """The games of which an entry is missing, or not as it was written."""
        self._path = path
        self._last = _BEGINNING
        """Game and number of the last entry that was read."""

    def read_slice(self, connection: sqlite3.Connection) -> bool:
        """Read some more entries; True if they were the last. Raises BoardError."""
        size = 0
        with told(self._path), closing(connection.execute(_ENTRIES, self._last)) as rows:
            for game, number, at_ms, entry in rows:
                self._check(game, number, at_ms, entry)
                size += len(entry) if isinstance(entry, bytes) else 0
                if size >= SLICE_BYTES:
                    return False
        return True

    def _check(self, game: object, number: object, at_ms: object, entry: object) -> None:
        if not isinstance(game, int) or not isinstance(number, int) or (game, number) <= self._last:
            raise BoardError(f"{self._path}: {DAMAGED}")  # of an order that leads in a circle, too
        last_game, last_number = self._last
        expected = last_number + 1 if game == last_game else 0
        if number != expected or not is_as_written(game, number, at_ms, entry):
            self.damaged.add(game)
        self._last = game, number


def damaged_games(connection: sqlite3.Connection, path: Path) -> set[int]:
    """Return the games of which an entry is missing or not as it was written. Raises BoardError."""
    reading = Reading(path)
    while not reading.read_slice(connection):
        pass
    return reading.damaged


def damage_report(path: Path, games: set[int]) -> str:
    """Return a line that names these damaged games; empty: there are none."""
    if not games:
        return ""
    are = "is" if len(games) == 1 else "are"
    return (
        f"{path}: {named(list(games))} {are} damaged; when no board plays, 'boardfw games rescue' "
        "saves what can be read"
    )


class RecordCheck:
    """Checks a record while a board plays, a slice in each turn, in the record's thread."""

    def __init__(self, path: Path, now_s: Callable[[], float] = time.monotonic) -> None:
        self.damage = ""
        """A line on damaged games, and what to do; empty: none is known to be damaged."""
        self._path = path
        self._now_s = now_s
        self._connection: sqlite3.Connection | None = None
        self._reading = Reading(path)
        self._due_s = 0.0

    def go_on(self, connection: sqlite3.Connection) -> bool:
        """Read another slice; True if ``damage`` has changed.

        The first turn with a connection begins from the first entry.
        """
        if connection is not self._connection:
            self._connection, self._due_s = connection, 0.0
            self._reading = Reading(self._path)
        if self._now_s() < self._due_s:
            return False
        try:
            if not self._reading.read_slice(connection):
                return False
            damage = damage_report(self._path, self._reading.damaged)
        except BoardError as error:
            if isinstance(cause := error.__cause__, sqlite3.Error) and (
                code_of(cause) == sqlite3.SQLITE_BUSY
            ):
                return False  # another program holds the file: the next turn tries again
            damage = str(error)
        self._due_s = self._now_s() + DAY_S
        self._reading = Reading(self._path)
        return self._report(damage)

    def _report(self, damage: str) -> bool:
        if damage == self.damage:
            return False
        if damage:
            log.error("%s", damage)
        self.damage = damage
        return True
