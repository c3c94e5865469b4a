"""Files that are whole or not there: written beside their name, then put in its place."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from boardfw.errors import BoardError, StorageError, refused_by_disk, why
from boardfw.given import MOST_TEXT, database_of, is_made_by_the_kernel, open_given

UNREADABLE = "\N{REPLACEMENT CHARACTER}"
"""What stands in a text for what is none."""
FOREIGN = "is there already, and is not what boardfw writes; name another file"


@lru_cache(maxsize=16)
def neighbour(path: str, ending: str) -> Path:
    """The file that is called like another one with an ending behind it.

    It is remembered, since pathlib keeps the name of each path in one table of the whole process,
    which grows where the same names come and go.
    """
    return Path(path + ending)


def write_whole(path: Path, text: str | Iterable[str]) -> None:
    """Write a text file so that a reader sees the old one or the new one, never half of it.

    Raises BoardError with a line for the user if the disk will not have it.
    """
    write_all({path: text})


def write_all(files: Mapping[Path, str | Iterable[str]]) -> None:
    """Write several files that belong together: none takes its place before all are written.

    Raises BoardError with a line for the user if the disk will not have one of them.
    """
    beside: dict[Path, Path] = {}
    path = Path()
    try:
        # A link stays a link: what it leads to is written.
        real = {path: path.resolve() for path in files}
        beside |= {path: end.with_name(f".{end.name}.part") for path, end in real.items()}
        for path, text in files.items():
            _write(beside[path], text)
        for path, part in beside.items():
            part.replace(real[path])
    except OSError as error:
        raise refused_by_disk(f"{path}: cannot be written: {why(error)}", error) from error
    except RuntimeError as error:  # links that lead in a circle
        raise BoardError(f"{path}: cannot be written: {error}") from error
    finally:  # also after Ctrl-C right here
        for part in beside.values():
            with suppress(OSError):
                part.unlink(missing_ok=True)


def _write(path: Path, text: str | Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines([text] if isinstance(text, str) else text)
        file.flush()
        os.fsync(file.fileno())


def make_directory(path: Path) -> None:
    """Make a directory where there is none. Raises BoardError with a line for the user."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"{path}: is no directory and cannot be made: {why(error)}"
        raise refused_by_disk(message, error) from error


def place_of_own(path: Path, is_ours: Callable[[str], bool], *, force: bool = False) -> Path:
    """The same path, for a file that may replace one that we have written, and no other.

    ``is_ours``: whether a text is of that kind. Raises BoardError, also as ``place_for`` does.
    """
    place_for(path)
    if not force and not is_own(path, is_ours):
        raise BoardError(f"{path}: {FOREIGN}, or replace it with --force")
    return path


def is_own(path: Path, is_ours: Callable[[str], bool]) -> bool:
    """Whether nothing is there yet, nothing stands in it, or what does is of our kind."""
    if not path.exists():
        return True
    try:
        with open_given(path) as file:
            text = file.read(MOST_TEXT).decode(errors="replace")
    except OSError:
        return False
    return not text or is_ours(text)


def place_for(path: Path) -> Path:
    """The same path, once its directory stands and it may become a file. Raises BoardError.

    To be asked before a game is played: afterwards is too late to learn of a mistyped name.
    """
    if database := known_database_of(path):
        raise BoardError(f"{path}: belongs to the database {database}; name another file")
    return ordinary_place(path)


def known_database_of(path: Path) -> str | None:
    """The database of which a file is a part; None: it is free. Raises BoardError."""
    try:
        return database_of(path)
    except OSError as error:
        raise BoardError(f"{str(path)!a}: cannot be used: {error.strerror}") from error


def ordinary_place(path: Path) -> Path:
    """The same for a file beside a database. Raises BoardError."""
    make_directory(path.parent)
    try:
        if path.is_dir():
            raise BoardError(f"{path}: is a directory; name a file in it")
        if path.exists() and (not path.is_file() or is_made_by_the_kernel(path)):
            raise BoardError(f"{path}: is no ordinary file, and would be replaced by one")
        is_read_only = bool(os.statvfs(path.parent).f_flag & os.ST_RDONLY)
    except OSError as error:
        raise refused_by_disk(f"{path}: cannot be written: {why(error)}", error) from error
    if is_read_only:
        raise StorageError(f"{path}: cannot be written: its disk is mounted read-only")
    if not os.access(path.parent, os.W_OK):
        raise StorageError(f"{path}: cannot be written: no permission in {path.parent}")
    return path


def identity(path: Path) -> tuple[int, int] | None:
    """The device of a file and its number there; None: no file is there, or none can be seen."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def is_there(path: Path) -> bool:
    """True if a file is there, also where its directory may not be searched."""
    try:
        return path.exists()
    except OSError:
        return True
