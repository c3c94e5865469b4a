"""An arbiter sets the clocks, or leaves them as they are."""

from __future__ import annotations

from boardfw.game.events import Outage, Restored, Tick
from boardfw.game.phase import GamePhase
from boardfw.recording import Press
from boardfw.squares import Occupancy
from tests.dances import Table
from tests.game.arbiters import SPANISH, Arbiter
from tests.game.clocked import shown, times

MINUTE_US = 60_000_000


def test_clocks_are_set_and_stand_until_play_goes_on() -> None:
    table = Arbiter("300+3")
    table.move(SPANISH)
    said = table.rule("clocks 2:00 1:30")
    assert said == "White's clock set to 0:02:00, Black's clock set to 0:01:30"
    table.wait(20_000_000)
    assert shown(table) == [120_000, 90_000]
    table.play("!pause 5000")
    assert shown(table) == [120_000, 85_000]
    table.move("a7a6")
    table.wait(10_000_000)
    assert shown(table)[0] < 111_000
    table.check()


def test_a_correction_leaves_the_clocks_as_they_are() -> None:
    table = Arbiter("300+3")
    table.move(SPANISH)
    table.wait(7_000_000)
    before = shown(table)
    table.rule("3.Bc4")
    table.wait(7_000_000)
    assert shown(table) == before
    table.rule("drop 3.")
    assert shown(table) == before
    table.check()


def test_a_ply_taken_back_gives_back_what_the_arbiter_set() -> None:
    table = Arbiter("300")
    table.move(SPANISH)
    table.rule("clocks 2:00 1:30")
    table.play("!pause 5000")
    table.move("a7a6")
    table.play("10000 -a6 +a7")
    assert shown(table)[0] == 120_000
    assert 80_000 < shown(table)[1] <= 90_000
    table.check()


def test_byo_yomi_keeps_its_periods() -> None:
    table = Arbiter("10y3x30")
    table.move(SPANISH)
    table.wait(50_000_000)
    clock = table.session.course.clock
    assert clock is not None
    periods = clock.periods(1, table.t_us)
    table.rule("3.Bc4")
    clock = table.session.course.clock
    assert clock is not None
    assert clock.periods(1, table.t_us) == periods < 3
    table.check()


def test_a_game_lost_on_time_goes_on_when_the_clocks_are_set() -> None:
    table = Arbiter("20")
    table.move("e2e4 e7e5")
    table.wait(MINUTE_US)
    assert table.result == "0-1 time"
    table.rule("clocks 5:00 5:00")
    assert (table.result, table.session.phase.kind) == ("*", GamePhase.PLAY)
    table.move("g1f3")
    assert table.moves == "e2e4 e7e5 g1f3"
    assert table.result == "*"
    table.check()


def test_a_ruling_presses_no_clock_that_is_pressed_by_button() -> None:
    table = Arbiter("300", by_button=True)
    table.move("e2e4")
    table.rule("1.d4")
    assert table.session.record.ply_times == ()
    table.check()


def test_plies_that_were_pressed_in_time_stay_so_whatever_becomes_of_those_before() -> None:
    table = Arbiter("60")
    table.move("e2e4 e7e5")
    table.rule("clocks 5:00 5:00")
    table.play("!pause 100000")
    table.move("g1f3 b8c6")
    before = shown(table)
    table.rule("insert 1.a3 a6")
    assert len(times(table)) == 6
    assert shown(table) == before
    table.check()


def test_clocks_set_before_the_first_move_stay_when_it_is_begun_by_button() -> None:
    table = Arbiter("300")
    table.rule("clocks 2:00 1:00")
    table.play("!clock_black 5000")
    assert shown(table) == [115_000, 60_000]
    table.move("e2e4")
    before = shown(table)
    assert 58_000 < before[1] < 60_000
    table.rule("1.d4")
    assert shown(table) == before
    table.check()
    assert shown(Table(unfinished=table.written.unfinished())) == before


def test_while_the_board_cannot_see_a_ruling_sets_no_time_going() -> None:
    table = Arbiter("300+3")
    table.move("e2e4 e7e5")
    table.take(Outage(table.t_us, Occupancy(1), "the chip at 0x20 does not answer"))
    table.rule("clocks 4:00 3:00")
    table.take(Press(table.t_us, "pause"))  # pressed once it goes on, as after every ruling
    table.t_us += 300_000_000
    table.take(Tick(table.t_us))
    assert shown(table) == [240_000, 180_000]
    table.take(Restored(table.t_us))
    table.wait(10_000_000)
    assert shown(table) == [230_000, 180_000]
