"""An arbiter rules on a game at the board: what is said, and how the pieces are led."""

from __future__ import annotations

import pytest

from boardfw.errors import NotationError
from boardfw.game.build_view import look
from boardfw.game.events import Ruling
from boardfw.game.phase import GamePhase
from boardfw.game.rulings.decision import parse_decision
from boardfw.squares import NO_SWITCHES, START, SWITCH_BY_NAME, names_of
from tests.dances import Table
from tests.game.arbiters import SPANISH, Arbiter
from tests.game.test_ruling import read

# --- moves


def test_a_correction_leads_the_piece_and_play_goes_on() -> None:
    table = Arbiter()
    table.move(SPANISH)
    assert table.rule("3.Bc4") == "3.Bc4 instead of 3.Bb5"
    assert table.told[-3:] == ["take_back 1", "move 5 f1c4", "ruled 3.Bc4 instead of 3.Bb5"]
    view = look(table.session)
    assert view.phase is GamePhase.SETUP
    assert (names_of(view.wanted), names_of(view.surplus)) == (["c4"], ["b5"])
    table.play("-b5 +c4")
    assert table.session.phase.kind is GamePhase.PLAY
    table.move("g8f6")
    assert table.moves == "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6"
    table.check()


@pytest.mark.parametrize("turned", [False, True])
def test_either_way_round_the_board_stands(turned: bool) -> None:
    table = Table(turned=turned)
    table.move(SPANISH)
    decision = parse_decision(table.session.record.start, "3.Bc4")
    table.take(Ruling(table.t_us, "Berg", "so", decision))
    table.play("-b5 +c4")
    assert table.session.phase.kind is GamePhase.PLAY
    assert look(table.session).orientation.is_turned is turned
    table.move("g8f6")
    assert table.moves.endswith("f1c4 g8f6")


def test_where_no_game_is_played_there_is_nothing_to_rule_on() -> None:
    table = Arbiter()
    table.move(SPANISH)
    table.play("!new_game")
    assert "no game is being played" in table.rule("3.Bc4")
    assert table.moves == SPANISH
    empty = Table(standing=NO_SWITCHES)
    decision = parse_decision(empty.session.record.start, "1.e4")
    empty.take(Ruling(empty.t_us, "Berg", "so", decision))
    assert "no game is being played" in empty.told[-1]


# --- against the rules


def test_a_move_against_the_rules_stands_and_play_goes_on_from_it() -> None:
    table = Arbiter()
    table.move(SPANISH)
    table.play("-e8 +e6")
    assert table.told[-1] == "mismatch -e8 +e6"
    table.rule("3...a6")
    table.play("-e6 +e8 -a7 +a6")
    table.play("-e1 +e3")
    assert table.rule("illegal 4.e1e3") == "4.Ke3 added, against the rules"
    assert table.session.phase.kind is GamePhase.PLAY
    assert table.session.record.illegal == {6}
    table.move("g8f6 e3e2")
    assert table.moves == f"{SPANISH} a7a6 e1e3 g8f6 e3e2"
    table.check()
    assert [move.uci() for move in read(table.session.record).mainline_moves()] == ["g8f6", "e3e2"]


def test_it_can_be_taken_back_on_the_board_as_any_ply() -> None:
    table = Arbiter()
    table.move(SPANISH)
    table.move("a7a6")
    table.play("-e1 +e3")
    table.rule("illegal 4.e1e3")
    table.play("-e3 +e1")
    assert table.told[-1] == "take_back 1"
    assert table.session.record.illegal == frozenset()
    table.move("b5a4")
    assert table.moves == f"{SPANISH} a7a6 b5a4"
    table.check()


# --- the end


def test_a_mate_that_was_none_is_undone_and_play_goes_on() -> None:
    table = Arbiter()
    table.move("f2f3 e7e5 g2g4 d8h4")
    assert table.result == "0-1 checkmate"
    table.rule("2...Qg5")
    assert (table.result, table.session.phase.kind) == ("*", GamePhase.SETUP)
    table.play("-h4 +g5")
    table.move("h2h4")
    assert table.moves == "f2f3 e7e5 g2g4 d8g5 h2h4"
    table.check()


def test_a_mate_that_is_found_ends_the_game() -> None:
    table = Arbiter()
    table.move("f2f3 e7e5 g2g4 d8g5")
    table.rule("2...Qh4")
    assert (table.result, table.session.phase.kind) == ("0-1 checkmate", GamePhase.OVER)
    table.check()


def test_a_resigned_game_stays_resigned() -> None:
    table = Arbiter()
    table.move(SPANISH)
    table.play("!resign_black")
    table.rule("3.Bc4")
    assert (table.result, table.session.phase.kind) == ("1-0 resignation", GamePhase.OVER)
    table.play("-b5 +c4")
    assert table.moves.endswith("f1c4")
    table.check()


def test_the_start_is_on_the_way_of_the_pieces_and_no_new_game_but_by_the_button() -> None:
    table = Arbiter()
    table.move("e2e4")
    table.rule("1.d4")
    table.play("-e4 +e2 5000")
    assert table.session.phase.kind is GamePhase.SETUP
    table.play("!new_game")
    assert table.told[-1] == "new_game"
    table.move("c2c4")
    assert table.games == ["d2d4", "c2c4"]


def test_the_board_is_not_taken_for_turned_round_where_that_would_look_right() -> None:
    """A white pawn on c4 is, seen from the other side, a black one on f5."""
    table = Arbiter()
    table.move("c2c4")
    table.rule("1.Nf3 f5 2.Ng1")
    assert not look(table.session).orientation.is_turned


def test_a_stuck_switch_is_not_waited_for() -> None:
    table = Table(standing=START & ~(1 << SWITCH_BY_NAME["b1"]))
    table.move("g2g3 g7g6 e2e4 e7e5")
    decision = parse_decision(table.session.record.start, "2...c5")
    table.take(Ruling(table.t_us, "Berg", "so", decision))
    assert names_of(look(table.session).wanted) == ["c5", "e7"]
    table.play("-e5 +e7 -c7 +c5")
    assert table.session.phase.kind is GamePhase.PLAY
    table.move("g1f3")
    assert table.moves == "g2g3 g7g6 e2e4 c7c5 g1f3"


def test_a_check_that_both_overlooked_stands_with_what_came_after_it() -> None:
    table = Arbiter()
    table.move("e2e4 e7e5 d1h5 b8c6 h5f7")
    table.play("-a7 +a6 -d2 +d3 -e8 -f7 +f7")
    assert "cannot stand" in table.rule("illegal 3...a7a6")
    table.rule("illegal 3...a7a6 d2d3 e8f7")
    assert table.session.phase.kind is GamePhase.PLAY
    table.move("g1f3")
    assert table.moves == "e2e4 e7e5 d1h5 b8c6 h5f7 a7a6 d2d3 e8f7 g1f3"
    table.play("-f3 +g1 -f7 +e8 +f7 -d3 +d2")
    assert table.moves == "e2e4 e7e5 d1h5 b8c6 h5f7 a7a6"
    table.check()


def test_what_stands_counts_when_a_player_says_so() -> None:
    table = Arbiter()
    table.move(SPANISH)
    table.rule("drop 3.")
    assert table.play("-b5 +c4 !pause") == ["move 5 f1c4"]
    assert table.moves == "e2e4 e7e5 g1f3 b8c6 f1c4"
    table.check()


# --- results


def test_a_result_is_decided_and_another_one_instead() -> None:
    table = Arbiter("5+0")
    table.move(SPANISH)
    assert table.rule("result 0-1 time") == "0-1, time"
    assert table.told[-2:] == ["result 0-1 time", "ruled 0-1, time"]
    assert table.session.phase.kind is GamePhase.OVER
    table.check()
    assert "result already" in table.rule("result 0-1 time")
    assert table.rule("result 1/2-1/2 agreement") == "1/2-1/2, agreement"
    table.check()
    table.move("a7a6")  # what the arbiter has ended is not played on
    assert table.moves == SPANISH


def test_a_game_that_has_not_ended_goes_on() -> None:
    table = Arbiter()
    table.move(SPANISH)
    table.play("!resign_black")
    assert table.session.phase.kind is GamePhase.OVER
    assert table.rule("result *") == "the game has not ended"
    assert table.session.record.outcome is None
    table.move("a7a6")
    assert table.moves == f"{SPANISH} a7a6"
    table.check()


def test_what_the_rules_have_ended_no_result_changes() -> None:
    table = Arbiter()
    table.move("f2f3 e7e5 g2g4 d8h4")
    assert "the rules have ended" in table.rule("result *")
    assert table.session.record.outcome == ("0-1", "checkmate")


@pytest.mark.parametrize(
    "text", ["result", "result 1-0", "result 1-0 checkmate", "result 2-0 time", "result * time"]
)
def test_what_is_no_result_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="result"):
        parse_decision(Table().session.record.start, text)
