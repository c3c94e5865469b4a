"""Games and their entries in the file, for whoever has it open.

An entry ends with a sum over itself and its place, so that a bit which flips on a failing card is
found when it is read. Entries of files before version 5 have none.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from boardfw.errors import BoardError, NotationError
from boardfw.game.chronicle import Chronicle, chronicle
from boardfw.game.journal import Entry, from_json, to_json
from boardfw.shell.store.database import told

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


def has_sum(kept: bytes) -> bool:
    """Whether an entry has a sum at all."""
    return kept[-SUM_BYTES : 1 - SUM_BYTES] == b"#"


def _sum(game: int, number: int, at_ms: int | None, text: bytes) -> int:
    return zlib.crc32(text, zlib.crc32(f"{game} {number} {at_ms}".encode()))


def new_game(connection: sqlite3.Connection, imported_as: int | None = None) -> int:
    """Make place for a game; its number. ``imported_as``: see the table."""
    made = connection.execute("INSERT INTO games (imported_as) VALUES (?)", (imported_as,))
    return made.lastrowid or 0


def add_entry(connection: sqlite3.Connection, game: int, at_ms: int | None, entry: Entry) -> int:
    """Add an entry to a game; how many it has then."""
    number = entries_of(connection, game)
    kept = with_sum(game, number, at_ms, to_json(entry))
    connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?)", (game, number, at_ms, kept))
    return number + 1


def entries_of(connection: sqlite3.Connection, game: int) -> int:
    """How many entries a game has; 0: there is no such game, or it was deleted."""
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
    query = "SELECT number, at_ms, entry FROM entries WHERE game = ? ORDER BY number"
    try:
        with told(path):
            rows = connection.execute(query, (number,)).fetchall()
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


def damaged_games(connection: sqlite3.Connection) -> Iterator[int]:
    """The games of which an entry is not as it was written."""
    query = "SELECT game, number, at_ms, entry FROM entries ORDER BY game, number"
    for game, rows in groupby(connection.execute(query), key=itemgetter(0)):
        try:
            in_order(game, [row[1:] for row in rows])
        except NotationError:
            yield game
