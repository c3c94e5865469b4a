"""The write thread: keeps a PGN file in step with the games, whole at every moment."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from boardfw.game.events import Action
from boardfw.shell.desk import Desk
from boardfw.shell.files import write_whole
from boardfw.shell.follower import is_another_game
from boardfw.shell.pgn_text import Pgn
from boardfw.shell.places import claimed
from boardfw.shell.worker import Worker

Naming = Callable[[], str]


class PgnFile:
    """Writes the newest text; a disk that is slow or full never delays the game.

    ``path`` is the file; with ``naming`` it is the directory until there is something to write,
    and then a file in it with that name, or one like it that is free.
    """

    def __init__(self, path: Path, naming: Naming | None = None) -> None:
        self.path = path
        self._naming = naming
        self._worker: Worker[str] = Worker("record", self.write)

    @property
    def is_named(self) -> bool:
        """Whether ``path`` is the file."""
        return self._naming is None

    def start(self) -> None:
        """Begin to write."""
        self._worker.start()

    def put(self, text: str) -> None:
        """Let this be the content of the file; returns at once."""
        self._worker.put(text)

    def stop(self) -> None:
        """Write what is still to be written, then stop."""
        self._worker.stop()

    @property
    def unwritten(self) -> str | None:
        """After the stop: what could not be written; None if all of it was."""
        return self._worker.left

    def write(self, text: str) -> None:
        """Let this be the content of the file, now. Raises BoardError."""
        if self._naming is not None:
            self.path, self._naming = claimed(self.path / f"{self._naming()}.pgn"), None
        write_whole(self.path, text)


class PgnFollower:
    """A Follower that keeps a file in step with the games.

    A file that has no name yet gets none before the first ply: a board that is switched on daily
    would fill the directory with nothing.
    """

    def __init__(self, file: PgnFile, words: Pgn) -> None:
        self._file = file
        self._words = words
        self._desk: Desk | None = None
        self._text: str | None = None

    def start(self, desk: Desk) -> None:
        """Begin to write."""
        self._desk = desk
        self._file.start()
        self._renew(desk)

    def take(self, said: list[Action]) -> None:
        """Write the games if they are others."""
        if self._desk is not None and is_another_game(said):
            self._renew(self._desk)

    def stop(self) -> None:
        """Write what is still to be written, then stop."""
        if self._desk is not None:
            self._renew(self._desk)
        self._file.stop()

    def _renew(self, desk: Desk) -> None:
        games = desk.session.games
        is_begun = self._text is not None or any(game.moves or game.outcome for game in games)
        if not is_begun and not self._file.is_named:
            return
        text = self._words.text(games)
        if text != self._text:
            self._text = text
            self._file.put(text)
