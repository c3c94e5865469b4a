"""A record that is damaged: put aside as it is, and what can be read of it goes on in a new file.

Cards and power supplies fail; a board without a screen has nobody who would type a command before
the next game.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import count, takewhile
from pathlib import Path
from typing import Any, TypeAlias

from boardfw.errors import BoardError, NotationError
from boardfw.game.journal import Over, from_json
from boardfw.shell.store.database import (
    APPLICATION,
    BUSY_S,
    MIGRATIONS,
    open_database,
    told,
    transaction,
)
from boardfw.shell.store.learners import save_learners
from boardfw.shell.store.pages import rows

Row: TypeAlias = tuple[Any, ...]
"""Number, time and text of an entry, as in its table."""
LOG_SUFFIXES = ("-wal", "-shm")
"""What SQLite keeps beside a file that is open, or was when the power went."""

_EVERY_GAME = (
    "SELECT id, imported_as FROM games ORDER BY id",
    "SELECT id, imported_as FROM games ORDER BY id DESC",
    "SELECT game, NULL FROM entries ORDER BY game, number",
    "SELECT game, NULL FROM entries ORDER BY game DESC, number DESC",
)
"""Each may break off where a page is damaged: so from both ends, and of both tables."""
_ENTRIES = "SELECT number, at_ms, entry FROM entries WHERE game = ? ORDER BY number"


@dataclass(slots=True)
class Rescued:
    """What became of the games of a damaged record, by their numbers."""

    aside: Path
    """Where the damaged file is now, unchanged."""
    saved: list[int] = field(default_factory=list)
    """No fault was found with them. (A page may hide that more came after its last entry.)"""
    cut: list[int] = field(default_factory=list)
    """Their beginning could be read."""
    lost: list[int] = field(default_factory=list)
    answers: int = 0
    """Of learners, that could be read."""

    def count(self, number: int, *, has_entries: bool, is_all: bool) -> None:
        """One more game was read; one without an entry was deleted by its owner."""
        if is_all:
            self.saved += [number] * has_entries
        else:
            (self.cut if has_entries else self.lost).append(number)

    def told(self, path: Path) -> str:
        """A line for the owner."""
        parts = [f"{len(self.saved)} of its games were saved"]
        parts += [f"{_named(self.cut)} in part"] * bool(self.cut)
        parts += [f"{_named(self.lost)} could not be read"] * bool(self.lost)
        parts += [f"{self.answers} answers of learners were saved"] * bool(self.answers)
        return f"{path}: was damaged, and is now {self.aside}; {', '.join(parts)}"


def _named(numbers: list[int]) -> str:
    few = ", ".join(map(str, sorted(numbers)[:5]))
    return f"game {few}" if len(numbers) == 1 else f"games {few}{', ...' * (len(numbers) > 5)}"


def mend(path: Path) -> Rescued | None:
    """Replace a record that is damaged by what can be read of it; None: it is sound, or not there.

    Raises BoardError; then it is where it was.
    """
    if not path.exists() or not _is_damaged(path):
        return None
    part = path.with_name(f".{path.name}.part")
    try:
        rescued = _read_over(path, part)
        # A log that belongs to the damaged file must not be taken for one of the new file.
        for suffix in LOG_SUFFIXES:
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        part.replace(path)
    except OSError as error:
        raise BoardError(f"{path}: is damaged and cannot be saved: {error.strerror}") from error
    finally:
        with suppress(OSError):
            _remove(part)
    return rescued


def _read_over(path: Path, part: Path) -> Rescued:
    """The damaged file put aside, and a new one made of it; or neither is there."""
    aside = _free_name(path)
    try:
        _put_aside(path, aside)
        _remove(part)
        rescued = Rescued(aside)
        _fill(part, path, rescued)
    except BaseException:  # each try of a board that cannot start would leave another copy
        with suppress(OSError):
            _remove(aside)
        raise
    return rescued


def _is_damaged(path: Path) -> bool:
    """Whether it is a file that we know and SQLite finds fault with it."""
    with closing(_opened(path)) as connection:
        try:
            if connection.execute("PRAGMA application_id").fetchone() != (APPLICATION,):
                return False
            if connection.execute("PRAGMA user_version").fetchone()[0] > len(MIGRATIONS):
                return False  # what we cannot read of it is not damaged for that
            verdict: str = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        except UnicodeDecodeError:  # of what is told about the damage
            return True
        except sqlite3.DatabaseError as error:
            return error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_CORRUPT
    return verdict != "ok"


def _free_name(path: Path) -> Path:
    names = (path.with_name(f"{path.stem}.damaged-{n}{path.suffix}") for n in count(1))
    return next(name for name in names if not name.exists())


def _put_aside(path: Path, aside: Path) -> None:
    """A copy beside it, since the place of the record is never to be empty."""
    for suffix in ("", *LOG_SUFFIXES):
        with suppress(FileNotFoundError):
            copy = aside.with_name(aside.name + suffix)
            shutil.copy2(path.with_name(path.name + suffix), copy)
            with copy.open("rb") as file:  # before anything is taken away
                os.fsync(file.fileno())


def _remove(file: Path) -> None:
    for suffix in ("", *LOG_SUFFIXES):
        file.with_name(file.name + suffix).unlink(missing_ok=True)


def _fill(part: Path, path: Path, rescued: Rescued) -> None:
    """Write into a new file what the damaged one still tells. Raises BoardError."""
    with closing(_opened(path)) as damaged, closing(open_database(part)) as new:
        with suppress(sqlite3.DatabaseError):  # what stands in the log belongs to the pages
            damaged.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        content = path.read_bytes()
        pages = _rows_of(content)
        games = {**dict.fromkeys(pages), **_games(damaged)}
        with told(part), transaction(new):
            for number, imported_as in sorted(games.items()):
                new.execute("INSERT INTO games VALUES (?, ?)", (number, imported_as))
                entries, is_all = _entries(damaged, number, pages.get(number, {}))
                new.executemany(f"INSERT INTO entries VALUES ({number}, ?, ?, ?)", entries)
                rescued.count(number, has_entries=bool(entries), is_all=is_all)
            rescued.answers = save_learners(damaged, content, new)
        # Numbers are given one after the other, and a game that was deleted keeps its own.
        last = max(rescued.saved + rescued.cut, default=0)
        rescued.lost += set(range(1, last)) - set(games)


def _opened(path: Path) -> sqlite3.Connection:
    with told(path):
        return sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)


def _games(damaged: sqlite3.Connection) -> dict[int, int | None]:
    """Every game that the tables still name, and what it was imported as."""
    found: dict[int, int | None] = {}
    for query in _EVERY_GAME:
        with suppress(sqlite3.DatabaseError, UnicodeDecodeError):
            for number, imported_as in damaged.execute(query):
                if isinstance(number, int) and isinstance(imported_as, int | None):
                    found.setdefault(number, imported_as)
    return found


def _entries(
    damaged: sqlite3.Connection, game: int, pages: Mapping[int, Row]
) -> tuple[list[Row], bool]:
    """Entries without a gap from the first on; and whether nothing says that there were more.

    ``pages``: the same game's as the pages have them: a damaged table may lead to some of them, or
    seem empty. Raises nothing.
    """
    listed, is_read = {}, True
    try:
        listed = {row[0]: row for row in damaged.execute(_ENTRIES, (game,)) if _is_entry(row)}
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        is_read = False
    by_number = {**pages, **listed}
    entries = [by_number[n] for n in takewhile(by_number.__contains__, count())]
    ends = [told for _, _, entry in entries if isinstance(told := from_json(entry), Over)]
    has_end = bool(ends and ends[-1].result) or (is_read and len(listed) == len(by_number))
    return entries, has_end and len(entries) == len(by_number)


def _rows_of(content: bytes) -> dict[int, dict[int, Row]]:
    """The entries that stand on any page, by game and number."""
    found: dict[int, dict[int, Row]] = {}
    for row in rows(content):
        match row:
            case int(game), int(number), at_ms, entry if _is_entry((number, at_ms, entry)):
                found.setdefault(game, {})[number] = (number, at_ms, entry)
    return found


def _is_entry(row: tuple[Any, ...]) -> bool:
    number, at_ms, entry = row
    if not isinstance(number, int) or not isinstance(at_ms, int | None):
        return False
    try:
        from_json(entry)
    except (NotationError, TypeError):
        return False
    return True
