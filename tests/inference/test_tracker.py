"""Which of several games the switches tell; the stories and dances tell the rest."""

from __future__ import annotations

from tests.dances import Table


def test_a_slide_past_a_neighbour_leaves_the_rest_of_the_game_alone() -> None:
    table = Table()
    table.play("-d2 20 +d3 30 +d2 0 +d4 40 -d3 20 -d2 2000")
    table.move("d7d5")
    assert table.moves == "d2d4 d7d5"


def test_a_piece_put_back_leaves_what_is_doubtful_open_for_later_play() -> None:
    """The rook went to b1, from where the other one was not seen to leave, or to e8, where it was
    captured: both look alike, until the king steps to g1, impossible with a black rook on b1."""
    table = Table("1rr3k1/5pb1/p2p1qp1/2nP4/2P3P1/3p1N2/P2Q1PBK/1R2R3 b - - 1 28")
    table.play("-b1 1530 -b8 630 +b1 3420 -e1 754 +c1 242 -c1 80 +a1 724 -a1 2858")
    table.play("-c8 914 +e8 2398 -e8 828 +c8 2030 -c8 748 +e8 11080")
    table.play("-h2 1252 +e1 2002 -e1 380 +h2 3180")
    table.play("-h2 578 +g1 12838 -f6 592 +c3 9000")
    assert table.moves == "b8b1 e1b1 c8e8 h2g1 f6c3"


def test_a_piece_that_rests_over_a_border_takes_no_plies_back() -> None:
    """With the queen on both g6 and h6, three plies ago looks the same: the pawn was on h6."""
    table = Table("5rk1/1bq5/1p1n3p/pP1p4/2rP1Pp1/3Q4/P3N1PP/2R2RK1 w - - 0 29")
    table.play("-d3 +g6 2000 -g8 +h8 2000 -h6 -g6 +h6 2000 -h8 +g8 6000")
    table.play("+g6 800 -h6 2000")
    assert table.moves == "d3g6 g8h8 g6h6 h8g8 h6g6"


def test_a_capture_pushed_in_unseen_is_told_by_the_two_plies_after_it() -> None:
    """The rook slid as far as e4, then pushed the pawn off e3 over e2, and stood there."""
    table = Table("k3r3/p7/2p3p1/6N1/8/4P3/Pr6/R4K2 b - - 0 36")
    table.play("-e8 2 +e7 142 +e6 2 -e7 106 +e5 0 -e6 120 +e4 0 -e5 336 -e4 58 +e2 734 -e2 6656")
    table.play("-a1 508 +e1 3894 -e3 322 +g3 3000")
    assert table.moves == "e8e3 a1e1 e3g3"


def test_a_piece_tried_on_empty_squares_does_not_hide_the_game() -> None:
    """The king took unseen; before the bishop's ply it was lifted twice and tried on e3 and c5."""
    table = Table("8/2R2pbk/1pQ1p1pp/8/1P2P3/6P1/5rKP/1B1q4 w - - 0 36")
    table.play("-g2 794 +g2 374 -g2 110 +e2 1644 -e2 4814 -g7 1090 +g7 1760 -g7 1182 +e3 2834 -e3")
    table.play("632 +g7 2552 -g7 1038 +c5 1526 -c5 726 +d4 4000")
    assert table.moves == "g2f2 g7d4"


def test_a_quick_reply_to_a_piece_that_was_tried_elsewhere_is_no_mistake() -> None:
    table = Table("4k3/2p1p1p1/8/1P1P1P1P/1p1p1p1p/8/2P1P1P1/4K3 w - - 0 1")
    told = table.play("300 -e1 300 +a1 496 -a1 300 +d1 300 -e8 496 +d7 6500")
    assert told == ["mismatch -e1 +a1", "cleared", "move 1 e1d1", "move 2 e8d7"]


SCANDINAVIAN = "e2e4 d7d5"


def test_a_captured_that_only_blinked_is_known_when_the_hands_are_off_the_board() -> None:
    table = Table()
    table.move(SCANDINAVIAN)
    assert table.play("-e4 ~d5 200") == []
    assert table.play("300") == ["move 3 e4d5"]
    table.play("-d8 -d5 +d5")
    table.play("-b1 +c3")
    assert table.moves == f"{SCANDINAVIAN} e4d5 d8d5 b1c3"


def test_a_piece_captured_at_once_with_a_rest_in_the_middle_of_it_was_captured() -> None:
    """The capturing piece and the one that had just come are both in the hand for a while."""
    castled = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R4RK1 b kq - 0 1"
    table = Table(castled)
    table.play("-f6 41 -e4 1167 +e4 10 -f3 150 -e4 917 +e4 34 -c7 300 +c6 2000")
    assert table.moves == "f6e4 f3e4 c7c6"


def test_which_of_several_pieces_was_captured_is_seen_from_what_was_lifted() -> None:
    for captured in ("d5", "f5"):
        table = Table("4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1")
        assert table.play(f"-{captured} -e4 +{captured}") == [f"move 1 e4{captured}"]
        table = Table("4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1")
        assert table.play(f"-e4 -{captured} +{captured}") == [f"move 1 e4{captured}"]


def test_players_who_never_rush_have_not_rushed_now() -> None:
    """The queen has captured on h4 at once, or it came to c8 only where the rook arrives, which was
    lifted before: nobody in this game has begun a ply before the one before was over."""
    table = Table("3qn2r/5pk1/p3p1pp/3pP3/p2P1QNP/6N1/1r3PP1/2R3K1 b - - 3 26")
    rook, king = ("b2a2", "a2b2"), ("g1h1", "h1h2", "h2g1")
    for ply in range(12):
        table.move(f"{rook[ply % 2]} {king[ply % 3]}")
    table.play("-d8 690 -h4 2 +h4 7900 -c1 400 +c8 290 -c8 100 +c8 2000")
    assert table.moves.split()[24:] == ["d8h4", "c1c8"]
