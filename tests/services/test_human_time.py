"""A person's pause is bounded by the clock, whatever the clock is."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.game.clock import parse_control
from boardfw.game.opponent import Times
from boardfw.services.human_time import LEAST_US, LEFT_SHARE, MOST_US, human_time_us
from tests.services.uci.engines import played

CONTROLS = ["300", "180+2", "60+1", "40/7200:3600", "300d5", "600y3x30", "*60", "5"]


@pytest.mark.parametrize("control", CONTROLS)
@given(
    st.integers(0, 10**8) | st.integers(0, 10**10),
    st.integers(0, 80),
    st.integers(0, 10**6),
)
def test_it_leaves_time_on_any_clock(control: str, left_us: int, made: int, seed: int) -> None:
    situation = played("e2e4", "e7e5", "g1f3")
    times = Times(parse_control(control), (10**9, left_us), (made, made))
    asked = type(situation)(situation.start, situation.moves, situation.color, times)
    pause_us = human_time_us(asked, asked.position, random.Random(seed))
    assert 0 <= pause_us <= min(MOST_US, left_us // LEFT_SHARE)
    assert pause_us == human_time_us(asked, asked.position, random.Random(seed))


def average_us(*words: str) -> float:
    situation = played(*words)
    times = Times(parse_control("600"), (600_000_000, 600_000_000))
    asked = type(situation)(situation.start, situation.moves, situation.color, times)
    pauses = [human_time_us(asked, asked.position, random.Random(seed)) for seed in range(200)]
    assert min(pauses) >= LEAST_US
    assert len(set(pauses)) > 100
    return sum(pauses) / len(pauses)


QUIET = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "c2c3", "g8f6", "d2d3", "d7d6", "e1g1",
         "e8g8", "a2a4", "a7a5")  # fmt: skip


def test_the_opening_and_a_recapture_are_quicker_than_the_middle_of_a_game() -> None:
    usual = average_us(*QUIET)
    assert average_us() < usual
    assert average_us(*QUIET, "c4f7") < usual


@pytest.mark.parametrize("seed", range(20))
def test_without_a_clock_nobody_waits_for_long(seed: int) -> None:
    situation = played(*QUIET)
    asked = type(situation)(situation.start, situation.moves, situation.color)
    pause_us = human_time_us(asked, asked.position, random.Random(seed))
    assert LEAST_US <= pause_us <= MOST_US
