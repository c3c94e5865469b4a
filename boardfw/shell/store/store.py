"""Games in the file: entries are added, and the game that is not over yet is found again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from boardfw.errors import BoardError, NotationError
from boardfw.game.chronicle import Chronicle, chronicle
from boardfw.game.journal import Noted, from_json, to_json
from boardfw.shell.store.database import open_database, told


def wall_ms() -> int | None:
    """Now, of the epoch."""
    return time.time_ns() // 1_000_000


class Store:
    """One run's view of the file. Any thread may call it, one at a time.

    ``now_ms``: of the epoch; None where the clock is not known to be right.
    """

    def __init__(self, path: Path, now_ms: Callable[[], int | None]) -> None:
        """Raises BoardError where the file cannot be had."""
        self.path = path
        self._now_ms = now_ms
        self._connection = open_database(path)
        self._games: dict[int, int] = {}
        """By the number of a game in this run, its number in the file."""

    def close(self) -> None:
        """Let go of the file. May be called twice."""
        self._connection.close()

    def add(self, noted: Iterable[Noted]) -> None:
        """Add entries, all or none; when this returns they are on the disk. Raises BoardError."""
        games = dict(self._games)
        with told(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                for number, entry in noted:
                    self._add(games, number, to_json(entry))
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
        self._games = games

    def _add(self, games: dict[int, int], number: int, entry: bytes) -> None:
        if number not in games:
            made = self._connection.execute("INSERT INTO games DEFAULT VALUES")
            games[number] = made.lastrowid or 0
        self._connection.execute(
            "INSERT INTO entries "
            "VALUES (?1, (SELECT ifnull(max(number) + 1, 0) FROM entries WHERE game = ?1), ?2, ?3)",
            (games[number], self._now_ms(), entry),
        )

    def take_up(self) -> Chronicle | None:
        """The last game, if it is not over; what is added to game 0 then goes on with it.

        Raises BoardError.
        """
        number = self._last()
        game = None if number is None else self.game(number)
        if number is None or game is None or game.is_over or not game.record.moves:
            return None
        self._games[0] = number
        return game

    def last(self) -> Chronicle | None:
        """The last game; None: there is none. Raises BoardError."""
        number = self._last()
        return None if number is None else self.game(number)

    def _last(self) -> int | None:
        with told(self.path):
            rows = self._connection.execute("SELECT max(id) FROM games").fetchall()
        number: int | None = rows[0][0]
        return number

    def game(self, number: int) -> Chronicle:
        """A game of the file, by its number there. Raises BoardError."""
        query = "SELECT entry FROM entries WHERE game = ? ORDER BY number"
        try:
            with told(self.path):
                rows: list[tuple[bytes]] = self._connection.execute(query, (number,)).fetchall()
            return chronicle(from_json(entry) for (entry,) in rows)
        except NotationError as error:
            raise BoardError(f"{self.path}: game {number} cannot be read: {error}") from error
