"""A pawn arrives and is a queen; put-backs choose another piece, later play proves it."""

from __future__ import annotations

import pytest

from boardfw.game.events import Ended, Finalised
from tests.dances import Table

LONE = "8/P6k/7p/8/8/8/7K/8 w - - 0 1"
CAPTURE = "1r6/P6k/7p/8/8/8/7K/8 w - - 0 1"
AGAIN = " -a8 450 +a8"
"""No contact is lost for so long."""


@pytest.mark.parametrize("bounce", [False, True])
@pytest.mark.parametrize(
    ("put_backs", "piece"), [(0, "q"), (1, "q"), (2, "n"), (3, "r"), (4, "b"), (5, "q"), (6, "n")]
)
def test_the_first_put_back_keeps_the_queen_and_each_further_one_steps_on(
    put_backs: int, piece: str, bounce: bool
) -> None:
    table = Table(LONE, bounce=bounce)
    assert table.play("-a7 +a8" + AGAIN * put_backs)[0] == "move 1 a7a8q"
    assert table.moves == f"a7a8{piece}"
    table.play("5000 -h6 +h5")
    assert table.moves == f"a7a8{piece} h6h5"


def test_the_pawn_s_arrival_is_told_at_once_as_a_queen() -> None:
    assert Table(LONE).play("-a7 +a8 20") == ["move 1 a7a8q"]


@pytest.mark.parametrize(("wait", "piece"), [("3400", "n"), ("3700", "q")])
def test_a_further_put_back_counts_for_four_seconds_from_the_drop_before_it(
    wait: str, piece: str
) -> None:
    table = Table(LONE)  # 450 ms pass between the lift and the drop that count
    table.play(f"-a7 +a8{AGAIN} {wait}{AGAIN}")
    assert table.moves == f"a7a8{piece}"


def test_once_a_put_back_came_too_late_those_after_it_are_adjusting_too() -> None:
    table = Table(LONE)
    table.play(f"-a7 +a8{AGAIN} 5000{AGAIN * 3}")
    assert table.moves == "a7a8q"


@pytest.mark.parametrize("put_backs", [1, 2, 3])
def test_after_the_opponents_ply_put_backs_are_adjusting(put_backs: int) -> None:
    table = Table(LONE)
    table.play("-a7 +a8 400 -h6 +h5" + AGAIN * put_backs)
    assert table.moves == "a7a8q h6h5"
    assert table.move("h2g3 h5h4") == ["move 3 h2g3", "move 4 h5h4"]


def test_adjusting_another_piece_does_not_choose() -> None:
    table = Table(LONE)
    table.play("-a7 +a8 -h2 +h2 -h2 +h2 -h6 +h6 -h6 +h6")
    assert table.moves == "a7a8q"


@pytest.mark.parametrize(
    ("put_backs", "path", "piece"),
    [
        (0, "-a8 +b6", "n"),
        (0, "-a8 +c7", "n"),
        (2, "-a8 +d5", "b q"),
        (2, "-a8 +a3", "r q"),
        (3, "-a8 +d5", "b q"),
        (4, "-a8 +a3", "r q"),
    ],
)
def test_later_play_that_only_another_piece_can_make_settles_which_it_is(
    put_backs: int, path: str, piece: str
) -> None:
    table = Table(LONE)
    table.play("-a7 +a8" + AGAIN * put_backs)
    table.play("5000 -h6 +h5")
    table.play(path)
    table.play("-h5 +h4")
    promoted, *later = table.moves.split()
    assert promoted[:4] == "a7a8"
    assert promoted[4] in piece.split()
    assert later == ["h6h5", path.replace("-", "").replace(" +", ""), "h5h4"]


def test_a_new_piece_that_moves_as_a_knight_is_a_knight_at_once() -> None:
    table = Table(LONE)
    table.play("-a7 +a8 5000 -h6 +h5")
    said = table.play("-a8 +b6")
    assert table.moves == "a7a8n h6h5 a8b6"
    assert not [word for word in said if word.startswith("mismatch")]


def test_a_promotion_is_not_final_while_it_may_be_chosen_again() -> None:
    table = Table(LONE)
    table.play(f"-a7 +a8{AGAIN} 3000")
    assert table.heard(Finalised) == []
    table.play(AGAIN)
    assert table.heard(Finalised) == []
    assert table.moves == "a7a8n"


def test_a_draw_by_a_piece_that_is_only_passed_on_the_way_is_not_told() -> None:
    table = Table("8/P6k/8/8/8/8/7K/8 w - - 0 1")
    table.play(f"-a7 +a8{AGAIN * 2} 900{AGAIN}")  # a knight would not mate, a rook does
    assert table.moves == "a7a8r"
    assert table.heard(Ended) == []


@pytest.mark.parametrize("looked_at", ["900", "3000"])
def test_a_check_overlooked_is_an_illegal_move_and_makes_no_other_piece(looked_at: str) -> None:
    table = Table("k7/7P/8/8/8/8/8/K7 w - - 0 1")
    table.play("-h7 +h8 5000")
    said = table.play(f"-a8 +b8 {looked_at}")
    assert [word.split()[0] for word in said] == ["mismatch"]
    table.play("-b8 +b7 2000")
    assert table.moves == "h7h8q a8b7"


def test_a_chosen_piece_that_stops_where_only_another_may_is_still_the_chosen_one() -> None:
    table = Table(LONE)
    table.play(f"-a7 +a8{AGAIN * 3} 5000 -h6 +h5 1000 -h2 +g2 1000 -h5 +h4 1000")
    said = table.play("-a8 +d5 600 -d5 +a1 1000")
    assert [word for word in said if word.startswith(("move", "amend", "take_back"))] == [
        "move 5 a8a1"
    ]
    assert table.moves == "a7a8r h6h5 h2g2 h5h4 a8a1"


def test_a_neighbour_that_closes_for_a_glance_when_a_piece_is_put_back_undoes_nothing() -> None:
    table = Table("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w - - 0 1")
    table.play("-e2 300 +d1 300 -d7 300 +c6 300 -c8 300 -b7 300 +c8 300 +b7 0 -c8 5 -b7 295 +c8")
    table.play("-c8 300 +c8 6500")
    assert table.moves == "e2d1 d7c6 b7c8n"


def test_a_neighbour_that_closes_the_square_before_the_pawn_comes_is_no_arrival() -> None:
    table = Table(LONE)
    table.play("-a7 10 +a8 20 -a8 270 +a8 400 -a8 300 +a8 2000")
    assert table.moves == "a7a8q"
