"""What neighbours rely on in positions and moves."""

from __future__ import annotations

import copy
import pickle
from random import Random

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.notation.fen import format_fen, parse_fen, parse_setup
from boardfw.notation.uci import parse_uci
from boardfw.rules import BLACK, KING, KNIGHT, PAWN, ROOK, WHITE, Move, Piece, Position
from boardfw.rules.memo import Memo
from boardfw.rules.position import IllegalPlay
from boardfw.rules.single_move import moves_to
from boardfw.squares import BY_NAME, EVERY_SQUARE

CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def played(position: Position, *ucis: str) -> Position:
    for uci in ucis:
        position = position.play(parse_uci(position, uci))
    return position


def test_playing_leaves_the_older_position_alone() -> None:
    start = Position.start()
    after = played(start, "e2e4")
    assert start == Position.start()
    assert after.turn == BLACK
    assert after != start


def test_promotion_is_found_by_its_kind_only() -> None:
    position = parse_fen("7k/P7/8/8/8/8/8/K7 w - - 0 1")
    origin, target = BY_NAME["a7"], BY_NAME["a8"]
    assert position.find(origin, target) is None
    assert position.find(origin, target, KING) is None
    move = position.find(origin, target, ROOK)
    assert move is not None
    assert move.uci() == "a7a8r"
    after = position.play(move)
    assert after.piece_at(target) == Piece(ROOK, WHITE)
    assert after.pieces_of(PAWN, WHITE) == 0


def test_equal_moves_are_one_object() -> None:
    first = Position.start().find(BY_NAME["e2"], BY_NAME["e4"])
    assert first is not None
    assert parse_uci(Position.start(), "e2e4") is first
    assert copy.deepcopy(first) is first
    assert pickle.loads(pickle.dumps(first)) is first


def test_a_capture_is_another_move_than_a_quiet_one() -> None:
    quiet = parse_uci(parse_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"), "a1a5")
    capture = parse_uci(parse_fen("4k3/8/8/n7/8/8/8/R3K3 w - - 0 1"), "a1a5")
    assert quiet != capture
    assert (quiet.captured, capture.captured) == (None, BY_NAME["a5"])


def test_a_move_cannot_be_changed() -> None:
    move = parse_uci(Position.start(), "e2e4")
    with pytest.raises(AttributeError):
        move.target = EVERY_SQUARE[0]
    with pytest.raises(AttributeError):
        del move.target


@pytest.mark.parametrize("name", ["placement", "turn", "castling", "en_passant", "_hash", "score"])
def test_a_position_cannot_be_changed(name: str) -> None:
    made, after = parse_fen(CASTLES), played(parse_fen(CASTLES), "e1g1")
    for position in (made, after):
        text, known = format_fen(position), hash(position)
        with pytest.raises(AttributeError, match="a position is immutable"):
            setattr(position, name, 0)
        with pytest.raises(AttributeError, match="a position is immutable"):
            delattr(position, name)
        assert (format_fen(position), hash(position)) == (text, known)
        assert copy.deepcopy(position) == copy.copy(position) == position


def test_only_a_legal_move_is_played() -> None:
    start = Position.start()
    reply = parse_uci(played(start, "e2e4"), "e7e5")
    with pytest.raises(IllegalPlay, match="e7e5 is not legal in <Position rnbqkbnr") as caught:
        start.play(reply)
    assert "\n" not in str(caught.value)
    pinned = parse_fen("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1")
    step = parse_uci(parse_fen("6k1/8/8/8/8/8/4N3/4K3 w - - 0 1"), "e2c3")
    with pytest.raises(IllegalPlay):
        pinned.play(step)
    assert pinned.play_unchecked(step).piece_at(BY_NAME["c3"]) == Piece(KNIGHT, WHITE)


@settings(deadline=None)
@given(st.integers(0, 2**32))
def test_both_functions_that_play_a_legal_move_agree(seed: int) -> None:
    chance, position = Random(seed), Position.start()
    while (moves := position.legal_moves()) and position.fullmove_number < 60:
        move = chance.choice(moves)
        assert position.play(move) == position.play_unchecked(move)
        position = position.play(move)


def test_a_position_survives_pickling() -> None:
    position = played(Position.start(), "e2e4", "c7c5")
    assert pickle.loads(pickle.dumps(position)) == position


def test_equality_looks_at_counters_and_the_key_does_not() -> None:
    start = Position.start()
    again = played(start, "g1f3", "g8f6", "f3g1", "f6g8")
    assert again != start
    assert again.key == start.key
    assert hash(again.key) == hash(start.key)


def test_a_memo_never_outgrows_its_limit() -> None:
    asked: list[int] = []

    def double(number: int) -> int:
        asked.append(number)
        return 2 * number

    memo = Memo(double, 3)
    assert [memo[number] for number in (1, 2, 1, 3, 4)] == [2, 4, 2, 6, 8]
    assert asked == [1, 2, 3, 4]
    for number in range(100):
        assert memo[number] == 2 * number
        assert len(memo) <= 3


def test_there_are_no_castling_rights_by_default() -> None:
    start = Position.start()
    assert Position(start.placement, WHITE).castling == 0


@pytest.mark.parametrize("fen", ["4k3/5Q2/8/8/8/8/8/4K3 w - - 0 1", "8/8/8/3kK3/8/8/8/8 w - - 0 1"])
def test_a_king_is_never_captured_even_where_it_is_en_prise(fen: str) -> None:
    setup = parse_setup(fen)
    assert setup.problems()
    position = Position(setup.placement, setup.turn)
    king = position.king(BLACK)
    assert king not in [move.target for move in position.legal_moves()]
    for kind in range(PAWN, KING + 1):
        assert king not in [move.target for move in moves_to(position, kind, king)]


def test_the_board_of_a_position_is_its_text() -> None:
    text = str(parse_fen(CASTLES))
    assert text.splitlines()[0] == "r . . . k . . r"
    assert text.splitlines()[7] == "R . . . K . . R"
    assert text == str(chess.Board(CASTLES))


@settings(deadline=None)
@given(st.integers(0, 2**32))
def test_what_is_asked_of_positions_is_what_the_oracle_says(seed: int) -> None:
    random, position, board = Random(seed), Position.start(), chess.Board()
    for _ in range(120):
        assert position.is_checkmate() == board.is_checkmate()
        assert position.is_stalemate() == board.is_stalemate()
        captures = {move.uci() for move in position.captures()}
        assert captures == {move.uci() for move in board.generate_legal_captures()}
        moves = sorted(position.legal_moves(), key=Move.uci)
        if not moves:
            break
        move = random.choice(moves)
        assert position.gives_check(move) == board.gives_check(chess.Move.from_uci(move.uci()))
        position = position.play(move)
        board.push_uci(move.uci())
