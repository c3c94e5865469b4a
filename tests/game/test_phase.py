"""The phase of a game: what leads from one to another, and what is known only in each."""

from __future__ import annotations

import pytest

from boardfw.game.phase import AnyPhase, GamePhase, Over, Playing, SettingUp
from boardfw.squares import START, SWITCH_BY_NAME
from tests.dances import Table

MATE = "f2f3 e7e5 g2g4 d8h4"
E3 = START ^ 1 << SWITCH_BY_NAME["e2"] ^ 1 << SWITCH_BY_NAME["e3"]
SETUP, PLAY, OVER = GamePhase


def phase_of(table: Table) -> AnyPhase:
    return table.session.phase


@pytest.mark.parametrize(
    ("moves", "dance", "phases"),
    [
        ("e2e4", "!new_game !new_game", [PLAY, SETUP, PLAY]),
        ("e2e4", "!new_game -e4 +e2", [PLAY, SETUP, SETUP, PLAY]),
        ("e2e4", "!resign_white", [PLAY, OVER]),
        ("e2e4", "!resign_white !new_game !new_game", [PLAY, OVER, SETUP, OVER]),
        (MATE, "-h4 +d8 3000", [OVER, OVER, PLAY, PLAY]),
        (MATE, "-e1 +f2", [OVER, OVER, OVER]),
        ("e2e4", "!take_back -e4 +e2", [PLAY, SETUP, SETUP, PLAY]),
    ],
)
def test_what_leads_from_one_phase_to_another(
    moves: str, dance: str, phases: list[GamePhase]
) -> None:
    table = Table()
    table.move(moves)
    seen = [table.session.phase.kind]
    for touch in dance.split():
        table.play(f"{touch} 900")
        seen.append(table.session.phase.kind)
    assert seen[: len(phases)] == phases


def test_the_phase_that_was_left_is_kept_while_a_new_game_is_asked_for() -> None:
    table = Table()
    table.move(MATE)
    left = table.session.phase
    assert isinstance(left, Over)
    assert left.ended is table.session.game
    table.play("!new_game")
    asked = phase_of(table)
    assert isinstance(asked, SettingUp)
    assert asked.asked_in is left
    table.play("!new_game")
    assert phase_of(table) is left


def test_pressed_again_while_pieces_are_set_up_it_asks_for_those_pieces() -> None:
    table = Table(standing=E3)
    for phase in (SETUP, SETUP, SETUP):
        assert table.session.phase.kind is phase
        table.play("!new_game")
    table.play("!new_game -e3 +e2")
    assert isinstance(table.session.phase, Playing)


def test_an_end_by_the_rules_is_remembered_until_play_has_gone_on() -> None:
    table = Table()
    table.move(MATE)
    table.play("-h4 +d8 3000")
    assert isinstance(table.session.phase, Playing)
    assert table.session.phase.ended is not None
    table.move("d8e7 b1c3 a7a6 c3d5")
    table.play("9000")
    assert table.session.phase == Playing()


def test_a_decision_is_no_end_by_the_rules() -> None:
    table = Table()
    table.move("e2e4")
    table.play("!resign_white")
    phase = table.session.phase
    assert isinstance(phase, Over)
    assert (phase.is_decided, phase.ended) == (True, None)
    assert phase.outcome is table.session.record.outcome
