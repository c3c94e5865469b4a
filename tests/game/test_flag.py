"""The flag: when it falls, which moves are in time, and what it means by the Laws."""

from __future__ import annotations

import pytest

from boardfw.game.events import Ended
from boardfw.game.phase import GamePhase as Stage
from tests.dances import MOVE_MS
from tests.game.clocked import MS_US, clocked, flag_of, shown, time_of

BARE = "8/8/8/3k4/8/3K4/7R/8 w - - 0 1"
"""White can mate with the rook; Black never can."""


def test_a_fallen_flag_loses() -> None:
    table = clocked("10")
    table.move("e2e4 e7e5")
    assert table.play("20000") == ["result 0-1 time"]
    assert shown(table)[0] == 0
    assert table.session.phase.kind is Stage.OVER
    assert table.session.record.outcome is not None
    assert table.play("-g1 +f3 5000") == [], "nothing more is recorded"
    assert table.moves == "e2e4 e7e5"


def test_the_flag_is_told_a_tenth_of_a_second_after_it_fell() -> None:
    table = clocked("10")
    table.move("e2e4")
    (landed_us,) = time_of(table)._landed_us
    table.play("20000")
    (ended,) = [action for action in table.actions if isinstance(action, Ended)]
    assert ended.t_us == landed_us + 10_100 * MS_US


def test_against_a_side_that_never_can_mate_it_is_a_draw() -> None:
    table = clocked("10", BARE)
    table.move("d3c3 d5e5")
    assert table.play("20000") == ["result 1/2-1/2 time"]
    table = clocked("10", BARE)
    table.move("d3c3")
    assert table.play("20000") == ["result 1-0 time"]


@pytest.mark.parametrize(("late_ms", "counts"), [(-3, True), (-1, True), (0, False), (1, False)])
def test_a_piece_that_stood_before_the_flag_fell_counts(late_ms: int, counts: bool) -> None:
    table = clocked("10")
    table.move("e2e4")
    (landed_us,) = time_of(table)._landed_us
    table.wait(landed_us + (9_800 + late_ms) * MS_US - table.t_us)
    table.play("0 -e7 200 +e5 3000")
    assert table.moves == ("e2e4 e7e5" if counts else "e2e4")
    assert (table.result == "*") == counts


def test_a_slide_that_began_in_time_and_ended_late_is_too_late() -> None:
    table = clocked("10")
    table.move("e2e4 e7e5")
    flag_us = flag_of(table)
    table.wait(flag_us - 400 * MS_US - table.t_us)
    table.play("0 -f1 100 +e2 200 -e2 200 +d3 3000")
    assert table.result == "0-1 time"


def test_later_play_does_not_take_it_back() -> None:
    table = clocked("10")
    table.move("e2e4 e7e5")
    table.play("20000")
    assert table.play("-e5 +e7 3000 -d7 +d5 3000") == []
    assert table.result == "0-1 time"


@pytest.mark.parametrize("left_ms", [30, 300])
def test_a_stalemate_that_stood_before_the_flag_is_one(left_ms: int) -> None:
    # With buttons White's own time runs on until White presses.
    table = clocked("10", "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", by_button=True)
    table.play(f"!clock_black {9_600 - left_ms} 200 -g1 200 +g6 3000")
    assert table.result == "1/2-1/2 stalemate"
    assert shown(table)[0] > 0, "the clock has stopped"


def test_after_mate_the_clock_stands_and_a_take_back_lets_it_run() -> None:
    table = clocked()
    table.move("f2f3 e7e5 g2g4 d8h4")
    before = shown(table)
    table.play("30000")
    assert shown(table) == before
    table.play("-h4 +d8 5000")
    assert table.result == "*"
    assert shown(table)[1] == 60_000 - MOVE_MS - 5_000


def test_before_the_first_ply_no_flag_falls() -> None:
    table = clocked("10")
    assert table.play("100000") == []


def test_a_stalemate_before_the_flag_is_one_whatever_is_touched_next() -> None:
    table = clocked("10", "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", by_button=True)
    table.play("!clock_black 9500 200 -g1 200 +g6 150 -h8 300 +h8 3000")
    assert table.result == "1/2-1/2 stalemate"


def test_a_pause_after_the_flag_fell_comes_too_late() -> None:
    table = clocked("10")
    table.move("e2e4 e7e5")
    flag_us = flag_of(table)
    table.wait(flag_us + 50 * MS_US - table.t_us)
    table.play("0 !pause 3000")
    assert table.result == "0-1 time"


def test_a_ply_understood_only_at_rest_counts_if_its_piece_stood_in_time() -> None:
    table = clocked("10")
    table.move("e2e4 d7d5")
    flag_us = flag_of(table)
    table.wait(flag_us - 250 * MS_US - table.t_us)
    table.play("0 -e4 200 ~d5 3000")  # the pawn is pushed off so quickly that d5 hardly opens
    assert table.moves == "e2e4 d7d5 e4d5"
    assert table.result == "*"
