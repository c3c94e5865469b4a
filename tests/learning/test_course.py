"""Lessons come in an order in which they can be learnt, and are found by their keys."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from boardfw.learning.course import Course, Exercise, Lesson
from boardfw.learning.task import Find
from boardfw.learning.variant import VARIANTS
from boardfw.rules import Position
from boardfw.squares import Square


def lesson(id_: str, *after: str) -> Lesson:
    return Lesson(id_, id_, "", (), after=after)


def ids(course: Course) -> list[str]:
    return [lesson.id for lesson in course.lessons]


def test_the_planned_order_stays_where_it_can() -> None:
    assert ids(Course([lesson("a"), lesson("b", "d"), lesson("c"), lesson("d", "a")])) == [
        *("a", "d", "b", "c"),
    ]


@given(st.permutations(range(8)), st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7))))
def test_every_lesson_stands_behind_those_it_needs(
    order: list[int], pairs: list[tuple[int, int]]
) -> None:
    needed = {n: {str(min(pair)) for pair in pairs if max(pair) == n > min(pair)} for n in order}
    course = Course(lesson(str(n), *sorted(needed[n])) for n in order)
    assert sorted(ids(course)) == sorted(map(str, order))
    for one in course.lessons:
        place = ids(course).index(one.id)
        assert all(ids(course).index(before) < place for before in one.after)


def test_a_thousand_lessons_may_come_one_after_the_other() -> None:
    numbers = range(3000)
    course = Course(lesson(str(n), str(n - 1)) for n in reversed(numbers))
    assert ids(course) == [*map(str, numbers)]


def test_exercises_are_found_by_their_keys() -> None:
    start = Position(Position.start().placement, 0)
    written = Exercise("squares.first", start, Find((Square(28),)))
    varied = VARIANTS["colours"].exercise(written)
    held = Lesson("squares", "", "", (written,), {written.key: (varied,)})
    course = Course([held])
    assert course.get("squares.first") is written
    assert course.get("squares.first/colours") is varied
    assert held.of("squares.first") == (written, varied)
    for key in ("squares.first/mirror", "squares.second", "rook.first", "squares", ""):
        assert course.get(key) is None
