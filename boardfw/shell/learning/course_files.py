"""The files of a course, read: ``course/*.toml``, a lesson each, and their texts in ``text/``.

A faulty lesson never starts. It is left out, with a line that says what to mend; the others are
taught. An outline names the exercises of a lesson without computing their answers, so that progress
is shown at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import msgspec

import boardfw.learning
from boardfw.document import Document, read_document
from boardfw.errors import BoardError, LessonError
from boardfw.learning.checking.coverage import Statement, read_statements
from boardfw.learning.checking.lesson_checks import examine
from boardfw.learning.course import Course
from boardfw.learning.progress import Outline
from boardfw.learning.reading.draft import Draft, Fault, read_lesson
from boardfw.learning.reading.sheet import strays

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


TEXTS = "text/en.toml"


@dataclass(frozen=True, slots=True)
class Library:
    """What was found: drafts without a fault, and a line for each fault."""

    drafts: tuple[Draft, ...]
    """In the order in which they can be learnt."""
    course: Course
    statements: dict[int, Statement]
    complaints: list[str]


def load_course(directory: Path | None = None) -> tuple[Course, list[str]]:
    """The lessons of a directory, by default the course of the package, and what is wrong.

    Each complaint is one line: ``FILE:LINE: what is wrong and how to mend it``.
    """
    library = read_library(directory)
    return library.course, library.complaints


def read_library(directory: Path | None = None) -> Library:
    """As ``load_course``, with what the validator looks at."""
    with resources.as_file(resources.files("boardfw.learning")) as ours:
        return _Reader(directory or ours, ours).library()


class _Reader:
    """Reads the files below one directory."""

    def __init__(self, directory: Path, ours: Path) -> None:
        self.directory = directory
        self.ours = ours
        """Where the package's own files are."""
        self.complaints: list[str] = []
        self.unread: list[str] = []
        """Ids, by their names, of files that could not be read as lessons."""

    def library(self) -> Library:
        """Everything, as far as it can be used."""
        try:
            statements = self.statements()
            texts = read_document(self.directory / TEXTS, LessonError)
        except LessonError as error:
            return Library((), Course(), {}, [str(error)])
        sound: list[Draft] = []
        drafts = list(self.drafts(texts))
        for draft, faults in examine(drafts, statements, self.unread):
            self.complaints += [fault.line() for fault in faults]
            sound += [] if faults else [draft]
        if not self.unread:  # else the texts cannot be matched to exercises
            self.complaints += [fault.line() for fault in _strays(texts, drafts)]
        course = Course(draft.lesson() for draft in sound)
        places = {lesson.id: place for place, lesson in enumerate(course.lessons)}
        sound.sort(key=lambda draft: places[draft.sheet.id])
        return Library(tuple(sound), course, statements, self.complaints)

    def statements(self) -> dict[int, Statement]:
        """The directory's own statements, or those of the package. Raises LessonError."""
        own = self.directory / LESSONS / STATEMENTS
        path = own if own.exists() else self.ours / LESSONS / STATEMENTS
        return read_statements(read_document(path, LessonError))

    def drafts(self, texts: Document) -> Iterator[Draft]:
        """The lessons in the order of their files' names."""
        place = self.directory / LESSONS
        paths = sorted(path for path in place.glob("*.toml") if path.name != STATEMENTS)
        if not paths:
            self.complaints.append(f"{place}: no lessons; write one, for example in 01_rook.toml")
        for path in paths:
            try:
                yield read_lesson(read_document(path, LessonError), texts)
            except LessonError as error:
                self.complaints.append(str(error))
                self.unread.append(path.stem.partition("_")[2])


def _strays(texts: Document, drafts: list[Draft]) -> Iterator[Fault]:
    known: dict[str, list[str]] = {}
    for draft in drafts:
        known.setdefault(draft.sheet.id, []).extend(one.id for one in draft.sheet.exercise)
    return (Fault(texts, *trouble) for trouble in strays(texts.values, known))
