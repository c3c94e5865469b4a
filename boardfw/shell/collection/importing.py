"""PGN files into the collection: some hundreds of games at once, each lot whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from boardfw.notation.pgn import Fault, build_games, file_lines
from boardfw.shell.collection.card import Card, card_of
from boardfw.shell.collection.collection import Collection
from boardfw.shell.collection.incoming import Incoming, IncomingBuilder
from boardfw.shell.collection.upkeep import BATCH, put_card
from boardfw.shell.store.database import told, transaction
from boardfw.shell.store.entries import add_entry, new_game

_KNOWN = """
SELECT digest FROM cards UNION SELECT imported_as FROM games JOIN cards ON id = game
WHERE imported_as IS NOT NULL
"""
"""A game that was tagged is known as what it is now, and as what it was in its file."""


@dataclass(slots=True)
class Tally:
    """What became of the games of a file so far."""

    imported: int = 0
    first: int = 0
    last: int = 0
    """Numbers of the first and the last one that were imported."""
    known: int = 0
    """Those that were there already."""
    broken: int = 0
    """Those whose moves break off: they are left out."""
    shortened: int = 0
    """Those imported that had comments, variations or signs."""


class Importer:
    """Brings files into a collection whose cards are up to date."""

    def __init__(
        self, collection: Collection, now_ms: Callable[[], int | None], *, again: bool
    ) -> None:
        """``again``: games that are there already are imported all the same."""
        self._collection = collection
        self._now_ms = now_ms
        self._again = again
        with told(collection.path):
            rows = collection.connection.execute(_KNOWN)
            self._known: set[int] = {digest for (digest,) in rows}

    def take(
        self, file: Path, tally: Tally, encoding: str | None = None
    ) -> Iterator[tuple[Fault, ...]]:
        """Import a file; answers, for each game, its faults: first the one that breaks it off.

        ``tally`` tells what is on the disk, also where nobody asks for the rest. ``encoding``: None
        where the file's words tell. Raises BoardError.
        """
        lot: list[tuple[Incoming, Card]] = []
        for game in build_games(IncomingBuilder, file_lines(file, None, encoding), str(file)):
            if game.broken is not None:
                tally.broken += 1
            elif self._is_wanted(card := card_of(game.chronicle(), len(game.entries()))):
                lot.append((game, card))
            else:
                tally.known += 1
            if len(lot) == BATCH:
                self._put(lot, tally)
                lot.clear()
            yield tuple(sorted(game.faults, key=lambda fault: fault is not game.broken))
        self._put(lot, tally)

    def _is_wanted(self, card: Card) -> bool:
        is_known = card.digest in self._known
        self._known.add(card.digest)
        return self._again or not is_known

    def _put(self, lot: list[tuple[Incoming, Card]], tally: Tally) -> None:
        if not lot:
            return
        connection, at_ms = self._collection.connection, self._now_ms()
        with told(self._collection.path), transaction(connection):
            numbers = [new_game(connection, card.digest) for _, card in lot]
            for number, (game, card) in zip(numbers, lot, strict=True):
                for entry in game.entries():
                    add_entry(connection, number, at_ms, entry)
                put_card(connection, number, card)
        tally.imported += len(lot)
        tally.first, tally.last = tally.first or numbers[0], numbers[-1]
        tally.shortened += sum(not game.is_whole for game, _ in lot)
