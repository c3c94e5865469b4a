"""A switch that does not move is found out, said, and played around."""

from __future__ import annotations

import pytest

from boardfw.game.build_view import look
from boardfw.game.events import Stuck, Unstuck
from boardfw.inference.tracker import Tracker
from boardfw.squares import BY_NAME, START, SWITCH_BY_NAME, Occupancy
from tests.dance_words import word
from tests.dances import Table

BACK = "-g1 +f3 900 -g8 +f6 900 -f3 +g1 900 -f6 +g8 900"


def bit(name: str) -> Occupancy:
    return 1 << SWITCH_BY_NAME[name]


def test_a_switch_that_never_closes_is_found_out_by_the_game_that_goes_on() -> None:
    table = Table()
    table.play("-g1 900 -e7 +e5 900 -e2 +e4 900 -b8 +c6 900 +d4 900 -h7 +h6 900")
    assert table.moves == "g1f3 e7e5 e2e4 b8c6 f3d4 h7h6"
    assert table.heard(Stuck) == ["stuck f3"]


def test_a_switch_that_never_opens_is_found_out_by_the_reply() -> None:
    table = Table()
    table.play("+e4 900 -e7 +e5 900 -g1 +f3 900 -b8 +c6 900")
    assert table.moves == "e2e4 e7e5 g1f3 b8c6"
    assert table.heard(Stuck) == ["stuck e2"]


def test_a_piece_missing_from_the_start_is_a_stuck_switch_until_it_moves() -> None:
    table = Table(standing=START & ~bit("b1"))
    table.move("e2e4 e7e5 d2d4 d7d5")
    assert table.heard(Stuck) == ["stuck b1"]
    table.play("+b1 900")
    assert table.heard(Unstuck) == ["unstuck b1"]
    assert table.move("b1c3") == ["move 5 b1c3"]


def test_no_switch_is_blamed_while_pieces_are_only_handled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Table(standing=START & ~bit("b1"))
    with monkeypatch.context() as handled:
        handled.setattr(Tracker, "is_disturbed", True)
        table.move("e2e4 e7e5")
    assert table.heard(Stuck) == []
    table.move("d2d4")
    assert table.heard(Stuck) == ["stuck b1"]


def test_a_piece_on_a_wrong_square_from_the_start_is_no_stuck_switch() -> None:
    table = Table(standing=START & ~bit("e2") | bit("e4"))
    table.play("3000")
    assert table.heard(Stuck) == []
    assert look(table.session).surplus == bit("e4")


def test_a_stuck_switch_lights_no_moves_and_no_mismatch() -> None:
    table = Table(standing=START & ~bit("b1"))
    table.move("e2e4 e7e5 d2d4 d7d5")
    view = look(table.session)
    assert view.in_hand is None
    assert view.stuck == bit("b1")
    assert not view.missing
    assert not view.extra


def test_the_next_game_knows_of_it() -> None:
    table = Table(standing=START & ~bit("b1"))
    table.move("e2e4 e7e5 d2d4 d7d5 b2b3 b7b6")
    said = table.play("-e4 -e5 -d4 -d5 -b3 -b6 +e2 +e7 +d2 +d7 +b2 +b7 4000")
    assert said[-1] == "new_game"
    assert table.play("-b2 +b4 900") == ["move 1 b2b4"]
    assert look(table.session).stuck == bit("b1")


def test_a_switch_that_moves_while_the_pieces_are_set_up_is_stuck_no_more() -> None:
    table = Table(standing=START & ~bit("b1"))
    table.move("e2e4 e7e5 d2d4 d7d5")
    set_up = "-e4 -e5 -d4 -d5 +b1 +e2 +e7 +d2 +d7 4000"
    assert table.play(f"!resign_white 900 {set_up}")[-1] == "new_game"
    assert table.heard(Unstuck) == ["unstuck b1"]
    assert not look(table.session).stuck


def test_nor_is_one_that_moves_after_a_new_game_was_asked_for() -> None:
    table = Table(standing=START & ~bit("b1"))
    table.move("e2e4 e7e5 d2d4 d7d5")
    table.play("!new_game +b1")
    assert table.heard(Unstuck) == ["unstuck b1"]
    table.play("-e4 -e5 -d4 -d5 +e2 +e7 +d2 +d7")
    assert not look(table.session).stuck


@pytest.mark.parametrize("dance", [BACK, "-e2 +e4 900 -e4 +e2 900", "-b1 +b3 3000 -b3 +b1 900"])
def test_switches_that_work_are_not_suspected_aloud(dance: str) -> None:
    table = Table()
    table.play(dance)
    assert table.heard(Stuck) == []


@pytest.mark.parametrize(
    ("fen", "dance", "uci"),
    [
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "-e5 +d6 2500 -d5 900", "e5d6"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "-e1 +g1 2500 -h1 +f1 900", "e1g1"),
    ],
)
def test_a_second_piece_that_comes_late_is_no_stuck_switch(fen: str, dance: str, uci: str) -> None:
    table = Table(fen)
    table.play(dance)
    assert table.heard(Stuck) == []
    assert table.moves == uci


# --- a board whose pieces are still to be set up


@pytest.mark.parametrize("standing", [START & ~bit("b1"), START | bit("e4")])
def test_nothing_is_asked_of_a_stuck_switch_while_pieces_are_set_up(standing: Occupancy) -> None:
    table = Table(standing=standing)
    table.play("-g1 +f3 900 -g8 +f6 900 !new_game 900")
    view = look(table.session)
    assert view.wanted == bit("g1") | bit("g8")
    assert view.surplus == bit("f3") | bit("f6")
    steps = {
        (BY_NAME["f3"], BY_NAME["g1"]),
        (BY_NAME["f6"], BY_NAME["g8"]),
    }
    assert set(view.repair) == steps
    assert table.play("-f3 +g1 -f6 +g8") == ["new_game"]


# --- what was said is about squares of the game, and the board may be turned round


def another_game_from_the_other_side() -> Table:
    """The switch of b1 is stuck, and has come to lie under g8. Dances go on naming switches."""
    table = Table(standing=START & ~bit("b1"))
    table.move("e2e4 e7e5 d2d4 d7d5")
    set_up = "-e4 -e5 -d4 -d5 -a1 -h1 +e2 +e7 +d2 +d7 +a1 +h1 4000"
    assert table.play(set_up)[-1] == "new_game"
    assert switches_told(table) == ["stuck b1"]
    assert table.play("-d7 +d5 0") == []
    table.play("6")
    assert table.moves == "e2e4"
    return table


def switches_told(table: Table) -> list[str]:
    return [word(action) for action in table.actions if isinstance(action, Stuck | Unstuck)]


def test_a_board_turned_round_is_told_again_which_square_is_stuck() -> None:
    table = another_game_from_the_other_side()
    assert switches_told(table)[1:] == ["unstuck b1", "stuck g8"]
    table.play("900 -b8 +c6 900")
    assert switches_told(table)[3:] == []


def test_and_so_is_the_next_game_from_the_first_side() -> None:
    table = another_game_from_the_other_side()
    table.play("-e2 +e4 900 -d5 -e4 -a1 -h1 +d7 +e2 +a1 +h1 4000")
    assert switches_told(table)[3:] == ["unstuck g8", "stuck b1"]


def test_a_switch_that_moves_after_the_board_was_turned_is_told_by_its_new_square() -> None:
    table = another_game_from_the_other_side()
    table.play("+b1 900")
    assert switches_told(table)[3:] == ["unstuck g8"]
