"""The collection of games, for pages: read in a thread for each question, as the disk is slow."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from boardfw.errors import BoardError
from boardfw.game.file_annotations import spots_of
from boardfw.game.record import Record
from boardfw.notation.fen import format_fen, format_pieces
from boardfw.notation.san import format_san
from boardfw.phrase import Phrase
from boardfw.services.web.api import (
    Explained,
    GameList,
    GameRow,
    Imported,
    KeptGame,
    RefusedGame,
)
from boardfw.services.web.refusals import ANSWER_BYTES, RefusedError
from boardfw.services.web.state import Ply
from boardfw.shell.collection.collection import Collection
from boardfw.shell.collection.filters import Filters
from boardfw.shell.collection.pgn_import import Importer, Tally
from boardfw.shell.store.game_store import wall_ms

UNDO_S = 30.0
"""A game that is removed can be had back for so long."""
MOST_GAMES = 10_000
"""Of one import."""
IMPORT_S = 120.0
"""An import ends after this time; what is in stays."""
WORK_S, REST_S = 0.02, 0.01
"""It works and rests in turn, since what it computes keeps the board's other threads waiting."""
MOST_TOLD = 100
"""Refusals of an import that are told each."""

T = TypeVar("T")
Explain = Callable[[int, int], str]
"""The story of a ply of a game. Raises BoardError."""


class KeptGames:
    """The games in a file, in the loop of the pages."""

    def __init__(self, path: Path, explain: Explain) -> None:
        self._path = path
        self._explain = explain
        self._going: dict[int, asyncio.Task[None]] = {}
        """Games that are to be removed."""
        self._one_at_a_time = asyncio.Semaphore(1)
        """For what takes the processor for long."""
        self._is_importing = False

    async def games(self, player: str, fen: str, offset: int, limit: int) -> GameList:
        """As of ``Library``."""

        def found(collection: Collection) -> GameList:
            filters = Filters.parse(player=player or None, position=fen or None)
            rows = [row for row in collection.rows(filters) if row.number not in self._going]
            rows.reverse()
            return GameList(
                games=[
                    GameRow(
                        id=row.number,
                        date=row.date,
                        white=row.white,
                        black=row.black,
                        result=row.result,
                        plies=row.plies,
                        opening=row.opening,
                        first_moves=row.first_moves,
                    )
                    for row in rows[offset : offset + limit]
                ],
                total=len(rows),
            )

        return await self._reading(found)

    async def game(self, number: int) -> KeptGame:
        """As of ``Library``."""
        return await self._reading(lambda collection: _kept(collection, number))

    async def pgn(self, number: int) -> str:
        """As of ``Library``."""

        def text(collection: Collection) -> str:
            collection.check([number])
            for _ in collection.renew(collection.stale(texts=True)):
                pass
            return "".join(collection.texts(Filters(numbers=(number,))))

        return await self._reading(text)

    async def all_pgn(self, player: str, fen: str) -> str:
        """As of ``Library``."""

        def text(collection: Collection) -> str:
            filters = Filters.parse(player=player or None, position=fen or None)
            for _ in collection.renew(collection.stale(texts=True)):
                pass
            if self._going:
                kept = {row.number for row in collection.rows(filters)} - self._going.keys()
                filters = Filters(numbers=tuple(sorted(kept)))
                return _joined(collection.texts(filters)) if kept else ""
            return _joined(collection.texts(filters))

        async with self._one_at_a_time:
            return await self._reading(text)

    async def explain(self, number: int, ply: int) -> Explained:
        """As of ``Library``."""
        async with self._one_at_a_time:
            text = await in_thread(lambda: self._explain(number, ply))
        return Explained(text=text)

    async def keep(self, pgn: str) -> Imported:
        """As of ``Library``."""
        if self._is_importing:
            raise RefusedError(
                409, "games are being imported already", remedy="wait until they are in"
            )
        self._is_importing = True
        try:
            async with self._one_at_a_time:
                return await in_thread(lambda: _imported(self._path, pgn))
        finally:
            self._is_importing = False

    async def delete(self, number: int) -> None:
        """As of ``Library``."""
        await self._reading(lambda collection: collection.check([number]))
        if number not in self._going:
            self._going[number] = asyncio.create_task(self._remove(number))

    async def restore(self, number: int) -> None:
        """As of ``Library``."""
        going = self._going.pop(number, None)
        if going is None:
            what = Phrase("game {0} is not being removed", str(number))
            raise RefusedError(404, what, where="number")
        going.cancel()

    async def _remove(self, number: int) -> None:
        await asyncio.sleep(UNDO_S)
        await in_thread(lambda: _deleted(self._path, number))
        self._going.pop(number, None)

    async def _reading(self, read: Callable[[Collection], T]) -> T:
        def done() -> T:
            with closing(Collection.to_read(self._path)) as collection:
                for _ in collection.renew(collection.stale()):
                    pass  # what cannot be read is told by 'boardfw games'
                return read(collection)

        return await in_thread(done)


async def in_thread(do: Callable[[], T], where: str = "games") -> T:
    """Do it in a thread. What raises BoardError there raises RefusedError here."""
    try:
        return await asyncio.to_thread(do)
    except BoardError as error:
        found, _, remedy = str(error).partition("; ")
        raise RefusedError(422, found, where=where, remedy=remedy) from None


def _joined(texts: Iterator[str]) -> str:
    """Return games as one text. Raises RefusedError once it is too long for an answer."""
    joined, size = list[str](), 0
    for text in texts:
        joined.append(text)
        size += len(text)
        if size > ANSWER_BYTES:
            raise RefusedError(
                413,
                "these games are too many for one file",
                remedy="search for fewer, or run 'boardfw games export' on the board",
            )
    return "".join(joined)


def _kept(collection: Collection, number: int) -> KeptGame:
    told = collection.game(number)
    record, positions = told.timed(), told.record.positions()
    plies: list[Ply] = []
    for at, move in enumerate(record.moves):
        left = record.ply_times[at].left_ms if at < len(record.ply_times) else None
        plies.append((move.uci(), format_san(positions[at], move), "f", left))
    comments: dict[str, str] = {}
    for ply, text in _comments(record):
        comments[str(ply)] = " ".join(filter(None, (comments.get(str(ply)), text)))
    return KeptGame(
        id=number,
        start_fen=format_fen(record.start),
        tags=dict(told.tags),
        plies=plies,
        placements=[format_pieces(position.placement) for position in positions],
        comments=comments,
        result=record.outcome.result if record.outcome else "*",
        history=[
            (undone.ply + nth, move.uci(), "")
            for undone in record.history
            for nth, move in enumerate(undone.moves, 1)
        ],
    )


def _comments(record: Record) -> Iterator[tuple[int, str]]:
    """What a file says after each ply, and then the rulings; 0: before the first ply."""
    if record.annotations is not None:
        spots = enumerate(spots_of(record.annotations, record.moves))
        yield from ((ply, spot.text) for ply, spot in spots if spot.text)
    for ruled in record.rulings:
        yield ruled.ply, ruled.told


def _imported(path: Path, pgn: str) -> Imported:
    refused: list[RefusedGame] = []
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder, closing(Collection.to_import(path)) as collection:
        file = Path(folder) / "sent.pgn"
        file.write_text(pgn, encoding="utf-8", errors="replace")
        for _ in collection.renew(collection.stale()):
            pass
        importer = Importer(collection, wall_ms, again=False)
        pace = _Pace()
        for faults in importer.take(file, tally, "utf-8", pace.is_enough):
            if faults and faults[0].ends_game and len(refused) < MOST_TOLD:
                refused.append(RefusedGame(line=faults[0].line, why=faults[0].text))
        if pace.why:
            refused.append(RefusedGame(line=0, why=pace.why))
    return Imported(
        kept=tally.imported, known=tally.known, shortened=tally.shortened, refused=refused
    )


class _Pace:
    """Lets an import rest now and then, and end at last."""

    def __init__(self) -> None:
        self.why = ""
        """Why it ended before its games did; empty: it did not."""
        self._games = 0
        self._ends_s = time.monotonic() + IMPORT_S
        self._rested_s = time.monotonic()

    def is_enough(self) -> bool:
        """True if no more games are to be read; called when another one follows."""
        self._games += 1
        now_s = time.monotonic()
        if self._games >= MOST_GAMES:
            self.why = f"at most {MOST_GAMES} games are imported at once; send the others again"
        elif now_s >= self._ends_s:
            self.why = (
                f"the import was ended after {IMPORT_S:.0f} s and {self._games} games; "
                "send the others again"
            )
        elif now_s - self._rested_s >= WORK_S:
            time.sleep(REST_S)
            self._rested_s = time.monotonic()
        return bool(self.why)


def _deleted(path: Path, number: int) -> None:
    with closing(Collection.to_write(path)) as collection:
        collection.delete([number])
