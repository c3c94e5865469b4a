"""How far a learner is, and what comes next."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from boardfw.learning.answer_log import Answered, Result
from boardfw.learning.progress import LONGEST_MS, MOST_CARDS, Next, Outline, Progress, Session
from tests.learning.test_schedule import DAY, MINUTE, NOW

LESSONS = {
    "rook": Outline(("rook.a", "rook.b")),
    "castle": Outline(("castle.a",), after=("rook", "king")),
    "king": Outline(("king.a", "king.b", "king.c"), after=("rook", "of_another_course")),
}
KEYS = [key for lesson in LESSONS.values() for key in lesson.exercises]
FULL = Session(repeated=MOST_CARDS)


def row(key: str, at_ms: int = NOW, errors: int = 0, result: Result = Result.SOLVED) -> Answered:
    return Answered(key, "", at_ms, 5_000, errors, 0, result)


def test_a_lesson_is_passed_when_all_is_solved_and_gold_when_it_was_once_without_help() -> None:
    progress = Progress(LESSONS, [row("rook.a", errors=1)])
    assert progress.passed() == set()
    progress.take(row("rook.b"))
    assert (progress.passed(), progress.gold()) == ({"rook"}, set())
    progress.take(row("rook.a")._replace(helps=1))
    assert progress.gold() == set()
    progress.take(row("rook.a"))
    assert progress.gold() == {"rook"}
    progress.take(row("rook.a", errors=3))  # what was won is never lost
    assert progress.gold() == {"rook"}


def test_what_was_shown_or_skipped_is_not_solved() -> None:
    log = [row("rook.a", result=Result.SHOWN), row("rook.b", result=Result.SKIPPED)]
    assert Progress(LESSONS, log).solved == set()


def test_the_first_open_lesson_and_its_first_exercise_come_next() -> None:
    assert Progress(LESSONS).next(NOW, Session()) == Next("rook", "rook.a", is_repetition=False)
    log = [row("rook.a"), row("rook.b")]
    progress = Progress(LESSONS, log)
    assert list(progress.open()) == ["king"]
    assert progress.next(NOW, Session()) == Next("king", "king.a", is_repetition=False)


def test_what_went_wrong_comes_again_when_others_were_asked() -> None:
    progress = Progress(LESSONS, [row("rook.a"), row("rook.b")])
    progress.take(row("king.a", result=Result.SHOWN))
    asked = []
    for _ in range(4):
        following = progress.next(NOW, Session())
        assert following is not None
        asked.append(following.exercise)
        progress.take(row(following.exercise))
    assert asked == ["king.b", "king.c", "king.a", "castle.a"]
    assert progress.next(NOW, Session()) is None


def test_what_is_left_for_another_time_does_not_bar_the_next_lesson() -> None:
    progress = Progress(LESSONS, [row("rook.a")])
    left = Session(left=frozenset({"rook.b"}))
    assert progress.next(NOW, left) == Next("king", "king.a", is_repetition=False)
    assert progress.next(NOW, Session()) == Next("rook", "rook.b", is_repetition=False)
    everything = Session(left=frozenset(KEYS))
    assert progress.next(NOW, everything) is None
    due = progress.next(NOW + 400 * DAY, Session())
    assert due == Next("rook", "rook.a", is_repetition=True)
    assert progress.next(NOW + 400 * DAY, everything) is None  # nor is it repeated


def test_what_is_due_goes_first_until_the_session_is_full() -> None:
    progress = Progress(LESSONS, [row("rook.b"), row("rook.a", NOW + 1)])
    later_ms = NOW + DAY
    assert progress.due(NOW + MINUTE) == []
    assert progress.due(later_ms) == ["rook.b", "rook.a"]
    assert progress.next(later_ms, Session()) == Next("rook", "rook.b", is_repetition=True)
    assert progress.next(later_ms, Session(MOST_CARDS - 1, LONGEST_MS - 1)) is not None
    for full in (FULL, Session(0, LONGEST_MS)):
        assert progress.next(later_ms, full) == Next("king", "king.a", is_repetition=False)


def test_exercises_of_no_lesson_ask_for_nothing_but_their_cards_are_there() -> None:
    progress = Progress(LESSONS, [row("gone.a"), row("opening:17")])
    assert progress.due(NOW + DAY) == []
    assert progress.schedule.cards.keys() == {"gone.a", "opening:17"}


@given(
    st.lists(
        st.builds(
            row,
            st.sampled_from(KEYS),
            st.integers(NOW, NOW + 100 * DAY),
            st.integers(0, 3),
            st.sampled_from(Result),
        )
    )
)
def test_progress_that_goes_along_is_that_of_the_whole_log(log: list[Answered]) -> None:
    along = Progress(LESSONS)
    for answered in log:
        along.take(answered)
    whole = Progress(LESSONS, log)
    clock_ms = NOW + 100 * DAY
    assert (along.passed(), along.gold()) == (whole.passed(), whole.gold())
    assert along.due(clock_ms) == whole.due(clock_ms)
    assert along.next(clock_ms, Session()) == whole.next(clock_ms, Session())


@given(st.lists(st.sampled_from(Result), max_size=60), st.integers(0, 2 * DAY))
def test_going_on_leads_to_the_end_of_all_lessons(results: list[Result], wait_ms: int) -> None:
    progress, clock_ms = Progress(LESSONS), NOW
    for n in range(len(results) + len(KEYS)):
        following = progress.next(clock_ms, FULL)
        if following is None:
            break
        lesson = LESSONS[following.lesson]
        assert progress.passed() >= LESSONS.keys() & lesson.after
        result = results[n] if n < len(results) else Result.SOLVED
        progress.take(row(following.exercise, clock_ms, result=result))
        clock_ms += wait_ms
    assert progress.passed() == LESSONS.keys()
