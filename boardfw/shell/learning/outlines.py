"""Which lessons there are, and which exercises: by their names alone, without what they ask.

Who looks how far a learner is need not wait until every answer has been computed.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

import boardfw.learning
from boardfw.document import read_document
from boardfw.errors import BoardError
from boardfw.learning.progress import Outline

OURS = Path(boardfw.learning.__file__).parent
LESSONS = "course"
STATEMENTS = "statements.toml"
"""Beside the lessons, and none itself."""


class _Exercise(msgspec.Struct):
    id: str


class _Lesson(msgspec.Struct):
    """Of a lesson's file what counts here."""

    id: str
    exercise: list[_Exercise] = []
    after: list[str] = []


def read_outlines(directory: Path = OURS) -> dict[str, Outline]:
    """The lessons ``course/*.toml`` of a directory, in the order of their files, by their ids.

    Raises BoardError.
    """
    paths = sorted((directory / LESSONS).glob("*.toml"))
    lessons = [_read(path) for path in paths if path.name != STATEMENTS]
    return {lesson.id: _outline(lesson) for lesson in lessons}


def _read(path: Path) -> _Lesson:
    values = read_document(path, BoardError).values
    try:
        return msgspec.convert(values, _Lesson)
    except msgspec.ValidationError as error:
        raise BoardError(
            f"{path}: is no lesson ({error}); 'boardfw learn check' says more"
        ) from error


def _outline(lesson: _Lesson) -> Outline:
    keys = tuple(f"{lesson.id}.{exercise.id}" for exercise in lesson.exercise)
    return Outline(keys, tuple(lesson.after))
