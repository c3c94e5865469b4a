"""Files that are whole or not there: written beside their name, then put in its place."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from boardfw.errors import BoardError


def write_whole(path: Path, text: str | Iterable[str]) -> None:
    """Write a text file so that a reader sees the old one or the new one, never half of it.

    Raises BoardError with a line for the user if the disk will not have it.
    """
    beside = path.with_name(f".{path.name}.part")
    try:
        with beside.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines([text] if isinstance(text, str) else text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise BoardError(f"{path}: cannot be written: {error.strerror}") from error


def make_directory(path: Path) -> None:
    """Make a directory where there is none. Raises BoardError with a line for the user."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BoardError(f"{path}: is no directory and cannot be made: {error.strerror}") from error
