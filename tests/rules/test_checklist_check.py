"""Checklist of the rules, 38 to 52: check, mate, stalemate."""

from __future__ import annotations

from boardfw.notation.fen import parse_setup
from boardfw.notation.san import parse_san
from boardfw.rules import BLACK, Outcome, Position
from boardfw.rules.outcome import outcome
from tests.rules.boards import board, goes, play, sans
from tests.rules.walks import walk

NO_MOVE_LEFT = """
    8 ....R...
    6 .......B
    5 ....b...
    4 ....k.P.
    1 ...Q...K
"""
"""The queen attacks f3, d3, d4 and d5; the rook pins the bishop."""


def has_ended(position: Position, result: str, termination: str) -> bool:
    return outcome(position) == Outcome(result, termination)


def test_checklist_038_a_king_in_check_moves_or_takes() -> None:
    position = board("5 ...k....\n4 ....B...\n1 K.......", turn="b")
    assert position.is_check()
    assert sans(position) == {"Kc4", "Kc5", "Kd4", "Kd6", "Ke5", "Ke6", "Kxe4"}


def test_checklist_039_one_flight_square() -> None:
    position = board("8 R..k....\n2 ..Q.....\n1 ....R.K.", turn="b")
    assert sans(position) == {"Kd7"}


def test_checklist_040_no_flight_square_is_mate() -> None:
    position = board("8 R..k....\n5 .....B..\n2 ..Q.....\n1 ....R.K.", turn="b")
    assert has_ended(position, "1-0", "checkmate")


def test_checklist_041_stalemate_of_a_king_with_a_pinned_bishop() -> None:
    position = board(NO_MOVE_LEFT, turn="b")
    assert not position.is_check()
    assert sans(position) == set()
    assert has_ended(position, "1/2-1/2", "stalemate")


def test_checklist_042_another_move_and_it_is_no_stalemate() -> None:
    position = board(NO_MOVE_LEFT.replace("6 .", "6 p"), turn="b")
    assert sans(position) == {"a5"}
    assert outcome(position) is None


def test_checklist_043_three_answers_to_a_check() -> None:
    position = board("8 k.R.....\n7 b.......\n6 .n......\n1 ......K.", turn="b")
    assert sans(position) == {"Kb7", "Bb8", "Nxc8+"}


def test_checklist_044_mate_by_a_defended_queen() -> None:
    position = board("7 ......Qk\n6 .....K..", turn="b")
    assert has_ended(position, "1-0", "checkmate")
    # Undefended it would be captured.
    assert sans(board("7 ......Qk\n5 .....K..", turn="b")) == {"Kxg7"}


def test_checklist_045_an_absolutely_pinned_piece_cannot_leave_the_line() -> None:
    position = board("8 ....k...\n4 ....b...\n3 .....R..\n2 ......K.", turn="w")
    assert goes(position, "f3") == set()
    assert len(goes(position, "g2")) == 7
    bishop = board("8 ....k...\n4 ....b...\n3 .....B..\n2 ......K.")
    assert goes(bishop, "f3") == {"e4"}
    rook = board("8 ....r..k\n3 ....R...\n1 ....K...")
    assert goes(rook, "e3") == {"e2", "e4", "e5", "e6", "e7", "e8"}
    pawn = board("8 ....r..k\n4 ...p....\n3 ....P...\n1 ....K...")
    assert goes(pawn, "e3") == {"e4"}
    knight = board("8 ....r..k\n3 ....N...\n1 ....K...")
    assert goes(knight, "e3") == set()


def test_checklist_046_kings_keep_apart() -> None:
    assert goes(board("2 K.k....."), "a2") == {"a1", "a3"}
    assert goes(board("2 K.k.....", turn="b"), "c2") == {"c1", "c3", "d1", "d2", "d3"}
    others = goes(board("7 .R......\n2 K.k....."), "b7")
    assert {"b1", "b2", "b3"} < others
    # They cannot have come to adjacent squares.
    assert parse_setup("8/8/8/8/8/8/Kk6/8 w - - 0 1").problems()


def test_checklist_047_no_move_leaves_the_own_king_in_check() -> None:
    pinned_guard = board("5 k..r...R\n1 ....K...")
    assert not {"d1", "d2"} & goes(pinned_guard, "e1")
    pinned_checker = board("8 ..k.....\n5 ..r....K\n1 ..R.....")
    assert pinned_checker.is_check()
    assert not {"g5"} & goes(pinned_checker, "h5")
    # A king does not hide behind itself from a rook.
    assert goes(board("8 ....r..k\n4 ....K..."), "e4") == {"d3", "d4", "d5", "f3", "f4", "f5"}
    for position, _, _ in walk(4, 200):
        for move in position.legal_moves():
            after = position.play(move)
            assert not after.attackers(after.king(position.turn), after.turn)


def test_checklist_048_move_capture_or_interpose() -> None:
    # Smothered: the knight's check cannot be interposed, and nothing captures it.
    position = board("8 ......rk\n7 .....Npp\n1 K.......", turn="b")
    assert has_ended(position, "1-0", "checkmate")
    # A rook's check can: here all three answers are possible.
    rook = board("8 ...k....\n7 r.......\n5 .......b\n1 .K.R....", turn="b")
    assert sans(rook) == {"Kc7", "Kc8", "Ke7", "Ke8", "Rd7", "Bxd1"}


def test_checklist_049_mate_by_a_queen_that_a_rook_defenders() -> None:
    position = board("8 ....k...\n2 r.....q.\n1 .......K")
    assert has_ended(position, "0-1", "checkmate")
    assert sans(board("8 ....k...\n2 ......q.\n1 .......K")) == {"Kxg2"}


def test_checklist_050_double_check_moves_the_king() -> None:
    position = board("""
        8 ....k...
        6 ....r...
        3 ...n....
        2 P.......
        1 ....K..B
    """)
    assert position.checkers().bit_count() == 2
    assert sans(position) == {"Kd1", "Kd2", "Kf1"}
    # Neither of the two checkers may be captured by another piece.
    takers = board("8 ....k...\n6 ....r...\n5 R.....R.\n3 ...n...R\n1 ....K..B")
    assert all(san.startswith("K") for san in sans(takers))


def test_checklist_051_check_need_not_be_announced() -> None:
    position = board("8 ....k...\n1 R...K...")
    move = parse_san(position, "Ra8")
    assert position.play(move).is_check()
    for text in ("Ra8+", "Ra8ch", "Ra8 ch."):
        assert parse_san(position, text) is move


def test_checklist_052_mate_and_stalemate_end_the_game_at_once() -> None:
    won = play(Position.start(), "f3 e5 g4 Qh4#")
    assert has_ended(won, "0-1", "checkmate")
    assert won.legal_moves() == ()
    lost = play(board("8 .......k\n6 ......K.\n1 .Q......"), "Qb8")
    assert lost.turn == BLACK
    assert has_ended(lost, "1-0", "checkmate")
    drawn = play(board("8 .......k\n6 ......K.\n1 .....Q.."), "Qf7")
    assert has_ended(drawn, "1/2-1/2", "stalemate")
    assert drawn.legal_moves() == ()
    # Mate on the last of 75 moves is mate.
    late = play(board("8 .......k\n6 ......K.\n1 .Q......", clock=149), "Qb8")
    assert has_ended(late, "1-0", "checkmate")
