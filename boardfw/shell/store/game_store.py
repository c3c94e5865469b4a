"""Games in the file: entries are added, and the game that is not over yet is found again."""

from __future__ import annotations

import logging
import os
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeAlias

from boardfw.errors import BoardError, NotationError, StorageError
from boardfw.game.chronicle import Chronicle, chronicle
from boardfw.game.journal import Entry, Noted, from_json, to_json
from boardfw.shell.files import identity, neighbour
from boardfw.shell.store.database import (
    FullError,
    open_database,
    sound_copy_of,
    told,
    transaction,
    write_again,
)
from boardfw.shell.store.game_traces import Taped, Tapes
from boardfw.shell.store.record_lock import Mark

log = logging.getLogger(__name__)

# An entry ends with a sum over itself and its place, so that a bit that flips on a failing card
# is found when it is read. Entries of files before version 5 have none.

Row: TypeAlias = tuple[int, int | None, bytes]
"""Of an entry: its number in its game, its time, and its text with the sum."""

_ADD_ROW = "INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)"
_ROWS = "SELECT number, at_ms, entry FROM entries WHERE game = ? ORDER BY number"

SUM = b"#%08x"
SUM_BYTES = 9


def with_sum(game: int, number: int, at_ms: int | None, text: bytes) -> bytes:
    """An entry as it stands in the file."""
    return text + SUM % _sum(game, number, at_ms, text)


def checked(game: int, number: int, at_ms: int | None, kept: bytes) -> Entry:
    """The entry that stands there so. Raises NotationError where it is damaged."""
    if not has_sum(kept):
        return from_json(kept)  # of an old file
    text, told = kept[:-SUM_BYTES], kept[-SUM_BYTES:]
    if told != SUM % _sum(game, number, at_ms, text):
        raise NotationError(f"entry {number} is damaged")
    return from_json(text)


def is_as_written(game: int, number: int, at_ms: object, kept: object) -> bool:
    """True if an entry has not changed on the disk: its checksum is right.

    One of an old file has none; it must be an entry at least.
    """
    if not isinstance(at_ms, int | None) or not isinstance(kept, bytes):
        return False
    if has_sum(kept):
        text = kept[:-SUM_BYTES]
        return kept[-SUM_BYTES:] == SUM % _sum(game, number, at_ms, text)
    try:
        from_json(kept)
    except NotationError:
        return False
    return True


def has_sum(kept: bytes) -> bool:
    """Whether an entry has a sum at all."""
    return kept[-SUM_BYTES : 1 - SUM_BYTES] == b"#"


def _sum(game: int, number: int, at_ms: int | None, text: bytes) -> int:
    return zlib.crc32(text, zlib.crc32(f"{game} {number} {at_ms}".encode()))


def new_game(connection: sqlite3.Connection, imported_as: int | None = None) -> int:
    """Make place for a game; its number. ``imported_as``: see the table."""
    made = connection.execute("INSERT INTO games (imported_as) VALUES (?)", (imported_as,))
    return made.lastrowid or 0


def add_entry(connection: sqlite3.Connection, game: int, at_ms: int | None, entry: Entry) -> Row:
    """Add an entry to a game; its row."""
    number = entries_of(connection, game)
    row = number, at_ms, with_sum(game, number, at_ms, to_json(entry))
    connection.execute(_ADD_ROW, (game, *row))
    return row


def entries_of(connection: sqlite3.Connection, game: int) -> int:
    """How many entries a game has; 0: the game does not exist or was deleted."""
    query = "SELECT ifnull(max(number) + 1, 0) FROM entries WHERE game = ?"
    count: int = connection.execute(query, (game,)).fetchone()[0]
    return count


def there_are(connection: sqlite3.Connection) -> str:
    """Which games are kept, for who named another one."""
    query = "SELECT count(DISTINCT game), min(game), max(game) FROM entries"
    count, first, last = connection.execute(query).fetchone()
    if not count:
        return "no games are kept there yet"
    games = "game is kept there, number" if count == 1 else f"games are kept there, from {first} to"
    return f"{count} {games} {last}"


def last_played(connection: sqlite3.Connection) -> int | None:
    """The number of the last game that was begun here, whether or not it was deleted."""
    query = "SELECT max(id) FROM games WHERE imported_as IS NULL"
    number: int | None = connection.execute(query).fetchone()[0]
    return number


def read_game(connection: sqlite3.Connection, path: Path, number: int) -> Chronicle:
    """A game of the file, by its number there. Raises BoardError."""
    try:
        with told(path):
            rows = connection.execute(_ROWS, (number,)).fetchall()
        return chronicle(in_order(number, rows))
    except NotationError as error:
        raise BoardError(f"{path}: game {number} cannot be read: {error}") from error


def in_order(game: int, rows: Iterable[tuple[int, int | None, bytes]]) -> list[Entry]:
    """A game's entries, of its rows in their order. Raises NotationError where one is damaged."""
    entries = []
    for expected, (number, at_ms, kept) in enumerate(rows):
        if number != expected:
            raise NotationError(f"entry {expected} is missing")
        entries.append(checked(game, number, at_ms, kept))
    return entries


_PARTS = ("", "-wal", "-shm", ".lock")
"""The files of a record that is open."""


def _identities(path: Path) -> tuple[tuple[int, int] | None, ...]:
    real = os.path.realpath(path)
    return tuple(identity(neighbour(real, part)) for part in _PARTS)


def wall_ms() -> int | None:
    """Now, of the epoch."""
    return time.time_ns() // 1_000_000


class Store:
    """One run's view of the file. Any thread may call it, one at a time.

    ``now_ms``: of the epoch; None where the clock is not known to be right.
    """

    def __init__(
        self,
        path: Path,
        now_ms: Callable[[], int | None],
        tape_bytes: int = 0,
        leave_word: Callable[[Mark], None] | None = None,
        opened: Callable[[Path], sqlite3.Connection] = open_database,
    ) -> None:
        """``tape_bytes``: of traces beside the file. Raises BoardError where it cannot be had.

        ``leave_word``: told what the file holds at least, whenever that is more. ``opened``: opens
        it; may raise StorageError, and is then called again by ``add``.
        """
        self.path = path
        self.trouble = ""
        """Why the file must be opened again before anything can be added; empty: it is open."""
        self._leave_word = leave_word
        self._tapes = Tapes(path, tape_bytes)
        self._now_ms = now_ms
        self._opened = opened
        self._files: tuple[tuple[int, int] | None, ...] = ()
        """Which files are open, in the order of ``_PARTS``."""
        self._games: dict[int, int] = {}
        """By the number of a game in this run, its number in the file."""
        self._last: int | None = None
        self._rows: list[Row] = []
        """The entries of that game, the last that was added to: what the file lost of it."""
        try:
            self._connection = opened(path)
            self._files = _identities(path)
        except StorageError as error:
            self._connection, self.trouble = sound_copy_of(path), str(error)

    @property
    def connection(self) -> sqlite3.Connection:
        """What is open now; another one after the file had to be opened again."""
        return self._connection

    def close(self) -> None:
        """Let go of the file. May be called twice."""
        self._connection.close()

    def add(self, noted: Iterable[Noted]) -> None:
        """Add entries, all or none; when this returns they are on the disk. Raises BoardError."""
        if self.is_gone():
            self._write_again()
        elif self.trouble:
            self._open_again()
        games, last, rows = dict(self._games), self._last, list(self._rows)
        try:
            with told(self.path), transaction(self._connection):
                for number, entry in noted:
                    if number not in games:
                        games[number] = new_game(self._connection)
                    game = games[number]
                    last, rows = game, rows if game == last else []
                    rows.append(add_entry(self._connection, game, self._now_ms(), entry))
        except FullError:
            raise
        except BoardError as error:  # the file may be damaged, or open for reading alone
            self.trouble = str(error)
            raise
        has_more, self._games = rows != self._rows, games
        self._last, self._rows = last, rows
        if last and has_more and self._leave_word:
            self._leave_word(Mark(last, len(rows)))

    def is_gone(self) -> bool:
        """True if somebody has deleted or replaced a file of the record while it is open."""
        now = _identities(self.path)
        pairs = zip(self._files, now, strict=False)
        return any(before and before != after for before, after in pairs)

    def _write_again(self) -> None:
        """Put the record, which is still open, in its place once more. Raises BoardError."""
        if not self.trouble:
            log.warning("%s: was deleted or replaced; it is written again", self.path)
        try:
            write_again(self._connection, self.path, self._files[0])
        except StorageError as error:
            self.trouble = str(error)
            raise
        except BoardError as error:  # it is damaged as well; what is in memory is written
            log.warning("%s", error)
        self._files = ()
        self._open_again()

    def _open_again(self) -> None:
        """Raises BoardError."""
        self.trouble = self.trouble or f"{self.path}: is being opened again"
        before, self._connection = self._connection, self._opened(self.path)
        before.close()
        self._restore()
        self._files, self.trouble = _identities(self.path), ""

    def _restore(self) -> None:
        """Let the file hold what it has lost of the last game. Raises BoardError."""
        if self._last is None:
            return
        with told(self.path), transaction(self._connection):
            if self._connection.execute(_ROWS, (self._last,)).fetchall() != self._rows:
                query = "INSERT OR IGNORE INTO games (id) VALUES (?)"
                self._connection.execute(query, (self._last,))
                rows = ((self._last, *row) for row in self._rows)
                self._connection.executemany(_ADD_ROW, rows)

    def number_of(self, game: int) -> int | None:
        """The number in the file of a game of this run; None: nothing of it was added yet."""
        return self._games.get(game)

    def tape(self, taped: Iterable[Taped]) -> None:
        """Write down more of the traces of games that have entries, as far as the disk has them."""
        for one in taped:
            self._tapes.add(self._games[one.game], one)

    def take_up(self, fits: Callable[[Chronicle], bool] = lambda _: True) -> Chronicle | None:
        """The last game, if it is not over; what is added to game 0 then goes on with it.

        Of the games that were played here, since a game from a file is not continued. ``fits``:
        asked of a game without a ply, of which nothing is lost. Raises BoardError.
        """
        number = self._last_played()
        game = None if number is None else read_game(self._connection, self.path, number)
        if number is None or game is None or game.is_over:
            return None
        is_played = game.record.moves or game.record.clock_sets
        if not is_played and not (game.replied and fits(game)):  # a game without a ply was none
            return None
        self._games[0] = self._last = number
        self._rows = self._connection.execute(_ROWS, (number,)).fetchall()
        return game

    def last(self) -> Chronicle | None:
        """The last game that was played here; None: there is none. Raises BoardError."""
        number = self._last_played()
        return None if number is None else read_game(self._connection, self.path, number)

    def _last_played(self) -> int | None:
        """Its number. Where it was deleted nothing is left to go on with, nor before it."""
        with told(self.path):
            number = last_played(self._connection)
            has_entries = number is not None and entries_of(self._connection, number)
        return number if has_entries else None
