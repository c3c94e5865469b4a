"""Chances rise with the score, and a judgement with what was lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.services.analysis.judgement import Judgement, judged, winning_chance
from boardfw.services.uci.replies import Score

CP = st.integers(-(10**19), 10**19)


@given(CP, CP)
def test_more_is_never_a_worse_chance_and_both_sides_share_one(one: int, other: int) -> None:
    low, high = sorted((one, other))
    assert 0 <= winning_chance(Score(low)) <= winning_chance(Score(high)) <= 1
    assert winning_chance(Score(one)) + winning_chance(Score(-one)) == pytest.approx(1)


@given(CP, st.integers(1, 50))
def test_a_mate_is_as_good_as_it_gets(cp: int, moves: int) -> None:
    assert winning_chance(Score(mate=moves)) >= winning_chance(Score(cp))
    assert winning_chance(Score(mate=-moves)) <= winning_chance(Score(cp))
    assert winning_chance(Score(mate=0)) == 0  # the side to move is mated


@pytest.mark.parametrize(("cp", "percent"), [(0, 50), (100, 59.1), (300, 75.1), (-500, 13.7)])
def test_the_curve_is_the_published_one(cp: int, percent: float) -> None:
    assert 100 * winning_chance(Score(cp)) == pytest.approx(percent, abs=0.05)


@given(st.floats(0, 1), st.floats(0, 1))
def test_who_lost_more_is_judged_no_milder(one: float, other: float) -> None:
    order = [None, Judgement.INACCURACY, Judgement.MISTAKE, Judgement.BLUNDER]
    less, more = sorted((one, other))
    assert order.index(judged(less)) <= order.index(judged(more))


def test_each_limit_belongs_to_what_it_begins() -> None:
    for judgement in Judgement:
        assert judged(judgement.least) is judgement
        assert judged(judgement.least - 0.001) is not judgement
    assert judged(0) is None


def test_a_pawn_is_a_mistake_in_a_level_game_and_nothing_in_a_won_one() -> None:
    def cost(before: int, after: int) -> float:
        return winning_chance(Score(before)) - winning_chance(Score(after))

    assert judged(cost(60, -60)) is Judgement.MISTAKE
    assert judged(cost(1000, 880)) is None
