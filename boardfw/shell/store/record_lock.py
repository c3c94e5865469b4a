"""One run at a time plays a record on, and leaves word of how far it came.

Both stand in a file beside the record: the number of the process that holds its lock, and what the
record holds at least. So a record that is gone, emptied, or has lost its log is not taken for new.
"""

from __future__ import annotations

import fcntl
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, NamedTuple

from boardfw.errors import BoardError, refused_by_disk, why
from boardfw.shell.files import identity, neighbour, ordinary_place

_WORD = re.compile(r"(\d+)\n(?:game (\d+): (\d+) entries\n)?")
_WORD_BYTES = 64
"""It is written over in one piece, and not synced: after a power cut it may tell of less."""


class TakenError(BoardError):
    """Another process plays the record on."""


class Mark(NamedTuple):
    """The last game that was kept, and how many of its entries there are at least."""

    game: int
    entries: int

    @classmethod
    def of(cls, connection: sqlite3.Connection) -> Mark | None:
        """What a file holds; None: no game."""
        query = "SELECT max(id), (SELECT count(*) FROM entries WHERE game = max(id)) FROM games"
        last, entries = connection.execute(query).fetchone()
        return None if last is None else cls(last, entries)

    def lacking(self, path: Path) -> str:
        """A line for the owner of a record that holds less."""
        return (
            f"{path}: holds less than was kept in it (game {self.game} had {self.entries} entries "
            "or more); an older copy, or its -wal file is missing"
        )

    def is_reached(self, connection: sqlite3.Connection) -> bool:
        """Whether a file holds as much. A game that was deleted has no entries, and stays told."""
        query = "SELECT max(id), (SELECT count(*) FROM entries WHERE game = ?) FROM games"
        last, entries = connection.execute(query, (self.game,)).fetchone()
        return (last or 0) >= self.game and (not entries or entries >= self.entries)


class Owned:
    """The lock of a record, held until ``close``."""

    def __init__(self, lock: IO[str], place: Path, mark: Mark | None) -> None:
        self._lock = lock
        self._place = place
        self.mark = mark
        """What the run before has left; None: nothing that can be read."""

    def leave_word(self, mark: Mark | None) -> None:
        """Let this be known to who comes next; a disk that has no room for it is no trouble."""
        word = f"{os.getpid()}\n"
        word += f"game {mark.game}: {mark.entries} entries\n" if mark else ""
        with suppress(OSError):
            os.pwrite(self._lock.fileno(), word.ljust(_WORD_BYTES).encode(), 0)

    def is_in_place(self) -> bool:
        """True if nobody has deleted or replaced the file of the lock: nobody else can have it."""
        status = os.fstat(self._lock.fileno())
        return (status.st_dev, status.st_ino) == identity(self._place)

    def close(self) -> None:
        """Let go, also where a program that begins just now has a copy of what is open here."""
        if not self._lock.closed:
            fcntl.flock(self._lock, fcntl.LOCK_UN)
        self._lock.close()

    def __enter__(self) -> Owned:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def own(path: Path) -> Owned:
    """Take the record for this process, until what is returned is closed. Raises BoardError.

    The lock dies with the process, however that ends.
    """
    lock = _opened(path)
    lock.seek(0)
    found = _WORD.match(lock.read(_WORD_BYTES))
    if not _is_taken(lock):
        lock.close()
        raise TakenError(
            f"{path}: another boardfw plays this record on (process "
            f"{found[1] if found else 'unknown'}); end it, or name another file with --record"
        )
    owned = Owned(lock, _place(path), _mark(found))
    owned.leave_word(owned.mark)
    return owned


def left_word(path: Path) -> Mark | None:
    """What a record holds at least, for a reader; None: it was not noted."""
    with suppress(OSError), _as_text(os.open(_place(path), os.O_RDONLY)) as lock:
        return _mark(_WORD.match(lock.read(_WORD_BYTES)))
    return None


def is_played(path: Path) -> bool:
    """Whether a board plays the record on just now."""
    with suppress(OSError), _as_text(os.open(_place(path), os.O_RDONLY)) as lock:
        return not _is_taken(lock)
    return False


@contextmanager
def owned(path: Path) -> Iterator[bool]:
    """No board begins to play here meanwhile. False: one does already. Raises BoardError."""
    with _opened(path) as lock:
        yield _is_taken(lock)


def belongs_as(file: Path, other: Path) -> None:
    """Let a file have the owner and the mode of another one, as far as we may."""
    with suppress(OSError):
        there = other.stat()
        file.chmod(there.st_mode & 0o7777)
        if os.geteuid() == 0:  # a service that even tries is killed
            os.chown(file, there.st_uid, there.st_gid)


def _place(path: Path) -> Path:
    """Of the lock; a link to the record has the same lock."""
    return neighbour(os.path.realpath(path), ".lock")


def _mark(word: re.Match[str] | None) -> Mark | None:
    return Mark(int(word[2]), int(word[3])) if word and word[2] else None


def _opened(path: Path) -> IO[str]:
    try:
        place = ordinary_place(_place(path))
        is_new = not place.exists()
        lock = _as_text(os.open(place, os.O_RDWR | os.O_CREAT, 0o644), "r+")
    except OSError as error:
        raise refused_by_disk(f"{path}.lock: cannot be written: {why(error)}", error) from error
    except RuntimeError as error:  # links that lead in a circle
        raise BoardError(f"{path}.lock: cannot be written: {error}") from error
    if is_new:
        belongs_as(place, path if path.exists() else place.parent)
        with suppress(OSError):
            place.chmod(place.stat().st_mode & 0o666)
    return lock


def _as_text(number: int, mode: str = "r") -> IO[str]:
    """An open file; what is damaged in it is no word that anybody left."""
    return os.fdopen(number, mode, encoding="ascii", errors="replace")


def _is_taken(lock: IO[str]) -> bool:
    """Whether the lock is ours now."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
