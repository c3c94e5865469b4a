"""Lessons and exercises by name, given to a learner, or an error that names the known ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from boardfw.cli.games.open_collection import place_of
from boardfw.cli.journal import complain
from boardfw.cli.learn.lesson_options import Place
from boardfw.cli.learn.teaching import Teaching
from boardfw.errors import BoardError
from boardfw.learning.course import Course, Exercise, Lesson
from boardfw.learning.progress import Progress
from boardfw.learning.source import InOrder
from boardfw.shell.config import load_config
from boardfw.shell.dates import Calendar
from boardfw.shell.learning.answer_store import Answers
from boardfw.shell.learning.course_files import load_course
from boardfw.shell.learning.learner import Guided, Log, one_lesson, outline_of
from boardfw.shell.store.record_lock import own


def lines_of_lessons(
    directory: Path | None, profile: str, record: Path | None, config: Path | None
) -> Iterator[str]:
    """A line for each lesson, and how to start one. Raises BoardError."""
    course, file = course_of(directory), place_of(record, config)
    passed, gold = set[str](), set[str]()
    if file.exists():
        with closing(Answers.to_read(file)) as answers:
            rows = answers.rows(answers.profile(profile))
        progress = Progress({one.id: outline_of(one) for one in course.lessons}, rows)
        passed, gold = progress.passed(), progress.gold()
    width = max(len(lesson.id) for lesson in course.lessons)
    for lesson in course.lessons:
        mark = "*" if lesson.id in gold else "+" if lesson.id in passed else " "
        yield f"{mark} {lesson.id:<{width}}  {lesson.name}: {lesson.goal}"
    yield "+ passed, * without an error; start one with: boardfw learn start ID"


def give(
    place: Place, lesson: str | None, directory: Path | None, profile: str, record: Path | None
) -> int:
    """Give a lesson, or whatever comes next; the exit status. Raises BoardError."""
    course = course_of(directory)
    wanted = None if lesson is None else lesson_of(course, lesson)
    with log_of(course, profile, place_of(record, place.config), place.config) as log:
        if wanted is None:
            return Teaching(place, f"lessons · {log.profile}").run(Guided(course, log), log)
        source = one_lesson(wanted, log.progress.solved)
        return Teaching(place, f"{wanted.name} · {log.profile}").run(source, log)


def try_out(place: Place, key: str, directory: Path | None) -> int:
    """Give one exercise, and keep nothing; the exit status. Raises BoardError."""
    course = course_of(directory)
    return Teaching(place, key).run(InOrder([exercise_of(course, key)]))


def course_of(directory: Path | None) -> Course:
    """The lessons that can be given; what is wrong with others is said. Raises BoardError."""
    course, complaints = load_course(directory)
    for complaint in complaints:
        complain(complaint)
    if not course.lessons:
        raise BoardError("there is no lesson that can be given")
    return course


def lesson_of(course: Course, name: str) -> Lesson:
    """A lesson by its id. Raises BoardError."""
    lesson = course.lesson(name)
    if lesson is None:
        known = ", ".join(one.id for one in course.lessons)
        raise BoardError(f"{name}: no lesson has this name; there are {known}")
    return lesson


def exercise_of(course: Course, key: str) -> Exercise:
    """An exercise, or a variant of one, by its key. Raises BoardError."""
    exercise = course.get(key)
    if exercise is not None:
        return exercise
    lesson, plain = lesson_of(course, key.partition(".")[0]), key.partition("/")[0]
    if course.get(plain) is None:
        keys = ", ".join(one.key for one in lesson.exercises)
        raise BoardError(f"{key}: no exercise has this name; there are {keys}")
    varied = ", ".join(f"{plain}/{one.variant}" for one in lesson.of(plain) if one.variant)
    there = f"there are {varied}" if varied else f"{plain} has none"
    raise BoardError(f"{key}: no variant has this name; {there}")


@contextmanager
def log_of(course: Course, profile: str, file: Path, config: Path | None) -> Iterator[Log]:
    """The log of a profile; no game is played meanwhile on its file. Raises BoardError."""
    calendar = Calendar(load_config(config).record.dates)
    with (
        closing(own(file)),
        closing(Log(Answers.to_learn(file, profile), profile, calendar, course)) as log,
    ):
        yield log
