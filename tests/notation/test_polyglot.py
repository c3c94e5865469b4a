"""The key of opening books: as the format publishes it, and as the oracle computes it."""

from __future__ import annotations

from random import Random

import chess
import chess.polyglot
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.notation.fen import parse_fen, parse_setup
from boardfw.notation.polyglot import polyglot_key
from boardfw.notation.uci import parse_uci
from boardfw.rules import Position
from boardfw.squares import BY_NAME

PUBLISHED = [
    ("", 0x463B96181691FC9C),
    ("e2e4", 0x823C9B50FD114196),
    ("e2e4 d7d5", 0x0756B94461C50FB0),
    ("e2e4 d7d5 e4e5", 0x662FAFB965DB29D4),
    ("e2e4 d7d5 e4e5 f7f5", 0x22A48B5A8E47FF78),
    ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652A607CA3F242C1),
    ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00FDD303C946BDD9),
    ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3C8123EA7B067637),
    ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5C3F9B829B279560),
]
"""The examples that come with the description of the format."""


@pytest.mark.parametrize(("moves", "key"), PUBLISHED)
def test_the_published_keys(moves: str, key: int) -> None:
    position = Position.start()
    for text in moves.split():
        position = position.play(parse_uci(position, text))
    assert polyglot_key(position) == key


@pytest.mark.slow
@given(st.integers(0, 2**32), st.integers(0, 959) | st.just(518))
@settings(max_examples=60, deadline=None)
def test_the_keys_of_a_game_are_those_of_the_oracle(seed: int, number: int) -> None:
    chance, board = Random(seed), chess.Board.from_chess960_pos(number)
    position, jumped = parse_fen(board.fen()), None
    for _ in range(150):
        expected = chess.polyglot.zobrist_hash(board)
        assert polyglot_key(position, jumped=jumped) == expected
        assert polyglot_key(parse_setup(board.fen(en_passant="fen"))) == expected
        if not (moves := position.legal_moves()):
            return
        steps = [move for move in moves if move.piece_type == 1]
        move = chance.choice(steps or moves) if chance.random() < 0.5 else chance.choice(moves)
        rook = None if move.rook_step is None else move.rook_step[0]
        target = move.target if rook is None else rook
        board.push(chess.Move(move.origin, target, move.promotion or None))
        position, jumped = position.play(move), move.skipped


def test_a_square_on_which_no_capture_is_legal_counts_where_it_is_told() -> None:
    fen = "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2"
    expected = chess.polyglot.zobrist_hash(chess.Board(fen))
    assert polyglot_key(parse_setup(fen)) == expected
    assert polyglot_key(parse_fen(fen), jumped=BY_NAME["d6"]) == expected
    assert polyglot_key(parse_fen(fen)) == chess.polyglot.zobrist_hash(
        chess.Board(fen.replace("d6", "-"))
    )
