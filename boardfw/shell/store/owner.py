"""One run at a time plays a record on."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from boardfw.errors import BoardError
from boardfw.shell.files import place_for


def own(path: Path) -> IO[str]:
    """Take the record for this process, until what is returned is closed. Raises BoardError.

    The lock dies with the process, however that ends.
    """
    lock = _opened(path)
    if not _is_taken(lock):
        lock.seek(0)
        owner = lock.read().strip() or "unknown"
        lock.close()
        raise BoardError(
            f"{path}: another boardfw plays this record on (process {owner}); end it, or name "
            "another file with --record"
        )
    lock.truncate(0)
    with suppress(OSError):  # a full disk: the lock holds all the same, only its owner has no name
        os.write(lock.fileno(), f"{os.getpid()}\n".encode())
    return lock


@contextmanager
def owned(path: Path) -> Iterator[bool]:
    """No board begins to play here meanwhile. False: one does already. Raises BoardError."""
    with _opened(path) as lock:
        yield _is_taken(lock)


def _opened(path: Path) -> IO[str]:
    place = place_for(path.with_name(f"{path.name}.lock"))
    try:
        return place.open("a+", encoding="utf-8")
    except OSError as error:
        raise BoardError(f"{place}: cannot be written: {error.strerror}") from error


def _is_taken(lock: IO[str]) -> bool:
    """Whether the lock is ours now."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
