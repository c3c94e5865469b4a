"""Checklist of the rules, 1 to 18: pieces and captures."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from boardfw.errors import NotationError
from boardfw.notation.errors import IllegalMove, UnreadableMove
from boardfw.notation.san import parse_san
from boardfw.rules import BISHOP, BLACK, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE, Move, Position
from boardfw.squares import BY_NAME, Square, file_of, is_light, rank_of
from tests.rules.boards import board, goes, play, sans, starred
from tests.rules.walks import walk


def random_moves() -> Iterator[tuple[Position, Move]]:
    """Every legal move of every position of two random games."""
    for seed in (1, 2):
        for position, _, _ in walk(seed, 160):
            for move in position.legal_moves():
                yield position, move


def test_checklist_001_all_but_the_king_can_be_captured() -> None:
    pieces = """
        7 ...q...k
        4 b..R..n.
        2 ...p....
        1 K.......
    """
    for target in ("d7", "a4", "g4", "d2"):
        after = play(board(pieces), f"Rx{target}")
        assert after.piece_at(BY_NAME[target]) == (ROOK, WHITE)
        assert after.pieces(BLACK).bit_count() == 4
    with pytest.raises(NotationError, match="the king"):  # it could be captured: no legal position
        board("7 ...k....\n4 ...R....\n1 K.......")
    for position, move in random_moves():
        if move.captured is not None:
            captured = position.piece_at(move.captured)
            assert captured is not None
            assert captured.piece_type != KING


def test_checklist_002_no_move_to_a_square_held_by_an_own_piece() -> None:
    position = board("""
        8 .......k
        6 .....P..
        4 ....N...
        1 K.......
    """)
    assert "f6" not in goes(position, "e4")
    for position, move in random_moves():
        assert not position.pieces(position.turn) >> move.target & 1


def test_checklist_003_a_pinned_piece_attacks() -> None:
    position = board("""
        5 k..r...R
        1 ....K...
    """)
    # The rook on d5 may not leave the rank, and yet it defends d1 and d2.
    assert goes(position, "e1") == {"e2", "f1", "f2"}


def test_checklist_004_a_rook_goes_straight() -> None:
    diagram = """
        8 ...*....
        7 ...*....
        6 ...*...k
        5 ***R****
        4 ...*....
        3 ...*....
        2 ...*....
        1 K..*....
    """
    assert goes(board(diagram), "d5") == starred(diagram)
    assert len(starred(diagram)) == 14


def test_checklist_005_a_rook_stops_at_a_piece() -> None:
    position = board("""
        8 .......k
        5 ...R.P..
        2 ...b....
        1 K.......
    """)
    assert {"e5", "d2"} < goes(position, "d5")
    assert not {"f5", "g5", "d1"} & goes(position, "d5")


def test_checklist_006_a_bishop_moves_diagonally() -> None:
    diagram = """
        8 *.....*k
        7 .*...*..
        6 ..*.*...
        5 ...B....
        4 ..*.*...
        3 .*...*..
        2 *.....*.
        1 K......*
    """
    assert goes(board(diagram), "d5") == starred(diagram)
    assert len(starred(diagram)) == 13


def test_checklist_007_a_bishop_stops_at_a_piece() -> None:
    # The tutorial draws both in one diagram, but d3 and c7 are of different colours.
    light = board("""
        8 .......k
        6 ..r.....
        4 ....B...
        3 ...P....
        1 K.......
    """)
    assert "c6" in goes(light, "e4")
    assert not {"d3", "c2", "b7"} & goes(light, "e4")
    dark = board("""
        7 ..r....k
        5 ....B...
        1 K.......
    """)
    assert "c7" in goes(dark, "e5")
    assert "b8" not in goes(dark, "e5")


def test_checklist_008_a_queen_moves_straight_and_diagonally() -> None:
    diagram = """
        8 ...*...*
        7 *..*..*k
        6 .*.*.*..
        5 ..***...
        4 ***Q****
        3 .K***...
        2 .*.*.*..
        1 *..*..*.
    """
    assert goes(board(diagram), "d4") == starred(diagram)
    assert len(starred(diagram)) == 27


def test_checklist_009_a_queen_stops_at_a_piece() -> None:
    position = board("""
        8 .......k
        7 ......n.
        5 .P..Q...
        1 K.......
    """)
    assert {"g7", "c5"} < goes(position, "e5")
    assert not {"b5", "a5", "h8"} & goes(position, "e5")


def test_checklist_010_a_knight_captures_an_enemy_but_no_friend() -> None:
    position = board("""
        8 .......k
        6 .....P..
        4 ....N...
        2 .....b..
        1 K.......
    """)
    assert goes(position, "e4") == {"c3", "c5", "d2", "d6", "f2", "g3", "g5"}


def test_checklist_011_a_knight_jumps_though_surrounded() -> None:
    diagram = """
        8 .......k
        7 ...*.*..
        6 ..*PPP*.
        5 ...PNP..
        4 ..*PPP*.
        3 ...*.*..
        1 K.......
    """
    assert goes(board(diagram), "e5") == starred(diagram)
    assert len(starred(diagram)) == 8


def test_checklist_012_a_knight_has_eight_squares() -> None:
    diagram = """
        8 .......k
        6 ..*.*...
        5 .*...*..
        4 ...N....
        3 .*...*..
        2 ..*.*...
        1 K.......
    """
    assert goes(board(diagram), "d4") == starred(diagram)
    assert len(starred(diagram)) == 8


def test_checklist_013_a_knight_changes_colour_and_a_bishop_never() -> None:
    for _, move in random_moves():
        if move.piece_type == KNIGHT:
            assert is_light(move.origin) != is_light(move.target)
        if move.piece_type == BISHOP:
            assert is_light(move.origin) == is_light(move.target)


def test_checklist_014_rook_bishop_and_queen_jump_over_no_piece() -> None:
    for position, move in random_moves():
        if move.piece_type in (ROOK, BISHOP, QUEEN):
            files = file_of(move.target) - file_of(move.origin)
            ranks = rank_of(move.target) - rank_of(move.origin)
            length = max(abs(files), abs(ranks))
            step = (move.target - move.origin) // length
            for passed in range(move.origin + step, move.target, step):
                assert position.piece_at(Square(passed)) is None


def test_checklist_015_a_king_goes_one_square() -> None:
    diagram = """
        6 ....***.
        5 ....*K*.
        4 ....***.
        1 k.......
    """
    assert goes(board(diagram), "f5") == starred(diagram)
    assert len(starred(diagram)) == 8


def test_checklist_016_a_king_captures_an_enemy_but_no_friend() -> None:
    position = board(
        """
        6 ...q....
        5 .Pk.....
        4 ...r....
        1 ......K.
        """,
        turn="b",
    )
    assert "b5" in goes(position, "c5")
    assert not {"d6", "d4"} & goes(position, "c5")


def test_checklist_017_white_begins_and_one_piece_moves_a_turn() -> None:
    start = Position.start()
    assert start.turn == WHITE
    with pytest.raises(IllegalMove):
        parse_san(start, "e5")
    after = play(start, "e4")
    assert after.turn == BLACK
    with pytest.raises(IllegalMove):
        parse_san(after, "d4")
    assert play(after, "e5").turn == WHITE
    for _, move in random_moves():
        assert len(move.steps()) == (2 if move.is_castling else 1)


def test_checklist_018_a_captured_piece_never_returns() -> None:
    after = play(Position.start(), "e4 d5 exd5 Nf6")
    for drop in ("P@e4", "@e3", "Pe3 from the box"):
        with pytest.raises(UnreadableMove):
            parse_san(after, drop)
    assert not [san for san in sans(after) if san.startswith("e")]
    for position, move in random_moves():
        after = position.play(move)
        taken = move.captured is not None
        assert after.occupied.bit_count() == position.occupied.bit_count() - taken
        for kind in range(KNIGHT, KING):
            grown = after.placement[kind].bit_count() - position.placement[kind].bit_count()
            assert grown <= (kind == move.promotion)
        assert after.placement[PAWN].bit_count() <= position.placement[PAWN].bit_count()
