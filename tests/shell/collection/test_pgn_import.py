"""PGN comes in and goes out: the same games, whole or not at all, and each of them once."""

from __future__ import annotations

import io
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.game.chronicle import chronicle
from boardfw.notation.pgn import Game, format_game, read_file, read_games
from boardfw.notation.pgn.tags import OPENING_TAGS
from boardfw.shell.collection.collection import Collection
from boardfw.shell.collection.filters import Filters
from boardfw.shell.collection.pgn_import import Importer, Incoming, Tally
from tests.notation.pgn_trees import games as trees
from tests.notation.test_pgn_round_trip import TEXTS
from tests.shell.collection.child import LOT
from tests.shell.collection.games import (
    as_written,
    brought_in,
    exported,
    games,
    played_in,
    renewed,
    written,
)
from tests.sizes import sized

CHILD = "tests.shell.collection.child"
EVENINGS = Path(__file__).parents[2] / "cli" / "evenings.pgn"
LICHESS = "1. e4 { [%eval 0.2] [%clk 0:05:03] } 1... e5 { [%clk 0:05:01] } 2. Nf3 *"
CHESS_COM = "1. e4 {[%clk 0:02:59.9]} 1... e5 {[%clk 0:02:58]} 2. Nf3 {[%clk 0:02:55.4]} *"
LIVECHESS = "1. e4 e5 {[%emt 0:00:04]} 2. Nf3 {[%clk 1:30:00] [%emt 0:00:12]} *"


@settings(max_examples=sized(5, 20))
@given(st.lists(games(), min_size=1, max_size=5))
def test_what_came_in_goes_out_and_comes_in_again(several: list[Game]) -> None:
    with TemporaryDirectory() as folder:
        first, second = Path(folder) / "1.db", Path(folder) / "2.db"
        brought_in(first, written(Path(folder) / "in.pgn", several), again=True)
        texts = exported(first)
        assert list(read_games("".join(texts))) == [*map(as_written, several)]
        out = Path(folder) / "out.pgn"
        out.write_text("".join(texts), encoding="utf-8")
        brought_in(second, out, again=True)
        assert exported(second) == texts


@pytest.mark.slow
@settings(max_examples=15)
@given(st.lists(trees(), min_size=1, max_size=3))
def test_of_any_tree_comments_signs_and_variations_are_kept(several: list[Game]) -> None:
    with TemporaryDirectory() as folder:
        record, file = Path(folder) / "games.db", written(Path(folder) / "in.pgn", several)
        sent = [game for game in read_file(file) if not any(f.ends_game for f in game.faults)]
        tally = brought_in(record, file, again=True)
        assert (tally.imported, tally.shortened) == (len(sent), 0)
        texts = exported(record)
        assert list(map(_told, read_games("".join(texts)))) == list(map(_told, sent))
        forget_cards(record)
        assert exported(record) == texts
        again, out = Path(folder) / "again.db", Path(folder) / "out.pgn"
        out.write_text("".join(texts), encoding="utf-8")
        brought_in(again, out, again=True)
        assert exported(again) == texts


@settings(max_examples=sized(20, 200), deadline=None)
@given(TEXTS | st.text())
def test_of_any_text_the_entries_are_the_game_that_was_read(text: str) -> None:
    for game in map(Incoming.of, read_games(text)):
        read = game.chronicle().record.to_pgn({})
        assert chronicle(game.entries()).record.to_pgn({}) == read


def _told(game: Game) -> tuple[object, ...]:
    """All of a game but the name of its opening and the place of a time in a comment."""
    tags = {name: tag for name, tag in game.tags.items() if name not in OPENING_TAGS}
    words = [sorted(" ".join(node.comments).split()) for node in game.mainline()]
    bare = Game(tags, game.start, (), game.result)
    bare.children, bare.comments, bare.closing = game.children, game.comments, game.closing
    for node in bare.mainline():
        node.comments = ()
    return format_game(bare), words


@settings(max_examples=sized(5, 25))
@given(st.lists(games(), min_size=1, max_size=5), st.booleans())
def test_another_reader_finds_no_fault_in_what_goes_out(several: list[Game], here: bool) -> None:
    with TemporaryDirectory() as folder:
        record = Path(folder) / "games.db"
        if here:
            played_in(record, [game for game in several if game.moves] or [Game()])
        else:
            brought_in(record, written(Path(folder) / "in.pgn", several), again=True)
        file = io.StringIO("".join(exported(record)))
        while (theirs := chess.pgn.read_game(file)) is not None:
            assert theirs.errors == []


@settings(max_examples=sized(5, 25))
@given(st.lists(games(), min_size=1, max_size=5))
def test_a_card_that_is_made_anew_is_the_one_that_was_made_from_the_file(
    several: list[Game],
) -> None:
    with TemporaryDirectory() as folder:
        record = Path(folder) / "games.db"
        brought_in(record, written(Path(folder) / "in.pgn", several), again=True)
        collection = Collection.to_read(record)
        assert collection.stale() == []
        before = cards(collection)
        forget_cards(record)
        assert len(collection.stale()) == len(several)
        collection.close()
        assert cards(renewed(record)) == before


def forget_cards(record: Path) -> None:
    with closing(sqlite3.connect(record)) as other, other:
        for table in ("cards", "texts", "keys"):
            other.execute(f"DELETE FROM {table}")


def cards(collection: Collection) -> list[tuple[object, ...]]:
    query = "SELECT * FROM cards JOIN texts USING (game) JOIN keys USING (game) ORDER BY game"
    return collection.connection.execute(query).fetchall()


def _as_known(game: Game) -> str:
    """What makes a game the same as another: all of it but how its opening is called."""
    tags = {name: value for name, value in game.tags.items() if name not in OPENING_TAGS}
    return format_game(Game(tags, game.start, game.moves, game.result))


@settings(max_examples=sized(5, 25))
@given(st.lists(games(), min_size=1, max_size=5, unique_by=_as_known))
def test_games_that_are_there_already_are_skipped(several: list[Game]) -> None:
    with TemporaryDirectory() as folder:
        record, file = Path(folder) / "games.db", written(Path(folder) / "in.pgn", several)
        assert brought_in(record, file) == Tally(len(several), 1, len(several))
        assert brought_in(record, file) == Tally(known=len(several))
        out = written(Path(folder) / "out.pgn", read_games("".join(exported(record))))
        assert brought_in(record, out).imported == 0
        assert brought_in(record, file, again=True).imported == len(several)


def test_a_game_that_was_played_here_and_comes_back_is_known(tmp_path: Path) -> None:
    record = tmp_path / "games.db"
    played_in(record, list(read_file(EVENINGS))[:3])
    out = tmp_path / "out.pgn"
    out.write_text("".join(exported(record)), encoding="utf-8")
    assert brought_in(record, out) == Tally(known=3)


def test_a_game_that_was_tagged_is_known_as_both_that_it_was(tmp_path: Path) -> None:
    record, file = tmp_path / "games.db", written(tmp_path / "in.pgn", [Game({"White": "Ana"})])
    brought_in(record, file)
    collection = Collection.to_write(record)
    collection.tag(1, {"White": "Anna"}, None)
    collection.close()
    renewed(record).close()
    assert brought_in(record, file).known == 1
    assert brought_in(record, written(file, [Game({"White": "Anna"})])).known == 1
    collection = Collection.to_write(record)
    collection.delete([1])
    collection.close()
    assert brought_in(record, file).imported == 1


@pytest.mark.parametrize(
    ("text", "clocks", "elapsed"),
    [
        (LICHESS, [303_000, 301_000, None], [None, None, None]),
        (CHESS_COM, [179_900, 178_000, 175_400], [None, None, None]),
        (LIVECHESS, [None, None, 5_400_000], [None, 4_000, 12_000]),
    ],
)
def test_the_times_that_a_file_has_are_kept(
    tmp_path: Path, text: str, clocks: list[int | None], elapsed: list[int | None]
) -> None:
    file, record = tmp_path / "in.pgn", tmp_path / "games.db"
    file.write_text(f'[TimeControl "300+3"]\n\n{text}\n', encoding="utf-8")
    brought_in(record, file)
    (game,) = read_games("".join(exported(record)))
    assert [node.clock_ms for node in game.mainline()] == clocks
    assert [node.elapsed_ms for node in game.mainline()] == elapsed
    assert game.tags["TimeControl"] == "300+3"


TIMES = st.none() | st.integers(0, 10**8)


@settings(max_examples=sized(5, 25))
@given(games(), st.data())
def test_any_times_come_in_and_go_out(game: Game, data: st.DataObject) -> None:
    for node in game.mainline():
        node.elapsed_ms, node.clock_ms = data.draw(TIMES), data.draw(TIMES)
    expected = as_written(game)
    for node, timed in zip(expected.mainline(), game.mainline(), strict=True):
        node.comments = timed.comments
    with TemporaryDirectory() as folder:
        record = Path(folder) / "games.db"
        tally = brought_in(record, written(Path(folder) / "in.pgn", [game]))
        assert (tally.imported, tally.shortened) == (1, 0)
        texts = exported(record)
        assert list(read_games("".join(texts))) == [expected]
        forget_cards(record)
        assert exported(record) == texts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. e4 {good} *", "1. e4 {good} *"),
        ("1. e4! *", "1. e4 $1 *"),
        ("1. e4 (1. d4 d5 (1... f5)) *", "1. e4 (1. d4 d5 (1... f5)) *"),
        ("{so} 1. e4 *", "{so} 1. e4 *"),
        ("1. e4 * {end}", "1. e4 * {end}"),
        ("1. e4 {[%eval 0.2] [%clk 0:05:00] Hm} *", "1. e4 {[%clk 0:05:00] [%eval 0.2] Hm} *"),
        ("1. e4 {[%clk soon] [%emt 0:00:01]} *", "1. e4 {[%emt 0:00:01] [%clk soon]} *"),
        ("1. e4 (1. Ke4 {no}) e5 *", "1. e4 {unread: 1. Ke4 (no)} 1... e5 *"),
        ("1. e4 (1. d4 Nf4) e5 *", "1. e4 (1. d4 {unread: 1... Nf4}) 1... e5 *"),
    ],
)
def test_what_is_said_about_a_move_is_kept(tmp_path: Path, text: str, expected: str) -> None:
    file, record = tmp_path / "in.pgn", tmp_path / "games.db"
    file.write_text(f"{text}\n", encoding="utf-8")
    assert brought_in(record, file).shortened == 0
    (kept,) = exported(record)
    assert kept.endswith(f"\n\n{expected}\n\n")


def test_annotations_that_are_too_long_are_counted_and_the_moves_come(tmp_path: Path) -> None:
    file, record = tmp_path / "in.pgn", tmp_path / "games.db"
    text = f"1. e4! {{{'word ' * 120_000}}} (1. d4) 1... e5 {{[%clk 0:05:00]}} *"
    file.write_text(f"{text}\n\n1. d4 {{good}} *\n", encoding="utf-8")
    tally = brought_in(record, file)
    assert (tally.imported, tally.shortened) == (2, 1)
    assert tally.dropped == {"comments": 1, "signs": 1, "variations": 1}
    long, short = exported(record)
    assert long.endswith("\n\n1. e4 e5 {[%clk 0:05:00]} *\n\n")
    assert short.endswith("\n\n1. d4 {good} *\n\n")


def test_a_game_that_breaks_off_is_left_out_and_the_others_come(tmp_path: Path) -> None:
    file = tmp_path / "in.pgn"
    file.write_text("1. e4 *\n\n1. e4 Ke4 2. d4 *\n\n1. d4 *\n", encoding="utf-8")
    record, tally = tmp_path / "games.db", Tally()
    with closing(Collection.to_import(record)) as collection:
        importer = Importer(collection, lambda: None, again=False)
        faults = [str(fault) for told in importer.take(file, tally) for fault in told]
    assert (tally.imported, tally.broken) == (2, 1)
    (fault,) = faults
    assert fault.startswith(f"{file}:3: ")
    assert "Ke4" in fault


STATEMENTS = 150
"""An import of these games has some more."""
KILLS, SOME_KILLS, FULL_KILLS = 3, 8, STATEMENTS - 1


@pytest.mark.slow
@pytest.mark.parametrize("is_sample", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_killed_at_any_statement_each_lot_is_there_or_not_and_the_file_is_whole(
    tmp_path: Path, is_sample: bool, full: bool
) -> None:
    kills = KILLS if is_sample else (FULL_KILLS if full else SOME_KILLS)
    random, whole = Random(2), len(list(read_file(EVENINGS)))
    for number, statement in enumerate(random.sample(range(1, STATEMENTS), kills)):
        record = tmp_path / f"{number}.db"
        said = killed_at(record, statement)
        with closing(renewed(record)) as collection:
            kept = collection.count(Filters())
            assert kept >= said
            assert kept % LOT == 0
            rows = list(collection.rows(Filters()))
            assert all(len(collection.game(row.number).record.moves) == row.plies for row in rows)
            check = collection.connection.execute("PRAGMA integrity_check").fetchone()
        assert check == ("ok",)
        assert brought_in(record, EVENINGS) == Tally(whole - kept, kept + 1, whole, known=kept)


def killed_at(record: Path, statement: int) -> int:
    """Import until the process is killed; how many games it had said were kept."""
    child = subprocess.run(
        [sys.executable, "-m", CHILD, str(record), str(EVENINGS), str(statement)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    assert child.returncode == -signal.SIGKILL
    return int(child.stdout.split()[-1])
