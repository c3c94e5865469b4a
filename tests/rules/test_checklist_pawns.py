"""Checklist of the rules, 19 to 37: pawns, en passant, promotion."""

from __future__ import annotations

import pytest

from boardfw.errors import NotationError
from boardfw.notation.errors import AmbiguousMove, IllegalMove, UnreadableMove
from boardfw.notation.fen import format_fen, parse_setup
from boardfw.notation.san import parse_san
from boardfw.rules import BLACK, PAWN, QUEEN, WHITE
from boardfw.squares import BY_NAME, file_of, names_of
from tests.rules.boards import board, goes, play, sans
from tests.rules.walks import walk


def test_checklist_019_a_pawn_goes_forward_two_squares_at_most() -> None:
    pieces = """
        8 ....k...
        7 p.......
        6 ....p...
        4 .......P
        2 ..P.....
        1 ....K...
    """
    white, black = board(pieces), board(pieces, turn="b")
    assert goes(black, "a7") == {"a6", "a5"}
    assert goes(black, "e6") == {"e5"}
    assert goes(white, "c2") == {"c3", "c4"}
    # The tutorial says "to h4", where the pawn already is; h5 is meant.
    assert goes(white, "h4") == {"h5"}


def test_checklist_020_a_double_step_needs_both_squares_empty() -> None:
    near = board("8 ....k...\n3 ..n.....\n2 ..P.....\n1 ....K...")
    far = board("8 ....k...\n4 ..n.....\n2 ..P.....\n1 ....K...")
    assert goes(near, "c2") == set()
    assert goes(far, "c2") == {"c3"}
    black = board("8 ....k...\n7 ..p.....\n6 ..N.....\n1 ....K...", turn="b")
    assert goes(black, "c7") == set()


def test_checklist_021_a_pawn_captures_diagonally_and_not_ahead() -> None:
    pieces = """
        8 k.......
        5 ..rnr...
        4 ...P....
        3 .......p
        2 .......B
        1 .......K
    """
    assert goes(board(pieces), "d4") == {"c5", "e5"}
    assert goes(board(pieces, turn="b"), "h3") == set()


def test_checklist_022_a_pawn_may_choose_to_capture_or_to_move_on() -> None:
    position = board("""
        8 .......k
        7 .r.r....
        6 ..P.....
        2 ....P...
        1 .......K
    """)
    assert goes(position, "c6") == {"b7", "c7", "d7"}
    assert goes(position, "e2") == {"e3", "e4"}


def test_checklist_023_a_pawn_does_not_move_diagonally_to_an_empty_square() -> None:
    position = board("8 .......k\n6 ..P.....\n2 P......P\n1 .......K")
    assert goes(position, "c6") == {"c7"}
    # Nor do the edges of the board meet.
    assert goes(position, "a2") == {"a3", "a4"}
    assert goes(position, "h2") == {"h3", "h4"}
    edges = board("8 .......k\n4 .......r\n3 r......r\n2 P......P\n1 K.......")
    assert goes(edges, "a2") == set()
    assert goes(edges, "h2") == set()
    black = board("8 .......k\n7 p......p\n6 R.......\n5 ........\n1 K.......", turn="b")
    assert goes(black, "h7") == {"h6", "h5"}
    for position, _, _ in walk(3, 200):
        for move in position.legal_moves():
            if move.piece_type == PAWN and file_of(move.origin) != file_of(move.target):
                assert move.captured is not None


def test_checklist_024_white_captures_en_passant() -> None:
    before = board("8 ....k...\n7 ..p.....\n5 .P......\n1 ....K...", turn="b")
    position = play(before, "c5")
    assert "c6" in goes(position, "b5")
    after = play(position, "bxc6")
    assert format_fen(after).startswith("4k3/8/2P5/8/8/8/8/4K3 b")
    assert after.pieces(BLACK).bit_count() == 1


def test_checklist_025_black_captures_en_passant_from_both_sides() -> None:
    before = board("8 ....k...\n4 .....p.p\n2 ......P.\n1 ....K...")
    position = play(before, "g4")
    assert {"fxg3", "hxg3"} < sans(position)
    assert format_fen(play(position, "hxg3")).startswith("4k3/8/8/8/5p2/6p1/8/4K3 w")


def test_checklist_026_no_en_passant_when_the_pawn_came_in_two_moves() -> None:
    before = board("8 ....k...\n7 ..p.....\n4 .P......\n1 ....K...", turn="b")
    position = play(before, "c6 b5 c5")
    assert goes(position, "b5") == {"b6"}
    assert goes(board("8 ....k...\n5 .Pp.....\n1 ....K..."), "b5") == {"b6"}


def test_checklist_027_en_passant_must_be_played_at_once() -> None:
    before = board("8 ....k...\n4 .....p.p\n2 ......P.\n1 ....K...")
    position = play(before, "g4 Kd8 Kd1")
    assert goes(position, "f4") == {"f3"}
    assert goes(position, "h4") == {"h3"}


def test_checklist_028_the_pawn_captured_en_passant_leaves_its_square() -> None:
    position = board("8 ....k...\n4 .p......\n2 P.......\n1 ....K...")
    after = play(position, "a4 bxa3")
    assert format_fen(after).startswith("4k3/8/8/8/8/p7/8/4K3 w")
    assert after.halfmove_clock == 0


def test_checklist_029_en_passant_on_every_pair_of_files() -> None:
    # The basic rules speak of b5, then of e5: every pawn on its fifth rank may do it.
    de = play(board("8 ....k...\n7 ...p....\n5 ....P...\n1 ....K...", turn="b"), "d5")
    assert "exd6" in sans(de)
    ab = play(board("8 ....k...\n7 p.......\n5 .P......\n1 ....K...", turn="b"), "a5")
    assert "bxa6" in sans(ab)
    gh = play(board("8 ....k...\n7 ......p.\n5 .......P\n1 ....K...", turn="b"), "g5")
    assert "hxg6" in sans(gh)
    # The a-file and the h-file do not meet.
    ah = play(board("8 ....k...\n7 p.......\n5 .......P\n1 ....K...", turn="b"), "a5")
    assert goes(ah, "h5") == {"h6"}
    # Only the fifth rank of one's own: no such square on any other.
    beside = parse_setup("4k3/8/8/3pP3/8/8/8/4K3 w - d5 0 2")
    assert any("en passant" in problem.text for problem in beside.problems())


def test_checklist_030_en_passant_may_not_bare_the_king() -> None:
    # Both pawns leave the rank at once, and the rook gives check.
    rank = board("7 ...p....\n5 K...P..r\n1 ....k...", turn="b")
    assert goes(play(rank, "d5"), "e5") == {"e6"}
    # A pawn pinned diagonally may capture only along the line of the pin.
    pin = "8 ....k...\n7 {}\n6 .....b..\n5 ....P...\n4 ...K...."
    assert goes(play(board(pin.format("...p...."), turn="b"), "d5"), "e5") == {"f6"}
    # A pawn that shields its king on a file may not leave the file.
    file = board("8 ....r..k\n7 ...p....\n5 ....P...\n1 ....K...", turn="b")
    assert goes(play(file, "d5"), "e5") == {"e6"}


def test_checklist_031_en_passant_can_answer_check() -> None:
    position = play(board("5 ..k.....\n4 ....p...\n2 ...P....\n1 ....K..."), "d4")
    assert position.is_check()
    assert goes(position, "e4") == {"d3"}


def test_checklist_032_promotion_is_compulsory_and_to_four_kinds() -> None:
    white = board("8 .......k\n7 P.......\n1 K.......")
    assert sans(white) == {"a8=Q+", "a8=R+", "a8=B", "a8=N", "Ka2", "Kb1", "Kb2"}
    with pytest.raises(AmbiguousMove):
        parse_san(white, "a8")
    for text in ("a8=K", "a8=P"):
        with pytest.raises((IllegalMove, UnreadableMove)):
            parse_san(white, text)
    black = board("8 .......k\n2 p.......\n1 ..K.....", turn="b")
    assert goes(black, "a2") == {"a1q", "a1r", "a1b", "a1n"}
    after = play(black, "a1=Q")
    assert names_of(after.pieces_of(QUEEN, BLACK)) == ["a1"]
    assert not after.pieces_of(QUEEN, WHITE)
    # No pawn can stand where it would have been promoted.
    (problem,) = parse_setup("P6k/8/8/8/8/8/8/K7 w - - 0 1").problems()
    assert problem.squares == 1 << BY_NAME["a8"]


def test_checklist_033_a_knight_may_be_better_than_a_queen() -> None:
    position = board("7 q.P.k...\n1 ....K...")
    assert "c8=N+" in sans(position)
    assert "c8=Q" in sans(position)
    knight = play(position, "c8=N")
    attacked = {n for n in ("a7", "e7") if knight.attackers(BY_NAME[n], WHITE)}
    assert attacked == {"a7", "e7"}


def test_checklist_034_promotion_with_and_without_capture() -> None:
    position = board("8 r...k...\n7 .P......\n1 ....K...")
    assert goes(position, "b7") == {square + piece for square in ("a8", "b8") for piece in "qrbn"}


def test_checklist_035_nine_queens_but_not_ten() -> None:
    most = {"Q": "QQQ.....", "R": "RRRR....", "B": "BBBB....", "N": "NNNN...."}
    for letter, rank in most.items():
        three = letter * 3
        pieces = f"5 .......k\n3 {rank}\n2 {three}.....\n1 {three}.K..."
        assert board(pieces).pieces(WHITE).bit_count() == (10 if letter == "Q" else 11)
        with pytest.raises(NotationError, match="promoted"):
            board(f"4 {letter}.......\n{pieces}")
    # A second queen beside the first is an ordinary promotion.
    second = play(board("8 .......k\n7 P.......\n1 K..Q...."), "a8=Q+")
    assert second.pieces_of(QUEEN, WHITE).bit_count() == 2


def test_checklist_036_a_promotion_takes_effect_at_once() -> None:
    position = board("8 r...k...\n7 .P......\n1 ....K...")
    assert play(position, "b8=Q").is_check()
    assert play(position, "bxa8=R").is_check()
    assert not play(position, "b8=N").is_check()


def test_checklist_037_the_pawns_of_one_diagram() -> None:
    position = board("""
        7 p.p..P.k
        6 .P......
        3 ......p.
        2 ..P...P.
        1 K.......
    """)
    pawns = {"b7", "bxa7", "bxc7", "c3", "c4", "f8=Q", "f8=R", "f8=B", "f8=N+"}
    assert {san for san in sans(position) if san[0] != "K"} == pawns
    takes = board("8 ....k...\n3 .p.p....\n2 ..P.....\n1 ....K...")
    assert {san for san in sans(takes) if san[0] != "K"} == {"cxb3", "cxd3", "c3", "c4"}
