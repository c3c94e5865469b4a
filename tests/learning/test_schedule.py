"""Repetition: when something is asked again, whatever the clock of the machine does."""

from __future__ import annotations

import random
from itertools import accumulate

import fsrs
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from boardfw.learning.answer_log import LATEST_MS, Answered, Reckoning, Result
from boardfw.learning.schedule import (
    LONGEST_DAYS,
    Grade,
    Schedule,
    due,
    due_ms,
    grade,
    reviewed,
)

MINUTE, DAY = 60_000, 86_400_000
YEARS = 3_652 * DAY
"""Ten of them."""
NOW = 1_790_000_000_000


def answered(
    exercise: str,
    at_ms: int,
    errors: int = 0,
    result: Result = Result.SOLVED,
    first_answer_ms: int | None = 5_000,
) -> Answered:
    return Answered(exercise, "", at_ms, first_answer_ms, errors, 0, result)


def cards(log: list[Answered]) -> dict[str, fsrs.Card]:
    """The cards of all that was answered."""
    schedule = Schedule()
    for row in log:
        schedule.take(row)
    return schedule.cards


@pytest.mark.parametrize(
    ("errors", "helps", "first_ms", "usual_ms", "expected"),
    [
        (0, 0, 5_000, 10_000, Grade.GOOD),
        (0, 0, 3_333, 10_000, Grade.EASY),
        (0, 0, 3_334, 10_000, Grade.GOOD),
        (0, 0, 1, None, Grade.GOOD),
        (0, 0, None, 10_000, Grade.GOOD),
        (1, 0, 1, 10_000, Grade.HARD),
        (0, 1, 1, 10_000, Grade.HARD),
        (1, 1, 1, 10_000, Grade.AGAIN),
        (2, 0, 1, 10_000, Grade.AGAIN),
        (7, 3, 1, 10_000, Grade.AGAIN),
    ],
)
def test_grades_follow_the_ladder_of_errors(
    errors: int, helps: int, first_ms: int | None, usual_ms: float | None, expected: Grade
) -> None:
    assert grade(errors, helps, first_ms, usual_ms) is expected


def test_what_is_always_known_comes_again_after_minutes_days_and_months() -> None:
    card, at_ms, waits = None, NOW, list[float]()
    for _ in range(6):
        card = reviewed(card, Grade.GOOD, at_ms)
        waits.append((due_ms(card) - at_ms) / DAY)
        at_ms = due_ms(card)
    assert waits == [10 * MINUTE / DAY, 2, 11, 46, 163, LONGEST_DAYS]


@pytest.mark.parametrize("result", [Result.SHOWN, Result.SKIPPED])
def test_what_had_to_be_shown_comes_again_at_once(result: Result) -> None:
    card = cards([answered("a", NOW, result=result)])["a"]
    assert due_ms(card) <= NOW + MINUTE


def test_a_quick_answer_is_easy_once_it_is_known_what_is_usual() -> None:
    slow = [answered("a", NOW + n * DAY, first_answer_ms=9_000) for n in range(3)]
    at_ms = NOW + 3 * DAY
    easy, good = (cards([*slow, answered("a", at_ms, first_answer_ms=ms)]) for ms in (2_000, 9_000))
    assert due_ms(easy["a"]) > due_ms(good["a"])
    early = [cards([answered("a", NOW, first_answer_ms=ms)]) for ms in (1, 9_000)]
    assert early[0] == early[1]


def test_what_waits_longest_is_due_first() -> None:
    known = cards([answered("b", NOW), answered("a", NOW + 1), answered("c", NOW + DAY)])
    assert due(known, NOW + 10 * MINUTE - 1) == []
    assert due(known, NOW + DAY) == ["b", "a"]


ROWS = st.lists(
    st.tuples(
        st.sampled_from("abcd"),
        st.integers(0, 40 * DAY),
        st.sampled_from([0] * 6 + [-YEARS, YEARS, -DAY, DAY]),
        st.integers(0, 3),
        st.sampled_from(Result),
    ),
    min_size=1,
    max_size=40,
)
"""Exercise, time that passed, by how much the clock was set meanwhile, errors, result."""


def log_of(rows: list[tuple[str, int, int, int, Result]]) -> list[Answered]:
    clock = accumulate((passed + jump for _, passed, jump, _, _ in rows), initial=NOW)
    return [
        answered(exercise, at_ms, errors, result)
        for (exercise, _, _, errors, result), at_ms in zip(rows, list(clock)[1:], strict=True)
    ]


@given(rows=ROWS, seed=st.integers())
def test_the_same_log_makes_the_same_cards_whatever_chance_says(
    rows: list[tuple[str, int, int, int, Result]], seed: int
) -> None:
    log = log_of(rows)
    schedule = Schedule()
    for row in log:
        schedule.take(row)
    random.seed(seed)
    assert cards(log) == schedule.cards


@given(rows=ROWS)
@example(rows=[("a", 0, YEARS, 0, Result.SOLVED)] * 4 + [("a", 0, -DAY, 0, Result.SOLVED)])
def test_however_the_clock_is_set_no_card_is_lost_and_none_is_due_for_ever(
    rows: list[tuple[str, int, int, int, Result]],
) -> None:
    log, schedule = log_of(rows), Schedule()
    for row in log:
        schedule.take(row)
        assert row.exercise not in due(schedule.cards, schedule.now_ms(row.asked_at_ms))
    assert schedule.cards.keys() == {row.exercise for row in log}
    later_ms, highest_ms = log[-1].asked_at_ms + LONGEST_DAYS * DAY, max(r.asked_at_ms for r in log)
    if later_ms > highest_ms:  # from there on; what the clock showed before is not counted again
        later_ms = highest_ms + LONGEST_DAYS * DAY
    assert set(due(schedule.cards, schedule.now_ms(later_ms))) == schedule.cards.keys()
    for key in due(schedule.cards, schedule.now_ms(later_ms)):
        schedule.take(answered(key, later_ms))
    assert due(schedule.cards, schedule.now_ms(later_ms)) == []


@given(first=st.integers(), rest=st.lists(st.integers()))
def test_time_never_goes_back_and_ends_where_dates_do(first: int, rest: list[int]) -> None:
    reckoning = Reckoning.start(first)
    for clock_ms in rest:
        before, reckoning = reckoning, reckoning.then(clock_ms)
        assert 0 <= before.now_ms <= reckoning.now_ms <= LATEST_MS
    reviewed(None, Grade.EASY, reckoning.now_ms)


@given(passed=st.lists(st.integers(0, 400 * DAY), max_size=20))
def test_a_clock_that_is_right_counts_as_it_is(passed: list[int]) -> None:
    reckoning = Reckoning.start(NOW)
    for clock_ms in accumulate(passed, initial=NOW):
        reckoning = reckoning.then(clock_ms)
        assert reckoning.now_ms == clock_ms


def test_a_clock_that_woke_years_ago_and_was_set_right_counts_nothing_twice() -> None:
    reckoning = Reckoning.start(NOW)
    for _ in range(20):  # each time the board is switched on
        reckoning = reckoning.then(NOW - YEARS)
    assert reckoning.now_ms == NOW
    assert reckoning.then(NOW + DAY).now_ms == NOW + DAY


def test_nobody_waits_until_a_clock_that_was_ahead_is_reached() -> None:
    log = [answered("a", NOW + YEARS), answered("a", NOW)]
    schedule = Schedule()
    for row in log:
        schedule.take(row)
    assert due(schedule.cards, schedule.now_ms(NOW + 3 * DAY)) == ["a"]


def test_neither_the_clock_nor_chance_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        pytest.fail("asked")

    monkeypatch.setattr("time.sleep", never)
    monkeypatch.setattr("fsrs.scheduler.random", never)
    card: fsrs.Card | None = None
    for n in range(10):
        card = reviewed(card, Grade.GOOD, NOW + n * 30 * DAY)
