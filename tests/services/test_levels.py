"""One scale: a weaker level errs more, and the same seed errs alike."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.errors import ConfigError
from boardfw.rules import Position
from boardfw.services.levels import (
    FLAWLESS,
    FULL,
    LEVELS,
    Candidate,
    Errors,
    choice,
    errors_at,
    level_of,
)

MOVES = Position.start().legal_moves()
CANDIDATES = [Candidate(move, -40.0 * place) for place, move in enumerate(MOVES)]


def test_the_levels_rise() -> None:
    assert [level.number for level in LEVELS] == list(range(1, len(LEVELS) + 1))
    elos = [level.elo for level in LEVELS[:-1]]
    assert elos == sorted(set(filter(None, elos)))
    assert FULL.elo is None


@given(st.integers(0, 4000))
def test_whoever_is_stronger_errs_no_more(elo: int) -> None:
    weak, strong = errors_at(elo), errors_at(elo + 50)
    assert weak.blind >= strong.blind
    assert weak.spread_cp >= strong.spread_cp


def average_loss(elo: int) -> float:
    losses = [
        -choice(Position.start(), CANDIDATES, errors_at(elo), random.Random(seed)).worth_cp
        for seed in range(1000)
    ]
    return sum(losses) / len(losses)


@pytest.mark.slow
def test_each_step_down_costs_more() -> None:
    losses = [average_loss(elo) for elo in (400, 600, 800, 1000, 1200, 1400)]
    assert all(weak > strong for weak, strong in pairwise(losses))
    assert losses[-1] == 0


@given(st.integers(), st.floats(0, 1), st.floats(0, 1000))
def test_the_choice_is_legal_and_the_same_for_the_same_seed(
    seed: int, blind: float, spread_cp: float
) -> None:
    few = CANDIDATES[:5]
    errors = Errors(spread_cp, blind)
    chosen = choice(Position.start(), few, errors, random.Random(seed))
    assert chosen == choice(Position.start(), few, errors, random.Random(seed))
    assert chosen.move in MOVES
    assert choice(Position.start(), few, FLAWLESS, random.Random(seed)) == few[0]


def test_a_level_is_called_by_number_name_or_elo() -> None:
    for level in LEVELS:
        assert level_of(str(level.number)) == level_of(f"  {level.name.upper()} ") == level
    assert level_of("elo 1350").elo == level_of("1350").elo == 1350
    assert level_of("1350").number == 5


@pytest.mark.parametrize("text", ["", "0", "12", "grandmaster", "elo", "elo 1", "elo 99999", "-3"])
def test_other_levels_are_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        level_of(text)
