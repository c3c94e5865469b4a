"""The record: append-only; what was taken back or amended stays as history."""

from __future__ import annotations

import io

import chess.pgn

from boardfw.game.record import Record
from boardfw.game.recorder import Recorder
from boardfw.notation.fen import parse_fen
from boardfw.notation.pgn import format_game
from boardfw.notation.san import numbered_san
from boardfw.rules import Outcome, Position
from boardfw.rules.move import common
from boardfw.squares import BY_NAME
from tests.game.records import game, pgn, record


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


def test_moves_are_numbered_as_in_a_book() -> None:
    start = Position.start()
    moves = game("e2e4 e7e5 g1f3")
    assert numbered_san(start, moves) == "1.e4 e5 2.Nf3"
    assert numbered_san(start.play(moves[0]), moves[1:]) == "1...e5 2.Nf3"
