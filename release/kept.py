"""Things that are fetched or made once and kept in the user's cache; the next one finds them."""

from __future__ import annotations

import fcntl
import os
import platform
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "boardfw"


class CannotError(Exception):
    """This machine lacks a tool, a right or the network; the message is one line that names it."""


class FailedError(Exception):
    """A command failed that had all it needs; the message holds its last lines."""


def kept(name: str, command: Callable[[Path], list[str]], machine: str | None = None) -> Path:
    """A directory of the cache, made by a command if it is not there, as by ``made``."""
    return made(name, lambda part: fetch(part.stem, command(part)), machine)


def made(name: str, make: Callable[[Path], None], machine: str | None = None) -> Path:
    """A directory of the cache, made if it is not there; another process may be making it.

    ``machine``: what it is for; None: this one. Raises what ``make`` does; nothing is left then.
    """
    there = CACHE / f"{name}-{machine or platform.machine()}"
    with locked(f"making-{there.name}"):
        if there.is_dir():
            return there
        part = there.with_name(f"{there.name}.part")
        shutil.rmtree(part, ignore_errors=True)
        try:
            make(part)
            part.rename(there)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    return there


def fetch(what: str, command: Sequence[str]) -> None:
    """Run a command that needs the network. Raises CannotError."""
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    if told.returncode:
        said = (told.stderr.strip() or told.stdout.strip()).splitlines()
        # apt says first what is wrong, and who called it says last that apt was not content.
        why = next((line for line in said if line.startswith("E: ")), " ".join(said[-1:]))
        raise CannotError(f"needs the network once, for {what}: {why}")


@contextmanager
def locked(what: str) -> Iterator[None]:
    """Let no other process do this meanwhile."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / f".{what}").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
