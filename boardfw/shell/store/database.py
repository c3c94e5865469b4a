"""The file: its layout, its versions, and what is said when the disk will not have it.

Every ply is on the disk before its light confirms it, so each commit is synchronous; the
write-ahead log makes that one sync a ply. Entries lie in the order of their games: a ply writes
one page of the log, and one of the file when that is folded in.
"""

from __future__ import annotations

import errno
import logging
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from urllib.parse import quote

from boardfw.errors import BoardError, StorageError, refused_by_disk, why
from boardfw.shell.files import identity, neighbour, place_for
from boardfw.shell.store.damaged_file import DAMAGE, is_broken_off, log_of, overlaid, read_log
from boardfw.shell.store.record_lock import belongs_as, is_played, left_word

log = logging.getLogger(__name__)

APPLICATION = 0x626F6172
"""Of SQLite's header: "boar". It tells our files from those of other programs."""
MIGRATIONS = (
    (
        """
        CREATE TABLE games (
            id INTEGER PRIMARY KEY
        ) STRICT
        """,
        """
        CREATE TABLE entries (
            game INTEGER NOT NULL REFERENCES games,
            number INTEGER NOT NULL,  -- within its game, from 0
            at_ms INTEGER,            -- of the epoch; NULL: nobody knew what time it was
            entry BLOB NOT NULL,      -- JSON, see boardfw.game.journal
            PRIMARY KEY (game, number)
        ) STRICT, WITHOUT ROWID
        """,
    ),
    (
        # Of a game from a file the digest that its card had then; NULL: it was played here.
        "ALTER TABLE games ADD COLUMN imported_as INTEGER",
    ),
    # Entries may be an arbiter's rulings: to a program that does not know them the game would
    # be damaged, so it is told that the file is newer than itself.
    (),
    (
        """
        CREATE TABLE profiles (
            name TEXT NOT NULL PRIMARY KEY,
            created_ms INTEGER        -- of the epoch; NULL: nobody knew what time it was
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE answers (
            profile TEXT NOT NULL,    -- a name in profiles, or the guest's
            number INTEGER NOT NULL,  -- of the profile, from 0
            exercise TEXT NOT NULL,
            variant TEXT NOT NULL,
            asked_at_ms INTEGER NOT NULL,  -- of the epoch, as the machine's clock showed it
            first_answer_ms INTEGER,  -- since then; NULL: there was none
            errors INTEGER NOT NULL,
            helps INTEGER NOT NULL,
            result TEXT NOT NULL,     -- see boardfw.learning.answer_log
            unsure INTEGER NOT NULL,  -- 1: nobody vouched for the clock, or it was set back
            PRIMARY KEY (profile, number)
        ) STRICT, WITHOUT ROWID
        """,
    ),
    # From here on an entry ends with its sum (``game_store.py``), and the file tells its version
    # twice: a bit that flips in its header makes no newer file of it.
    ("CREATE TABLE versions (version INTEGER PRIMARY KEY) STRICT",),
    # An answer, too, has a sum (``learners.py``); NULL: it was written before.
    ("ALTER TABLE answers ADD COLUMN sum INTEGER",),
    # Entries may tell of an opponent that is not at the board, unknown to a program before that.
    (),
    # A game from a file may lack times, and may have annotations, unknown to a program before that.
    (),
)
"""What makes a file of each version one of the next; the first makes one of nothing."""
TELLS_TWICE = 5
"""From this version on ``versions`` tells it as well."""
HAS_ANSWERS = 4
"""From this version on there are answers of learners."""
BUSY_S = 2.0
"""So long another program that reads the file is waited for."""
UPGRADE_BUSY_S = 60.0
"""And one that brings it to our version: before that, it copies all of it."""

_KEPT = ".before-upgrade"
"""How the name goes on of a file as it was before it was brought to a new version."""

LOG_SUFFIXES = ("-wal", "-shm")
"""What SQLite keeps beside a file that is open, or was when the power went."""
FULL = "the disk is full; make room"
NO_ROOM = {errno.ENOSPC, errno.EDQUOT}
DAMAGED = "it is damaged; 'boardfw games rescue' saves what can be read"
_FOREIGN = "it is no file of boardfw; name another one"
_FOR_NOW = {
    sqlite3.SQLITE_READONLY: "it may not be written to; look at its owner, and whether the disk "
    "is mounted read-only",
    sqlite3.SQLITE_PERM: "no permission; look at its owner",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; look at its directory and who owns it",
    sqlite3.SQLITE_BUSY: "another program holds it; end that one",
    sqlite3.SQLITE_IOERR: "the disk fails; save what is on it",
}
"""What is in the way while nothing is wrong with the file; by the low byte of SQLite's codes."""
NO_DAMAGE = frozenset((*_FOR_NOW, sqlite3.SQLITE_FULL))
"""Codes that say nothing about what the file holds."""


class FullError(StorageError):
    """The disk has no room; what could not be written may be tried again."""


def code_of(error: Exception) -> int:
    """SQLite's result code without its details; 0: it is no error of SQLite's own."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def is_full(error: Exception) -> bool:
    """Whether SQLite found no room: for a page, or for its index of the log, also to read it."""
    code = getattr(error, "sqlite_errorcode", 0)
    return code == sqlite3.SQLITE_IOERR_SHMSIZE or code_of(error) == sqlite3.SQLITE_FULL


def open_database(path: Path) -> sqlite3.Connection:
    """The file, made or brought to our version. Raises BoardError with a line for the user."""
    place_for(path)
    with told(path):
        check_log(path)
        # Which thread works with it is the caller's concern: one at a time does.
        connection = sqlite3.connect(
            path, timeout=BUSY_S, isolation_level=None, check_same_thread=False
        )
    try:
        with told(path):
            prepare(connection, path, keep=True)
    except BaseException:
        connection.close()
        raise
    return connection


def check_log(path: Path) -> None:
    """Raises BoardError where opening the file would lose, without a word, what its log holds.

    The log of a record that is played is sound, and to look it through takes a second on a laptop.
    """
    if not log_of(path).exists() or is_played(path):
        return
    if is_broken_off(read_log(path)) and not is_played(path):  # by now
        raise BoardError(f"{path}: {DAMAGED}")


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Let what SQLite has to say become one line for the user.

    Raises BoardError: its StorageError where the disk is in the way, its FullError where that is
    full.
    """
    try:
        yield
    except OSError as error:
        if error.errno in NO_ROOM:
            raise FullError(f"{path}: {FULL}") from error
        raise refused_by_disk(f"{path}: {why(error)}", error) from error
    except (sqlite3.Error, UnicodeDecodeError) as error:  # what is damaged is no text either
        if is_full(error):
            raise FullError(f"{path}: {FULL}") from error
        # What is no text has no code of SQLite's, which gives it away as it lies there.
        is_no_text = isinstance(error, UnicodeDecodeError | sqlite3.OperationalError)
        broken = sqlite3.SQLITE_CORRUPT if is_no_text else 0
        code = getattr(error, "sqlite_errorcode", broken) & 0xFF
        if code in _FOR_NOW:
            raise StorageError(f"{path}: {_FOR_NOW[code]}") from error
        remedies = {sqlite3.SQLITE_NOTADB: _foreign(path), sqlite3.SQLITE_CORRUPT: DAMAGED}
        raise BoardError(f"{path}: {remedies.get(code, error)}") from error


def _foreign(path: Path) -> str:
    """What to do about a file that does not look like ours: games may have been kept in it."""
    return _FOREIGN if left_word(path) is None else DAMAGED


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """What is done inside is done whole or not at all, and is on the disk afterwards."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def prepare(connection: sqlite3.Connection, path: Path, *, keep: bool = False) -> None:
    """Bring what was opened to our version. Raises BoardError where it is none of our files.

    ``keep``: as it was before, it stays beside the file.
    """
    connection.execute("BEGIN")  # one look at all of it: another program may bring it up meanwhile
    try:
        _check(connection, path)
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")  # what was deleted never comes back
    if _pragma(connection, "user_version") < len(MIGRATIONS):
        connection.execute(f"PRAGMA busy_timeout = {UPGRADE_BUSY_S * 1000:.0f}")
        _bring_up(connection, path, keep=keep)
        connection.execute(f"PRAGMA busy_timeout = {BUSY_S * 1000:.0f}")


def _bring_up(connection: sqlite3.Connection, path: Path, *, keep: bool) -> None:
    kept = None
    with transaction(connection):  # another program may have done it before it was our turn
        version = _pragma(connection, "user_version")
        if keep and 0 < version < len(MIGRATIONS):
            kept = kept_before(path)
            _keep(path, kept)
        for number in range(version, len(MIGRATIONS)):
            for statement in MIGRATIONS[number]:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute("INSERT OR IGNORE INTO versions VALUES (?)", (len(MIGRATIONS),))
    if kept:
        told_of = "%s: was brought from version %d to %d; as it was, it is kept as %s"
        log.warning(told_of, path, version, len(MIGRATIONS), kept)


def kept_before(path: Path) -> Path:
    """Where a file stays as it was before it was last brought to a new version."""
    real = Path(os.path.realpath(path))
    return real.with_name(f"{real.stem}{_KEPT}{real.suffix}")


def remove_before(path: Path) -> None:
    """Let what was deleted from a file not stay in the copy of it from before an upgrade.

    What becomes of the copy is said in a line.
    """
    kept = kept_before(path)
    try:
        kept.unlink()
        _sync(kept.parent)
    except FileNotFoundError:
        return
    except OSError as error:
        told_of = "%s: cannot be removed, and may hold what was deleted; remove it yourself: %s"
        log.warning(told_of, kept, error.strerror)
        return
    log.warning("%s: was removed as well: it could hold what was deleted", kept)


def _was_kept(path: Path) -> bool:
    return Path(os.path.realpath(path)).stem.endswith(_KEPT)


def _keep(path: Path, kept: Path) -> None:
    """Raises BoardError; then what was kept there is as it was."""
    if kept.exists() and not kept.is_file():
        raise BoardError(
            f"{kept}: {path} is kept there as it is before it is brought to a new version, and "
            "something else has that name; move it away"
        )
    with new_file(place_for(kept)) as part:
        if shutil.disk_usage(kept.parent).free < _size(path):
            raise FullError(f"{kept}: {FULL}")
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))  # games are private
        copy_into(part, path, kept)
        belongs_as(part, path)


def _size(path: Path) -> int:
    """Bytes of a file and of its log, of which there may be none."""
    size = path.stat().st_size
    with suppress(FileNotFoundError):
        size += log_of(path).stat().st_size
    return size


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """A place beside the path for a database that then, on the disk for good, replaces it.

    Raises BoardError; then what was there is as it was.
    """
    part = path.with_name(f".{path.name}.part")
    try:
        part.unlink(missing_ok=True)
        yield part
        part.replace(path)
        _sync(path.parent)
    except OSError as error:
        if error.errno in NO_ROOM:
            raise FullError(f"{path}: {FULL}") from error
        raise refused_by_disk(f"{path}: cannot be written: {why(error)}", error) from error
    finally:
        for left in (part, part.with_name(f"{part.name}-journal")):
            with suppress(OSError):
                left.unlink(missing_ok=True)


def copy_into(part: Path, record: Path, name: Path) -> None:
    """Make a copy of a record as it is at one instant; who plays into it is not disturbed.

    ``name``: of the copy, for who is told what is wrong with it. Raises BoardError.
    """
    with told(record):  # to be read: not even its version is changed
        source = _reader(record)
    with closing(source), told(name), closing(sqlite3.connect(part)) as target:
        with told(record):
            if source.execute("PRAGMA application_id").fetchone() != (APPLICATION,):
                raise BoardError(f"{record}: {_FOREIGN}")
        source.backup(target)
        target.execute("PRAGMA journal_mode = DELETE")  # a copy is one file, not three


def write_again(connection: sqlite3.Connection, path: Path, ours: tuple[int, int] | None) -> None:
    """Put a file that is open, but no longer there, in its place once more. Raises BoardError.

    ``ours``: the identity of what is open; another file that has its name now is moved aside.
    """
    place_for(path)
    with told(path), new_file(path) as part:
        with closing(sqlite3.connect(part)) as copy:
            connection.backup(copy)
        if identity(path) not in (None, ours):
            path.rename(free_name(path, "replaced"))
    for suffix in LOG_SUFFIXES:  # all that they hold is in the new file
        with told(path):
            neighbour(os.path.realpath(path), suffix).unlink(missing_ok=True)


def free_name(path: Path, why_aside: str) -> Path:
    """A name beside the path, at which nothing is, for a file that is put aside."""
    names = (path.with_name(f"{path.stem}.{why_aside}-{n}{path.suffix}") for n in count(1))
    return next(name for name in names if not name.exists())


def _sync(directory: Path) -> None:
    number = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def is_twofold(connection: sqlite3.Connection) -> bool:
    """Whether a file tells the same version twice, or is so old that it tells it once."""
    version = _pragma(connection, "user_version")
    query = "SELECT 1 FROM sqlite_schema WHERE name = 'versions'"
    if not connection.execute(query).fetchone():
        return version < TELLS_TWICE
    told_twice: int | None = connection.execute("SELECT max(version) FROM versions").fetchone()[0]
    return version == told_twice


def _check(connection: sqlite3.Connection, path: Path) -> None:
    application = _pragma(connection, "application_id")
    version = _pragma(connection, "user_version")
    is_empty = not connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
    if application != APPLICATION and not is_empty:
        raise BoardError(f"{path}: {_foreign(path)}")
    if not is_twofold(connection):
        raise BoardError(f"{path}: {DAMAGED}")
    if version > len(MIGRATIONS):
        raise BoardError(
            f"{path}: a newer boardfw has written it (version {version}, this one knows "
            f"{len(MIGRATIONS)}); install that one again, or name another file"
        )


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value


ROOM_BYTES = 1_000_000
"""Room for a reader, who may have to write: the index of SQLite's log, and cards of games."""
_JOURNALS = slice(18, 20)
"""Where the head of a file says whether it has a log; one in memory has none."""


def open_as_it_is(path: Path) -> sqlite3.Connection:
    """A file that is there; a copy of it where nothing may be, or can be, written.

    One of an older version is brought up to date in either; not so the copy that was kept from
    before an upgrade, which is only read. Raises BoardError.
    """
    if _may_write(path) and not _was_kept(path) and _has_room(path):
        with suppress(StorageError):
            return open_database(path)
    return copy_of(path)


def copy_of(path: Path) -> sqlite3.Connection:
    """The file as it stands, brought to our version in memory: it is gone with the connection.

    Any thread may use it, one at a time. Raises BoardError.
    """
    with told(path):
        check_log(path)
        copy = as_it_stands(path)
        try:
            prepare(copy, path)
        except BaseException:
            copy.close()
            raise
    return copy


def sound_copy_of(path: Path) -> sqlite3.Connection:
    """The same; an empty one where the file is damaged, or was never written."""
    try:
        return copy_of(path)
    except BoardError:
        empty = _in_memory()
        prepare(empty, path)
        return empty


def as_it_stands(path: Path) -> sqlite3.Connection:
    """The file in memory, whatever it holds. Raises sqlite3.Error or OSError."""
    copy = _in_memory()
    try:
        # Without a log no game is being written to the file, and SQLite need not make one.
        with closing(_reader(path, "mode=ro" if log_of(path).exists() else "immutable=1")) as file:
            file.backup(copy)
    except BaseException:
        copy.close()
        raise
    return copy


def _reader(path: Path, mode: str = "mode=ro") -> sqlite3.Connection:
    """The file, to be read; a copy in memory where SQLite has no place for the index of its log.

    That is so on a disk that is full or read-only, after a run that was cut off. Raises
    sqlite3.Error or OSError.
    """
    source = sqlite3.connect(
        f"file:{quote(os.path.realpath(path))}?{mode}", uri=True, timeout=BUSY_S
    )
    try:
        source.execute("PRAGMA application_id").fetchone()
    except DAMAGE as error:
        source.close()
        if code_of(error) not in NO_DAMAGE:
            raise
        source = held_in_memory(overlaid(path.read_bytes(), read_log(path), sound=True))
    return source


def held_in_memory(content: bytes) -> sqlite3.Connection:
    """Return a database with the content of a file, its log included. Raises sqlite3.Error."""
    held = _in_memory()
    if content:
        start, end = _JOURNALS.start, _JOURNALS.stop
        held.deserialize(content[:start] + b"\1\1" + content[end:])
    return held


def _may_write(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _has_room(path: Path) -> bool:
    with suppress(OSError):
        return shutil.disk_usage(path.parent).free > ROOM_BYTES
    return True  # nothing tells otherwise


def _in_memory() -> sqlite3.Connection:
    return sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
