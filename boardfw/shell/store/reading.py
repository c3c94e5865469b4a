"""The file for those who only look, whether or not they may write to it."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from boardfw.shell.store.database import check_log, open_database, prepare, told
from boardfw.shell.store.wal import log_of


def open_as_it_is(path: Path) -> sqlite3.Connection:
    """A file that is there; a copy of it, gone with the connection, for who may not write to it.

    One of an older version is brought up to date in either. Raises BoardError.
    """
    may_write = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    return open_database(path) if may_write else _copy_of(path)


def _copy_of(path: Path) -> sqlite3.Connection:
    # Without its log beside it nobody plays into the file, and SQLite need not make one.
    is_live = log_of(path).exists()
    check_log(path)
    uri = f"file:{quote(os.path.realpath(path))}?{'mode=ro' if is_live else 'immutable=1'}"
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
