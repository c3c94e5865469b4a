"""Cards are made when games are searched, and never while a ply is written down.

SD cards wear: a ply writes its entry and nothing else.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from boardfw.errors import NotationError
from boardfw.game.chronicle import chronicle
from boardfw.shell.collection.game_summary import UNKNOWN_DATE, GameSummary, summary_of
from boardfw.shell.store.database import told, transaction
from boardfw.shell.store.game_store import in_order

BATCH = 200
"""Games that are written at once. A board that plays into the same file waits that long."""

_TABLES = {
    "cards": """CREATE TABLE cards (
        game INTEGER PRIMARY KEY REFERENCES games,
        entries INTEGER NOT NULL,  -- of which it was made; there are more: it is stale
        date TEXT NOT NULL,        -- as far as it is known: 2026-11-05, 2026-11, 2026
        white TEXT NOT NULL,
        black TEXT NOT NULL,
        result TEXT NOT NULL,
        plies INTEGER NOT NULL,
        first_moves TEXT NOT NULL,
        opening TEXT NOT NULL,     -- what tags say of it, else its moves
        digest INTEGER NOT NULL,   -- of tags, start, moves and result
        checksum INTEGER NOT NULL  -- of all that stands before it
    ) STRICT""",
    "texts": """CREATE TABLE texts (
        game INTEGER PRIMARY KEY REFERENCES games,
        pgn TEXT NOT NULL,
        checksum INTEGER NOT NULL
    ) STRICT""",
    "keys": """CREATE TABLE keys (
        game INTEGER PRIMARY KEY REFERENCES games,
        keys BLOB NOT NULL         -- eight bytes for each position, the start first
    ) STRICT""",
}
"""Three of them, since a search reads the whole of one: the keys of 10,000 games are 6 MB.

They are no part of what a migration makes of a file: who only plays never pays for them. Tables
that are not laid out as these, to the letter, are of another version: they are made again.
"""
_COLUMNS = ("game", *GameSummary.__slots__[:-2])


def _bytes(*columns: str) -> str:
    """Values as they lie there, in SQL: what is damaged may be no text."""
    return ", ".join(f"CAST({column} AS BLOB)" for column in columns)


_STALE = f"""
SELECT id FROM games LEFT JOIN cards ON cards.game = id
WHERE cards.entries IS NOT (
    SELECT number + 1 FROM entries WHERE entries.game = id ORDER BY number DESC LIMIT 1
) OR checksum IS NOT checksum_of({_bytes(*_COLUMNS)}) AND game NOT NULL
"""
"""A look at each game's last entry; ``max`` would take half as long again."""
_BAD_TEXTS = f"SELECT game FROM texts WHERE checksum IS NOT checksum_of({_bytes('game', 'pgn')})"
_ENTRIES = """
SELECT number, at_ms, entry, imported_as FROM entries JOIN games ON id = game
WHERE game = ? ORDER BY number
"""


def make_tables(connection: sqlite3.Connection) -> None:
    """Make place for cards where there is none yet."""
    connection.create_function("checksum_of", -1, _checksum, deterministic=True)
    query = f"SELECT {_bytes('name', 'sql')} FROM sqlite_schema WHERE type = 'table'"
    there = dict(connection.execute(query).fetchall())
    if all(there.get(name.encode()) == table.encode() for name, table in _TABLES.items()):
        return
    with transaction(connection):
        for name, table in _TABLES.items():
            connection.execute(f"DROP TABLE IF EXISTS {name}")
            connection.execute(table)


def stale_games(connection: sqlite3.Connection) -> list[int]:
    """Games without a card, and those to which something was added since theirs was made.

    Those as well whose card is damaged.
    """
    return [number for (number,) in connection.execute(_STALE)]


def damaged_texts(connection: sqlite3.Connection) -> list[int]:
    """Games of which the text is damaged; their cards are to be renewed."""
    return [number for (number,) in connection.execute(_BAD_TEXTS)]


def _checksum(*values: bytes) -> int:
    """Of the values of a row as bytes; every one of them counts, and where it ends."""
    return zlib.crc32(repr(values).encode())


def _sum_of(*row: object) -> int:
    """The same, of what is written."""
    return _checksum(*(str(value).encode() for value in row))


def renew(
    connection: sqlite3.Connection, path: Path, numbers: Sequence[int]
) -> Iterator[str | None]:
    """Make the cards of these games; for each of them what is wrong with it, None: nothing.

    Raises BoardError where the disk will not have them.
    """
    for first in range(0, len(numbers), BATCH):
        cards: dict[int, GameSummary | None] = {}
        for number in numbers[first : first + BATCH]:
            try:
                with told(path):
                    cards[number] = _card(connection, number)
            except NotationError as error:
                yield f"{path}: game {number} cannot be read: {error}"
            else:
                yield None
        with told(path), transaction(connection):
            for number, card in cards.items():
                if card is None:
                    remove_card(connection, number)
                else:
                    put_card(connection, number, card)


def put_card(connection: sqlite3.Connection, number: int, card: GameSummary) -> None:
    """Put down a card in place of the one before."""
    *plain, text, keys = (getattr(card, name) for name in GameSummary.__slots__)
    row = (number, *plain)
    marks = ", ".join("?" * len(row))
    connection.execute(f"REPLACE INTO cards VALUES ({marks}, ?)", (*row, _sum_of(*row)))
    told = (number, text)
    connection.execute("REPLACE INTO texts VALUES (?, ?, ?)", (*told, _sum_of(*told)))
    connection.execute("REPLACE INTO keys VALUES (?, ?)", (number, keys))


def remove_card(connection: sqlite3.Connection, number: int) -> None:
    """Leave none."""
    for table in ("cards", "texts", "keys"):
        connection.execute(f"DELETE FROM {table} WHERE game = ?", (number,))


def _card(connection: sqlite3.Connection, number: int) -> GameSummary | None:
    """None: it was deleted just now. Raises NotationError where the entries tell no game."""
    rows = connection.execute(_ENTRIES, (number,)).fetchall()
    if not rows:
        return None
    _, at_ms, _, imported_as = rows[0]
    day = _day(at_ms) if imported_as is None else UNKNOWN_DATE
    entries = in_order(number, (row[:3] for row in rows))
    return summary_of(chronicle(entries), len(rows), day)


def _day(at_ms: int | None) -> str:
    """The day of an instant where the board stands, as PGN writes it."""
    if at_ms is None:
        return UNKNOWN_DATE
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC).astimezone():%Y.%m.%d}"
