"""The record: append-only; what was taken back or amended stays as history."""

from __future__ import annotations

import io

import chess.pgn

from boardfw.game.record import Record
from boardfw.game.recorder import Recorder
from boardfw.notation.fen import parse_fen
from boardfw.notation.pgn import format_game
from boardfw.notation.uci import parse_uci
from boardfw.rules import Move, Outcome, Position
from boardfw.rules.move import common
from boardfw.squares import BY_NAME

LONG_US = 2_000_000


def game(text: str, start: Position | None = None) -> tuple[Move, ...]:
    position, moves = start or Position.start(), []
    for word in text.split():
        moves.append(parse_uci(position, word))
        position = position.play(moves[-1])
    return tuple(moves)


def record(*versions: str, apart_us: int = LONG_US) -> Record:
    """A record that was each of these games in turn."""
    kept = Record(Position.start(), 0)
    for number, version in enumerate(versions, 1):
        Recorder(kept).change(number * apart_us, game(version))
    return kept


def pgn(kept: Record) -> str:
    return format_game(kept.to_pgn({"White": "Ann", "Black": "Bob"}))


def test_plies_are_added_with_the_times_at_which_they_became_known() -> None:
    kept = record("e2e4", "e2e4 e7e5", "e2e4 e7e5 g1f3 b8c6")
    assert kept.moves == game("e2e4 e7e5 g1f3 b8c6")
    assert kept.times_us == (LONG_US, 2 * LONG_US, 3 * LONG_US, 3 * LONG_US)
    assert kept.history == []


def test_a_change_tells_how_many_plies_stayed() -> None:
    kept = record("e2e4 e7e5 g1f3")
    assert Recorder(kept).change(9, game("e2e4 e7e5 g1f3 b8c6")) == 3
    assert Recorder(kept).change(9, game("e2e4 c7c5 g1f3 b8c6")) == 1
    assert Recorder(kept).change(9, game("e2e4")) == 1
    assert Recorder(kept).change(9, ()) == 0
    assert kept.times_us == ()


def test_what_was_taken_back_is_history() -> None:
    kept = record("e2e4 e7e5 g1f3", "e2e4", "e2e4 c7c5")
    (undone,) = kept.history
    assert (undone.ply, undone.moves) == (1, game("e2e4 e7e5 g1f3")[1:])
    assert undone.t_us == 2 * LONG_US


def test_plies_that_are_taken_back_one_by_one_are_one_entry_of_history() -> None:
    kept = record("e2e4 e7e5", "e2e4", "", "d2d4", "d2d4 e7e5", "d2d4", "d2d4 g8f6")
    assert [(one.ply, one.moves) for one in kept.history] == [
        (0, game("e2e4 e7e5")),
        (1, game("d2d4 e7e5")[1:]),
    ]
    assert "{taken back: 1.e4 e5} 1. d4 {taken back: 1...e5} 1... Nf6" in pgn(kept)


def test_a_ply_that_becomes_another_amid_others_leaves_what_was_taken_back_behind_them() -> None:
    kept = record("e2e4 e7e5 g1f3", "e2e4 e7e5", "e2e4 c7c5")
    assert [(one.ply, len(one.moves)) for one in kept.history] == [(1, 2)]
    kept = record("e2e4 e7e5 g1f3", "e2e4 e7e5", "d2d4 e7e5")
    assert [(one.ply, len(one.moves)) for one in kept.history] == [(2, 1), (0, 1)]


def test_a_station_on_the_way_is_not() -> None:
    assert record("e2e3", "e2e4").history == []
    assert len(record("e2e3", "d2d4").history) == 1, "another piece: the first one was taken back"


def test_positions_are_those_of_the_mainline() -> None:
    positions = record("e2e4 e7e5").positions()
    assert len(positions) == 3
    assert positions[0] == Position.start()
    assert positions[-1].piece_at(BY_NAME["e5"]) is not None


def test_the_pgn_has_the_mainline_and_what_was_taken_back_as_a_comment() -> None:
    kept = record("e2e4 e7e5 g1f3", "e2e4 e7e5", "e2e4 e7e5 f1c4")
    kept.outcome = Outcome("1-0", "resignation")
    parsed = chess.pgn.read_game(io.StringIO(pgn(kept)))
    assert parsed is not None
    assert parsed.errors == []
    assert [move.uci() for move in parsed.mainline_moves()] == ["e2e4", "e7e5", "f1c4"]
    assert parsed.headers["Result"] == "1-0"
    assert parsed.headers["White"] == "Ann"
    comments = " ".join(node.comment for node in parsed.mainline())
    assert "taken back: 2.Nf3" in comments


def test_a_game_without_an_end_has_a_star() -> None:
    assert pgn(record("e2e4")).rstrip().endswith("*")


def test_history_that_no_longer_makes_sense_is_left_out_of_the_pgn() -> None:
    kept = record("e2e4 e7e5 f1c4", "e2e4 e7e5", "d2d4 e7e5")
    text = pgn(kept)
    assert "Bc4" not in text
    assert "{taken back: 1.e4}" in text, "e5 is played still"


def test_a_game_from_another_position_says_so() -> None:
    start = parse_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 30")
    kept = Record(start, 0)
    Recorder(kept).change(1, game("e8e7 e2e4", start))
    parsed = chess.pgn.read_game(io.StringIO(format_game(kept.to_pgn({}))))
    assert parsed is not None
    assert parsed.headers["FEN"] == "4k3/8/8/8/8/8/4P3/4K3 b - - 0 30"
    assert [move.uci() for move in parsed.mainline_moves()] == ["e8e7", "e2e4"]


def test_games_share_their_beginning() -> None:
    assert common(game("e2e4 e7e5"), game("e2e4 c7c5")) == 1
    assert common(game("e2e4"), game("e2e4 c7c5")) == 1
    assert common((), game("e2e4")) == 0
