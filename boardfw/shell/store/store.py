"""Games in the file: entries are added, and the game that is not over yet is found again."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from boardfw.game.chronicle import Chronicle
from boardfw.game.journal import Noted
from boardfw.shell.store.database import FullError, open_database, told, transaction
from boardfw.shell.store.entries import (
    add_entry,
    entries_of,
    last_played,
    new_game,
    read_game,
    there_are,
)
from boardfw.shell.store.owner import Mark
from boardfw.shell.store.reading import sound_copy_of
from boardfw.shell.store.tape import Taped
from boardfw.shell.store.tapes import Tapes


def wall_ms() -> int | None:
    """Now, of the epoch."""
    return time.time_ns() // 1_000_000


class Store:
    """One run's view of the file. Any thread may call it, one at a time.

    ``now_ms``: of the epoch; None where the clock is not known to be right.
    """

    def __init__(
        self,
        path: Path,
        now_ms: Callable[[], int | None],
        tape_bytes: int = 0,
        leave_word: Callable[[Mark], None] | None = None,
        opened: Callable[[Path], sqlite3.Connection] = open_database,
    ) -> None:
        """``tape_bytes``: of traces beside the file. Raises BoardError where it cannot be had.

        ``leave_word``: told what the file holds at least, whenever that is more. ``opened``: opens
        it; may raise FullError, and is then called again by ``add``.
        """
        self.path = path
        self.trouble = ""
        """Why nothing can be added until ``add`` has found room; empty: there is room."""
        self._leave_word = leave_word
        self._tapes = Tapes(path, tape_bytes)
        self._now_ms = now_ms
        self._opened = opened
        try:
            self._connection = opened(path)
        except FullError as error:
            self._connection, self.trouble = sound_copy_of(path), str(error)
        self._games: dict[int, int] = {}
        """By the number of a game in this run, its number in the file."""

    def close(self) -> None:
        """Let go of the file. May be called twice."""
        self._connection.close()

    def add(self, noted: Iterable[Noted]) -> None:
        """Add entries, all or none; when this returns they are on the disk. Raises BoardError."""
        if self.trouble:
            copy, self._connection = self._connection, self._opened(self.path)
            copy.close()
            self.trouble = ""
        games, mark = dict(self._games), None
        with told(self.path), transaction(self._connection):
            for number, entry in noted:
                if number not in games:
                    games[number] = new_game(self._connection)
                at_ms, game = self._now_ms(), games[number]
                mark = Mark(game, add_entry(self._connection, game, at_ms, entry))
        self._games = games
        if mark and self._leave_word:
            self._leave_word(mark)

    def tape(self, taped: Iterable[Taped]) -> None:
        """Write down more of the traces of games that have entries, as far as the disk has them."""
        for one in taped:
            self._tapes.add(self._games[one.game], one)

    def take_up(self) -> Chronicle | None:
        """The last game, if it is not over; what is added to game 0 then goes on with it.

        Of the games that were played here, for nobody goes on with one from a file. Raises
        BoardError.
        """
        number = self._last()
        game = None if number is None else self.game(number)
        if number is None or game is None or game.is_over:
            return None
        if not (game.record.moves or game.record.clock_sets):  # a game without a ply was none
            return None
        self._games[0] = number
        return game

    def last(self) -> Chronicle | None:
        """The last game that was played here; None: there is none. Raises BoardError."""
        number = self._last()
        return None if number is None else self.game(number)

    def _last(self) -> int | None:
        """Its number. Where it was deleted nothing is left to go on with, nor before it."""
        with told(self.path):
            number = last_played(self._connection)
            has_entries = number is not None and entries_of(self._connection, number)
        return number if has_entries else None

    def game(self, number: int) -> Chronicle:
        """A game of the file, by its number there. Raises BoardError."""
        return read_game(self._connection, self.path, number)

    def mark(self) -> Mark | None:
        """What the file holds; None: no game. Raises BoardError."""
        with told(self.path):
            return Mark.of(self._connection)

    def there_are(self) -> str:
        """Which games are kept, in words. Raises BoardError."""
        with told(self.path):
            return there_are(self._connection)
