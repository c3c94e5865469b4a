"""Files that a user names: those to read can be read to their end, those to write are free.

A pipe or a device may never end, what is too large fits no memory of a small machine, and what
SQLite keeps beside a database is part of it.
"""

from __future__ import annotations

import errno
import os
from io import BufferedReader
from pathlib import Path
from stat import S_ISDIR, S_ISREG

MOST_TEXT = 4 << 20
"""Bytes of a file that people write; of PGN, which is read a game at a time, there may be more."""

BESIDE_A_DATABASE = ("-wal", "-shm", "-journal", ".lock")
"""How the names of files go on that belong to the database beside them."""
_DATABASE = b"SQLite format 3\0"
"""So a file of SQLite's begins, once something stands in it."""
_KERNEL = "it is no ordinary file: the kernel makes what it holds; copy it to one first"
_ZERO_BYTE = "no file's name has a zero byte"


def open_given(path: str | Path, most: int | None = None) -> BufferedReader:
    """An ordinary file with no more than ``most`` bytes; None: however large.

    Raises OSError, of which ``strerror`` ends the sentence "FILE: cannot be read: ...".
    """
    try:
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except ValueError as error:
        raise OSError(errno.EINVAL, _ZERO_BYTE) from error
    file = os.fdopen(number, "rb")
    try:
        _check(os.fstat(number), most)
        if is_made_by_the_kernel(path):
            raise OSError(errno.EINVAL, _KERNEL)
    except OSError:
        file.close()
        raise
    return file


def is_made_by_the_kernel(path: str | Path) -> bool:
    """True if a file is in /proc or /sys.

    Such a file looks like one on a disk, but it may never end, or lose what is read from it.
    """
    return os.path.realpath(path).startswith(("/proc/", "/sys/"))


def read_given(path: str | Path, most: int = MOST_TEXT) -> bytes:
    """All of it. Raises OSError as ``open_given`` does."""
    with open_given(path, most) as file:
        return file.read()


def database_of(path: str | Path) -> str | None:
    """The database of which a file is a part, or would be one; None: it is free.

    Whoever wrote into such a file, also into an empty one, would damage the database. Raises
    OSError as ``open_given`` does, where a path can be none.
    """
    try:
        real = os.path.realpath(path)
    except ValueError as error:
        raise OSError(errno.EINVAL, _ZERO_BYTE) from error
    bases = (real.removesuffix(end) for end in BESIDE_A_DATABASE if real.endswith(end))
    return next(filter(_is_database, bases), None)


def _is_database(path: str) -> bool:
    """Whether it is one, or is about to become one; what cannot be read may be."""
    try:
        with open_given(path) as file:
            return file.read(len(_DATABASE)) in (b"", _DATABASE)
    except PermissionError:
        return Path(path).is_file()
    except OSError:
        return False


def _check(status: os.stat_result, most: int | None) -> None:
    if S_ISDIR(status.st_mode):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is no ordinary file")
    if most is not None and status.st_size > most:
        raise OSError(errno.EFBIG, f"it has more than {most >> 20} MiB")
