"""One run at a time plays a record on."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import IO

from boardfw.errors import BoardError
from boardfw.shell.files import place_for


def own(path: Path) -> IO[str]:
    """Take the record for this process, until what is returned is closed. Raises BoardError.

    The lock dies with the process, however that ends.
    """
    place = place_for(path.with_name(f"{path.name}.lock"))
    try:
        lock = place.open("a+", encoding="utf-8")
    except OSError as error:
        raise BoardError(f"{place}: cannot be written: {error.strerror}") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.seek(0)
        owner = lock.read().strip() or "unknown"
        lock.close()
        raise BoardError(
            f"{path}: another boardfw plays this record on (process {owner}); end it, or name "
            "another file with --record"
        ) from error
    lock.truncate(0)
    lock.write(f"{os.getpid()}\n")
    lock.flush()
    return lock
