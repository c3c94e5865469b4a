"""What an opponent is told."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.game.clock import ChessClock, parse_control
from boardfw.game.opponent import Situation, Times
from boardfw.rules import BLACK, WHITE, Position


@given(st.sampled_from(["40/7200:3600", "300+2", "2/60", "600y3x30"]), st.integers(0, 130))
def test_moves_to_the_control_are_counted_down(text: str, presses: int) -> None:
    """Each move takes one off; with none left a new stage has begun."""
    clock = ChessClock.of(parse_control(text))
    left: list[int | None] = []
    for t_us in range(presses):
        left.append(Times.of(clock, t_us).moves_to_control(WHITE))
        clock = clock.press(clock.turn, t_us)
    turns = left[::2]
    for now, after in pairwise(turns):
        if now is None:
            assert after is None
        elif now > 1:
            assert after == now - 1
        else:
            assert after is None or after == 2


def test_the_times_are_what_the_clock_shows() -> None:
    clock = ChessClock.of(parse_control("300+2")).press(WHITE, 0)
    times = Times.of(clock, 10_000_000)
    assert times.left_us == tuple(clock.remaining_us(one, 10_000_000) for one in (WHITE, BLACK))
    assert times.moves_made == (1, 0)


@pytest.mark.parametrize("color", [WHITE, BLACK])
def test_whose_turn_it_is(color: int) -> None:
    start = Position.start()
    first = start.legal_moves()[0]
    begin, later = Situation(start, (), color), Situation(start, (first,), color)
    assert begin.wants_move == (color == WHITE)
    assert later.wants_move == (color == BLACK)
    assert later.position == start.play(first)
    assert not begin.is_same_turn(later)
    assert later.is_same_turn(replace(later, draw_offered=True, taken_back=3))
