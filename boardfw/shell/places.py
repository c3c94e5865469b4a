"""Where a run keeps its game and its recording: as the command line says, else the settings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from boardfw.errors import BoardError
from boardfw.notation.pgn import MainLine
from boardfw.shell.config import Settings
from boardfw.shell.dates import Calendar, name_of
from boardfw.shell.files import place_for
from boardfw.shell.systemd import state_directory

MOST = 100_000
"""Files of one name and different numbers; nobody has so many."""


def games_directory(settings: Settings) -> Path:
    """Where the PGN files of the runs are, and what waits to be exported."""
    return state_directory() / settings.record.pgn


def trace_place(option: Path | None, settings: Settings, calendar: Calendar) -> Path | None:
    """The file for what the switches do; None: nothing is recorded. Raises BoardError."""
    if option is not None:
        return place_for(option)
    if not settings.record.trace:
        return None
    path = state_directory() / settings.record.trace / f"{name_of(calendar.now())}.trace.jsonl"
    return place_for(next(name for name in numbered(path) if not name.exists()))


def record_place(option: Path | None, settings: Settings, game: MainLine | None) -> Path | None:
    """The database; None: none is kept, as of a game that is only played through."""
    if option is None and (game is not None or not settings.record.database):
        return None
    return option or state_directory() / settings.record.database


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
            raise BoardError(f"{name}: cannot be written: {error.strerror}") from error
        return name
    raise BoardError(f"{path}: there are {MOST} like it; put them elsewhere")
