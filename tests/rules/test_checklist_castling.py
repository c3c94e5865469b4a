"""Checklist of the rules, 53 to 68: castling."""

from __future__ import annotations

import pytest

from boardfw.notation.fen import format_fen, parse_setup
from boardfw.rules import Position
from boardfw.squares import names_of
from tests.dances import Table
from tests.rules.boards import board, goes, play, sans

BOTH = """
    8 r...k..r
    1 R...K..R
"""
SHORT, LONG = "O-O", "O-O-O"


def castlings(position: Position) -> set[str]:
    return {SHORT, LONG} & {san.rstrip("+#") for san in sans(position)}


def test_checklist_053_king_two_squares_and_the_rook_over_it() -> None:
    white, black = board(BOTH, "w", "KQkq"), board(BOTH, "b", "KQkq")
    assert castlings(white) == castlings(black) == {SHORT, LONG}
    for position, san, pieces in (
        (white, SHORT, "r3k2r/8/8/8/8/8/8/R4RK1"),
        (white, LONG, "r3k2r/8/8/8/8/8/8/2KR3R"),
        (black, SHORT, "r4rk1/8/8/8/8/8/8/R3K2R"),
        (black, LONG, "2kr3r/8/8/8/8/8/8/R3K2R"),
    ):
        assert format_fen(play(position, san)).startswith(pieces)
    (move,) = [m for m in white.legal_moves() if m.uci() == "e1g1"]
    assert [names_of(1 << a | 1 << b) for a, b in move.steps()] == [["e1", "g1"], ["f1", "h1"]]


def test_checklist_054_before_and_after() -> None:
    before = board("8 r...k...\n1 ....K..R", "w", "Kq")
    after = board("8 ..kr....\n1 .....RK.")
    assert play(before, "O-O O-O-O").placement == after.placement


def test_checklist_055_a_king_that_has_moved_and_a_king_hemmed_in() -> None:
    position = board(
        """
        8 r......r
        7 .....k..
        6 b.......
        2 PPPP.PPP
        1 RNBQK..R
        """,
        castling="KQ",
    )
    # There are pieces between on the queen's side; the bishop attacks f1 on the king's.
    assert castlings(position) == set()
    assert castlings(play(position, "d3")) == set()
    # Black's king has moved: not even at home again may it castle.
    home = play(position, "d3 Ke8 d4 Bb5")
    assert castlings(play(home, "d5 Bc6 a3")) == set()


def test_checklist_056_a_king_that_was_away_may_not_castle() -> None:
    position = play(board(BOTH, "w", "KQkq"), "Ke2 Ke7 Ke1 Ke8")
    assert position.castling == 0
    assert castlings(position) == set()
    white_only = play(board(BOTH, "w", "KQkq"), "Ke2")
    assert names_of(white_only.castling) == ["a8", "h8"]


def test_checklist_057_no_castling_out_of_check() -> None:
    position = board("8 ....k...\n4 ....r...\n1 R...K..R", castling="KQ")
    assert goes(position, "e1") == {"d1", "d2", "f1", "f2"}
    knight = board("8 ....k...\n3 .....n..\n1 R...K..R", castling="KQ")
    assert castlings(knight) == set()


def test_checklist_058_no_castling_through_check() -> None:
    assert castlings(board("8 ...rk...\n1 R...K...", castling="Q")) == set()
    assert castlings(board("8 ....kr..\n1 ....K..R", castling="K")) == set()
    black = board("8 r...k..r\n1 ...RKR..", "b", "kq")
    assert castlings(black) == set()
    # A pawn attacks f1 though it cannot move there.
    assert castlings(board("8 ....k...\n2 ......p.\n1 ....K..R", castling="K")) == set()


def test_checklist_059_no_castling_into_check() -> None:
    assert castlings(board("8 ..r.k...\n1 R...K...", castling="Q")) == set()
    assert castlings(board("8 ....k.r.\n1 ....K..R", castling="K")) == set()
    assert castlings(board("8 r...k..r\n1 ..R.K.R.", "b", "kq")) == set()


def test_checklist_060_the_rook_may_be_attacked_and_pass_an_attacked_square() -> None:
    assert castlings(board("8 .r..k...\n1 R...K...", castling="Q")) == {LONG}
    assert castlings(board("8 r...k...\n1 R...K...", castling="Q")) == {LONG}
    assert castlings(board("8 ....k..r\n1 ....K..R", castling="K")) == {SHORT}


def test_checklist_061_no_piece_is_between() -> None:
    for rank in ("Rn..K...", "R.n.K...", "R..bK...", "RN..K...", "R.B.K...", "R..QK..."):
        assert castlings(board(f"8 ....k...\n1 {rank}", castling="Q")) == set()
    for rank in ("....Kb.R", "....KB.R", "....K.NR"):
        assert castlings(board(f"8 ....k...\n1 {rank}", castling="K")) == set()


def test_checklist_062_no_castling_with_a_promoted_rook() -> None:
    # The encyclopedia says "on the same rank" to exclude a rook promoted on e8.
    up = play(board("7 ....P..k\n1 ....K..."), "e8=R Kg7")
    assert goes(up, "e1") == {"d1", "d2", "e2", "f1", "f2"}
    # Nor does one that goes from there to the corner become a rook that has not moved.
    home = play(board("7 P......k\n1 ....K..."), "a8=R Kg7 Ra1 Kh7")
    assert castlings(home) == set()
    # A black pawn that becomes a rook on h1 does not inherit the right of the rook it captured.
    taken = play(board("8 ....k...\n2 ......p.\n1 ....K..R", "b", "K"), "gxh1=R+")
    assert taken.castling == 0
    # Without a rook there is no right.
    assert parse_setup("4k3/8/8/8/8/8/8/4K3 w K - 0 1").problems()


def test_checklist_063_a_rook_loses_its_own_right_by_moving_or_by_dying() -> None:
    start = board(BOTH, "w", "KQkq")
    assert names_of(play(start, "Ra2").castling) == ["h1", "a8", "h8"]
    back = play(start, "Ra2 Kd8 Ra1 Ke8")
    assert names_of(back.castling) == ["h1"]
    assert castlings(back) == {SHORT}
    assert names_of(play(start, "Rxa8+").castling) == ["h1", "h8"]
    assert names_of(play(start, "Rxh8+").castling) == ["a1", "a8"]
    # Another rook on the square of the captured one may not castle.
    other = board("8 r...k...\n4 .......R\n2 ......b.\n1 R...K..R", "b", "KQq")
    assert castlings(play(other, "Bxh1 Rxh1 Kf8")) == {LONG}


def test_checklist_064_a_piece_in_the_way_delays_castling() -> None:
    blocked = board("8 ....k...\n1 ....KB.R", castling="K")
    assert castlings(blocked) == set()
    assert castlings(play(blocked, "Bd3 Ke7")) == {SHORT}
    attacked = board("8 ....k...\n7 .....r..\n2 P.......\n1 ....K..R", castling="K")
    assert castlings(attacked) == set()
    assert castlings(play(attacked, "a3 Rd7")) == {SHORT}


def test_checklist_065_a_king_that_was_in_check_may_castle_later() -> None:
    position = board(
        """
        8 r...k.nr
        7 ppp.qppp
        3 .......B
        2 PPP..PPP
        1 R.B.K..R
        """,
        castling="KQkq",
    )
    assert sans(position) == {"Be3", "Be6", "Kd1", "Kd2", "Kf1"}
    assert castlings(play(position, "Be3 Nf6")) == {SHORT, LONG}


@pytest.mark.parametrize(
    ("knight", "rank_3", "bishop", "can"),
    [
        ("....k.nr", "....B..B", "R...K..R", set()),  # Ng8 in the way, Bh3 attacks c8
        ("....k..r", "....B..B", "R...K..R", {SHORT}),  # the knight went to f6
        ("....k..r", "....B...", "R...KB.R", {SHORT, LONG}),  # the bishop left the diagonal
    ],
    ids=["neither side", "king's side", "both sides"],
)
def test_checklist_066_what_hinders_black_and_what_frees(
    knight: str, rank_3: str, bishop: str, can: set[str]
) -> None:
    f6 = "........" if "n" in knight else ".....n.."
    position = board(
        f"8 r{knight[1:]}\n7 ppp.qppp\n6 {f6}\n3 {rank_3}\n2 PPP..PPP\n1 {bishop}", "b", "KQkq"
    )
    assert castlings(position) == can


def test_checklist_067_touch_the_king_first() -> None:
    # On the board itself: the king's two squares say at once what is meant ...
    table = Table("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    table.play("-e1 +g1 -h1 +f1")
    assert table.told == ["move 1 e1g1"]
    # ... while a rook that is moved first has made a rook's move, until the king follows.
    table = Table("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert table.play("-h1 +f1") == ["move 1 h1f1"]
    assert table.play("-e1 +g1") == ["amend 1 e1g1"]


def test_checklist_068_once_a_game() -> None:
    after = play(board(BOTH, "w", "KQkq"), "O-O O-O-O")
    assert after.castling == 0
    again = play(after, "Kf2 Rdg8 Ke1 Kb8")  # king and rook are back
    assert castlings(again) == set()
    assert names_of(play(board(BOTH, "w", "KQkq"), "O-O").castling) == ["a8", "h8"]
