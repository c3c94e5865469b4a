"""How games end: on the board, or by a button; by the kings: ``inference/test_kings_result.py``."""

from __future__ import annotations

import pytest

from boardfw.game.events import Ended, Finalised
from boardfw.squares import NO_SWITCHES, SWITCH_BY_NAME
from tests.dances import Table

OPEN = "e2e4 e7e5"
REPEATED = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"
FOOLS_MATE = "f2f3 e7e5 g2g4 d8h4"


def test_a_chattering_switch_elsewhere_does_not_hide_the_end() -> None:
    table = Table()
    table.move(FOOLS_MATE.removesuffix(" d8h4"))
    table.play("-d8 +h4 100")
    mated = table.session.standing
    for flip in range(1_000):
        table.scan(
            table.t_us + 3_000, mated ^ (1 << SWITCH_BY_NAME["a5"] if flip % 2 else NO_SWITCHES)
        )
    assert table.result == "0-1 checkmate"


def test_a_mate_passed_on_the_way_is_not_the_end() -> None:
    table = Table("6k1/5ppp/8/8/8/8/8/RR4K1 w - - 0 1")
    table.play("-a1 +a8 300 -a8 +a7 1000")
    assert table.moves == "a1a7"
    assert table.heard(Ended) == []


def test_stalemate_and_bare_kings_end_the_game() -> None:
    table = Table("7k/5Q2/8/8/8/8/8/K7 b - - 0 1")
    table.play("1000")
    assert table.result == "1/2-1/2 stalemate"
    table = Table("8/8/8/8/8/1k6/1p6/K7 w - - 0 1")
    table.play("-a1 -b2 +b1")
    assert table.result == "*"
    table = Table("8/8/8/8/2k5/8/1p6/K7 w - - 0 1")
    table.play("-a1 -b2 +b2")
    assert table.result == "1/2-1/2 insufficient_material"


def test_play_that_goes_on_after_an_automatic_draw_is_recorded() -> None:
    table = Table()
    table.move(f"{REPEATED} {REPEATED}")
    assert table.heard(Ended) == ["result 1/2-1/2 fivefold_repetition"]
    assert table.move("e2e4 e7e5") == ["move 17 e2e4", "move 18 e7e5"]
    table = Table("8/8/8/8/2k5/8/1p6/K7 w - - 0 1")
    table.move("a1b2 c4d3 b2c1")
    assert table.moves == "a1b2 c4d3 b2c1"


def test_a_claim_that_was_not_made_ends_nothing() -> None:
    table = Table()
    table.move(f"{REPEATED} e2e4")
    assert table.heard(Ended) == []
    assert table.moves == f"{REPEATED} e2e4"
    table = Table("4k3/8/8/8/8/8/4P3/R3K3 w - - 99 80")
    table.move("e1d1 e8d8 a1b1")
    assert table.result == "*"


# --- buttons


@pytest.mark.parametrize(("button", "result"), [("resign_white", "0-1"), ("resign_black", "1-0")])
def test_a_resignation_ends_the_game_at_once(button: str, result: str) -> None:
    table = Table()
    table.move(OPEN)
    assert table.play(f"!{button} 0") == [f"result {result} resignation"]
    assert table.play("-g1 +f3") == []
    assert table.play("!draw") == []
    assert table.moves == OPEN


def test_resigning_against_a_lone_king_draws() -> None:
    table = Table("8/4k3/8/8/8/8/4K3/7R w - - 0 1")
    assert table.play("!resign_white 0") == ["result 1/2-1/2 resignation"]


def test_when_people_end_the_game_all_of_it_is_final() -> None:
    table = Table()
    table.play("-e2 +e3 100 !resign_black 0")
    assert table.heard(Finalised) == ["final 1 e2e3"]


@pytest.mark.parametrize("buttons", ["!resign_white", "!draw !draw", "!claim"])
def test_no_resignation_or_draw_after_mate(buttons: str) -> None:
    table = Table()
    table.move(FOOLS_MATE)
    assert table.play(buttons) == []
    assert table.result == "0-1 checkmate"


def test_a_draw_with_all_pieces_at_home_begins_no_new_game() -> None:
    table = Table()
    table.move(f"{REPEATED} {REPEATED}")
    assert table.result == "1/2-1/2 fivefold_repetition"
    assert table.play("5000") == []
    assert table.move("e2e4") == ["move 17 e2e4"]


def test_an_offer_is_void_once_a_ply_was_taken_back_and_played_again() -> None:
    table = Table()
    table.move("e2e4 e7e5")
    assert table.play("!draw") == ["offer"]
    table.play("-e5 +e7 3000 -e7 +e5 3000")
    assert table.play("!draw") == ["offer"]
    assert table.play("!draw") == ["result 1/2-1/2 agreement"]


def test_an_offer_is_declined_by_a_move() -> None:
    table = Table()
    table.move(OPEN)
    table.play("!draw")
    table.move("g1f3")
    assert table.play("!draw") == ["offer"]
    assert table.move("b8c6") == ["move 4 b8c6"]


def test_a_claimed_draw_stays_the_end_whatever_is_touched_later() -> None:
    table = Table("4k3/8/8/8/8/8/4P3/R3K3 w - - 100 80")
    table.play("!claim")
    table.play("-e1 +d1")
    assert table.result == "1/2-1/2 fifty_moves"
    assert table.moves == ""


def test_buttons_that_mean_nothing_now_do_nothing() -> None:
    table = Table()
    table.play("!answer_1 !answer_4 !hint !pause !take_back !clock_white !clock_black")
    assert table.actions == []
    assert table.move("e2e4") == ["move 1 e2e4"]
