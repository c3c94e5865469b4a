"""Owners of the board, their sessions and codes, in the file of the games.

Of a session and of a code only a SHA-256 is here. Who restores a copy of the file restores them.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, TypeAlias

from boardfw.errors import BoardError, StorageError
from boardfw.services.web.roles import Role
from boardfw.services.web.sessions import Holder, Instant, Link, Offer
from boardfw.shell.files import identity, is_there
from boardfw.shell.outbox import Outbox, Words
from boardfw.shell.store.database import open_as_it_is, open_database, told, transaction

_TABLES = (
    """
    CREATE TABLE IF NOT EXISTS owners (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        since_ms INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE IF NOT EXISTS web_sessions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,  -- a number that has ended is not used again
        digest BLOB NOT NULL UNIQUE,
        role TEXT NOT NULL,
        name TEXT NOT NULL,
        created_ms INTEGER NOT NULL,           -- as the machine's clock showed it
        last_ms INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE IF NOT EXISTS web_session_ages (
        session INTEGER PRIMARY KEY,
        created_ran_ms INTEGER NOT NULL,       -- for how long the board had run by then
        last_ran_ms INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE IF NOT EXISTS web_time (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        ran_ms INTEGER NOT NULL                -- for how long the board has run
    ) STRICT
    """,
    """
    CREATE TABLE IF NOT EXISTS web_codes (
        digest BLOB PRIMARY KEY,
        role TEXT NOT NULL,
        ends_ms INTEGER                        -- NULL: when it is used
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE IF NOT EXISTS web_links (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        digest BLOB NOT NULL UNIQUE,
        name TEXT NOT NULL,
        delay_plies INTEGER NOT NULL,
        since_ms INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE IF NOT EXISTS web_watchers (
        session INTEGER PRIMARY KEY,           -- one that came by a link
        link INTEGER NOT NULL
    ) STRICT
    """,
)
_ALL_TABLES = (
    "owners",
    "web_sessions",
    "web_session_ages",
    "web_codes",
    "web_links",
    "web_watchers",
)
_AGES_OF_OLD = """
    INSERT OR IGNORE INTO web_session_ages
    SELECT id, ran_ms + created_ms - newest_ms, ran_ms + last_ms - newest_ms
    FROM web_sessions,
        (SELECT max(last_ms) AS newest_ms FROM web_sessions),
        (SELECT coalesce(max(ran_ms), 0) AS ran_ms FROM web_time)
"""
"""Versions before this one kept wall clocks only: by these the session used last was used now."""
_WITHOUT_AGE = """
    SELECT 1 FROM web_sessions WHERE id NOT IN (SELECT session FROM web_session_ages) LIMIT 1
"""
_SESSIONS = """
    SELECT s.id, s.role, s.name, s.created_ms, a.created_ran_ms, s.last_ms, a.last_ran_ms,
        w.link, l.delay_plies
    FROM web_sessions s
    JOIN web_session_ages a ON a.session = s.id
    LEFT JOIN web_watchers w ON w.session = s.id
    LEFT JOIN web_links l ON l.id = w.link
"""
PATIENCE_S = 5.0
"""How long a slow disk is waited for at the end."""
_LINKS = "SELECT id, name, delay_plies, since_ms FROM web_links"


_ADD_SESSION = """
    INSERT INTO web_sessions (id, digest, role, name, created_ms, last_ms) VALUES (?, ?, ?, ?, ?, ?)
"""
_ADD_LINK = """
    INSERT INTO web_links (id, digest, name, delay_plies, since_ms) VALUES (?, ?, ?, ?, ?)
"""
_KEEP_RAN = "INSERT OR REPLACE INTO web_time VALUES (1, ?)"
_NEXT = "SELECT ifnull(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = ?"
_COUNTED = ("web_sessions", "web_links")
"""Tables whose numbers are not used again."""
_MEANWHILE = "devices that are new are known in memory until then"
Statement: TypeAlias = tuple[str, tuple[object, ...]]


class SessionStore:
    """The sessions in a file, for any thread.

    What the disk does not take stays in memory, where it counts, and is written when the disk takes
    it. What may be read or changed raises BoardError where the file turns out to be damaged.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.RLock()
        self._unsaved: list[Statement] = []
        self._outbox: Outbox[None] | None = None
        """Where anything was ever unsaved."""
        self._file: tuple[int, int] | None = None
        """The identity of the file that is open; None: what is open is in memory."""
        self._connection = _in_memory()
        try:
            self._open()
        except BoardError as error:
            self._go_on_in_memory(error, _rows_of(path))

    @property
    def trouble(self) -> str:
        """Why what is new is in memory alone; empty: it is on the disk."""
        return self._outbox.trouble if self._outbox else ""

    def close(self) -> None:
        """Write what is unsaved, if the disk takes it now, and let go of the file."""
        if self._outbox:
            self._outbox.stop(PATIENCE_S)
        self._connection.close()

    def has_owner(self) -> bool:
        """Whether the board belongs to anybody."""
        return bool(self._rows("SELECT 1 FROM owners LIMIT 1"))

    def add_owner(self, name: str, now_ms: int) -> None:
        """The board belongs to somebody, or to one more."""
        self._change(("INSERT INTO owners (name, since_ms) VALUES (?, ?)", (name, now_ms)))

    def remove_owners(self) -> None:
        """The board belongs to nobody, and nobody is known any more."""
        self._change(*((f"DELETE FROM {table}", ()) for table in _ALL_TABLES))

    def add(
        self, digest: bytes, role: Role, name: str, now: Instant, link: int | None = None
    ) -> int:
        """Keep a session, which came by a link; its number."""
        with self._lock:
            number = self._next("web_sessions")
            session = number, digest, role.value, name, now.unix_ms, now.unix_ms
            age = "INSERT INTO web_session_ages VALUES (?, ?, ?)", (number, now.ran_ms, now.ran_ms)
            watches = [("INSERT INTO web_watchers VALUES (?, ?)", (number, link))] if link else []
            self._change((_ADD_SESSION, session), age, *watches)
        return number

    def find(self, digest: bytes) -> Holder | None:
        """The session with this digest."""
        rows = self._rows(f"{_SESSIONS} WHERE s.digest = ?", digest)
        return _holder(rows[0]) if rows else None

    def touch(self, number: int, now: Instant) -> None:
        """A session was used."""
        query = "UPDATE web_session_ages SET last_ran_ms = ? WHERE session = ?"
        self._change(
            ("UPDATE web_sessions SET last_ms = ? WHERE id = ?", (now.unix_ms, number)),
            (query, (now.ran_ms, number)),
        )

    def remove(self, number: int) -> bool:
        """End a session; whether there was one."""
        return self._change(
            ("DELETE FROM web_watchers WHERE session = ?", (number,)),
            ("DELETE FROM web_session_ages WHERE session = ?", (number,)),
            ("DELETE FROM web_sessions WHERE id = ?", (number,)),
        )

    def ran_ms(self) -> int:
        """Return for how long the board has run, as far as it was kept."""
        query = """
            SELECT max(ran_ms) FROM (
                SELECT ran_ms FROM web_time UNION SELECT last_ran_ms FROM web_session_ages
            )
        """
        return self._rows(query)[0][0] or 0

    def keep_ran(self, ran_ms: int) -> None:
        """Keep for how long the board has run."""
        with self._lock:  # the newest counts, however long it cannot be written
            self._unsaved = [one for one in self._unsaved if one[0] != _KEEP_RAN]
            self._change((_KEEP_RAN, (ran_ms,)))

    def all(self) -> list[Holder]:
        """Every session, in the order of their numbers."""
        return [_holder(row) for row in self._rows(f"{_SESSIONS} ORDER BY s.id")]

    def add_link(self, digest: bytes, name: str, delay_plies: int, now_ms: int) -> int:
        """Keep a link; its number."""
        with self._lock:
            number = self._next("web_links")
            self._change((_ADD_LINK, (number, digest, name, delay_plies, now_ms)))
        return number

    def find_link(self, digest: bytes) -> Link | None:
        """The link with this digest."""
        rows = self._rows(f"{_LINKS} WHERE digest = ?", digest)
        return Link(*rows[0]) if rows else None

    def links(self) -> list[Link]:
        """Every link, in the order of their numbers."""
        return [Link(*row) for row in self._rows(f"{_LINKS} ORDER BY id")]

    def remove_link(self, number: int) -> bool:
        """End a link and all sessions that came by it; whether there was one."""
        came_by = "(SELECT session FROM web_watchers WHERE link = ?)"
        return self._change(
            (f"DELETE FROM web_sessions WHERE id IN {came_by}", (number,)),
            (f"DELETE FROM web_session_ages WHERE session IN {came_by}", (number,)),
            ("DELETE FROM web_watchers WHERE link = ?", (number,)),
            ("DELETE FROM web_links WHERE id = ?", (number,)),
        )

    def offer(self, digest: bytes, offer: Offer) -> None:
        """Keep a code."""
        query = "INSERT INTO web_codes VALUES (?, ?, ?)"
        self._change((query, (digest, offer.role.value, offer.ends_ms)))

    def redeem(self, digest: bytes) -> Offer | None:
        """Take a code away; None: there is none."""
        rows = self._rows("SELECT role, ends_ms FROM web_codes WHERE digest = ?", digest)
        is_ours = rows and self._change(("DELETE FROM web_codes WHERE digest = ?", (digest,)))
        return Offer(Role(rows[0][0]), rows[0][1]) if is_ours else None

    def forget_codes(self) -> None:
        """Codes of runs that are over count no longer."""
        self._change(("DELETE FROM web_codes WHERE ends_ms IS NULL", ()))

    # --- in the file, or in memory

    def _rows(self, query: str, *values: object) -> list[Any]:
        with self._lock, told(self._path):
            self._follow()
            return self._connection.execute(query, values).fetchall()

    def _next(self, table: str) -> int:
        number: int = self._rows(_NEXT, table)[0][0]
        return number

    def _change(self, *statements: Statement) -> bool:
        """Do these together; whether the last of them has changed anything."""
        with self._lock:
            self._follow()
            try:
                return self._do(statements)
            except StorageError as error:
                with told(self._path):
                    self._go_on_in_memory(error, _rows_in(self._connection))
                return self._do(statements)

    def _do(self, statements: Iterable[Statement]) -> bool:
        statements = list(statements)
        count = 0
        with told(self._path), transaction(self._connection):
            for query, values in statements:
                count = self._connection.execute(query, values).rowcount
        if self._file is None:
            self._unsaved += statements
        return count > 0

    def _follow(self) -> None:
        """Where the record was deleted and written again, let go of the old file."""
        now = identity(self._path)
        if self._file and now and now != self._file:
            with suppress(StorageError):  # the next one tries again
                self._open()

    def _open(self) -> None:
        connection = open_database(self._path)
        try:
            with told(self._path), transaction(connection):
                _prepare(connection)
                for query, values in self._unsaved:
                    connection.execute(query, values)
        except BaseException:
            connection.close()
            raise
        self._unsaved.clear()
        self._connection.close()
        self._connection, self._file = connection, identity(self._path)

    def _go_on_in_memory(self, error: BoardError, rows: Mapping[str, list[Any]]) -> None:
        memory = _in_memory()
        for table, found in rows.items():
            for row in found:
                memory.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
        _prepare(memory)
        self._connection.close()
        self._connection, self._file = memory, None
        if self._outbox is None:
            said = Words(str(self._path), _MEANWHILE, "devices that are new are kept now")
            self._outbox = Outbox("sessions", self._write_unsaved, said)
            self._outbox.start(str(error))
        self._outbox.put()

    def _write_unsaved(self, _: list[None]) -> None:
        with self._lock:
            if self._file is None:
                self._open()


def _in_memory() -> sqlite3.Connection:
    memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    _prepare(memory)
    return memory


def _prepare(connection: sqlite3.Connection) -> None:
    for table in _TABLES:
        connection.execute(table)
    if connection.execute(_WITHOUT_AGE).fetchone():
        connection.execute(_AGES_OF_OLD)


def _rows_of(path: Path) -> Mapping[str, list[Any]]:
    """What a file holds that cannot be opened to be written.

    One that cannot be read at all belongs to somebody: a stranger must not take the board over. Its
    numbers are not known either, and new ones begin far behind them.
    """
    if not is_there(path):
        return {}
    try:
        with closing(open_as_it_is(path)) as connection:
            return _rows_in(connection)
    except BoardError:
        far = int(time.time())
        return {
            "owners": [(1, "", 0)],
            "sqlite_sequence": [(table, far) for table in _COUNTED],
        }


def _rows_in(connection: sqlite3.Connection) -> Mapping[str, list[Any]]:
    query = "SELECT name FROM sqlite_schema WHERE type = 'table'"
    there = {name for (name,) in connection.execute(query)} & {*_ALL_TABLES, "web_time"}
    rows = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in there}
    query = f"SELECT name, seq FROM sqlite_sequence WHERE name IN {_COUNTED}"
    return rows | ({"sqlite_sequence": connection.execute(query).fetchall()} if there else {})


def _holder(row: tuple[int, str, str, int, int, int, int, int | None, int | None]) -> Holder:
    number, role, name, created_ms, created_ran_ms, last_ms, last_ran_ms, link, delay_plies = row
    created, last = Instant(created_ms, created_ran_ms), Instant(last_ms, last_ran_ms)
    return Holder(number, Role(role), name, created, last, link, delay_plies or 0)
