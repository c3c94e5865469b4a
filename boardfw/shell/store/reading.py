"""The file for those who only look, whether or not it can be written to."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import quote

from boardfw.errors import BoardError
from boardfw.shell.store.database import FullError, check_log, is_full, open_database, prepare, told
from boardfw.shell.store.wal import log_of, overlaid, read_log

ROOM_BYTES = 1_000_000
"""Who looks may have to write: SQLite the index of its log, we the cards of the last games."""
_JOURNALS = slice(18, 20)
"""Where the head of a file says whether it has a log; one in memory has none."""


def open_as_it_is(path: Path) -> sqlite3.Connection:
    """A file that is there; a copy of it where nothing may be, or can be, written.

    One of an older version is brought up to date in either. Raises BoardError.
    """
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK) and _has_room(path):
        with suppress(FullError):
            return open_database(path)
    return copy_of(path)


def copy_of(path: Path) -> sqlite3.Connection:
    """The file as it stands, brought to our version in memory: it is gone with the connection.

    Any thread may use it, one at a time. Raises BoardError.
    """
    check_log(path)
    with told(path):
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
    """The file in memory, whatever stands in it. Raises sqlite3.Error."""
    # Without its log beside it nobody plays into the file, and SQLite need not make one.
    is_live = log_of(path).exists()
    uri = f"file:{quote(os.path.realpath(path))}?{'mode=ro' if is_live else 'immutable=1'}"
    copy = _in_memory()
    try:
        with closing(sqlite3.connect(uri, uri=True)) as source:
            source.backup(copy)
    except sqlite3.Error as error:
        if not is_full(error):
            copy.close()
            raise
        # The log was left by a run that was cut off; its index finds no room, so we read it.
        content = bytearray(overlaid(path.read_bytes(), read_log(path), sound=True))
        if content:
            content[_JOURNALS] = b"\1\1"
            copy.deserialize(bytes(content))
    return copy


def _has_room(path: Path) -> bool:
    with suppress(OSError):
        return shutil.disk_usage(path.parent).free > ROOM_BYTES
    return True  # nothing tells otherwise


def _in_memory() -> sqlite3.Connection:
    return sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
