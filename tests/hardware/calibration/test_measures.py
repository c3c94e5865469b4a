"""What samples settle to, and which switches will make trouble."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from boardfw.squares import SWITCH_BY_NAME
from hardware.calibration.measures import STABLE_US, Measures, Settling, Touch

E4, E5 = SWITCH_BY_NAME["e4"], SWITCH_BY_NAME["e5"]
OWNER = {0: E4, 1: E5}


def touch(before: int, *changes: tuple[int, int]) -> Touch:
    return Touch(before, changes[-1][1], changes)


def lines(*touches: Touch) -> list[str]:
    measures = Measures()
    for each in touches:
        measures.feed(each)
    return [text for _, text in measures.troubles(OWNER)]


@given(st.lists(st.tuples(st.integers(1, STABLE_US - 1), st.integers(0, 3)), max_size=20))
def test_inputs_have_settled_when_nothing_changed_for_long_enough(
    steps: list[tuple[int, int]],
) -> None:
    settling, t_us, level = Settling(), 0, 0
    settling.feed(0, 0)
    for wait_us, closed in steps:
        t_us += wait_us
        found = settling.feed(t_us, closed)
        assert found is None or (found.closed == closed == level)
        level = closed
    due_us = settling.deadline_us
    if due_us is not None:
        assert settling.feed(due_us - 1, level) is None or due_us <= t_us
        last = settling.feed(due_us, level)
        assert last is not None
        assert last.closed == level
    assert settling.deadline_us is None


def test_a_good_switch_is_not_mentioned() -> None:
    assert lines(*[touch(0, (0, 1), (600, 0), (900, 1))] * 3) == []


def test_a_switch_that_bounces_for_long_as_a_rule_is_named() -> None:
    (line,) = lines(*[touch(0, (0, 1), (4_000, 0), (9_000, 1))] * 2, touch(0, (0, 1)))
    assert line.startswith("e4 bounces for 9.0 ms as a rule")


def test_one_long_bounce_among_good_ones_is_nothing() -> None:
    assert lines(touch(0, (0, 1), (4_000, 0), (9_000, 1)), *[touch(0, (0, 1))] * 2) == []


def test_a_switch_that_lets_go_of_a_standing_piece_is_named() -> None:
    (line,) = lines(touch(1, (0, 0), (40_000, 1)))
    assert line.startswith("e4 let go of a standing piece, once; the magnet is weak")


def test_a_wrong_scan_is_no_lost_contact() -> None:
    assert lines(touch(1, (0, 0), (2_000, 1))) == []


def test_neighbours_that_close_under_one_piece_are_named() -> None:
    (line,) = lines(*[touch(0, (0, 1), (3_000, 3))] * 2)
    assert line.startswith("e4 and e5 closed together, 2 times;")
