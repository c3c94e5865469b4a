"""What tests fetch or build once and keep in the user's cache, whole or not at all."""

from __future__ import annotations

import fcntl
import os
import platform
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "boardfw"


def kept(name: str, make: Callable[[Path], None]) -> Path:
    """A directory of the cache, made if it is not there; another test may be making it."""
    place = CACHE / f"{name}-{platform.machine()}"
    with locked("making"):
        if place.is_dir():
            return place
        part = place.with_name(f"{place.name}.part")
        shutil.rmtree(part, ignore_errors=True)
        try:
            make(part)
            part.rename(place)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    return place


@contextmanager
def locked(what: str) -> Iterator[None]:
    """Let no other test do this meanwhile."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / f".{what}").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def fetch(what: str, *command: str) -> None:
    """Run a command that needs the network. Skips where it cannot be had."""
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    if told.returncode:
        why = (told.stderr.strip() or told.stdout.strip()).splitlines()[-1:]
        pytest.skip(f"needs the network once, for {what}: {' '.join(why)}")
