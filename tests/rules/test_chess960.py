"""Chess960: every start by its number, and random games side by side with the oracle."""

from __future__ import annotations

import random
from collections.abc import Iterator

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.errors import BoardError
from boardfw.notation.fen import format_fen, parse_fen, parse_setup
from boardfw.notation.uci import format_uci, parse_uci
from boardfw.rules import Move, Position
from boardfw.rules.board import Piece
from boardfw.rules.chess960 import STARTS, start_number, start_position
from boardfw.squares import NAMES, squares_in
from tests.sizes import sized

GAMES = st.tuples(st.integers(0, 2**32), st.integers(0, STARTS - 1))
"""A seed and the number of a start."""


def test_every_start_has_its_number() -> None:
    for number in range(STARTS):
        start = start_position(number)
        assert format_fen(start) == chess.Board.from_chess960_pos(number).fen()
        assert start_number(start) == number


@pytest.mark.parametrize("number", [-1, 960])
def test_there_are_960_starts(number: int) -> None:
    with pytest.raises(BoardError, match=f"start {number}: there are 960; choose one from 0 to"):
        start_position(number)


@pytest.mark.parametrize(
    "fen",
    [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w KQkq - 0 1",
        "8/8/8/8/8/8/8/K1k5 w - - 0 1",
    ],
)
def test_what_is_no_start_has_no_number(fen: str) -> None:
    assert start_number(parse_fen(fen)) is None


def test_the_counters_of_a_start_do_not_matter() -> None:
    assert start_number(parse_fen(format_fen(start_position(7))[:-3] + "5 9")) == 7


# ------------------------------------------------------------------ castling, case by case


CASTLING = [
    # fen, move, steps, FEN after
    ("4k3/8/8/8/8/8/8/5KR1 w K - 0 1", "f1g1", {"f1g1", "g1f1"}, "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
    ("4k3/8/8/8/8/8/8/6KR w K - 0 1", "g1h1", {"h1f1"}, "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
    ("4k3/8/8/8/8/8/8/4KR2 w K - 0 1", "e1f1", {"e1g1"}, "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
    ("4k3/8/8/8/8/8/8/2KR4 w K - 0 1", "c1d1", {"c1g1", "d1f1"}, "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
    ("4k3/8/8/8/8/8/8/RK6 w Q - 0 1", "b1a1", {"b1c1", "a1d1"}, "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"),
    ("1r2k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8b8", {"e8c8", "b8d8"}, "2kr4/8/8/8/8/8/8/4K3 w - - 1 2"),
]


@pytest.mark.parametrize(("fen", "uci", "steps", "after"), CASTLING)
def test_king_and_rook_change_places_or_stay(
    fen: str, uci: str, steps: set[str], after: str
) -> None:
    position = parse_fen(fen)
    move = parse_uci(position, uci)
    assert move.is_castling
    assert {NAMES[origin] + NAMES[target] for origin, target in move.steps()} == steps
    assert format_fen(position.play(move)) == after


NO_CASTLING = [
    "4k3/8/8/8/8/8/8/rR1K4 w B - 0 1",  # the rook that castles shields its king from a1
    "4k3/8/8/8/8/8/8/1R1bK3 w B - 0 1",  # a piece in the way
    "4k3/8/8/8/8/8/8/1KR3n1 w C - 0 1",  # a piece on the king's target
    "k5r1/8/8/8/8/8/8/2K1R3 w E - 0 1",  # g1 is attacked
    "4k3/8/8/8/8/8/3p4/1R2K3 w B - 0 1",  # the king is in check
    "4k3/8/8/8/8/8/8/2RK1N1R w H - 0 1",  # a piece on the rook's target
]


@pytest.mark.parametrize("fen", NO_CASTLING)
def test_no_castling(fen: str) -> None:
    assert not any(move.is_castling for move in parse_fen(fen).legal_moves())


# ----------------------------------------------------------------------- against the oracle


def walk(seed: int, number: int, plies: int) -> Iterator[tuple[Position, chess.Board]]:
    """A random game from a start, played by both; castling is played now and then."""
    chance = random.Random(seed)
    position, board = start_position(number), chess.Board.from_chess960_pos(number)
    for _ in range(plies):
        yield position, board
        moves = position.legal_moves()
        if not moves:
            return
        castlings = [move for move in moves if move.is_castling]
        pool = castlings if castlings and chance.random() < 0.3 else moves
        move = chance.choice(pool)
        board.push(chess.Move.from_uci(format_uci(move, chess960=True)))
        position = position.play(move)


def pieces_of(position: Position) -> dict[int, Piece]:
    pieces = {square: position.piece_at(square) for square in squares_in(position.occupied)}
    return {square: piece for square, piece in pieces.items() if piece is not None}


def moved_by_hand(position: Position, move: Move) -> dict[int, Piece]:
    """The placement after what ``steps`` and ``captured`` say, and nothing else."""
    pieces = pieces_of(position)
    if move.captured is not None:
        del pieces[move.captured]
    lifted = [(target, pieces.pop(origin)) for origin, target in move.steps()]
    for target, piece in lifted:
        assert target not in pieces
        pieces[target] = Piece(move.promotion, piece.color) if move.promotion else piece
    return pieces


def check_moves(position: Position, board: chess.Board) -> None:
    moves = {format_uci(move, chess960=True): move for move in position.legal_moves()}
    theirs = {move.uci() for move in board.legal_moves}
    assert moves.keys() == theirs
    assert len(moves) == len(position.legal_moves())
    for uci, move in moves.items():
        assert parse_uci(position, uci) is move
        assert parse_uci(position, format_uci(move)) is move
        after = position.play(move)
        assert pieces_of(after) == moved_by_hand(position, move)
        assert all(origin != target for origin, target in move.steps())
        board.push(chess.Move.from_uci(uci))
        assert format_fen(after) == board.fen()
        board.pop()


def check_fen(position: Position, board: chess.Board) -> None:
    assert format_fen(position) == board.fen()
    assert format_fen(position, shredder=True) == board.shredder_fen()
    for fen in (board.fen(), board.shredder_fen()):
        assert parse_fen(fen) == parse_fen(fen, strict=True) == position
    assert parse_fen(board.fen(en_passant="fen"), strict=True) == position


@pytest.mark.slow
@given(GAMES)
@settings(max_examples=4, deadline=None)
def test_moves_are_those_of_the_oracle(game: tuple[int, int]) -> None:
    for position, board in walk(*game, 60):
        check_moves(position, board)


@pytest.mark.slow
@given(GAMES)
@settings(max_examples=12, deadline=None)
def test_fen_is_that_of_the_oracle(game: tuple[int, int]) -> None:
    for position, board in walk(*game, 100):
        check_fen(position, board)


@st.composite
def bare_ranks(draw: st.DrawFn) -> chess.Board:
    """King and rooks with their rights, and a few pieces on the first two ranks."""
    board = chess.Board(None, chess960=True)
    files = sorted(draw(st.lists(st.integers(0, 7), min_size=3, max_size=3, unique=True)))
    for file, kind in zip(files, (chess.ROOK, chess.KING, chess.ROOK), strict=True):
        board.set_piece_at(file, chess.Piece(kind, chess.WHITE))
    board.castling_rights = chess.BB_SQUARES[files[0]] | chess.BB_SQUARES[files[2]]
    others = st.dictionaries(st.integers(0, 15), st.sampled_from("NrqbnR"), max_size=3)
    for square, letter in draw(others).items():
        if not board.piece_at(square):
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
    board.set_piece_at(draw(st.integers(48, 63)), chess.Piece(chess.KING, chess.BLACK))
    return board


@given(bare_ranks())
@settings(max_examples=sized(30, 150), deadline=None)
def test_castling_from_everywhere(board: chess.Board) -> None:
    if board.is_valid() and not parse_setup(board.fen()).problems():
        position = parse_fen(board.fen())
        check_moves(position, board)
        check_fen(position, board)


@pytest.mark.slow
def test_many_games_from_many_starts(*, full: bool) -> None:
    for number in range(0, STARTS, 5 if full else 240):
        for position, board in walk(number, number, 120):
            check_moves(position, board)
            check_fen(position, board)
