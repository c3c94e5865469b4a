"""How games begin: the pieces stand, they are set up again, or a new game is asked for."""

from __future__ import annotations

import pytest

from boardfw.game.build_view import look
from boardfw.game.events import Ended, Finalised, NewGame
from boardfw.game.phase import GamePhase
from boardfw.squares import NO_SWITCHES, START, names_of
from tests.dances import Table

PLAYED = "e2e4 e7e5 g1f3"
SET_UP = "-e4 -e5 -f3 +e2 +e7 +g1"
KNIGHTS = "4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1"


def test_play_begins_when_every_piece_stands() -> None:
    table = Table(standing=0)
    stages = [table.session.phase.kind]
    pieces = names_of(START)
    table.play(" ".join(f"+{name}" for name in pieces[:-1]))
    stages.append(table.session.phase.kind)
    assert names_of(look(table.session).wanted) == pieces[-1:]
    table.play(f"+{pieces[-1]}")
    stages.append(table.session.phase.kind)
    assert stages == [GamePhase.SETUP, GamePhase.SETUP, GamePhase.PLAY]
    assert table.move("e2e4") == ["move 1 e2e4"]
    assert len(table.session.games) == 1


def test_nothing_is_recorded_while_pieces_are_set_up() -> None:
    table = Table(standing=int(START) & ~0xFF)
    table.play("-e2 +e4 -e4 +e2 -e7 +e5 2000 !draw !draw")
    assert table.moves == ""
    assert table.heard(Ended) == []
    assert table.session.phase.kind is GamePhase.SETUP


def test_from_any_position_play_begins_when_its_pieces_stand() -> None:
    table = Table(KNIGHTS, standing=NO_SWITCHES)
    table.play("+b1 +e1 +g1")
    assert table.session.phase.kind is GamePhase.SETUP
    table.play("+e8")
    assert table.move("g1f3") == ["move 1 g1f3"]


def test_two_poor_contacts_do_not_keep_play_from_beginning() -> None:
    table = Table(standing=int(START) & ~0b1001)
    assert table.move("e2e4") == ["move 1 e2e4"]


def test_three_pieces_missing_are_waited_for() -> None:
    table = Table(standing=int(START) & ~0b111)
    assert table.session.phase.kind is GamePhase.SETUP
    assert table.play("-e2 +e4 -e4 +e2") == []
    table.play("+a1 +b1 +c1")
    assert table.move("e2e4") == ["move 1 e2e4"]


def test_games_follow_each_other() -> None:
    table = Table()
    for _ in range(4):
        table.move(PLAYED)
        table.play(SET_UP)
    assert table.games == [PLAYED] * 4
    assert table.heard(NewGame) == ["new_game"] * 4
    assert len(table.session.games) == 5


def test_and_the_game_after_it_from_the_first_side_again() -> None:
    table = Table()
    table.move(PLAYED)
    table.play(SET_UP)
    table.turned = True
    table.play("-e2 +e4")
    table.move("e7e5 g1f3")
    table.play(SET_UP)
    table.turned = False
    table.move("d2d4")
    assert table.games == [PLAYED, PLAYED, "d2d4"]


def test_pieces_adjusted_before_the_first_ply_are_no_new_game() -> None:
    table = Table()
    assert table.play("-b1 -g1 -e1 -d1 +d1 +e1 +g1 +b1") == []
    assert len(table.session.games) == 1


def test_pieces_knocked_over_in_the_opening_are_no_new_game() -> None:
    table = Table()
    table.move("e2e4")
    assert table.play("-d8 -e8 -f8 -f7 1000 +f7 +e8 +d8 +f8") == []
    assert table.move("e7e5") == ["move 2 e7e5"]


def test_pieces_knocked_over_earlier_do_not_make_a_take_back_a_new_game() -> None:
    table = Table()
    table.move("e2e4")
    table.play("-d8 -e8 -f8 -f7 1000 +f7 +e8 +d8 +f8 1000")
    assert table.play("-e4 +e2") == ["take_back 1"]


def test_a_game_of_one_ply_is_a_game_when_the_pieces_are_set_up_again() -> None:
    table = Table()
    table.move("e2e4")
    table.play("-e4 -b1 -g1 -e1 +e2 +b1 +g1 +e1")
    assert table.heard(NewGame) == ["new_game"]
    assert table.games == ["e2e4"]


def test_what_stood_wrong_is_told_to_be_over_before_the_next_game() -> None:
    table = Table()
    table.move(PLAYED)
    said = table.play("-e4 +e2 -e5 +e7 900 -f3 -h1 +h1 +g1")
    assert said == ["mismatch -e4 -e5 +e2 +e7", "cleared", "new_game"]


def test_a_set_up_right_after_a_capture_does_not_lose_it() -> None:
    table = Table()
    table.move("e2e4 d7d5")
    table.play("-e4 -d5 +d5 800 -d5 -a1 -a2 +e2 +d7 +a1 +a2")
    assert table.games == ["e2e4 d7d5 e4d5"]
    assert table.heard(NewGame) == ["new_game"]


FOOLS_MATE = "f2f3 e7e5 g2g4 d8h4"


@pytest.mark.parametrize(
    "set_up", ["-h4 -e5 -g4 -f3 +d8 +e7 +g2 +f2", "-e5 -g4 -f3 -h4 +f2 +g2 +e7 +d8"]
)
def test_a_mate_stays_mate_when_the_pieces_are_set_up_again(set_up: str) -> None:
    table = Table()
    table.move(FOOLS_MATE)
    table.play(set_up)
    table.move("e2e4")
    assert table.games == [FOOLS_MATE, "e2e4"]
    outcome = table.session.games[0].outcome
    assert outcome is not None
    assert outcome.result == "0-1"


def test_a_mate_that_was_told_is_not_forgotten_by_setting_up_quickly() -> None:
    table = Table()
    table.move(FOOLS_MATE.removesuffix(" d8h4"))
    table.play("-d8 +h4 600 -h4 -e5 -g4 -f3 +e7 +d8 +g2 +f2")
    assert table.games == [FOOLS_MATE]


# --- the button


def test_the_button_starts_a_new_game_as_soon_as_the_pieces_stand() -> None:
    table = Table()
    table.move(PLAYED)
    assert table.play("!new_game 0") == []
    assert table.session.phase.kind is GamePhase.SETUP
    assert table.play("-e4 +e2 -e5 +e7 -f3 400 +g1") == ["new_game"]
    table.move("d2d4")
    assert table.games == [PLAYED, "d2d4"]


@pytest.mark.parametrize("rest", ["0", "900"])
def test_the_button_pressed_when_they_stand_already(rest: str) -> None:
    table = Table()
    table.move("g1f3 g8f6 f3g1")
    assert table.play(f"-f6 +g8 {rest} !new_game 0")[-1] == "new_game"
    table.move("e2e4")
    assert table.games == ["g1f3 g8f6 f3g1 f6g8", "e2e4"]


def test_the_button_before_the_first_ply_does_no_harm() -> None:
    table = Table()
    table.play("!new_game !new_game")
    assert table.move("e2e4") == ["move 1 e2e4"]
    assert table.games == ["e2e4"]


def test_what_stands_wrong_is_no_mistake_once_a_new_game_is_asked_for() -> None:
    table = Table()
    table.play("-e2 +e5 900")
    assert table.play("!new_game 0") == ["cleared"]
    assert table.play("2000") == []


def test_the_button_begins_from_the_usual_position_whatever_was_planned() -> None:
    table = Table(KNIGHTS, standing=START)
    table.play("!new_game")
    assert table.move("e2e4") == ["move 1 e2e4"]


@pytest.mark.parametrize("end", ["!resign_white", "!draw !draw", "-e1 -e8 -e4 +e4 +d5"])
def test_after_a_decided_game_the_pieces_set_up_are_the_next(end: str) -> None:
    table = Table()
    table.move(PLAYED)
    table.play(f"{end} 2000")
    rest = "-d5 +e8 -e4 +e1 " if "d5" in end else "-e4 "
    said = table.play(f"{rest}+e2 -e5 +e7 -f3 +g1")
    assert said == ["new_game"]
    assert table.games == [PLAYED]
    assert table.session.games[0].outcome is not None
    assert table.session.phase.kind is GamePhase.PLAY
    assert table.move("d2d4") == ["move 1 d2d4"]


def test_the_button_pressed_twice_was_a_mistake_and_costs_nothing() -> None:
    table = Table()
    table.move("e2e4")
    assert table.play("!new_game -e7 +e5 !new_game") == ["move 2 e7e5"]
    assert table.move("g1f3") == ["move 3 g1f3"]
    empty = Table(standing=NO_SWITCHES)
    empty.play("!new_game !new_game")
    assert empty.session.phase.kind is GamePhase.SETUP


DEAD = 1 << 4  # e1 never closes


def test_a_dead_switch_does_not_keep_a_game_from_beginning() -> None:
    table = Table(standing=0)
    table.play(" ".join(f"+{name}" for name in names_of(int(START) & ~DEAD)) + " 4000")
    assert table.session.phase.kind is GamePhase.PLAY
    assert table.move("e2e4") == ["move 1 e2e4"]


def test_every_ply_is_final_before_the_next_game_begins() -> None:
    table = Table()
    table.move(PLAYED)
    said = table.play(SET_UP + " 20")
    assert [word.split()[2] for word in table.heard(Finalised)] == PLAYED.split()
    assert said[-1] == "new_game"


def test_a_decided_game_lights_no_moves_for_a_piece_that_is_tidied_away() -> None:
    table = Table()
    table.move("e2e4")
    table.play("!resign_black -g8")
    assert look(table.session).destinations == ()
    assert look(table.session).in_hand is None


SCHOLARS_MATE = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7"


@pytest.mark.parametrize("pause", ["0", "900", "3000"])
@pytest.mark.parametrize(
    ("game", "set_up"),
    [
        (FOOLS_MATE, "-h4 +d8 {0} -g4 +g2 {0} -f3 +f2 {0} -e5 +e7"),
        (
            SCHOLARS_MATE,
            "-f7 +d1 {0} -c4 +f1 {0} -f6 +g8 {0} -c6 +b8 {0} -e4 +e2 {0} -e5 +e7 {0} +f7",
        ),
    ],
)
def test_a_mate_stays_mate_however_slowly_the_pieces_go_home(
    game: str, set_up: str, pause: str
) -> None:
    table = Table()
    table.move(game)
    said = table.play(set_up.format(pause))
    assert said[-1] == "new_game"
    assert table.games == [game]
    outcome = table.session.games[0].outcome
    assert outcome is not None
    assert outcome.termination == "checkmate"


def test_a_mate_taken_back_and_played_on_is_another_game() -> None:
    table = Table()
    table.move(FOOLS_MATE)
    table.play("-h4 +d8 2000")
    table.move("b8c6 g1h3")
    table.play("2000")
    assert table.session.games[0].outcome is None
    table.play("-c6 -h3 -g4 -e5 -f3 +b8 +g1 +g2 +e7 +f2")
    assert table.games == ["f2f3 e7e5 g2g4 b8c6 g1h3"]


def test_and_so_it_is_when_the_pieces_go_home_one_by_one() -> None:
    table = Table()
    table.move(FOOLS_MATE)
    table.play("-h4 +d8 2000")
    table.move("b8c6 g1h3 c6b8 h3g1")
    table.play("2000 -e5 +e7 900 -g4 +g2 900 -f3 +f2 900")
    assert table.games == ["f2f3 e7e5 g2g4 b8c6 g1h3 c6b8 h3g1"]
    assert table.session.games[0].outcome is None
    assert table.heard(NewGame) == ["new_game"]
