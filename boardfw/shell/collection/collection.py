"""The collection: all games of a file, to be searched, tagged, ruled on and deleted."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from boardfw.errors import BoardError
from boardfw.game.chronicle import Chronicle
from boardfw.game.journal import Tagged
from boardfw.game.record import Record
from boardfw.game.rulings.post_game import ruled_entries
from boardfw.notation.pgn.tags import DERIVED, TAG_NAME
from boardfw.shell.collection.filters import Filters, folded
from boardfw.shell.collection.summaries_update import (
    damaged_texts,
    make_tables,
    remove_card,
    renew,
    stale_games,
)
from boardfw.shell.store.database import (
    open_as_it_is,
    open_database,
    remove_before,
    told,
    transaction,
)
from boardfw.shell.store.game_store import add_entry, entries_of, last_played, read_game, there_are
from boardfw.shell.store.game_traces import forget
from boardfw.shell.store.record_check import damaged_games
from boardfw.shell.store.record_lock import left_word, owned
from boardfw.shell.store.rescue import GONE


def _check(path: Path) -> None:
    if not path.exists() and left_word(path):
        raise BoardError(GONE.format(path=path))
    if not path.exists():
        raise BoardError(
            f"{path}: no games are kept there yet; play one, import some, or name another file "
            "with --record"
        )


LOT = 200
"""Games that are fetched at once: not all texts are held in memory."""


class Row(NamedTuple):
    """What a list shows of a game; see ``Card``."""

    number: int
    date: str
    white: str
    black: str
    result: str
    plies: int
    first_moves: str
    opening: str


class Collection:
    """A file that is open. Everything raises BoardError where the disk is in trouble."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Takes the connection over."""
        self.path = path
        self.connection = connection
        try:
            with told(path):
                make_tables(connection)
        except BaseException:
            connection.close()
            raise
        connection.create_function("fold", 1, folded, deterministic=True)

    @classmethod
    def to_read(cls, path: Path) -> Collection:
        """Also while a board plays into it. Where nothing may be written, of a copy in memory.

        A file of an older version and stale cards are brought up to date in either.
        """
        _check(path)
        return cls(path, open_as_it_is(path))

    @classmethod
    def to_write(cls, path: Path) -> Collection:
        """For who changes something."""
        _check(path)
        return cls(path, open_database(path))

    @classmethod
    def to_import(cls, path: Path) -> Collection:
        """For who brings games: where no file is, one is made."""
        return cls(path, open_database(path))

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()

    def lacking(self) -> str | None:
        """A line for the owner of a file that holds less than it did; None: it does not."""
        mark = left_word(self.path)
        with told(self.path):
            is_short = mark is not None and not mark.is_reached(self.connection)
        return mark.lacking(self.path) if mark and is_short else None

    def damaged(self) -> set[int]:
        """Return the games of which an entry is not as it was written; reads every entry."""
        return damaged_games(self.connection, self.path)

    # --- cards

    def stale(self, *, texts: bool = False) -> list[int]:
        """The games whose cards are to be renewed before games are looked for.

        ``texts``: the texts of games are to be read as well.
        """
        with told(self.path):
            stale = set(stale_games(self.connection))
            return sorted(stale | set(damaged_texts(self.connection) if texts else ()))

    def renew(self, numbers: Sequence[int]) -> Iterator[str | None]:
        """Renew cards; for each game None, or a line with what is wrong with it."""
        return renew(self.connection, self.path, numbers)

    # --- looking for games

    def rows(self, filters: Filters) -> Iterator[Row]:
        """The games that are meant, in the order of their numbers."""
        columns = ", ".join(("game", *Row._fields[1:]))
        return map(Row._make, self._cards(columns, "cards", filters))

    def texts(self, filters: Filters) -> Iterator[str]:
        """The same games as PGN."""
        return (text for (text,) in self._cards("pgn", "cards JOIN texts USING (game)", filters))

    def count(self, filters: Filters) -> int:
        """How many they are."""
        ((count,),) = self._cards("count(*)", "cards", filters)
        return int(count)

    def _cards(self, columns: str, tables: str, filters: Filters) -> Iterator[Any]:
        where, values = ["TRUE"], list[Any]()
        for condition, parameters in filters.conditions():
            where.append(condition)
            values += parameters
        query = f"SELECT {columns} FROM {tables} WHERE {' AND '.join(where)} ORDER BY game"
        with told(self.path):
            found = self.connection.execute(query, values)
        while True:
            with told(self.path):
                lot = found.fetchmany(LOT)
            if not lot:
                return
            yield from lot

    def check(self, numbers: Iterable[int]) -> None:
        """Raises BoardError for the first number that no game has."""
        for number in numbers:
            if not entries_of(self.connection, number):
                raise BoardError(
                    f"{self.path}: there is no game {number}; {there_are(self.connection)}"
                )

    def game(self, number: int) -> Chronicle:
        """One game, as its entries tell it."""
        self.check([number])
        return read_game(self.connection, self.path, number)

    # --- changing them

    def tag(self, number: int, tags: Mapping[str, str], at_ms: int | None) -> None:
        """Let a game have these tags from now on; an empty value removes one."""
        derived = tuple(_derived(self.game(number).record))
        for name in tags:
            if not TAG_NAME.fullmatch(name):
                raise BoardError(f"{name!a} is no tag name; use letters, digits and _")
            if name in derived:
                raise BoardError(f"the tag {name} follows from the game and cannot be set")
        with told(self.path), transaction(self.connection):
            self.check([number])
            add_entry(self.connection, number, at_ms, Tagged(dict(tags)))

    def rule(self, number: int, text: str, who: str, why: str, at_ms: int | None) -> str:
        """Let an arbiter decide something of a game; what that is in words, with who and why.

        Whole or not at all. Raises BoardError where it cannot be; then nothing has changed.
        """
        with owned(self.path) as is_ours, told(self.path), transaction(self.connection):
            self.check([number])
            if not is_ours and last_played(self.connection) == number:
                raise BoardError(
                    f"{self.path}: game {number} is being played, or was just now; rule at the "
                    "board's screen, or when it is switched off"
                )
            entries, said = ruled_entries(self.game(number), text, who, why)
            for entry in entries:
                add_entry(self.connection, number, at_ms, entry)
            return said

    def delete(self, numbers: Sequence[int]) -> None:
        """Remove games for good, all or none. Their numbers are not given again.

        The row of a game stays: what was played before it is not taken up in its stead.
        """
        with owned(self.path) as is_ours, told(self.path), transaction(self.connection):
            self.check(numbers)
            if not is_ours and last_played(self.connection) in numbers:
                raise BoardError(
                    f"{self.path}: game {last_played(self.connection)} is being played, or was "
                    "just now; delete it when the board is switched off"
                )
            for number in numbers:
                remove_card(self.connection, number)
                self.connection.execute("DELETE FROM entries WHERE game = ?", (number,))
        for number in numbers:
            forget(self.path, number)
        remove_before(self.path)


def _derived(record: Record) -> Iterator[str]:
    """Tags that follow from the game itself."""
    yield from DERIVED
    if record.control is not None:
        yield "TimeControl"
    if record.outcome is not None and record.outcome.termination:
        yield "Termination"
