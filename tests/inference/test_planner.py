"""The way from what stands to what is wanted is as short as it can be."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from boardfw.inference.planner import Step, plan
from boardfw.squares import BY_NAME, START, Occupancy, distance, occupancy_of, squares_in

OCCUPANCIES = st.sets(st.integers(0, 63), max_size=32).map(occupancy_of)
NEARLY = st.sets(st.integers(0, 63), max_size=8).map(occupancy_of)
"""Squares by which two occupancies differ, few enough to try every way."""


def squares(text: str) -> Occupancy:
    return occupancy_of(BY_NAME[name] for name in text.split())


def carried_out(standing: Occupancy, steps: tuple[Step, ...]) -> Occupancy:
    for origin, target in steps:
        if origin is not None:
            assert standing >> origin & 1, "a man is taken from where none stands"
            standing ^= 1 << origin
        if target is not None:
            assert not standing >> target & 1, "a man is put where one stands"
            standing ^= 1 << target
    return standing


def test_what_stands_right_is_left_alone() -> None:
    assert plan(START, START) == ()


def test_a_man_too_many_goes_where_one_is_wanted() -> None:
    assert plan(squares("e5 a1"), squares("e2 a1")) == ((BY_NAME["e5"], BY_NAME["e2"]),)


def test_what_is_left_over_goes_to_the_box_and_what_is_wanted_comes_from_it() -> None:
    assert plan(squares("e5"), 0) == ((BY_NAME["e5"], None),)
    assert plan(0, squares("e5")) == ((None, BY_NAME["e5"]),)


def test_a_knocked_man_goes_back_the_shorter_way() -> None:
    assert plan(squares("a3 h3"), squares("a2 h2")) == (
        (BY_NAME["a3"], BY_NAME["a2"]),
        (BY_NAME["h3"], BY_NAME["h2"]),
    )
    assert set(plan(squares("a3 h3"), squares("h2"))) == {
        (BY_NAME["h3"], BY_NAME["h2"]),
        (BY_NAME["a3"], None),
    }


@given(OCCUPANCIES, OCCUPANCIES)
def test_it_ends_as_wanted_in_the_fewest_actions(standing: Occupancy, wanted: Occupancy) -> None:
    steps = plan(standing, wanted)
    assert carried_out(standing, steps) == wanted
    # One action changes one square too many and one square missing at the best.
    extra, missing = standing & ~wanted, wanted & ~standing
    assert len(steps) == max(extra.bit_count(), missing.bit_count())


@given(OCCUPANCIES, NEARLY)
def test_of_the_shortest_ways_it_carries_men_the_least_far(
    standing: Occupancy, differing: Occupancy
) -> None:
    wanted = standing ^ differing
    extra, missing = list(squares_in(standing & ~wanted)), list(squares_in(wanted & ~standing))
    if len(extra) > len(missing):
        extra, missing = missing, extra
    if len(missing) > 6:
        return
    ways = permutations(missing, len(extra))
    least = min(sum(map(distance, extra, way)) for way in ways)
    steps = plan(standing, wanted)
    assert sum(distance(a, b) for a, b in steps if a is not None and b is not None) == least
