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


def test_which_of_several_pieces_was_captured_is_seen_from_what_was_lifted() -> None:
    for captured in ("d5", "f5"):
        table = Table("4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1")
        assert table.play(f"-{captured} -e4 +{captured}") == [f"move 1 e4{captured}"]
        table = Table("4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1")
        assert table.play(f"-e4 -{captured} +{captured}") == [f"move 1 e4{captured}"]


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


def test_a_captured_that_only_blinked_is_known_when_the_hands_are_off_the_board() -> None:
    table = Table()
    table.move(SCANDINAVIAN)
    assert table.play("-e4 ~d5 200") == []
    assert table.play("300") == ["move 3 e4d5"]
    table.play("-d8 -d5 +d5")
    table.play("-b1 +c3")
    assert table.moves == f"{SCANDINAVIAN} e4d5 d8d5 b1c3"


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


def test_a_piece_captured_at_once_with_a_rest_in_the_middle_of_it_was_captured() -> None:
    """The capturing piece and the one that had just come are both in the hand for a while."""
    castled = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R4RK1 b kq - 0 1"
    table = Table(castled)
    table.play("-f6 41 -e4 1167 +e4 10 -f3 150 -e4 917 +e4 34 -c7 300 +c6 2000")
    assert table.moves == "f6e4 f3e4 c7c6"
