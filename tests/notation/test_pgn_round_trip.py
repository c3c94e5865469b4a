"""Whatever is written is read as it was, and written again to the last byte."""

from __future__ import annotations

import io
import logging

import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.notation.pgn import NULL, Game, Spot, format_game, read_games, scan_games
from boardfw.notation.uci import format_uci
from boardfw.rules.move import Move
from tests.notation.pgn_trees import games
from tests.sizes import sized


@given(games())
@settings(max_examples=sized(12, 60), deadline=None)
def test_a_tree_that_is_written_is_read_again(game: Game) -> None:
    text = format_game(game)
    (again,) = read_games(text)
    assert again.faults == ()
    assert again == game
    assert format_game(again) == text
    (line,) = scan_games(text)
    assert (line.moves, line.result, line.start, line.faults) == (
        (game.moves, game.result, game.start, ())
    )
    assert list(line.positions()) == list(game.positions())


@pytest.mark.slow
@given(st.lists(games(), max_size=4))
@settings(max_examples=10, deadline=None)
def test_games_behind_each_other_stay_apart(several: list[Game]) -> None:
    text = "".join(map(format_game, several))
    assert list(read_games(text)) == several
    assert list(read_games(text.replace("\n", "\r\n"))) == several


@given(games())
@settings(max_examples=sized(5, 20), deadline=None)
def test_python_chess_reads_the_same_tree(game: Game) -> None:
    logging.disable(logging.CRITICAL)
    theirs = chess.pgn.read_game(io.StringIO(format_game(game)))
    logging.disable(logging.NOTSET)
    assert theirs is not None
    assert theirs.errors == []
    assert theirs.headers["Result"] == game.result
    todo: list[tuple[chess.pgn.GameNode, Spot]] = [(theirs, game)]
    for node, spot in todo:
        shuffled = node.board().chess960
        assert [one.uci() for one in node.variations] == [
            "0000" if child.move is NULL else format_uci(child.move, chess960=shuffled)
            for child in spot.children
        ]
        todo += zip(node.variations, spot.children, strict=True)


PIECES = [
    *("1.", "1...", "e4", "e5", "Nf3", "d4", "--", "O-O", "$1", "!", "?!", "{a", "b}", "{c}", "("),
    *(")", ";", "\n", "\n\n", "%", "*", "1-0", "1/2-1/2", '[White "A"]', '[Event "B"]', "[", "]"),
    *("\\", "\ufeff", "hello", "\x00", "(1. d4)", "1. e4 e5", '[FEN "x"]', '"', "½", "}", "\u2028"),
]
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=40).map(" ".join)


@given(TEXTS | st.text())
@settings(max_examples=sized(40, 200), deadline=None)
def test_any_text_is_read_and_what_is_written_of_it_stays(text: str) -> None:
    first = list(read_games(text, "x.pgn"))
    for game in first:
        for fault in game.faults:
            assert str(fault).startswith("x.pgn:")
            assert len(str(fault).splitlines()) == 1
        written = format_game(game)
        (again,) = read_games(written)
        assert again == game
        assert again.faults == ()
        assert format_game(again) == written
    assert [line.moves for line in scan_games(text)] == [game.moves for game in first]


@given(TEXTS)
@settings(max_examples=sized(20, 100), deadline=None)
def test_no_word_is_lost(text: str) -> None:
    """Moves, comments and words that cannot be read are all somewhere in what is written."""
    text = text.replace("%", "")
    written = "".join(map(format_game, read_games(text)))
    for word in ("hello", "e5", "Nf3"):
        assert written.count(word) >= 1 or word not in text.split()


def test_a_game_is_not_equal_to_another() -> None:
    def changed(name: str, value: object) -> Game:
        (game,) = read_games('[White "A"]\n{a} 1. e4 $1 {b} e5 ({c} 1... c5 {d}) {e} 2. d4 1-0 {f}')
        node = game.children[0].children[1]
        setattr(node if hasattr(node, name) else game, name, value)
        return game

    usual = changed("faults", ())
    moves: list[Move] = usual.moves[:1]
    assert usual == changed("faults", ())
    assert usual != changed("result", "0-1")
    assert usual != changed("tags", {})
    assert usual != changed("nags", (2,))
    assert usual != changed("before", ())
    assert usual != changed("behind", ("x",))
    assert usual != changed("closing", ())
    assert usual != changed("move", moves[0])
    assert usual != changed("children", usual.children)
    assert usual != "a text"
    with pytest.raises(TypeError):
        hash(usual)
