"""What pieces are worth."""

from __future__ import annotations

from boardfw.rules import BISHOP, BLACK, KNIGHT, ROOK, WHITE, Position
from boardfw.rules.dead_position import cannot_win
from boardfw.rules.material import WORTH, material
from tests.rules.boards import board


def test_the_pieces_of_the_start_are_worth_39_pawns_each() -> None:
    start = Position.start().placement
    assert material(start, WHITE) == material(start, BLACK) == 39


def test_two_rooks_outweigh_a_queen_and_two_minor_pieces_a_rook() -> None:
    position = board("8 ..q.k...\n1 R...K..R")
    assert (material(position.placement, WHITE), material(position.placement, BLACK)) == (10, 9)
    assert WORTH[BISHOP] + WORTH[KNIGHT] > WORTH[ROOK]
    assert WORTH[BISHOP] == WORTH[KNIGHT] == 3


def test_a_major_piece_mates_a_lone_king_and_a_minor_one_does_not() -> None:
    for letter, is_lost in (("Q", False), ("R", False), ("B", True), ("N", True)):
        position = board(f"6 ....k...\n3 ..{letter}.K...")
        assert cannot_win(position, WHITE) is is_lost
