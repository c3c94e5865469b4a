"""Random games agree with python-chess in everything that both decide."""

from __future__ import annotations

import chess
import pytest

from boardfw.notation.fen import format_fen, parse_fen
from boardfw.notation.san import format_san, parse_san
from boardfw.rules import Position
from boardfw.rules.claim import claims
from boardfw.rules.outcome import outcome
from boardfw.rules.position import Key
from tests.rules.walks import walk


def check_position(position: Position, board: chess.Board) -> None:
    moves = {move.uci(): move for move in position.legal_moves()}
    theirs = {move.uci(): move for move in board.legal_moves}
    assert len(moves) == len(position.legal_moves())
    assert moves.keys() == theirs.keys()
    assert position.checkers() == int(board.checkers())
    assert position.is_check() == board.is_check()
    assert format_fen(position) == board.fen()
    assert parse_fen(board.fen()) == position
    for uci, move in moves.items():
        assert (move.victim is not None) == board.is_capture(theirs[uci])
        assert move.is_en_passant == board.is_en_passant(theirs[uci])
        assert move.is_castling == board.is_castling(theirs[uci])


def check_end(position: Position, earlier: list[Key], board: chess.Board) -> None:
    found, theirs = outcome(position, earlier), board.outcome()
    assert (found and found.result) == (theirs and theirs.result())
    if found and theirs and theirs.termination.name.lower() != found.termination:
        # Where two reasons hold at once, ours is the one that ended the game first.
        assert found.termination in ("stalemate", "fivefold_repetition")
    kinds = {claim.kind for claim in claims(position, earlier)}
    is_threefold = "threefold_repetition" in kinds
    assert is_threefold == (board.is_repetition(3) and bool(position.legal_moves()))


@pytest.mark.parametrize("seed", range(20))
def test_a_random_game_is_the_same_game(seed: int) -> None:
    for position, earlier, board in walk(seed, 250):
        check_position(position, board)
        check_end(position, earlier, board)


@pytest.mark.parametrize("seed", range(100, 110))
def test_san_is_the_same_and_is_read_back(seed: int) -> None:
    for position, _, board in walk(seed, 120):
        for move in position.legal_moves():
            san = format_san(position, move)
            assert san == board.san(chess.Move.from_uci(move.uci()))
            assert parse_san(position, san) is move


@pytest.mark.slow
def test_many_random_games_are_the_same_games(*, full: bool) -> None:
    for seed in range(1000, 1120 if full else 1020):
        for position, earlier, board in walk(seed, 300):
            check_position(position, board)
            check_end(position, earlier, board)


@pytest.mark.parametrize("seed", range(200, 204))
def test_attackers_of_every_square(seed: int) -> None:
    for position, _, board in walk(seed, 30):
        for square in range(64):
            for color in (0, 1):
                theirs = board.attackers(color == 0, square)
                assert position.attackers(square, color) == int(theirs)
