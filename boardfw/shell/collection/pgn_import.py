"""PGN files into the collection: some hundreds of games at once, each lot whole or not at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from boardfw.game.chronicle import Chronicle
from boardfw.game.file_annotations import counted, is_annotated
from boardfw.game.journal import Annotated, Begun, Clocked, Entry, Over, Plies
from boardfw.game.record import UNTIMED, PlyTime, Record
from boardfw.notation.fen import format_fen
from boardfw.notation.pgn import Fault, Game, Node, file_lines, format_movetext, read_games
from boardfw.notation.pgn.tags import DERIVED
from boardfw.notation.pgn.tokens import LONGEST_GAME
from boardfw.notation.result import RESULTS
from boardfw.rules import Move, Outcome, Position
from boardfw.shell.collection.collection import Collection
from boardfw.shell.collection.game_summary import GameSummary, summary_of
from boardfw.shell.collection.summaries_update import BATCH, put_card
from boardfw.shell.store.database import told, transaction
from boardfw.shell.store.game_store import add_entry, new_game

UNFINISHED = RESULTS[-1]
LONGEST_ANNOTATIONS = LONGEST_GAME // 2
"""Characters. With its tags and times, the exported game is short enough to be read again."""


@dataclass(slots=True)
class Incoming:
    """A game as it was read."""

    tags: dict[str, str]
    start: Position
    moves: list[Move]
    result: str
    faults: tuple[Fault, ...]
    times: list[PlyTime]
    """Up to the last ply of which the file has one."""
    annotations: Game | None
    """None: the file says nothing about the moves, or too much."""
    movetext: str
    """The moves with these annotations; empty where there are none."""
    dropped: Counter[str]
    """How many comments, signs and variations it had that are not kept, as of ``counted``."""
    letters: str = ""
    """The language whose letters its pieces had; empty: English."""

    @classmethod
    def of(cls, game: Game) -> Incoming:
        """The parts of a game as they are kept; the times are taken out of its comments."""
        tags = {name: tag for name, tag in game.tags.items() if name not in DERIVED}
        times = [_taken_out(node) for node in game.mainline()]
        while times and times[-1] == UNTIMED:
            times.pop()
        movetext = format_movetext(game) if is_annotated(game) else ""
        is_kept = 0 < len(movetext) <= LONGEST_ANNOTATIONS
        return cls(
            tags,
            game.start,
            game.moves,
            game.result,
            game.faults,
            times,
            annotations=game if is_kept else None,
            movetext=movetext if is_kept else "",
            dropped=counted(game) if movetext and not is_kept else Counter(),
            letters=game.letters,
        )

    @property
    def broken(self) -> Fault | None:
        """Where its moves break off, if they do."""
        return next((fault for fault in self.faults if fault.ends_game), None)

    def entries(self) -> list[Entry]:
        """The game as it is kept."""
        plies = [move.uci() for move in self.moves]
        entries: list[Entry] = [Begun(format_fen(self.start), self.tags)]
        if plies:
            entries.append(Plies(0, 0, plies, [0] * len(plies)))
        if self.times:
            left_ms = [time.left_ms for time in self.times]
            entries.append(Clocked(left_ms, [time.took_ms for time in self.times]))
        if self.movetext:
            entries.append(Annotated(self.movetext))
        if self.result != UNFINISHED:
            entries.append(Over(0, self.result, ""))
        return entries

    def chronicle(self) -> Chronicle:
        """What ``chronicle`` makes of the entries, in a third of the time."""
        record = Record(
            self.start,
            0,
            tuple(self.moves),
            (0,) * len(self.moves),
            None if self.result == UNFINISHED else Outcome(self.result, ""),
            ply_times=tuple(self.times),
            annotations=self.annotations,
        )
        return Chronicle(record, dict(self.tags))


def _taken_out(node: Node) -> PlyTime:
    """The times of a ply, removed from its comments."""
    time = PlyTime.of_ms(node.clock_ms, node.elapsed_ms)
    if time.left_us is not None:
        node.clock_ms = None
    if time.took_us is not None:
        node.elapsed_ms = None
    return time


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
    """Those imported whose annotations were too long to be kept."""
    dropped: Counter[str] = field(default_factory=Counter)
    """What is not kept of them, as of ``Incoming``."""
    letters: dict[str, int] = field(default_factory=dict)
    """How many imported games had the piece letters of a language other than English."""


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
        self,
        file: Path,
        tally: Tally,
        encoding: str | None = None,
        is_enough: Callable[[], bool] = lambda: False,
    ) -> Iterator[tuple[Fault, ...]]:
        """Import a file; answers, for each game, its faults: first the one that breaks it off.

        ``tally`` tells what is on the disk, also after an early stop. ``encoding``: None
        where the file's words tell. ``is_enough``: asked when another game follows; True leaves
        that one and all others out. Raises BoardError.
        """
        lot: list[tuple[Incoming, GameSummary]] = []
        games = read_games(file_lines(file, None, encoding), str(file))
        for position, game in enumerate(map(Incoming.of, games)):
            if position and is_enough():
                break
            if game.broken is not None:
                tally.broken += 1
            elif self._is_wanted(card := summary_of(game.chronicle(), len(game.entries()))):
                lot.append((game, card))
            else:
                tally.known += 1
            if len(lot) == BATCH or sum(len(card.pgn) for _, card in lot) > LONGEST_GAME:
                self._put(lot, tally)
                lot.clear()
            yield tuple(sorted(game.faults, key=lambda fault: fault is not game.broken))
        self._put(lot, tally)

    def _is_wanted(self, card: GameSummary) -> bool:
        is_known = card.digest in self._known
        self._known.add(card.digest)
        return self._again or not is_known

    def _put(self, lot: list[tuple[Incoming, GameSummary]], tally: Tally) -> None:
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
        for game, _ in lot:
            tally.shortened += bool(game.dropped.total())
            tally.dropped += game.dropped
        for language in (game.letters for game, _ in lot if game.letters):
            tally.letters[language] = tally.letters.get(language, 0) + 1
