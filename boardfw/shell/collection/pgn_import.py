"""PGN files into the collection: some hundreds of games at once, each lot whole or not at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from boardfw.game.chronicle import Chronicle
from boardfw.game.journal import Begun, Clocked, Entry, Over, Plies
from boardfw.game.record import UNTIMED, PlyTime, Record
from boardfw.notation.fen import format_fen
from boardfw.notation.pgn import Builder, Fault, Node, build_games, file_lines
from boardfw.notation.pgn.notes import COMMAND
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
_TIMES = ("clk", "emt")


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
    dropped: Counter[str]
    """How many ``times``, ``comments``, ``signs`` and ``variations`` it had that are not kept."""
    letters: str = ""
    """The language whose letters its pieces had; empty: English."""

    @property
    def broken(self) -> Fault | None:
        """Where its moves break off, if they do."""
        return next((fault for fault in self.faults if fault.breaks), None)

    def entries(self) -> list[Entry]:
        """The game as it is kept."""
        plies = [move.uci() for move in self.moves]
        entries: list[Entry] = [Begun(format_fen(self.start), self.tags)]
        if plies:
            entries.append(Plies(0, 0, plies, [0] * len(plies)))
        if self.times:
            left_ms = [time.left_ms for time in self.times]
            entries.append(Clocked(left_ms, [time.took_ms for time in self.times]))
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
        )
        return Chronicle(record, dict(self.tags))


@dataclass(slots=True)
class IncomingBuilder(Builder[Incoming]):
    """Reads main lines with their times, and notices what else was there."""

    _moves: list[Move] = field(default_factory=list)
    _times: list[PlyTime] = field(default_factory=list)
    _spot: Node | None = None
    """The last move, with what was said of it."""
    _dropped: Counter[str] = field(default_factory=Counter)
    _letters: str = ""

    def move(self, move: Move) -> None:
        """The next move."""
        self._settle()
        self._moves.append(move)
        self._spot = Node(move)

    def nag(self, number: int) -> None:  # noqa: ARG002  # what it says is not kept
        """Signs are not kept."""
        self._dropped["signs"] += 1

    def comment(self, text: str) -> None:
        """Of a comment the times are kept."""
        names = _commands(text)
        if COMMAND.sub("", text).strip() or set(names) - set(_TIMES):
            self._dropped["comments"] += 1
        if self._spot is not None:
            self._spot.comments += (text,)
        else:
            self._dropped["times"] += sum(name in _TIMES for name in names)

    def open(self) -> bool:
        """Variations are not kept."""
        self._dropped["variations"] += 1
        return False

    def letters(self, language: str) -> None:
        """The pieces have the letters of this language."""
        self._letters = language

    def end(self) -> None:
        """What is said behind the result belongs to no ply."""
        self._settle()
        self._spot = None

    def _settle(self) -> None:
        """Keep the times of the last ply."""
        spot, self._spot = self._spot, None
        if spot is None:
            return
        found = PlyTime.of_ms(spot.clock_ms, spot.elapsed_ms)
        if found != UNTIMED:
            missing = len(self._moves) - 1 - len(self._times)
            self._times += [*(UNTIMED,) * missing, found]
        names = (name for text in spot.comments for name in _commands(text))
        kept = sum(time is not None for time in found)
        self._dropped["times"] += sum(name in _TIMES for name in names) - kept

    def game(
        self, tags: dict[str, str], start: Position, result: str, faults: tuple[Fault, ...]
    ) -> Incoming:
        """The whole."""
        self._settle()
        kept = {name: tag for name, tag in tags.items() if name not in DERIVED}
        times, dropped = self._times, self._dropped
        return Incoming(kept, start, self._moves, result, faults, times, dropped, self._letters)


def _commands(comment: str) -> list[str]:
    """The names of the commands in a comment."""
    return [command["name"] for command in COMMAND.finditer(comment)]


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
    """Those imported that had more than is kept."""
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
        games = build_games(IncomingBuilder, file_lines(file, None, encoding), str(file))
        for position, game in enumerate(games):
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
