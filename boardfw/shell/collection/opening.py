"""The file for those who look at games, whether or not they may write to it.

Whoever opens it so finds a place for cards in it. All of it raises BoardError.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from boardfw.errors import BoardError
from boardfw.shell.collection.upkeep import make_tables
from boardfw.shell.store.database import open_database, prepare, told


def open_or_make(path: Path) -> sqlite3.Connection:
    """The file; where there is none, one is made."""
    return _furnished(open_database(path), path)


def open_to_write(path: Path) -> sqlite3.Connection:
    """The file, which must be there."""
    _check(path)
    return open_or_make(path)


def open_to_read(path: Path) -> sqlite3.Connection:
    """The file; a copy of it, gone with the connection, for who may not write to it.

    A file of an older version and stale cards are brought up to date in either.
    """
    _check(path)
    may_write = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    return open_or_make(path) if may_write else _furnished(_copy_of(path), path)


def _check(path: Path) -> None:
    if not path.exists():
        raise BoardError(
            f"{path}: no games are kept there yet; play one, import some, or name another file "
            "with --record"
        )


def _furnished(connection: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    try:
        with told(path):
            make_tables(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _copy_of(path: Path) -> sqlite3.Connection:
    # Without its log beside it nobody plays into the file, and SQLite need not make one.
    is_live = path.with_name(f"{path.name}-wal").exists()
    uri = f"file:{quote(str(path.resolve()))}?{'mode=ro' if is_live else 'immutable=1'}"
    copy = sqlite3.connect("", isolation_level=None)
    try:
        with told(path):
            with closing(sqlite3.connect(uri, uri=True)) as source:
                source.backup(copy)
            prepare(copy, path)
    except BaseException:
        copy.close()
        raise
    return copy
