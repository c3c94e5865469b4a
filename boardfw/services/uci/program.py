"""Where engines are on this machine, and how much of it they may use."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

FOLDERS = ("/usr/games", "/usr/local/bin", "/usr/local/games")
"""Searched after PATH: Debian keeps engines in the first, which is not on a service's PATH."""
USUAL = ("stockfish",)
"""Looked for, in this order, where no engine is named."""

SMALL_MB, MOST_MB, SHARE = 16, 256, 64
"""Hash for a machine of 512 MB or so, the most, and which part of a larger memory is taken."""
SMALL_MACHINE_MB = 768


def find_program(name: str, folders: Sequence[str] = FOLDERS) -> Path | None:
    """The program with this name, or at this path if it holds a slash; None: there is none."""
    if "/" in name:
        try:
            path = Path(name).expanduser()
            return path.absolute() if path.is_file() and os.access(path, os.X_OK) else None
        except (RuntimeError, ValueError, OSError):  # no such user, a zero byte, a name too long
            return None
    places = os.pathsep.join((os.environ.get("PATH", os.defpath), *folders))
    found = shutil.which(name, path=places) if name else None
    return Path(found).absolute() if found else None


def usual_program() -> Path | None:
    """The first of the usual engines that is installed; None: none is."""
    return next(filter(None, map(find_program, USUAL)), None)


def memory_mb() -> int:
    """The memory of this machine; 0 if it does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    except (OSError, ValueError):
        return 0


def hash_mb(memory: int) -> int:
    """Megabytes for an engine's hash table on a machine with so many."""
    return SMALL_MB if memory <= SMALL_MACHINE_MB else max(SMALL_MB, min(MOST_MB, memory // SHARE))
