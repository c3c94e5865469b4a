"""``boardfw games rule``: an arbiter corrects a game that is kept."""

from __future__ import annotations

import io
import sqlite3
from pathlib import Path

import chess.pgn
import pytest

from boardfw.errors import BoardError
from boardfw.game.journal import Begun, Noted, Plies, Pressed
from boardfw.recording import START_FEN
from boardfw.shell.collection.collection import Collection
from boardfw.shell.store.database import MIGRATIONS
from boardfw.shell.store.game_store import Store
from tests.cli.test_games import OLD, at_home, kept, played, refused, said

__all__ = ["at_home", "kept", "played"]

BY = ("--who", "Ann Berg", "--why", "both sheets say so")
MATE, CLOCKED, CUT_OFF = "1", "2", "3"


def rule(number: str, *words: str) -> str:
    return said("rule", number, *words, *BY)


def flat(text: str) -> str:
    return " ".join(text.split())


def read(number: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(said("export", number)))
    assert game is not None
    assert game.errors == []
    return game


def entries(path: Path) -> list[tuple[int, int, bytes]]:
    with sqlite3.connect(path) as connection:
        return connection.execute("SELECT game, number, entry FROM entries").fetchall()


def test_a_ply_is_corrected_and_who_and_why_are_told(kept: Path) -> None:
    told = rule(CUT_OFF, "2.Nc3")
    assert told == "game 3: 2.Nc3 instead of 2.Nf3, by Ann Berg: both sheets say so\n"
    shown = flat(said("show", CUT_OFF))
    comment = "{2.Nc3 instead of 2.Nf3, by Ann Berg: both sheets say so}"
    assert f"1. e4 c5 2. Nc3 {comment} *" in shown
    assert [move.uci() for move in read(CUT_OFF).mainline_moves()] == ["e2e4", "c7c5", "b1c3"]
    assert "1.e4 c5 2.Nc3" in said("list", "--player", "anna", "--result", "*")


def test_entries_are_only_added(kept: Path) -> None:
    before = entries(kept)
    rule(CUT_OFF, "2.Nc3")
    rule(CUT_OFF, "drop 1...")
    after = entries(kept)
    assert after[: len(before)] == before
    assert len(after) == len(before) + 2
    text = flat(said("show", CUT_OFF))
    assert "{1...c5 2.Nc3 dropped, by Ann Berg: both sheets say so}" in text
    assert "{2.Nc3 instead of 2.Nf3, by" in text


def test_a_game_that_ended_in_mate_may_not_have(kept: Path) -> None:
    rule(MATE, "17.Rd7")
    assert read(MATE).headers["Result"] == "*"
    rule(MATE, "17.Rd8")
    game = read(MATE)
    assert game.headers["Result"] == "1-0"
    assert game.end().board().is_checkmate()


def test_a_move_against_the_rules_stands(kept: Path) -> None:
    rule(CUT_OFF, "illegal", "2...e8e6")
    rule(CUT_OFF, "3.d4", "g6")
    game = read(CUT_OFF)
    assert [move.uci() for move in game.mainline_moves()] == ["d2d4", "g7g6"]
    assert game.board().fen().split()[:3] == [
        "rnbq1bnr/pp1ppppp/4k3/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R",
        "w",
        "KQ",
    ]
    text = flat(said("show", CUT_OFF))
    assert "{played before: 1.e4 c5 2.Nf3 Ke6; against the rules: 2...Ke6}" in text
    assert "{2...Ke6 added, against the rules, by Ann Berg: both sheets say so}" in text
    assert "after ply 4, 2...Ke6" in said("show", CUT_OFF, "--ply", "4")


def test_clocks_of_a_game_that_goes_on_are_set(tmp_path: Path) -> None:
    path = Path("mine.db")
    Store(path, lambda: None).add(
        [
            Noted(0, Begun(START_FEN, {}, "300")),
            Noted(0, Plies(1_000, 0, ["e2e4", "e7e5"], [500, 900])),
            Noted(0, Pressed(1_000, 0, [0, 7_000_000])),
        ]
    )
    said("rule", "1", "clocks", "4:00", "-", *BY, "--record", "mine.db")
    game = Store(path, lambda: None).take_up()
    assert game is not None
    assert game.record.clock_sets[-1].left_us == (240_000_000, 293_000_000)


def test_a_game_that_was_ruled_on_goes_on_when_the_board_is_switched_on(kept: Path) -> None:
    rule(CUT_OFF, "2.Nc3")
    game = Store(kept, lambda: None).take_up()
    assert game is not None
    unfinished = game.unfinished()
    assert [move.uci() for move in unfinished.record.moves] == ["e2e4", "c7c5", "b1c3"]
    assert unfinished.asked == ()


def test_times_of_a_game_from_a_file_stay_as_far_as_they_belong(kept: Path) -> None:
    Path("timed.pgn").write_text(
        "1. e4 {[%clk 0:05:00] [%emt 0:00:01]} e5 {[%clk 0:04:50]} "
        "2. d4 {[%clk 0:04:40] [%emt 0:00:03]} *\n"
    )
    said("import", "timed.pgn")
    rule("4", "2.d3")
    shown = flat(said("show", "4"))
    assert "e5 {[%clk 0:04:50]} 2. d3 {[%clk 0:04:40] [%emt 0:00:03]}" in shown
    rule("4", "insert", "1.a3", "a6", "2.b3", "b6")
    assert "[%clk" not in said("show", "4")


def test_annotations_of_a_game_from_a_file_stay_up_to_the_ruling(kept: Path) -> None:
    Path("noted.pgn").write_text("1. e4! {so} e5 (1... c5) 2. d4? {Hm} (2. c4) d6 *\n")
    said("import", "noted.pgn")
    rule("4", "2.d3")
    shown = flat(said("show", "4"))
    assert "1. e4 $1 {so} 1... e5 (1... c5) 2. d3 {" in shown
    assert "{Hm}" not in shown


def test_what_stands_in_a_comment_stays_there(kept: Path) -> None:
    why = ' "twice" % ; (2. d4) $1 [Event "no"] über'
    said("rule", CUT_OFF, "2.Nc3", "--who", "Zoë", "--why", why)
    game = read(CUT_OFF)
    assert len(list(game.mainline_moves())) == 3
    assert " ".join(why.split()) in flat(game.end().comment)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["9", "2.Nc3", *BY], "there is no game 9"),
        ([CUT_OFF, "2.Nh3", "2...Nf3", *BY], "Nf3: not legal here"),
        ([CUT_OFF, "1.d3", "1...c5", "2.Nf6", *BY], "Nf6: not legal here"),
        ([CUT_OFF, "1.Nf3", *BY], "after that 2.Nf3, as recorded, is no legal move; say what"),
        ([CUT_OFF, "Nc3", *BY], "'Nc3' is not a ruling; write for example '12.Nf3'"),
        ([CUT_OFF, "2.Nf3", *BY], "2.Nf3 is already recorded"),
        ([CUT_OFF, "9.Nf3", *BY], "ply 17 (9.) is not in the game: it has 3 plies, up to 2."),
        ([CUT_OFF, "clocks", "1:00", "1:00", *BY], "the game is played without a clock"),
        ([CLOCKED, "clocks", "1:00", "1:00", *BY], "the game has ended"),
        ([CUT_OFF, "2.Nc3", "--who", " ", "--why", "so"], "who is missing"),
        ([CUT_OFF, "2.Nc3", "--who", "Ann", "--why", "{"], "why: '{' cannot be stored"),
        ([CUT_OFF, "illegal", "2...Ke6", *BY], "is written by its squares"),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_written(
    kept: Path, given: list[str], told: str
) -> None:
    before = entries(kept)
    assert told in refused("rule", *given)
    assert entries(kept) == before


def test_who_and_why_have_to_be_said(kept: Path) -> None:
    before = entries(kept)
    for words in (["--who", "Ann"], ["--why", "so"]):
        with pytest.raises(AssertionError):
            said("rule", CUT_OFF, "2.Nc3", *words)
    assert entries(kept) == before


def test_a_game_that_is_being_played_is_ruled_on_at_the_board(played: Path) -> None:
    assert "game 4 is being played, or was just now" in refused("rule", "4", "1.d4", *BY)
    assert "2.Nc3 instead of 2.Nf3" in rule(CUT_OFF, "2.Nc3")


def test_a_ruling_of_a_full_disk_is_whole_or_not_there(kept: Path) -> None:
    collection = Collection.to_write(kept)
    before = entries(kept)
    pages = collection.connection.execute("PRAGMA page_count").fetchone()[0]
    collection.connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(BoardError, match="the disk is full"):
        collection.rule(3, "2.Nc3", "Ann", "x" * 50_000, None)
    collection.close()
    assert entries(kept) == before


def test_a_file_with_rulings_is_newer_than_programs_that_do_not_know_them(kept: Path) -> None:
    assert sqlite3.connect(OLD).execute("PRAGMA user_version").fetchone() == (1,)
    rule(CUT_OFF, "2.Nc3")
    with sqlite3.connect(kept) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
