"""A move is what the board shows when the hands are off it, in whatever order it was made."""

from __future__ import annotations

import pytest

from boardfw.game.build_view import look
from boardfw.game.events import Finalised, Lifted, Moved
from boardfw.sensing.debounce import SETTLE_US
from boardfw.squares import BY_NAME
from tests.dances import FIRST_US, STEP_US, Table

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


def test_what_is_not_done_in_three_seconds_is_asked_for_and_still_accepted() -> None:
    table = Table()
    table.move(EN_PASSANT)
    assert table.play("-e5 +d6 2900") == []
    assert table.play("300") == ["mismatch -e5 +d6"]
    assert table.play("-d5") == ["move 5 e5d6", "cleared"]


def test_stations_of_a_slow_slide_are_no_history() -> None:
    table = Table()
    table.move("a2a4 h7h5 a4a5 h5h4")
    table.play("-a1 +a2 600 -a2 100 +a3 600 -a3 100 +a4")
    assert table.session.record.history == []


def test_a_move_that_may_be_half_a_castling_waits_for_the_other_half() -> None:
    table = Table()
    table.move(ITALIAN)
    assert table.play("-h1 +f1 2900 -e1 +g1") == ["move 7 h1f1", "amend 7 e1g1"]
    assert "final 7 h1f1" not in table.heard(Finalised)


def test_a_castling_that_never_came_holds_up_nothing_after_the_reply() -> None:
    table = Table()
    table.move(f"{ITALIAN} h1f1 f6e4")
    table.play("2000")
    assert table.heard(Finalised)[-1] == "final 8 f6e4"
    assert not look(table.session).provisional


def test_a_promotion_holds_up_no_later_ply() -> None:
    table = Table("8/P7/7p/7k/8/8/7K/8 w - - 0 1")
    table.play("-a7 +a8 -a8 +a8 -a8 +a8 5000")
    table.move("h5g5 a8c7 g5f5")
    table.play("3000")
    assert [word.split()[2] for word in table.heard(Finalised)] == ["a7a8n", "h5g5", "a8c7", "g5f5"]


def test_a_button_pressed_the_instant_a_piece_stands_does_not_lose_its_ply() -> None:
    table = Table()
    table.play("-e2 +e4 0 !resign_black")
    assert table.moves == "e2e4"
