"""The course of the package, for tests that go through it."""

from __future__ import annotations

from functools import cache

from boardfw.learning.course import Exercise
from boardfw.shell.learning.course_files import load_course


@cache
def written() -> tuple[Exercise, ...]:
    """All exercises as authors have written them."""
    course, complaints = load_course()
    assert not complaints
    return tuple(exercise for lesson in course.lessons for exercise in lesson.exercises)


@cache
def varied() -> tuple[Exercise, ...]:
    """The same with all variants, each behind its exercise."""
    course, _ = load_course()
    lessons = course.lessons
    return tuple(one for lesson in lessons for e in lesson.exercises for one in lesson.of(e.key))


def name(exercise: Exercise) -> str:
    """An exercise, for the reader of a failure."""
    return f"{exercise.key}/{exercise.variant}" if exercise.variant else exercise.key
