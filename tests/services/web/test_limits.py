"""No more than the rate in any time, and never longer to wait than said."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from boardfw.services.web.limits import MOST_KEYS, Limit, Rate

STEPS = st.lists(st.floats(0, 30), min_size=1, max_size=60)


@given(STEPS)
def test_in_any_time_there_are_at_most_twice_as_many_as_the_rate_says(steps: list[float]) -> None:
    rate, now_s, taken = Rate(3, 120), 0.0, list[float]()
    limit = Limit(rate)
    for step in steps:
        now_s += step
        if not limit.take(now_s):
            taken.append(now_s)
    for first in taken:
        within = sum(first <= one < first + rate.seconds for one in taken)
        assert within <= 2 * rate.most  # what was saved up, and what comes meanwhile


@given(STEPS)
def test_who_waits_as_long_as_was_said_is_let_in(steps: list[float]) -> None:
    limit, now_s = Limit(Rate(2, 10), Rate(5, 100)), 0.0
    for step in steps:
        now_s += step
        if wait_s := limit.take(now_s):
            now_s += wait_s + 1e-6
            assert not limit.take(now_s)


def test_keys_do_not_hold_each_other_up_and_are_not_kept_for_ever() -> None:
    limit = Limit(Rate(1, 1000))
    assert not limit.take(0, "a")
    assert limit.take(0, "a")
    assert not limit.take(0, "b")
    limit.give_back(0, "a")
    assert not limit.take(0, "a")
    for number in range(2 * MOST_KEYS):
        assert not limit.take(0, number)
    assert not limit.take(0, "a")
