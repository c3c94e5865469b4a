"""Games that wait to be exported: files of a directory, so that no restart forgets them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from boardfw.errors import BoardError
from boardfw.shell.files import make_directory, write_whole
from boardfw.shell.places import numbered

COUNT = "number"
"""The file that says how many games were numbered so far."""


class Waiting:
    """A directory of games, and another one to which they are to go. Raises BoardError where
    either cannot be written to."""

    def __init__(self, directory: Path, target: Path) -> None:
        self.directory = directory
        self.target = target
        self._gone: dict[str, Path] = {}
        """Where games of this run went, by their name here."""

    def next_number(self) -> int:
        """A number that no game has had."""
        make_directory(self.directory)
        number = max(self._count(), *map(_number_of, self.names()), 0) + 1
        write_whole(self.directory / COUNT, f"{number}\n")
        return number

    def _count(self) -> int:
        with suppress(OSError, ValueError):
            return int((self.directory / COUNT).read_text("utf-8"))
        return 0

    def put(self, name: str, text: str) -> None:
        """Let a game wait; when this returns it is on the disk."""
        make_directory(self.directory)
        write_whole(self.directory / name, text)

    def names(self) -> list[str]:
        """Which games wait, the oldest first."""
        try:
            return sorted(path.name for path in self.directory.glob("*.pgn"))
        except OSError:
            return []

    def export(self) -> int:
        """Copy all that wait, whole or not at all; how many there were.

        One that cannot be copied keeps no other one waiting; the first of them is raised.
        """
        count, failed = 0, None
        for name in self.names():
            try:
                self._export(name)
                count += 1
            except BoardError as error:
                failed = failed or error
        if failed is not None:
            raise failed
        return count

    def _export(self, name: str) -> None:
        here = self.directory / name
        try:
            text = here.read_text("utf-8")
            end = self._gone.get(name) or next(self._free(name, text))
            write_whole(end, text)
            self._gone[name] = end
            here.unlink()
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or error
            raise BoardError(f"{here}: cannot be exported: {reason}") from error

    def _free(self, name: str, text: str) -> Iterator[Path]:
        """Names in the target that are free, or hold this very game: it was cut off just then."""
        for path in numbered(self.target / name):
            if not path.exists() or path.read_text("utf-8", "replace") == text:
                yield path


def _number_of(name: str) -> int:
    """The number in a game's name: behind its date, or behind the word that there is none."""
    parts = name.removesuffix(".pgn").split("-")
    place = 1 if parts[0] == "undated" else 3
    number = parts[place] if len(parts) > place else ""
    return int(number) if number.isascii() and number.isdigit() else 0
