"""Files that a user names, opened to be read: what can be read to its end, or one line why not.

A pipe or a device may never end, and what is too large fits no memory of a small machine.
"""

from __future__ import annotations

import errno
import os
from io import BufferedReader
from pathlib import Path
from stat import S_ISDIR, S_ISREG

MOST_TEXT = 4 << 20
"""Bytes of a file that people write; of PGN, which is read a game at a time, there may be more."""


def open_given(path: str | Path, most: int | None = None) -> BufferedReader:
    """An ordinary file with no more than ``most`` bytes; None: however large.

    Raises OSError, of which ``strerror`` ends the sentence "FILE: cannot be read: ...".
    """
    try:
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except ValueError as error:
        raise OSError(errno.EINVAL, "no file's name has a zero byte") from error
    file = os.fdopen(number, "rb")
    try:
        _check(os.fstat(number), most)
    except OSError:
        file.close()
        raise
    return file


def read_given(path: str | Path, most: int = MOST_TEXT) -> bytes:
    """All of it. Raises OSError as ``open_given`` does."""
    with open_given(path, most) as file:
        return file.read()


def _check(status: os.stat_result, most: int | None) -> None:
    if S_ISDIR(status.st_mode):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is no ordinary file")
    if most is not None and status.st_size > most:
        raise OSError(errno.EFBIG, f"it has more than {most >> 20} MiB")
