"""Games for the collection, as hypothesis draws them, and collections that hold them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hypothesis import strategies as st

from boardfw.game.journal import Begun, Entry, Noted, Over, Plies
from boardfw.notation.fen import format_fen, parse_fen
from boardfw.notation.opening_names import opening_of
from boardfw.notation.pgn import Game, format_game
from boardfw.notation.pgn.tags import OPENING_TAGS
from boardfw.rules import Position
from boardfw.shell.collection.collection import Collection
from boardfw.shell.collection.filters import Filters
from boardfw.shell.collection.pgn_import import Importer, Tally
from boardfw.shell.store.game_store import Store

NOON_MS = 1_762_340_400_000
"""In November 2025, wherever one lives."""
STARTS = [
    Position.start(),
    Position.start(),
    parse_fen("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 30"),
    parse_fen("nnrbkrbq/pppppppp/8/8/8/8/PPPPPPPP/NNRBKRBQ w FCfc - 0 1"),
    parse_fen("4k3/2p5/8/3P4/8/8/8/4K3 b - - 0 1"),
]
NAMES = ["Anna", "Anna Berg", "ÄNNCHEN", "Jürgen", "JÜRGEN", "Straße", "?", "50%_", "O'Neil", "Zoë"]
DATES = ["2025.11.05", "2025.11.??", "2025.??.??", "2026.01.31", "????.??.??", "1999.12.31", "x"]
TAGS = st.fixed_dictionaries(
    {},
    optional={
        "White": st.sampled_from(NAMES),
        "Black": st.sampled_from(NAMES),
        "Date": st.sampled_from(DATES),
        "Event": st.text(max_size=8),
        "ECO": st.sampled_from(["B90", "C41"]),
        "Opening": st.sampled_from(["Sicilian", "Philidor's Defence"]),
    },
)
FEW = 3
"""Moves among which a player of these games chooses, so that games begin alike."""


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A game of some plies, without anything said of them."""
    start = draw(st.sampled_from(STARTS))
    position, moves = start, []
    for choice in draw(st.lists(st.integers(0, FEW - 1), max_size=14)):
        legal = position.legal_moves()
        if not legal:
            break
        moves.append(legal[choice % len(legal)])
        position = position.play(moves[-1])
    result = draw(st.sampled_from(["1-0", "0-1", "1/2-1/2", "*"]))
    return Game(draw(TAGS), start, moves, result)


def as_written(game: Game) -> Game:
    """The game with the name of its opening, where it has none of its own."""
    opening = opening_of(list(game.positions()))
    named = opening is None or game.tags.keys() & set(OPENING_TAGS)
    tags = game.tags if named or opening is None else {**game.tags, **opening.tags}
    return Game(tags, game.start, game.moves, game.result)


def written(path: Path, several: Iterable[Game]) -> Path:
    """A PGN file with these games."""
    path.write_text("".join(map(format_game, several)), encoding="utf-8")
    return path


def brought_in(record: Path, file: Path, *, again: bool = False) -> Tally:
    """Import a file into a record."""
    collection, tally = Collection.to_import(record), Tally()
    for _ in Importer(collection, lambda: NOON_MS, again=again).take(file, tally):
        pass
    collection.close()
    return tally


def renewed(record: Path) -> Collection:
    """The collection as a command reads it."""
    collection = Collection.to_read(record)
    assert [trouble for trouble in collection.renew(collection.stale()) if trouble] == []
    return collection


def exported(record: Path, filters: Filters | None = None) -> list[str]:
    """The games of a record as PGN."""
    collection = renewed(record)
    texts = list(collection.texts(filters or Filters()))
    collection.close()
    return texts


def played_in(record: Path, several: Iterable[Game]) -> None:
    """Let a board have played these games here, ply by ply."""
    store = Store(record, lambda: NOON_MS)
    for number, game in enumerate(several):
        store.add(Noted(number, entry) for entry in _entries(game))
    store.close()


def _entries(game: Game) -> Iterable[Entry]:
    yield Begun(format_fen(game.start), game.tags)
    for ply, move in enumerate(game.moves):
        yield Plies(ply, ply, [move.uci()], [ply])
    if game.result != "*":
        yield Over(100, game.result, "resignation")
