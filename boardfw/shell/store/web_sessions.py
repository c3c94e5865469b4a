"""Owners of the board, their sessions and codes, in the file of the games.

Of a session and of a code only a SHA-256 is here. Who restores a copy of the file restores them.
"""

from __future__ import annotations

import threading
from pathlib import Path

from boardfw.services.web.roles import Role
from boardfw.services.web.sessions import Holder, Instant, Link, Offer
from boardfw.shell.store.database import open_database, told, transaction

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
_LINKS = "SELECT id, name, delay_plies, since_ms FROM web_links"


class SessionStore:
    """The sessions in a file, for any thread. All of it raises BoardError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._connection = open_database(path)
        with told(path):
            for table in _TABLES:
                self._connection.execute(table)
            if self._connection.execute(_WITHOUT_AGE).fetchone():
                self._connection.execute(_AGES_OF_OLD)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def has_owner(self) -> bool:
        """Whether the board belongs to anybody."""
        with self._lock, told(self._path):
            return self._connection.execute("SELECT 1 FROM owners").fetchone() is not None

    def add_owner(self, name: str, now_ms: int) -> None:
        """The board belongs to somebody, or to one more."""
        self._write("INSERT INTO owners (name, since_ms) VALUES (?, ?)", name, now_ms)

    def remove_owners(self) -> None:
        """The board belongs to nobody, and nobody is known any more."""
        with self._lock, told(self._path), transaction(self._connection):
            for table in _ALL_TABLES:
                self._connection.execute(f"DELETE FROM {table}")

    def add(
        self, digest: bytes, role: Role, name: str, now: Instant, link: int | None = None
    ) -> int:
        """Keep a session, which came by a link; its number."""
        query = """
            INSERT INTO web_sessions (digest, role, name, created_ms, last_ms)
            VALUES (?, ?, ?, ?, ?)
        """
        shown = (now.unix_ms, now.unix_ms)
        with self._lock, told(self._path), transaction(self._connection):
            cursor = self._connection.execute(query, (digest, role.value, name, *shown))
            number = cursor.lastrowid or 0
            age = "INSERT INTO web_session_ages VALUES (?, ?, ?)"
            self._connection.execute(age, (number, now.ran_ms, now.ran_ms))
            if link is not None:
                self._connection.execute("INSERT INTO web_watchers VALUES (?, ?)", (number, link))
        return number

    def find(self, digest: bytes) -> Holder | None:
        """The session with this digest."""
        query = f"{_SESSIONS} WHERE s.digest = ?"
        with self._lock, told(self._path):
            row = self._connection.execute(query, (digest,)).fetchone()
        return None if row is None else _holder(row)

    def touch(self, number: int, now: Instant) -> None:
        """A session was used."""
        with self._lock, told(self._path), transaction(self._connection):
            query = "UPDATE web_sessions SET last_ms = ? WHERE id = ?"
            self._connection.execute(query, (now.unix_ms, number))
            query = "UPDATE web_session_ages SET last_ran_ms = ? WHERE session = ?"
            self._connection.execute(query, (now.ran_ms, number))

    def remove(self, number: int) -> bool:
        """End a session; whether there was one."""
        with self._lock, told(self._path), transaction(self._connection):
            for table in ("web_watchers", "web_session_ages"):
                self._connection.execute(f"DELETE FROM {table} WHERE session = ?", (number,))
            query = "DELETE FROM web_sessions WHERE id = ?"
            return self._connection.execute(query, (number,)).rowcount > 0

    def ran_ms(self) -> int:
        """Return for how long the board has run, as far as it was kept."""
        query = """
            SELECT max(ran_ms) FROM (
                SELECT ran_ms FROM web_time UNION SELECT last_ran_ms FROM web_session_ages
            )
        """
        with self._lock, told(self._path):
            (ran_ms,) = self._connection.execute(query).fetchone()
        return ran_ms or 0

    def keep_ran(self, ran_ms: int) -> None:
        """Keep for how long the board has run."""
        self._write("INSERT OR REPLACE INTO web_time VALUES (1, ?)", ran_ms)

    def all(self) -> list[Holder]:
        """Every session, in the order of their numbers."""
        query = f"{_SESSIONS} ORDER BY s.id"
        with self._lock, told(self._path):
            return [_holder(row) for row in self._connection.execute(query)]

    def add_link(self, digest: bytes, name: str, delay_plies: int, now_ms: int) -> int:
        """Keep a link; its number."""
        query = "INSERT INTO web_links (digest, name, delay_plies, since_ms) VALUES (?, ?, ?, ?)"
        with self._lock, told(self._path), transaction(self._connection):
            cursor = self._connection.execute(query, (digest, name, delay_plies, now_ms))
        return cursor.lastrowid or 0

    def find_link(self, digest: bytes) -> Link | None:
        """The link with this digest."""
        with self._lock, told(self._path):
            row = self._connection.execute(f"{_LINKS} WHERE digest = ?", (digest,)).fetchone()
        return None if row is None else Link(*row)

    def links(self) -> list[Link]:
        """Every link, in the order of their numbers."""
        with self._lock, told(self._path):
            return [Link(*row) for row in self._connection.execute(f"{_LINKS} ORDER BY id")]

    def remove_link(self, number: int) -> bool:
        """End a link and all sessions that came by it; whether there was one."""
        came_by = "(SELECT session FROM web_watchers WHERE link = ?)"
        with self._lock, told(self._path), transaction(self._connection):
            self._connection.execute(f"DELETE FROM web_sessions WHERE id IN {came_by}", (number,))
            query = f"DELETE FROM web_session_ages WHERE session IN {came_by}"
            self._connection.execute(query, (number,))
            self._connection.execute("DELETE FROM web_watchers WHERE link = ?", (number,))
            query = "DELETE FROM web_links WHERE id = ?"
            return self._connection.execute(query, (number,)).rowcount > 0

    def offer(self, digest: bytes, offer: Offer) -> None:
        """Keep a code."""
        query = "INSERT INTO web_codes VALUES (?, ?, ?)"
        self._write(query, digest, offer.role.value, offer.ends_ms)

    def redeem(self, digest: bytes) -> Offer | None:
        """Take a code away; None: there is none."""
        with self._lock, told(self._path):
            # A wrong code must not wait for whoever writes, or keep them waiting.
            query = "SELECT 1 FROM web_codes WHERE digest = ?"
            if self._connection.execute(query, (digest,)).fetchone() is None:
                return None
        with self._lock, told(self._path), transaction(self._connection):
            query = "DELETE FROM web_codes WHERE digest = ? RETURNING role, ends_ms"
            row = self._connection.execute(query, (digest,)).fetchone()
        return None if row is None else Offer(Role(row[0]), row[1])

    def forget_codes(self) -> None:
        """Codes of runs that are over count no longer."""
        self._write("DELETE FROM web_codes WHERE ends_ms IS NULL")

    def _write(self, query: str, *values: object) -> int:
        with self._lock, told(self._path), transaction(self._connection):
            return self._connection.execute(query, values).rowcount


def _holder(row: tuple[int, str, str, int, int, int, int, int | None, int | None]) -> Holder:
    number, role, name, created_ms, created_ran_ms, last_ms, last_ran_ms, link, delay_plies = row
    created, last = Instant(created_ms, created_ran_ms), Instant(last_ms, last_ran_ms)
    return Holder(number, Role(role), name, created, last, link, delay_plies or 0)
