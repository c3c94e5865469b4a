"""Where a run keeps its game and its recording: as the command line says, else the settings."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from boardfw.errors import BoardError
from boardfw.notation.pgn import MainLine
from boardfw.shell.config import Settings
from boardfw.shell.files import place_for
from boardfw.shell.systemd import state_directory


def pgn_place(option: Path | None, settings: Settings) -> Path:
    """The file for the games. Raises BoardError where none can be."""
    return place_for(option or _named(settings.record.pgn, "pgn"))


def trace_place(option: Path | None, settings: Settings) -> Path | None:
    """The file for what the switches do; None: nothing is recorded. Raises BoardError."""
    if option is None and not settings.record.trace:
        return None
    return place_for(option or _named(settings.record.trace, "trace.jsonl"))


def record_place(option: Path | None, settings: Settings, game: MainLine | None) -> Path | None:
    """The database; None: none is kept, as of a game that is only played through."""
    if option is None and (game is not None or not settings.record.database):
        return None
    return option or state_directory() / settings.record.database


def _named(directory: str, ending: str) -> Path:
    """A file in a directory of the settings, named after this moment."""
    now = datetime.now(UTC).astimezone()
    return state_directory() / directory / f"{now:%Y-%m-%d-%H%M%S}.{ending}"


def claimed(path: Path) -> Path:
    """The path, or one like it, as a new file of our own: another run may begin this very second.

    Raises BoardError where none can be made.
    """
    for number in range(1, 100):
        name = path if number == 1 else path.with_stem(f"{path.stem}-{number}")
        try:
            name.open("x").close()
        except FileExistsError:
            continue
        except OSError as error:
            raise BoardError(f"{name}: cannot be written: {error.strerror}") from error
        return name
    raise BoardError(f"{path}: so do a hundred others; name one with --pgn")
