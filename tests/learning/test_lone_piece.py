"""A piece alone moves as in python-chess, but for kings and checks; stars are visited quickest."""

from __future__ import annotations

import chess
import pytest

from boardfw.learning.lone_piece import moved, targets, way
from boardfw.notation.fen import parse_fen
from boardfw.rules import KING, PAWN
from boardfw.rules.board import piece_at
from boardfw.squares import BY_NAME, NAMES, Square, bitboard_of, names_of, squares_in
from tests.rules.walks import walk


def test_a_piece_moves_by_its_type() -> None:
    for position, _, board in walk(seed=3, plies=120):
        for color in (chess.WHITE, chess.BLACK):
            board.turn, board.ep_square = color, None
            for square in chess.SquareSet(board.occupied_co[color]):
                found = {
                    move.to_square
                    for move in board.generate_pseudo_legal_moves(1 << square)
                    if not board.is_castling(move) and board.piece_type_at(move.to_square) != KING
                }
                assert set(squares_in(targets(position.placement, Square(square)))) == found
        board.turn = not position.turn


def test_an_empty_square_has_no_targets() -> None:
    assert targets(parse_fen("7k/8/8/8/8/8/8/K7 w - - 0 1").placement, BY_NAME["e4"]) == 0


def test_a_piece_captures_what_stands_on_its_target() -> None:
    placement = parse_fen("7k/8/8/8/8/3b4/8/K4B2 w - - 0 1").placement
    after = moved(placement, BY_NAME["f1"], BY_NAME["d3"])
    assert after == parse_fen("7k/8/8/8/8/3B4/8/K7 w - - 0 1").placement


def test_a_pawn_at_its_end_is_a_queen() -> None:
    placement = parse_fen("8/2P4k/8/8/8/8/8/K7 w - - 0 1").placement
    after = moved(placement, BY_NAME["c7"], BY_NAME["c8"])
    assert after == parse_fen("2Q5/7k/8/8/8/8/8/K7 w - - 0 1").placement
    assert not after[PAWN]


STARS = [
    ("7k/8/8/8/8/8/2R5/K7 w - - 0 1", "c6 f6 f3", 3),
    ("7k/8/8/2P5/8/8/2R5/K7 w - - 0 1", "c7 e7", 3),
    ("7k/8/8/8/8/8/8/K1B5 w - - 0 1", "a3 d6 h2", 3),
    ("7k/8/8/8/8/8/8/K2Q4 w - - 0 1", "d6 b4 f2 g6", 6),
    ("7k/8/8/8/8/8/8/KN6 w - - 0 1", "b2", 3),
    ("4k3/8/8/8/8/8/2P5/4K3 w - - 0 1", "c7", 4),
    ("7k/8/3n4/4b3/3r4/4P3/8/K7 w - - 0 1", "d4 e5 d6", 3),
    ("7k/2p5/8/2R2n2/8/5b2/8/K7 w - - 0 1", "c7 f5 f3", 4),
]


@pytest.mark.parametrize(("fen", "stars", "par"), STARS)
def test_stars_are_visited_in_the_fewest_moves(fen: str, stars: str, par: int) -> None:
    position = parse_fen(fen)
    found = way(position, bitboard_of(BY_NAME[name] for name in stars.split()))
    assert found is not None
    assert len(found) == par
    placement, visited = position.placement, set()
    for origin, target in found:
        piece = piece_at(placement, origin)
        assert piece is not None
        assert piece.piece_type != KING
        assert targets(placement, origin) >> target & 1
        placement = moved(placement, origin, target)
        visited.add(NAMES[target])
    assert set(stars.split()) <= visited


def test_stars_out_of_reach_have_no_way() -> None:
    bishop = parse_fen("7k/8/8/8/8/8/8/K1B5 w - - 0 1")
    assert way(bishop, 1 << BY_NAME["c2"]) is None
    assert names_of(targets(bishop.placement, BY_NAME["c1"]))
    queen = parse_fen("7k/8/8/8/8/8/8/K2Q4 w - - 0 1")
    assert way(queen, bitboard_of(map(BY_NAME.__getitem__, ["d6", "b4", "f2"])), most=20) is None
