"""Games and their entries in the file, for whoever has it open."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from boardfw.errors import BoardError, NotationError
from boardfw.game.chronicle import Chronicle, chronicle
from boardfw.game.journal import Entry, from_json, to_json
from boardfw.shell.store.database import told


def new_game(connection: sqlite3.Connection, imported_as: int | None = None) -> int:
    """Make place for a game; its number. ``imported_as``: see the table."""
    made = connection.execute("INSERT INTO games (imported_as) VALUES (?)", (imported_as,))
    return made.lastrowid or 0


def add_entry(connection: sqlite3.Connection, game: int, at_ms: int | None, entry: Entry) -> None:
    """Add an entry to a game."""
    connection.execute(
        "INSERT INTO entries "
        "VALUES (?1, (SELECT ifnull(max(number) + 1, 0) FROM entries WHERE game = ?1), ?2, ?3)",
        (game, at_ms, to_json(entry)),
    )


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
    query = "SELECT entry FROM entries WHERE game = ? ORDER BY number"
    try:
        with told(path):
            rows: list[tuple[bytes]] = connection.execute(query, (number,)).fetchall()
        return chronicle(from_json(entry) for (entry,) in rows)
    except NotationError as error:
        raise BoardError(f"{path}: game {number} cannot be read: {error}") from error
