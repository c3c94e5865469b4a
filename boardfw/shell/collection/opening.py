"""The file for those who look at games, whether or not they may write to it.

Whoever opens it so finds a place for cards in it. All of it raises BoardError.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from boardfw.errors import BoardError
from boardfw.shell.collection.upkeep import make_tables
from boardfw.shell.store.database import open_database, told
from boardfw.shell.store.owner import left_word
from boardfw.shell.store.reading import open_as_it_is
from boardfw.shell.store.rescue import GONE


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
    return _furnished(open_as_it_is(path), path)


def _check(path: Path) -> None:
    if not path.exists() and left_word(path):
        raise BoardError(GONE.format(path=path))
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
