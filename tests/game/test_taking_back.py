"""The button for taking back: the last ply is gone from the game, and the lights lead its pieces
home."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.game.build_view import look
from boardfw.game.events import MismatchCleared, TakenBack
from boardfw.game.phase import GamePhase
from boardfw.game.record import Undone
from boardfw.notation.uci import parse_uci
from boardfw.rules import Position
from boardfw.squares import Orientation, names_of
from tests.dances import Table
from tests.game.arbiters import SPANISH, Arbiter
from tests.game.clocked import shown
from tests.sizes import sized

FOOLS_MATE = "f2f3 e7e5 g2g4 d8h4"


def lead_home(table: Table) -> None:
    """Do what the board asks for, step by step, as the hands of a player would."""
    for _ in range(20):
        view = look(table.session)
        if view.phase is not GamePhase.SETUP:
            return
        way = Orientation.of(turned=view.orientation is not table.orientation)
        take_off = [f"-{name}" for name in names_of(way.switches(view.surplus))]
        put = [f"+{name}" for name in names_of(way.switches(view.asked[1] if view.asked else 0))]
        table.play(" ".join(take_off or put))
    raise AssertionError("the board is never content")


def test_the_button_takes_the_last_ply_back_and_play_goes_on() -> None:
    table = Table()
    table.move(SPANISH)
    assert table.play("!take_back") == ["take_back 1"]
    view = look(table.session)
    assert view.phase is GamePhase.SETUP
    assert (names_of(view.wanted), names_of(view.surplus)) == (["f1"], ["b5"])
    table.play("-b5 +f1")
    assert table.session.phase.kind is GamePhase.PLAY
    table.move("f1c4 g8f6")
    assert table.moves == "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6"
    assert [len(one.moves) for one in table.session.record.history] == [1]


def test_pressed_again_it_takes_one_more_ply_back_also_before_the_pieces_are_home() -> None:
    table = Arbiter()
    table.move(SPANISH)
    assert table.play("!take_back !take_back") == ["take_back 1", "take_back 1"]
    assert table.moves == "e2e4 e7e5 g1f3"
    lead_home(table)
    table.move("d7d6")
    assert table.moves == "e2e4 e7e5 g1f3 d7d6"
    (undone,) = table.session.record.history
    assert isinstance(undone, Undone)
    assert [move.uci() for move in undone.moves] == ["b8c6", "f1b5"]
    table.check()


def test_where_no_ply_was_played_there_is_nothing_to_take_back() -> None:
    table = Table()
    assert table.play("!take_back") == []
    assert table.session.phase.kind is GamePhase.PLAY


def test_a_mate_is_taken_back_and_the_game_goes_on() -> None:
    table = Arbiter()
    table.move(FOOLS_MATE)
    assert table.result == "0-1 checkmate"
    assert table.play("!take_back") == ["take_back 1"]
    assert table.result == "*"
    lead_home(table)
    table.move("b8c6")
    assert table.moves == "f2f3 e7e5 g2g4 b8c6"
    table.check()


@pytest.mark.parametrize("button", ["resign_white", "draw !draw"])
def test_what_the_players_have_ended_stays_ended(button: str) -> None:
    table = Table()
    table.move(SPANISH)
    table.play(f"!{button}")
    ended = table.result
    assert ended != "*"
    assert table.play("!take_back") == []
    assert (table.result, table.moves) == (ended, SPANISH)


def test_a_captured_piece_comes_back_and_its_captor_is_not_left_in_its_place() -> None:
    """Both stand on closed switches: the board knows which piece is on d5."""
    table = Table()
    table.move("e2e4 d7d5 e4d5")
    table.play("!take_back")
    view = look(table.session)
    assert names_of(view.surplus) == ["d5"]
    table.play("-d5 +e4")
    assert look(table.session).phase is GamePhase.SETUP
    table.play("+d5")
    assert table.session.phase.kind is GamePhase.PLAY
    table.move("e4e5")
    assert table.moves == "e2e4 d7d5 e4e5"


def test_what_stands_wrong_is_forgotten_with_the_ply() -> None:
    table = Table()
    table.move("e2e4")
    table.play("-g8 +g5 1000")
    table.play("!take_back")
    kinds = [type(action) for action in table.actions]
    assert kinds.index(MismatchCleared) < kinds.index(TakenBack)
    lead_home(table)
    assert table.moves == ""
    table.move("d2d4")
    assert table.moves == "d2d4"


@pytest.mark.parametrize("by_button", [False, True])
def test_the_clock_shows_what_it_showed_before_the_ply_and_waits(by_button: bool) -> None:
    table = Arbiter("300", by_button=by_button)
    press = ["!clock_white", "!clock_black"] if by_button else ["", ""]
    for move, button in zip(["-e2 +e4", "-e7 +e5"], press, strict=True):
        table.play(f"{move} 500 {button}")
    then = shown(table)
    table.play("20000 -g1 +f3 700 !take_back 30000")
    lead_home(table)
    assert shown(table) == [300_000, then[1]], "as it was when Black's ply was pressed"
    assert len(table.session.record.ply_times) == 2
    table.check()


def test_taking_all_back_leaves_no_time_of_any_ply() -> None:
    table = Arbiter("300")
    table.move("e2e4")
    table.play("!take_back")
    assert table.session.record.ply_times == ()
    table.check()
    lead_home(table)
    table.move("d2d4 d7d5")
    assert table.moves == "d2d4 d7d5"
    table.check()


@settings(deadline=None, max_examples=sized(5, 25))
@given(st.data())
def test_any_number_of_plies_of_any_game_is_taken_back_and_led_home(data: st.DataObject) -> None:
    position, ucis = Position.start(), []
    for _ in range(data.draw(st.integers(1, 12))):
        moves = sorted(move.uci() for move in position.legal_moves())
        if not moves:
            break
        ucis.append(data.draw(st.sampled_from(moves)))
        position = position.play(parse_uci(position, ucis[-1]))
    table = Table(turned=data.draw(st.booleans()))
    table.move(" ".join(ucis))
    if table.moves != " ".join(ucis) or table.result != "*":
        return  # a draw by the rules, or a game that its pieces do not tell
    times = data.draw(st.integers(1, len(ucis)))
    for _ in range(times):
        table.play("!take_back")
    assert table.moves == " ".join(ucis[: len(ucis) - times])
    lead_home(table)
    assert table.session.phase.kind is GamePhase.PLAY
    assert table.moves == " ".join(ucis[: len(ucis) - times])
