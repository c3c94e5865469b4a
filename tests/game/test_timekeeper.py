"""The clock at the board: pressed by plies or buttons, given back, paused."""

from __future__ import annotations

from boardfw.game.build_view import look
from boardfw.game.clock import ClockUse, parse_control
from boardfw.game.events import Moved, Outage, Restored
from boardfw.game.phase import GamePhase
from boardfw.notation.pgn import format_game
from boardfw.squares import Occupancy
from tests.dances import FIRST_US, MOVE_MS, Table
from tests.game.clocked import MS_US, SECOND_US, clocked, shown, times

# --- pressed by the plies


def test_the_first_ply_starts_the_clock() -> None:
    table = clocked()
    table.wait(600 * SECOND_US)
    assert shown(table) == [60_000, 60_000]
    table.play("-e2 +e4 10000")
    assert shown(table) == [60_000, 50_000]


def test_a_ply_presses_when_its_piece_stands_not_when_it_is_final() -> None:
    table = clocked("60+1")
    table.play("-e2 +e4 9800 -e7 +e5 4800 -g1 +f3 5000")
    # 9.8 s and a step of 0.2 s from the drop of e4 to that of e5.
    assert times(table) == [(62_000, 0), (52_000, 10_000), (58_000, 5_000)]
    assert shown(table) == [58_000, 47_000]


def test_a_bouncing_contact_costs_what_it_bounces_and_no_more() -> None:
    table = Table(bounce=True, clock=ClockUse(parse_control("60")))
    table.move("e2e4 e7e5 g1f3")
    for left_ms, took_ms in times(table)[1:]:
        assert 60_000 - took_ms - 1 <= left_ms <= 60_000 - took_ms
        assert MOVE_MS <= took_ms <= MOVE_MS + 10


def test_the_piece_that_is_slid_on_is_still_being_moved() -> None:
    table = clocked()
    table.move("e2e4 e7e5")
    before = shown(table)
    table.play("3000 -f1 +e2 300 -e2 +d3 100 -d3 +c4 2000")
    assert table.moves == "e2e4 e7e5 f1c4"
    assert shown(table) == [before[0] - 4_000, before[1] - 2_000], (
        "Black has lost nothing to the slide"
    )


def test_castling_is_made_when_both_pieces_stand() -> None:
    for dance in ("-e1 +g1 1000 -h1 +f1 2000", "-h1 +f1 1000 -e1 +g1 2000"):
        table = clocked(fen="4k3/8/8/8/8/8/4P3/4K2R w K - 0 1")
        table.move("e2e4 e8e7")
        before = shown(table)
        table.play(dance)
        assert table.moves == "e2e4 e8e7 e1g1"
        assert shown(table) == [before[0] - 1_600, before[1] - 2_000]


def test_a_game_may_begin_with_black() -> None:
    table = clocked(fen="4k3/8/8/8/8/8/4P3/4K2R b K - 0 1")
    table.play("-e8 +e7 10000")
    assert shown(table) == [50_000, 60_000]


def test_each_new_game_has_a_new_clock() -> None:
    table = clocked()
    table.move("e2e4 e7e5")
    table.play("!resign_white 5000")
    stopped = shown(table)
    table.play("9000 -e4 -e5 -b1 800 +e2 +e7 +b1 2000")
    assert len(table.session.games) == 2
    assert shown(table) == [60_000, 60_000]
    assert table.session.games[0].control == parse_control("60")
    assert times(table) == []
    assert stopped[1] < 60_000


# --- given back


def test_a_take_back_gives_the_time_back() -> None:
    table = clocked("60+1")
    table.move("e2e4 e7e5")
    then = shown(table)
    table.play("5000 -g1 +f3 20000")
    assert shown(table)[1] == then[1] - 20_000
    assert table.play("-f3 +g1 3000") == ["take_back 1"]
    # White's time is what it was when e5 stood, and runs since White's knight is back.
    assert shown(table) == [62_000 - 3_000, then[1]]
    table.play("-b1 +c3 1000")
    assert table.moves == "e2e4 e7e5 b1c3"
    assert times(table)[2] == (62_000 - 3_400 + 1_000, 3_400)


def test_taking_back_everything_leaves_a_clock_that_has_not_begun() -> None:
    table = clocked()
    table.move("e2e4 e7e5")
    table.play("5000 -e5 +e7 -e4 +e2 30000")
    assert table.moves == ""
    assert shown(table) == [60_000, 60_000]


def test_an_amend_gives_the_opponents_time_back() -> None:
    table = clocked()
    table.move("e2e4 e7e5")
    table.play("2000 -d2 +d3 700 -d3 +d4 3000")
    assert table.moves == "e2e4 e7e5 d2d4"
    assert shown(table)[1] == times(table)[1][0] - 3_000


def test_an_amend_of_an_older_ply_leaves_the_clock_as_it_was_pressed() -> None:
    table = clocked(fen="8/P6k/8/8/8/8/8/K7 w - - 0 1")
    table.play("-a7 +a8 5000 -h7 +h6 5000")
    before = times(table), shown(table)
    table.play("-a8 +b6 1000")  # only a knight goes there
    assert table.moves.startswith("a7a8n")
    assert times(table)[:2] == before[0]


# --- pressed by buttons


def test_with_buttons_a_ply_alone_presses_nothing() -> None:
    table = clocked("60+1", by_button=True)
    table.play("-e2 +e4 5000")
    assert shown(table) == [61_000, 61_000], "neither clock was started"
    table.play("!clock_white 4800 -e7 +e5 1000 !clock_black 0")
    assert table.moves == "e2e4 e7e5"
    assert times(table) == [(62_000, 0), (56_000, 6_000)]
    table.play("1000 !clock_black 1000")
    assert shown(table) == [60_000, 56_000], "pressing while one's own time stands does nothing"


def test_black_sets_whites_time_going() -> None:
    for by_button in (False, True):
        table = clocked(by_button=by_button)
        table.play("!clock_black 5000")
        assert shown(table) == [55_000, 60_000]


def test_with_buttons_a_take_back_gives_the_time_back_too() -> None:
    table = clocked(by_button=True)
    table.play("!clock_black 2800 -e2 +e4 1000 !clock_white 7000")
    assert shown(table) == [56_000, 53_000]
    table.play("-e4 +e2 1000")
    assert shown(table) == [59_000, 60_000]


def test_with_buttons_the_flag_falls_although_the_piece_stands() -> None:
    table = clocked("10", by_button=True)
    table.play("!clock_black 9000 -e2 +e4 3000")
    assert table.result == "0-1 time"
    assert table.moves == "e2e4"


# --- paused


def test_the_button_pauses_and_goes_on() -> None:
    table = clocked()
    table.move("e2e4 e7e5")
    table.play("!pause 0")
    before = shown(table)
    table.play("90000")
    assert shown(table) == before
    table.play("!pause 5000")
    assert shown(table) == [before[0] - 5_000, before[1]]


def test_playing_on_ends_a_pause() -> None:
    table = clocked()
    table.move("e2e4 e7e5")
    table.play("!pause 0")
    before = shown(table)
    table.play("30000 -g1 +f3 5000")
    assert shown(table) == [before[0], before[1] - 5_000]


def test_a_mismatch_pauses_if_it_is_planned() -> None:
    for pauses in (False, True):
        table = clocked(pauses_on_mismatch=pauses)
        table.move("e2e4 e7e5")
        assert table.play("-g1 +g3 20000") == ["mismatch -g1 +g3"]
        white_ms = shown(table)[0]
        assert white_ms > 55_000 if pauses else white_ms < 40_000
        table.play("-g3 +g1 0")
        table.play("10000")
        assert white_ms - 10_600 < shown(table)[0] < white_ms - 9_000


def test_while_the_switches_cannot_be_read_no_time_runs() -> None:
    table = clocked()
    table.move("e2e4 e7e5")
    table.session.handle(Outage(table.t_us, Occupancy(1), "the cable"))
    before = shown(table)
    table.t_us += 500 * SECOND_US
    table.session.handle(Restored(table.t_us))
    assert shown(table) == before
    assert table.result == "*"


def test_asking_for_a_new_game_by_mistake_costs_no_time() -> None:
    table = clocked()
    table.move("e2e4 e7e5")
    table.play("!new_game 0")
    before = shown(table)
    table.play("70000 !new_game 5000")
    assert table.session.phase.kind is GamePhase.PLAY
    assert shown(table) == [before[0] - 5_000, before[1]]


# --- what is kept of it


def test_the_pgn_has_the_control_and_both_times_of_each_ply() -> None:
    table = clocked("60+1")
    table.play("-e2 +e4 9800 -e7 +e5 4800 -g1 +f3 5000")
    text = format_game(table.session.record.to_pgn({}))
    assert '[TimeControl "60+1"]' in text
    moves = " ".join(text.rpartition("]\n\n")[2].split())
    assert moves == (
        "1. e4 {[%clk 0:01:02] [%emt 0:00:00]} 1... e5 {[%clk 0:00:52] [%emt 0:00:10]} "
        "2. Nf3 {[%clk 0:00:58] [%emt 0:00:05]} *"
    )


def test_without_a_clock_nothing_is_said_of_time() -> None:
    table = Table()
    table.move("e2e4 e7e5")
    table.play("!clock_white !clock_black !pause 0")
    assert look(table.session).clock is None
    assert "%" not in format_game(table.session.record.to_pgn({}))
    assert "TimeControl" not in format_game(table.session.record.to_pgn({}))


def test_the_view_shows_the_clock() -> None:
    table = clocked()
    table.move("e2e4")
    view = look(table.session)
    assert view.clock is not None
    assert view.clock.remaining_us(1, table.t_us) // MS_US == shown(table)[1]
    assert [action.t_us > FIRST_US for action in table.actions if isinstance(action, Moved)]
