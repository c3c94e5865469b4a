"""The clock of a move that an opponent has made and the hands have not: whose time runs."""

from __future__ import annotations

import pytest

from boardfw.game.chronicle import chronicle
from boardfw.game.clock import ClockUse, parse_control
from boardfw.game.journal import Journal, from_json, to_json
from boardfw.sensing.debounce import SETTLE_US
from tests.dances import Table
from tests.game.clocked import shown, times
from tests.game.test_away import LONG, Away

CONTROL = parse_control("300")
RUNS = ClockUse(CONTROL, runs_while_owed=True)


def about(white_ms: int, black_ms: int) -> list[object]:
    """Both times: a clock that was paused goes on when a switch has settled."""
    return [pytest.approx(left_ms, abs=SETTLE_US // 1000) for left_ms in (white_ms, black_ms)]


def owing(use: ClockUse = RUNS) -> Away:
    """A table at which Black has thought for ten seconds, and owes e7e5 since now."""
    table = Away(clock=use)
    table.play("-e2 +e4 10000")
    table.reply("e7e5")
    return table


def test_the_players_time_runs_from_the_light_on_where_that_is_chosen() -> None:
    for runs in (False, True):
        table = owing(ClockUse(CONTROL, runs_while_owed=runs))
        assert shown(table) == [300_000, 290_000]
        table.play("20000")
        assert shown(table) == [280_000 if runs else 300_000, 290_000]
        table.play("-e7 +e5 5000")
        assert shown(table) == about(300_000 - 25_400 if runs else 300_000 - 5_000, 290_000)


def test_the_time_of_the_opponents_ply_is_what_it_thought() -> None:
    table = owing()
    table.play("20000 -e7 +e5 5000 -g1 +f3 1000")
    assert times(table) == [(300_000, 0), (290_000, 10_000), (300_000 - 25_400, 25_400)]
    table.wait(LONG * 1000)
    table.reply("b8c6")
    left = shown(table)
    table.play("3000")
    assert shown(table) == [left[0] - 3_000, left[1]]


def test_the_flag_of_who_does_not_make_it_falls() -> None:
    table = owing(ClockUse(parse_control("60"), runs_while_owed=True))
    table.play("70000")
    assert table.result == "0-1 time"


def test_a_pause_is_over_when_it_is_made_and_not_when_it_is_lit() -> None:
    table = Away(clock=RUNS)
    table.play("-e2 +e4 10000 !pause 0")
    table.reply("e7e5")
    table.play("60000")
    assert shown(table) == [300_000, 290_000]
    table.play("-e7 +e5 0")
    before = shown(table)
    table.play("5000")
    assert shown(table) == about(before[0] - 5_000, before[1])


@pytest.mark.parametrize("undo", ["-e4 +e2 1000", "!take_back -e4 +e2 1000"])
def test_the_ply_that_it_answers_taken_back_gives_all_the_time_back(undo: str) -> None:
    table = owing()
    table.play(f"20000 {undo}")
    assert table.moves == ""
    assert shown(table) == [300_000, 300_000]
    table.play("-d2 +d4 5000")
    assert table.moves == "d2d4"
    assert shown(table) == [300_000, 295_000]


def test_its_move_undone_is_owed_and_lit_again() -> None:
    table = owing()
    table.play("20000 -e7 +e5 5000 -e5 +e7 3000")
    assert table.moves == "e2e4"
    before = shown(table)
    table.play("5000")
    assert shown(table) == [before[0] - 5_000, before[1]]
    table.play("-e7 +e5 1000")
    assert table.moves == "e2e4 e7e5"
    assert [took for _, took in times(table)][:1] == [0]


def test_with_buttons_the_light_presses_nothing() -> None:
    table = Away(clock=ClockUse(CONTROL, by_button=True, runs_while_owed=True))
    table.play("-e2 +e4 100 !clock_white 10000")
    table.reply("e7e5")
    table.play("5000")
    assert shown(table) == [300_000, 285_000]


def test_it_goes_on_after_a_power_cut() -> None:
    table = Away(clock=RUNS)
    journal = Journal(table.session, {})
    table.play("-e2 +e4 10000")
    noted = journal.take(table.session, [])
    table.reply("e7e5")
    noted += journal.take(table.session, [])
    entries = [from_json(to_json(entry)) for _, entry in noted]
    unfinished = chronicle(entries).unfinished().with_clock(RUNS)
    again = Table(unfinished=unfinished, clock=RUNS)
    again.play("60000")
    assert shown(again) == [300_000, 290_000]
    again.play("-e7 +e5 0")
    before = shown(again)
    again.play("5000 -g1 +f3 1000")
    assert shown(again) == about(before[0] - 5_200, 289_000)
    assert [took for _, took in times(again)][:2] == [0, 10_000]
