"""The kings in the centre show the result."""

from __future__ import annotations

import pytest

from boardfw.game.events import Ended, Finalised, Stuck
from boardfw.game.phase import GamePhase
from tests.dances import Table

OPEN = "e2e4 e7e5"


@pytest.mark.parametrize(
    ("dance", "result"),
    [
        ("-e1 -e8 -e4 +e4 +d5", "1-0"),
        ("-e1 -e8 -e4 +d5 +e4", "1-0"),
        ("-e8 -e1 -e4 1500 +e4 1500 +d5", "1-0"),
        ("-e1 -e8 -e5 +d4 +e5", "0-1"),
        ("-e1 -e8 500 +d4 -e5 500 +e5", "0-1"),
        ("-e1 -e8 -e4 -e5 +e4 +e5", "1/2-1/2"),
        ("-e1 -e8 +d4 +d5", "1/2-1/2"),
        ("-e4 -e1 -e8 +e4 +d5", "1-0"),  # the piece in the way left first
        ("-e1 +d4 -e8 -d4 +d4 -e5 +e5", "0-1"),  # the first king was adjusted meanwhile
        ("-e1 +d4 5000 -e8 -e5 3000 +e5", "0-1"),
        ("-e4 3000 -e1 +e4 60000 -e8 +d5", "1-0"),
    ],
)
@pytest.mark.parametrize("bounce", [False, True])
def test_the_kings_in_the_centre_show_the_result(dance: str, result: str, bounce: bool) -> None:
    table = Table(bounce=bounce)
    table.move(OPEN)
    table.play(dance)
    assert table.result == f"{result} kings"
    assert table.heard(Ended) == [f"result {result} kings"]
    assert table.heard(Stuck) == []
    assert table.moves == OPEN
    assert table.session.phase.kind is GamePhase.OVER


def test_the_kings_may_show_the_result_of_a_turned_board() -> None:
    table = Table()
    table.move("e2e4 e7e5 g1f3")
    table.play("-e4 -e5 -f3 +e2 +e7 +g1")
    table.turned = True
    table.play("-d2 +d4")
    table.move("g8f6")
    table.play("-e1 -e8 +e4 +d5")
    assert table.result == "1-0 kings"


ENDGAME = "8/8/3k4/8/8/3K4/7P/8 w - - 0 1"


@pytest.mark.parametrize("dance", ["-d3 -d6 +e4 +d5", "-d3 +e4 100 -d6 3000 +d5"])
def test_a_step_to_the_centre_that_could_be_a_move_is_withdrawn(dance: str) -> None:
    table = Table(ENDGAME)
    said = table.play(dance)
    assert said == ["move 1 d3e4", "take_back 1", "result 1-0 kings"]
    assert table.heard(Finalised) == []


def test_a_move_to_the_centre_that_was_final_before_the_other_king_stays() -> None:
    table = Table(ENDGAME)
    assert table.play("-d3 +e4 1500 -d6 +d5") == ["move 1 d3e4", "result 1-0 kings"]


CROWDED = "8/8/2k5/8/4n3/3K4/3P4/8 w - - 0 1"


def test_kings_that_come_together_show_a_result_though_one_step_is_a_legal_move() -> None:
    """The knight makes room on e4, and White's king stands on d4 before Black's comes."""
    table = Table(CROWDED)
    table.play("-d3 1378 -c6 1098 -e4 3706 +d4 1804 +e4 5000")
    assert (table.result, table.moves) == ("1/2-1/2 kings", "")


def test_a_king_in_a_hand_has_not_shown_a_result_by_an_unseen_capture() -> None:
    """White's king could have taken the knight; it comes to e5 after Black's is on d5."""
    table = Table(CROWDED)
    table.play("-d3 400 -c6 700 +d5 2000 +e5 3000")
    assert (table.result, table.moves) == ("1/2-1/2 kings", "")
    assert table.heard(Ended) == ["result 1/2-1/2 kings"]


def test_a_king_that_is_slid_to_the_centre_has_made_no_move_on_its_way() -> None:
    table = Table("4k3/8/8/8/8/8/4K3/8 w - - 0 1")
    table.play("+e3 20 -e2 500 +e4 40 -e3 3000 -e8 1500 +d5 3000")
    assert (table.result, table.moves) == ("1-0 kings", "")


def test_a_king_that_is_slid_and_stands_has_made_its_move() -> None:
    table = Table("4k3/8/8/8/8/8/4K3/8 w - - 0 1")
    table.play("+e3 20 -e2 7000 -e3 400 +e4 1000 -e8 1500 +d5 3000")
    assert (table.result, table.moves) == ("1-0 kings", "e2e3")


def test_a_king_that_is_slid_and_rests_on_its_way_has_made_no_move() -> None:
    table = Table("4k3/8/8/8/8/8/4K3/8 w - - 0 1")
    table.play("+e3 20 -e2 4000 -e3 400 +e4 1000 -e8 1500 +d5 3000")
    assert (table.result, table.moves) == ("1-0 kings", "")


def test_a_king_moved_last_in_a_quick_game_has_made_its_move() -> None:
    table = Table("5bk1/5ppp/8/8/8/8/5P1P/5BK1 w - - 0 1")
    table.play("-f1 130 +e2 60 -f8 140 +e7 900 -e2 120 +d3 500 -e7 90 -g1 50 +f6 90 +g2 5000")
    table.play("-g2 80 -g8 210 +e4 160 +d5 3000")
    assert (table.result, table.moves) == ("1-0 kings", "f1e2 f8e7 e2d3 e7f6 g1g2")


def test_a_king_that_pushes_a_piece_off_unseen_is_believed_after_a_while() -> None:
    table = Table()
    table.move("e2e4 c7c5")
    table.play("-e1 2000 -e8 +d5 5000")
    assert table.result == "*"
    table.play("5000")
    assert table.result == "1-0 kings"


def test_a_pawn_adjusted_beside_a_king_in_the_hand_is_no_second_king() -> None:
    table = Table("8/8/1k6/3P4/3K4/8/8/8 b - - 0 1")
    table.play("-b6 -d5 +d5 20000 +a5")
    assert table.result == "*"
    assert table.moves == "b6a5"


def test_kings_that_stood_in_the_centre_already() -> None:
    table = Table("8/8/8/4k3/8/3K4/8/8 w - - 0 1")
    table.play("-d3 -e5 +d4 +e5")
    assert table.result == "0-1 kings"
    assert table.moves == ""


def test_the_two_kings_alone_can_still_show_a_draw() -> None:
    table = Table("8/4k3/8/8/8/8/4K3/7R w - - 0 1")
    table.play("-e2 -e7 +d4 +e4")
    assert table.result == "1/2-1/2 kings"


def test_a_king_that_stops_on_a_centre_square_before_the_other_is_up_moves() -> None:
    table = Table("8/4k3/8/8/8/4K3/7P/8 w - - 0 1")
    table.play("-e3 +e4")
    table.play("-e7 +d6")
    assert table.moves == "e3e4 e7d6"
    assert table.result == "*"


@pytest.mark.parametrize(
    "dance",
    [
        "-e1 -e8 +e8 +e1",  # both lifted and put back
        "-e1 -e8 +d4",  # only one king stands
        "-e1 -e8 -a2 +d4 +d5",  # something else is missing
        "-e1 -e8 -a2 +b3 +d4 +d5",  # something else has moved
        "-e1 -e8 +d3 +d6",  # not in the centre
        "-e1 -e8 -e4 -e5 +e1 +e8 +e4 +e5",  # the kings stand at home again
    ],
)
def test_what_is_nearly_the_kings_result_is_none(dance: str) -> None:
    table = Table()
    table.move(OPEN)
    table.play(dance)
    assert table.result == "*"
    assert table.moves == OPEN


def test_after_the_kings_nothing_more_is_recorded() -> None:
    table = Table()
    table.move(OPEN)
    table.play("-e1 -e8 -e4 +e4 +d5")
    assert table.play("-e4 -d5 +e1 +e8 +e4") == []
    assert table.play("-g1 +f3") == []
    assert table.games == [OPEN]
    assert table.result == "1-0 kings"
