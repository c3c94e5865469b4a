"""Where boardfw is installed, and how each thing that is done there is said."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

AS_IT_IS = "surrogateescape"
"""Keeps each byte that is no UTF-8: an editor may have saved a comment of the settings so."""


class InstallError(Exception):
    """Something could not be done; the message is one line for a person."""


def sync(directory: Path) -> None:
    """Let what was renamed or removed in a directory outlive a power cut from now on."""
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _private(path: str, flags: int) -> int:
    """Open a file that nobody else may read yet: settings may hold a secret."""
    return os.open(path, flags, 0o600)


def say(text: str) -> None:
    """One line for one thing done."""
    print(text, flush=True)


@dataclass(frozen=True)
class Place:
    """The machine that is installed on: this one, or a directory that is to become one."""

    root: Path = Path("/")

    @property
    def is_here(self) -> bool:
        """True if it is this machine, whose systemd has to know."""
        return self.root == Path("/")

    def at(self, path: str) -> Path:
        """Where a path of that machine lies on this one."""
        return self.root / path.lstrip("/")

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep everybody else from installing or uninstalling here; one who does is waited for."""
        self.root.mkdir(parents=True, exist_ok=True)
        # The directory itself is locked: a file would have to stay behind.
        handle = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say("another make install or uninstall is at work: waiting until it has ended")
                fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def text(self, path: str) -> str | None:
        """Return the text of a file, whatever its encoding; None if there is none."""
        file = self.at(path)
        return file.read_text("utf-8", AS_IT_IS) if file.is_file() else None

    def target(self, path: str) -> str | None:
        """What a path is a link to; None: it is none."""
        link = self.at(path)
        return str(link.readlink()) if link.is_symlink() else None

    def put(self, path: str, text: str) -> bool:
        """Let this be the text of a file, all of it or none; False: it is so already."""
        if self.text(path) == text:
            return False
        self.write(path, text)
        say(f"wrote {path}")
        return True

    def write(self, path: str, text: str) -> None:
        """Write a file, all of it or nothing, so that it outlives a power cut from now on."""
        file = self.at(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_name(f".{file.name}.part")
        part.unlink(missing_ok=True)
        try:
            with open(part, "x", encoding="utf-8", errors=AS_IT_IS, opener=_private) as writing:
                writing.write(text)
                writing.flush()
                os.fsync(writing.fileno())
            part.chmod(file.stat().st_mode & 0o777 if file.exists() else 0o644)
            part.replace(file)
        except OSError:
            part.unlink(missing_ok=True)
            raise
        sync(file.parent)

    def lay(self, path: str, source: str) -> None:
        """Let a file have the content of another; on a full disk they become one file."""
        try:
            self.put(path, self.text(source) or "")
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            part = self.at(path).with_name(f".{self.at(path).name}.part")
            os.link(self.at(source), part)
            part.replace(self.at(path))

    def link(self, path: str, target: str) -> None:
        """Let a path be a link to ``target``."""
        if self.target(path) != target:
            link = self.at(path)
            link.parent.mkdir(parents=True, exist_ok=True)
            part = link.with_name(f".{link.name}.part")
            part.unlink(missing_ok=True)
            part.symlink_to(target)
            part.replace(link)
            sync(link.parent)
            say(f"linked {path} to {target}")

    def remove(self, path: str, *, quiet: bool = False) -> bool:
        """Remove a file, a link or a directory; False: there was none."""
        there = self.at(path)
        if there.is_dir() and not there.is_symlink():
            shutil.rmtree(there)
        elif there.is_symlink() or there.exists():
            there.unlink()
        else:
            return False
        sync(there.parent)
        if not quiet:
            say(f"removed {path}")
        return True
