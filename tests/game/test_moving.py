"""A move is what the board shows when the hands are off it, in whatever order it was made."""

from __future__ import annotations

import pytest

from boardfw.game.build_view import look
from boardfw.game.events import Finalised, Lifted, Moved
from boardfw.sensing.debounce import SETTLE_US
from boardfw.squares import BY_NAME
from tests.dances import FIRST_US, STEP_US, Table

SCANDINAVIAN = "e2e4 d7d5"
ITALIAN = "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6"
EN_PASSANT = "e2e4 a7a6 e4e5 d7d5"


@pytest.mark.parametrize("bounce", [False, True])
def test_a_quiet_move_is_told_when_the_piece_stands(bounce: bool) -> None:
    table = Table(bounce=bounce)
    assert table.play("-e2 1000 +e4 4") == []
    assert table.play("10") == ["move 1 e2e4"]
    assert [a.provisional for a in table.actions if isinstance(a, Moved)] == [False]


def test_the_first_touch_may_come_as_soon_as_the_board_is_watched() -> None:
    table = Table(first_us=0)
    table.play("-e2 +e4")
    assert not look(table.session).provisional


def test_touches_are_told_as_they_settle_whatever_they_mean() -> None:
    table = Table()
    table.play("-e2 20")
    assert table.actions == [Lifted(FIRST_US + STEP_US + SETTLE_US, BY_NAME["e2"])]


@pytest.mark.parametrize(
    "dance",
    [
        "-e4 -d5 +d5",
        "-d5 -e4 +d5",
        "-d5 3000 -e4 3000 +d5",
        "-e4 3000 -d5 3000 +d5",
        "-e4 300 -d5 60 +d5",
        "-e4 300 -d5 8 +d5",  # the captured piece swapped by one hand
        "-e4 0 -d5 300 +d5",  # two hands
    ],
)
@pytest.mark.parametrize("bounce", [False, True])
def test_a_capture_in_any_order_of_the_two_pieces(dance: str, bounce: bool) -> None:
    if bounce and " 8 " in dance:
        pytest.skip("a contact that bounces for longer than it is open tells nothing")
    table = Table(bounce=bounce)
    table.move(SCANDINAVIAN)
    assert table.play(dance) == ["move 3 e4d5"]


def test_which_of_several_pieces_was_captured_is_seen_from_what_was_lifted() -> None:
    for captured in ("d5", "f5"):
        table = Table("4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1")
        assert table.play(f"-{captured} -e4 +{captured}") == [f"move 1 e4{captured}"]
        table = Table("4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1")
        assert table.play(f"-e4 -{captured} +{captured}") == [f"move 1 e4{captured}"]


def test_an_attacker_merely_lifted_has_captured_nothing() -> None:
    table = Table()
    table.move(SCANDINAVIAN)
    assert table.play("-e4 5000") == []
    assert table.play("+e4") == []
    assert table.moves == SCANDINAVIAN


@pytest.mark.parametrize(
    "dance",
    [
        "-e1 +g1 -h1 +f1",
        "-h1 +f1 -e1 +g1",
        "-h1 +f1 5000 -e1 +g1",
        "-e1 +g1 2500 -h1 +f1",
        "-e1 -h1 +g1 +f1",
        "-h1 -e1 +f1 +g1",
        "-e1 -h1 2500 +f1 2500 +g1",
        "-e1 -h1 2500 +g1 2500 +f1",
        "-e1 2500 -h1 2500 +f1 2500 +g1",
        "-e1 +f1 60 -f1 +g1 -h1 +f1",  # the king slid over the rook's square
    ],
)
@pytest.mark.parametrize("bounce", [False, True])
def test_castling_in_any_order_and_with_pauses(dance: str, bounce: bool) -> None:
    table = Table(bounce=bounce)
    table.move(ITALIAN)
    said = table.play(dance)
    assert table.moves == f"{ITALIAN} e1g1"
    assert not [word for word in said if word.startswith("mismatch")]
    assert table.move("f6e4") == ["move 8 f6e4"]


@pytest.mark.parametrize("dance", ["-e1 +c1 -a1 +d1", "-a1 +d1 -e1 +c1", "-e1 -a1 +d1 +c1"])
def test_castling_long(dance: str) -> None:
    table = Table("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1")
    table.play(dance)
    assert table.moves == "e1c1"


def test_both_players_castle_at_once() -> None:
    table = Table("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1")
    table.play("-e1 50 -h1 50 +g1 20 -e8 20 +f1 20 -h8 50 +g8 50 +f8")
    assert table.moves == "e1g1 e8g8"


def test_a_rook_that_only_stands_beside_the_king_has_not_castled() -> None:
    table = Table()
    table.move(f"{ITALIAN} h1f1 f6e4")
    assert table.moves == f"{ITALIAN} h1f1 f6e4"


@pytest.mark.parametrize(
    "dance",
    [
        "-e5 +d6 -d5",
        "-d5 -e5 +d6",
        "-e5 -d5 +d6",
        "-e5 +d6 2500 -d5",
        "-d5 3000 -e5 3000 +d6",
        "-e5 3000 -d5 3000 +d6",
        "-e5 +e6 60 -e6 +d6 -d5",  # it went straight on first
    ],
)
@pytest.mark.parametrize("bounce", [False, True])
def test_the_pawn_captured_en_passant_may_leave_at_any_time(dance: str, bounce: bool) -> None:
    table = Table(bounce=bounce)
    table.move(EN_PASSANT)
    said = table.play(dance)
    assert table.moves == f"{EN_PASSANT} e5d6"
    assert not [word for word in said if word.startswith("mismatch")]
    assert table.move("c7d6") == ["move 6 c7d6"]


def test_what_is_not_done_in_three_seconds_is_asked_for_and_still_accepted() -> None:
    table = Table()
    table.move(EN_PASSANT)
    assert table.play("-e5 +d6 2900") == []
    assert table.play("300") == ["mismatch -e5 +d6"]
    assert table.play("-d5") == ["move 5 e5d6", "cleared"]


@pytest.mark.parametrize("bounce", [False, True])
@pytest.mark.parametrize(
    "dance",
    [
        "-a1 +a2 100 -a2 +a3 100 -a3 +a4",
        "-a1 +a2 300 -a2 100 +a3 300 -a3 100 +a4",
        "-a1 20 +a2 60 +a3 20 -a2 60 -a3 20 +a4",  # a magnet between two squares closes both
        "-a1 20 +a2 60 +a3 20 -a2 60 +a4 20 -a3",
    ],
)
def test_a_slide_is_one_move(dance: str, bounce: bool) -> None:
    table = Table(bounce=bounce)
    before = "a2a4 h7h5 a4a5 h5h4"
    table.move(before)
    table.play(dance)
    assert table.moves == f"{before} a1a4"
    assert table.session.record.history == [], "stations on the way were not taken back"
    assert table.move("h8h5 a4h4 h5h4") == ["move 6 h8h5", "move 7 a4h4", "move 8 h5h4"]


def test_stations_of_a_slow_slide_are_no_history() -> None:
    table = Table()
    table.move("a2a4 h7h5 a4a5 h5h4")
    table.play("-a1 +a2 600 -a2 100 +a3 600 -a3 100 +a4")
    assert table.session.record.history == []


def test_a_slide_into_a_capture() -> None:
    table = Table()
    table.move("e2e4 d7d6 d1f3 g8f6 a2a3 a7a6")
    table.play("-f3 +f4 80 -f4 +f5 80 -f5 -f6 +f6")
    assert table.moves.endswith("a7a6 f3f6")


@pytest.mark.parametrize("bounce", [False, True])
def test_a_reply_may_begin_before_the_move_has_settled(bounce: bool) -> None:
    table = Table(bounce=bounce)
    table.play("-e2 +e4 3 -e7 100 +e5 3 -g1 100 +f3")
    assert table.moves == "e2e4 e7e5 g1f3"
    table = Table(bounce=bounce)
    table.play("-e2 100 -e7 30 +e4 30 +e5")
    assert table.moves == "e2e4 e7e5"


def test_recaptures_follow_each_other_on_one_square() -> None:
    table = Table()
    table.move(SCANDINAVIAN)
    table.play("-e4 80 -d5 10 +d5 20 -d8 80 -d5 12 +d5")
    assert table.moves == f"{SCANDINAVIAN} e4d5 d8d5"


def test_a_captured_that_only_blinked_is_known_when_the_hands_are_off_the_board() -> None:
    table = Table()
    table.move(SCANDINAVIAN)
    assert table.play("-e4 ~d5 200") == []
    assert table.play("300") == ["move 3 e4d5"]
    table.play("-d8 -d5 +d5")
    table.play("-b1 +c3")
    assert table.moves == f"{SCANDINAVIAN} e4d5 d8d5 b1c3"


def test_a_captured_pushed_off_unseen_is_known_from_the_reply() -> None:
    table = Table()
    table.move(SCANDINAVIAN)
    table.play("-e4 1000")
    assert table.play("-g8 +f6") == ["move 3 e4d5", "move 4 g8f6"]


def test_an_unseen_capture_is_believed_when_the_piece_stays_away() -> None:
    table = Table()
    table.move(SCANDINAVIAN)
    table.play("-e4 9000")
    assert table.moves == f"{SCANDINAVIAN} e4d5"


def test_a_move_that_may_be_half_a_castling_waits_for_the_other_half() -> None:
    table = Table()
    table.move(ITALIAN)
    assert table.play("-h1 +f1 2900 -e1 +g1") == ["move 7 h1f1", "amend 7 e1g1"]
    assert "final 7 h1f1" not in table.heard(Finalised)


def test_the_other_half_of_a_castling_may_come_late() -> None:
    table = Table()
    table.move(ITALIAN)
    table.play("-h1 +f1 20000 -e1 +g1")
    assert table.moves == f"{ITALIAN} e1g1"


def test_a_castling_that_never_came_holds_up_nothing_after_the_reply() -> None:
    table = Table()
    table.move(f"{ITALIAN} h1f1 f6e4")
    table.play("2000")
    assert table.heard(Finalised)[-1] == "final 8 f6e4"
    assert not look(table.session).provisional


def test_a_piece_captured_at_once_with_a_rest_in_the_middle_of_it_was_captured() -> None:
    """The capturing piece and the one that had just come are both in the hand for a while."""
    castled = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R4RK1 b kq - 0 1"
    table = Table(castled)
    table.play("-f6 41 -e4 1167 +e4 10 -f3 150 -e4 917 +e4 34 -c7 300 +c6 2000")
    assert table.moves == "f6e4 f3e4 c7c6"
