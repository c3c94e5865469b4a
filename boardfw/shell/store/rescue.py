"""A record that is damaged: put aside as it is, and what can be read of it goes on in a new file.

Cards and power supplies fail; a board without a screen has no user to type a command before
the next game.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import count, groupby, takewhile
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeAlias

from boardfw.errors import NotationError, refused_by_disk, why
from boardfw.game.journal import Over
from boardfw.shell.store.damaged_file import (
    DAMAGE,
    has_known_format,
    lost_commits,
    overlaid,
    put_header_right,
    read_log,
    right_header,
    rows,
)
from boardfw.shell.store.database import (
    APPLICATION,
    BUSY_S,
    FULL,
    HAS_ANSWERS,
    LOG_SUFFIXES,
    MIGRATIONS,
    NO_DAMAGE,
    NO_ROOM,
    FullError,
    as_it_stands,
    code_of,
    free_name,
    held_in_memory,
    is_twofold,
    open_database,
    told,
    transaction,
)
from boardfw.shell.store.game_store import checked, has_sum, in_order, with_sum
from boardfw.shell.store.learners import damaged_answers, save_learners
from boardfw.shell.store.record_lock import Mark, belongs_as

Row: TypeAlias = tuple[Any, ...]
"""Number, time and text of an entry, as in its table."""
GONE = "{path}: is not there, though games were kept in it"

_EVERY_GAME = (
    "SELECT id, imported_as FROM games ORDER BY id",
    "SELECT id, imported_as FROM games ORDER BY id DESC",
    "SELECT game, NULL FROM entries ORDER BY game, number",
    "SELECT game, NULL FROM entries ORDER BY game DESC, number DESC",
)
"""Each may break off where a page is damaged: so from both ends, and of both tables."""
_HOMELESS = "SELECT 1 FROM entries WHERE game NOT IN (SELECT id FROM games) LIMIT 1"
"""Entries of a game that is not told any more."""
_ENTRIES = "SELECT number, at_ms, entry FROM entries WHERE game = ? ORDER BY number"


@dataclass(slots=True)
class Rescued:
    """What became of the games of a damaged record, by their numbers."""

    aside: Path | None
    """Where the damaged file is now, unchanged; None: there was none any more."""
    lacks: Mark | None = None
    """What it should hold at least, if it is sound and only too short: it is left as it is."""
    is_header: bool = False
    """True if nothing but its header was damaged: that was put right, and nothing set aside."""
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
        if self.is_header:
            return f"{path}: its header was damaged, and was put right; nothing was lost"
        if self.aside is None and self.lacks is None:
            return GONE.format(path=path) + "; a board begins a new one"
        if self.lacks is not None:
            return self.lacks.lacking(path)
        were = "was" if len(self.saved) == 1 else "were"
        whole = "" if self.cut or self.lost else ", and no loss was found"
        parts = [f"{len(self.saved)} of its games {were} saved{whole}"]
        parts += [f"{named(self.cut)} in part"] * bool(self.cut)
        parts += [f"{named(self.lost)} could not be read"] * bool(self.lost)
        parts += [f"{self.answers} answers of learners were saved"] * bool(self.answers)
        return f"{path}: was damaged, and is now {self.aside}; {', '.join(parts)}"


def named(numbers: list[int]) -> str:
    """Return the first of these games by their numbers."""
    few = ", ".join(map(str, sorted(numbers)[:5]))
    return f"game {few}" if len(numbers) == 1 else f"games {few}{', ...' * (len(numbers) > 5)}"


def mend(path: Path, mark: Mark | None = None, *, thoroughly: bool = False) -> Rescued | None:
    """Replace a record that is damaged by what can be read of it; None: it is sound, or not there.

    ``mark``: what it held at least; None: unknown. ``thoroughly``: every entry is read. Raises
    BoardError, its FullError where the disk has no room; then it is where it was.
    """
    if path.is_symlink():  # what it leads to is replaced, and not the link
        path = Path(os.path.realpath(path))
    with told(path):
        if not path.exists():
            return None if mark is None else Rescued(None)
        if _is_header_damaged_alone(path, mark):
            put_header_right(path)
            return Rescued(None, is_header=True)
        if not _is_damaged(path, mark, thoroughly=thoroughly):
            return Rescued(None, mark) if mark and not _reaches(path, mark) else None
    part = path.with_name(f".{path.name}.part")
    try:
        rescued = _read_over(path, part, mark)
        # A log that belongs to the damaged file must not be taken for one of the new file.
        for suffix in LOG_SUFFIXES:
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        belongs_as(part, path)
        part.replace(path)
    except OSError as error:
        if error.errno in NO_ROOM:
            raise FullError(f"{path}: is damaged and cannot be saved: {FULL}") from error
        message = f"{path}: is damaged and cannot be saved: {why(error)}"
        raise refused_by_disk(message, error) from error
    finally:
        with suppress(OSError):
            _remove(part)
    return rescued


def _read_over(path: Path, part: Path, mark: Mark | None) -> Rescued:
    """The damaged file put aside, and a new one made of it; or neither is there."""
    aside = free_name(path, "damaged")
    try:
        _put_aside(path, aside)
        _remove(part)
        put_header_right(path)  # where nothing else is wrong, all its tables can be read
        rescued = Rescued(aside)
        _fill(part, path, rescued, mark)
    except BaseException:  # each try of a board that cannot start would leave another copy
        with suppress(OSError):
            _remove(aside)
        raise
    return rescued


def is_ours(path: Path) -> bool:
    """Whether a file says that it is one of boardfw. Raises BoardError where it cannot be had."""
    with closing(_opened(path)) as connection, suppress(*DAMAGE):
        return bool(connection.execute("PRAGMA application_id").fetchone() == (APPLICATION,))
    return False


def _reaches(path: Path, mark: Mark) -> bool:
    with told(path), closing(_opened(path)) as connection:
        return mark.is_reached(connection)


def _is_header_damaged_alone(path: Path, mark: Mark | None) -> bool:
    """True if a file loses nothing once those header fields are right that never differ.

    To set such a file aside would alarm its owner for nothing. A header in the log counts, and not
    the one in the file: that of a young record lacks what its first transaction wrote.
    """
    content, log = path.read_bytes(), read_log(path)
    header, read = right_header(content), overlaid(content, log, sound=True)
    if len(content) < len(header) or _loses(content, log, mark):
        return False
    if read.startswith(right_header(read)):
        return False
    righted = header + content[len(header) :]
    try:
        with closing(held_in_memory(overlaid(righted, log, sound=True))) as held:
            return (
                held.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
                and held.execute("PRAGMA user_version").fetchone()[0] <= len(MIGRATIONS)
                and not _has_fault(held, thoroughly=True)
                and (mark is None or mark.is_reached(held))
            )
    except DAMAGE:
        return False


def _is_damaged(path: Path, mark: Mark | None, *, thoroughly: bool) -> bool:
    """Whether it is a file of ours, as far as it can still be told, and something is wrong.

    ``mark``: games were kept in it, so it is ours whatever it looks like.
    """
    content = path.read_bytes()
    if _loses(content, read_log(path), mark):
        return True
    with closing(_opened(path)) as connection:
        try:
            connection.execute("BEGIN")  # one look: another program may bring it up meanwhile
            if connection.execute("PRAGMA application_id").fetchone() == (APPLICATION,):
                # SQLite would read it, and refuse each move.
                is_writable = has_known_format(content)
                return not is_writable or _has_fault(connection, thoroughly=thoroughly)
        except DAMAGE as error:
            if code_of(error) in NO_DAMAGE:
                return False
    return mark is not None or bool(_rows_of(content))


def _loses(content: bytes, log: bytes, mark: Mark | None) -> bool:
    """Whether SQLite would not read what was kept in a log; the last commit may never have been."""
    lost = lost_commits(log)
    if lost != 1 or mark is None:
        return lost > 1
    kept = _rows_of(overlaid(content, log, sound=True))
    return len(kept.get(mark.game, ())) < mark.entries


def _has_fault(connection: sqlite3.Connection, *, thoroughly: bool) -> bool:
    """Raises sqlite3.DatabaseError, which is a fault as well."""
    if not is_twofold(connection):
        return True
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > len(MIGRATIONS):
        return False  # what we cannot read of it is not damaged for that
    if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        return True
    if not is_laid_out(connection):
        return True
    if connection.execute(_HOMELESS).fetchone():
        return True
    if thoroughly and version >= HAS_ANSWERS and damaged_answers(connection):
        return True
    last = connection.execute("SELECT max(game) FROM entries").fetchone()[0]
    where = "TRUE" if thoroughly else f"game = {last or 0}"
    query = f"SELECT game, number, at_ms, entry FROM entries WHERE {where} ORDER BY game, number"
    games = groupby(connection.execute(query), key=itemgetter(0))
    return not all(_is_whole(game, [row[1:] for row in rows]) for game, rows in games)


def is_laid_out(connection: sqlite3.Connection) -> bool:
    """True if each table is as its version made it. Raises sqlite3.DatabaseError."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    with closing(sqlite3.connect(":memory:")) as fresh:
        for statements in MIGRATIONS[:version]:
            for statement in statements:
                fresh.execute(statement)
        names = [name for (name,) in fresh.execute("SELECT name FROM sqlite_schema")]
        return all(_layout(fresh, name) == _layout(connection, name) for name in names)


def _layout(connection: sqlite3.Connection, table: str) -> list[tuple[object, ...]]:
    """Return all that SQLite knows of a table: a flipped bit may make each move impossible."""
    asked = (f"PRAGMA {what}({table})" for what in ("table_info", "foreign_key_list", "table_list"))
    return [row for query in asked for row in connection.execute(query)]


def _is_whole(game: int, rows: list[Row]) -> bool:
    try:
        in_order(game, rows)
    except NotationError:
        return False
    return True


def _put_aside(path: Path, aside: Path) -> None:
    """A copy beside it, since the place of the record is never to be empty."""
    for suffix in ("", *LOG_SUFFIXES):
        with suppress(FileNotFoundError):
            copy = aside.with_name(aside.name + suffix)
            shutil.copy2(path.with_name(path.name + suffix), copy)
            with copy.open("rb") as file:  # before anything is taken away
                os.fsync(file.fileno())
            belongs_as(copy, path)


def _remove(file: Path) -> None:
    for suffix in ("", *LOG_SUFFIXES):
        file.with_name(file.name + suffix).unlink(missing_ok=True)


def _fill(part: Path, path: Path, rescued: Rescued, mark: Mark | None) -> None:
    """Write into a new file what the damaged one still tells. Raises BoardError."""
    with closing(_opened(path)) as damaged, closing(open_database(part)) as new:
        with suppress(*DAMAGE):  # what stands in the log belongs to the pages
            damaged.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        content = path.read_bytes()
        pages = _rows_of(content)
        if rescued.aside is not None:  # as it was before SQLite had read the log, and put it away
            before = overlaid(rescued.aside.read_bytes(), read_log(rescued.aside))
            for number, more in _rows_of(before).items():
                pages[number] = {**more, **pages.get(number, {})}
        games = {**dict.fromkeys(pages), **_games(damaged)}
        with told(part), transaction(new):
            for number, imported_as in sorted(games.items()):
                new.execute("INSERT INTO games VALUES (?, ?)", (number, imported_as))
                entries, is_all = _entries(damaged, number, pages.get(number, {}))
                new.executemany(
                    f"INSERT INTO entries VALUES ({number}, ?, ?, ?)",
                    (_summed(number, row) for row in entries),
                )
                rescued.count(number, has_entries=bool(entries), is_all=is_all)
            rescued.answers = save_learners(damaged, content, new)
        # Numbers are given one after the other, and a game that was deleted keeps its own.
        last = max([*rescued.saved, *rescued.cut, mark.game if mark else 0])
        rescued.lost += set(range(1, last + 1)) - set(games)


def _opened(path: Path) -> sqlite3.Connection:
    """The file; while SQLite cannot read it for want of room or rights, a copy in memory."""
    with told(path):
        connection = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)
        try:
            connection.execute("PRAGMA application_id")
        except DAMAGE as error:
            if code_of(error) in NO_DAMAGE:
                connection.close()
                return as_it_stands(path)
        return connection


def _games(damaged: sqlite3.Connection) -> dict[int, int | None]:
    """Every game that the tables still name, and what it was imported as."""
    found: dict[int, int | None] = {}
    for query in _EVERY_GAME:
        with suppress(*DAMAGE):
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
        rows = damaged.execute(_ENTRIES, (game,))
        listed = {row[0]: row for row in rows if _is_entry(game, row)}
    except DAMAGE:
        is_read = False
    by_number = {**pages, **listed}
    entries = [by_number[n] for n in takewhile(by_number.__contains__, count())]
    told = [checked(game, *row) for row in entries]
    ends = [one for one in told if isinstance(one, Over)]
    has_end = bool(ends and ends[-1].result) or (is_read and len(listed) == len(by_number))
    return entries, has_end and len(entries) == len(by_number)


def _rows_of(content: bytes) -> dict[int, dict[int, Row]]:
    """The entries that stand on any page, by game and number."""
    found: dict[int, dict[int, Row]] = {}
    for row in rows(content):
        match row:
            case int(game), int(number), at_ms, entry if _is_entry(game, (number, at_ms, entry)):
                found.setdefault(game, {})[number] = (number, at_ms, entry)
    return found


def _summed(game: int, row: Row) -> Row:
    """The row as it stands in a file of ours; one of an old file has no sum yet."""
    number, at_ms, entry = row
    return number, at_ms, entry if has_sum(entry) else with_sum(game, number, at_ms, entry)


def _is_entry(game: int, row: tuple[Any, ...]) -> bool:
    number, at_ms, entry = row
    if not isinstance(number, int) or not isinstance(at_ms, int | None):
        return False
    try:
        checked(game, number, at_ms, entry)
    except (NotationError, TypeError):
        return False
    return True
