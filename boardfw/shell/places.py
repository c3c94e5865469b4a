"""Where a run keeps its game and its recording: as the command line says, else the settings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from boardfw.errors import BoardError, refused_by_disk, why
from boardfw.notation.pgn import format_game, read_games
from boardfw.recording import is_trace
from boardfw.shell.config import Settings
from boardfw.shell.dates import Calendar, name_of
from boardfw.shell.files import UNREADABLE, known_database_of, place_for, place_of_own
from boardfw.shell.systemd import state_directory

MOST = 100_000
"""The most files of one name with different numbers."""


def games_directory(settings: Settings) -> Path:
    """Where the PGN files of the runs are, and what waits to be exported."""
    return state_directory() / settings.record.pgn


def is_our_pgn(text: str) -> bool:
    """Whether it is a PGN to the letter as we write one."""
    if UNREADABLE in text:
        return False
    return "".join(map(format_game, read_games(text.splitlines()))).rstrip() == text.rstrip()


def trace_place(
    option: Path | None, settings: Settings, calendar: Calendar, *, force: bool
) -> Path | None:
    """The file for what the switches do; None: nothing is recorded. Raises BoardError."""
    if option is not None:
        return place_of_own(option, is_trace, force=force)
    if not settings.record.trace:
        return None
    path = state_directory() / settings.record.trace / f"{name_of(calendar.now())}.trace.jsonl"
    return place_for(next(name for name in numbered(path) if not name.exists()))


def record_place(option: Path | None, settings: Settings) -> Path | None:
    """The database; None: no games are recorded. Raises BoardError if it cannot be a database."""
    if option is None and not settings.record.database:
        return None
    return of_a_record(option or state_directory() / settings.record.database)


def of_a_record(path: Path) -> Path:
    """The same path, if a record is or can be there. Raises BoardError."""
    if database := known_database_of(path):
        raise BoardError(f"{path}: is a part of the database {database}; name that one")
    with suppress(OSError):  # a place that may not be looked at is reported when it is opened
        if path.exists() and not path.is_file():
            what = "is a directory; name a file in it" if path.is_dir() else "is no ordinary file"
            raise BoardError(f"{path}: {what}")
    return path


def numbered(path: Path) -> Iterator[Path]:
    """The path, and others like it."""
    name, dot, ending = path.name.partition(".")
    yield path
    for number in range(2, MOST):
        yield path.with_name(f"{name}-{number}{dot}{ending}")


def claimed(path: Path) -> Path:
    """The path, or one like it, as a new file of our own: another run may begin this very second.

    Raises BoardError where none can be made.
    """
    for name in numbered(path):
        try:
            name.open("x").close()
        except FileExistsError:
            continue
        except OSError as error:
            raise refused_by_disk(f"{name}: cannot be written: {why(error)}", error) from error
        return name
    raise BoardError(f"{path}: there are {MOST} like it; put them elsewhere")
