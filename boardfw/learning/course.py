"""The course: exercises by key, and lessons in an order in which they can be learnt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from boardfw.learning.task import NAMES, Task
from boardfw.phrase import Table
from boardfw.rules import Color, Move, Position
from boardfw.rules.reasons import Why
from boardfw.squares import Square


@dataclass(frozen=True, slots=True)
class Words:
    """What is said of an exercise, in sentences without placeholders."""

    say: str = ""
    """Your colour, what to do, how many answers there are."""
    hint1: str = ""
    hint2: str = ""
    solved: str = ""
    """What was learnt."""


class Remark(NamedTuple):
    """What is said of a legal move that is not right. ``is_error``: it counts as one."""

    text: str
    is_error: bool


@dataclass(frozen=True, slots=True)
class Exercise:
    """``key``: lesson and exercise, as ``castle_not.through_check``; answers are kept under it.

    ``variant``: how it was made from what the lesson says: empty, mirror, colours or both.
    """

    key: str
    position: Position
    task: Task
    words: Words = field(default_factory=Words)
    variant: str = ""
    why: Why | None = None
    """The reason that the error to be expected has."""
    you: Color = 0
    """The colour that is asked."""
    jumped: Square | None = None
    """The square that a pawn's double step has just jumped, even if no pawn can capture there."""
    lights: bool = True
    """Whether lights may ask; False: words alone, until the first error."""
    remarks: Mapping[Move, Remark] = field(default_factory=dict, hash=False)
    """What is known of single moves that are not right."""

    @property
    def type(self) -> str:
        """The type of the task, as lessons write it."""
        return NAMES[type(self.task)]


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson.

    ``after``: lessons to be passed first; one that is not in the course is no hindrance.
    ``documents`` and ``statements``: the rule documents, by letter, and the numbers of the
    teachable statements that it meets.
    """

    id: str
    name: str
    goal: str
    """What a learner knows after it."""
    exercises: tuple[Exercise, ...]
    """As they are written, in their order."""
    variants: Mapping[str, tuple[Exercise, ...]] = field(default_factory=dict)
    """By the key of an exercise, the others that were made from it."""
    after: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    statements: tuple[int, ...] = ()

    def of(self, key: str) -> tuple[Exercise, ...]:
        """An exercise by its key, and its variants behind it; empty if it is not here."""
        written = tuple(exercise for exercise in self.exercises if exercise.key == key)
        return written + tuple(self.variants.get(key, ()))


class Course:
    """Lessons, each behind all those that come before it."""

    def __init__(
        self, lessons: Iterable[Lesson] = (), languages: Mapping[str, Table] | None = None
    ) -> None:
        """Lessons in the order asked for; where that cannot be, those needed go first.

        ``languages``: what they say in other languages than English.
        """
        self.languages = languages or {}
        self.lessons = tuple(in_order({lesson.id: lesson for lesson in lessons}))
        self._lessons = {lesson.id: lesson for lesson in self.lessons}

    def lesson(self, id: str) -> Lesson | None:  # noqa: A002  # it is the lesson's id
        """The lesson of this id."""
        return self._lessons.get(id)

    def get(self, key: str) -> Exercise | None:
        """An exercise by ``lesson.exercise``, or one of its variants by ``.../colours``."""
        written, _, variant = key.partition("/")
        lesson = self._lessons.get(written.partition(".")[0])
        found = () if lesson is None else lesson.of(written)
        return next((exercise for exercise in found if exercise.variant == variant), None)


def in_order(lessons: Mapping[str, Lesson]) -> list[Lesson]:
    """The same, each behind those it needs; lessons that need each other stay as they come."""
    ordered: dict[str, Lesson] = {}
    entered: set[str] = set()
    waiting = [*lessons.values()][::-1]
    while waiting:  # no recursion, which is not deep enough for a thousand lessons
        lesson = waiting[-1]
        if lesson.id in entered:
            ordered.setdefault(lesson.id, waiting.pop())
        else:
            entered.add(lesson.id)
            needed = (lessons[id_] for id_ in reversed(lesson.after) if id_ in lessons)
            waiting += (one for one in needed if one.id not in entered)
    return list(ordered.values())
