"""Games ended by the players: agreement, resignation, time."""

from __future__ import annotations

import pytest

from boardfw.rules import BLACK, WHITE, Outcome, Position
from boardfw.rules.board import Color
from boardfw.rules.outcome import agreed, flag_fell, resigned
from tests.rules.boards import board

DRAWN = "1/2-1/2"


def test_a_draw_by_agreement() -> None:
    assert agreed() == Outcome(DRAWN, "agreement")


@pytest.mark.parametrize(("color", "result"), [(WHITE, "0-1"), (BLACK, "1-0")])
def test_resigning_or_running_out_of_time_loses(color: Color, result: str) -> None:
    assert resigned(color, Position.start()) == Outcome(result, "resignation")
    assert flag_fell(color, Position.start()) == Outcome(result, "time")


@pytest.mark.parametrize(
    ("diagram", "turn"),
    [
        ("8 k.......\n1 K......R", "w"),  # Black's lone king
        ("6 ....k.n.\n3 ...QK...", "w"),  # queens do not help a knight
        ("8 .......k\n3 .......P\n2 .q......\n1 K.......", "w"),  # White has to take the queen
    ],
)
def test_it_is_a_draw_against_a_side_that_cannot_win(diagram: str, turn: str) -> None:
    position = board(diagram, turn)
    assert resigned(WHITE, position) == Outcome(DRAWN, "resignation")
    assert flag_fell(WHITE, position) == Outcome(DRAWN, "time")
    assert resigned(BLACK, position) == Outcome("1-0", "resignation")
    assert flag_fell(BLACK, position) == Outcome("1-0", "time")


def test_a_blockade_is_a_draw_for_both() -> None:
    position = board("7 ..k.....\n5 .p..p..p\n4 .P..P..P\n2 ....K...")
    assert {flag_fell(color, position) for color in (WHITE, BLACK)} == {Outcome(DRAWN, "time")}


def test_a_side_that_is_not_proved_unable_to_win_wins() -> None:
    wall = "8 ....k...\n5 .p.p.p.p\n4 pPpPpPpP\n3 P.P.P.P.\n1 ....K..R"
    assert flag_fell(BLACK, board(wall)) == Outcome("1-0", "time")
