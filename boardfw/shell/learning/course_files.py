"""The files of a course, read: ``course/*.toml``, a lesson each, and their texts in ``text/``.

A faulty lesson never starts. It is left out, with a line that says what to mend; the others are
taught. An outline names the exercises of a lesson without computing their answers, so that progress
is shown at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

import boardfw.learning
from boardfw.document import Document, Place, Trouble, read_document
from boardfw.errors import BoardError, LessonError
from boardfw.languages import table_of
from boardfw.learning.checking.coverage import Statement, read_statements
from boardfw.learning.checking.lesson_checks import examine
from boardfw.learning.course import Course
from boardfw.learning.progress import Outline
from boardfw.learning.reading.draft import Draft, Fault
from boardfw.learning.reading.placeholders import open_places
from boardfw.learning.reading.sheet import is_text, strays
from boardfw.phrase import Table

OURS = Path(boardfw.learning.__file__).parent
LESSONS = "course"
STATEMENTS = "statements.toml"
"""Beside the lessons, and none itself."""


class _Exercise(msgspec.Struct):
    id: str


class _Lesson(msgspec.Struct):
    """Of a lesson's file what counts here."""

    id: str
    exercise: tuple[_Exercise, ...] = ()
    after: tuple[str, ...] = ()


def read_outlines(directory: Path = OURS) -> dict[str, Outline]:
    """The lessons ``course/*.toml`` of a directory, in the order of their files, by their ids.

    Raises BoardError.
    """
    return {
        lesson.id: Outline(tuple(f"{lesson.id}.{one.id}" for one in lesson.exercise), lesson.after)
        for lesson in map(_read, _lesson_paths(directory))
    }


def _lesson_paths(directory: Path) -> list[Path]:
    """The files of lessons, in the order of their names."""
    found = (directory / LESSONS).glob("*.toml")
    return sorted(path for path in found if path.name != STATEMENTS)


def _read(path: Path) -> _Lesson:
    values = read_document(path, BoardError).values
    try:
        return msgspec.convert(values, _Lesson)
    except msgspec.ValidationError as error:
        raise BoardError(
            f"{path}: is no lesson ({error}); 'boardfw learn check' says more"
        ) from error


TEXTS = Path("text", "en.toml")
"""In English, by which a lesson is held to be whole. Files beside it are other languages."""
LONGEST = 180
"""Characters of a text in another language, as it is written."""


@dataclass(frozen=True, slots=True)
class Library:
    """What was found: drafts without a fault, and a line for each fault."""

    drafts: tuple[Draft, ...]
    """In the order in which they can be learnt."""
    course: Course
    statements: dict[int, Statement]
    complaints: list[str]

    def in_languages(self) -> Iterator[str]:
        """How much of the texts there is in each other language: ``texts in de: 660 of 660``."""
        texts = [text for draft in self.drafts for text in draft.all_texts()]
        for language, table in self.course.languages.items():
            yield f"texts in {language}: {sum(text in table for text in texts)} of {len(texts)}"


def load_course(directory: Path | None = None) -> tuple[Course, list[str]]:
    """The lessons of a directory, by default the course of the package, and what is wrong.

    Each complaint is one line: ``FILE:LINE: what is wrong and how to mend it``.
    """
    if directory is None:
        course, complaints = _shipped()
        return course, list(complaints)
    library = read_library(directory)
    return library.course, library.complaints


@cache
def _shipped() -> tuple[Course, list[str]]:
    """Read the course of the package, which does not change while a process runs."""
    library = read_library()
    return library.course, library.complaints


def read_library(directory: Path | None = None) -> Library:
    """As ``load_course``, with what the validator looks at."""
    with resources.as_file(resources.files("boardfw.learning")) as ours:
        return _library(directory or ours, ours)


def _library(directory: Path, ours: Path) -> Library:
    """What is below a directory, as far as it can be used; its own statements, or ``ours``."""
    own = directory / LESSONS / STATEMENTS
    try:
        path = own if own.exists() else ours / LESSONS / STATEMENTS
        statements = read_statements(read_document(path, LessonError))
        texts = read_document(directory / TEXTS, LessonError)
    except LessonError as error:
        return Library((), Course(), {}, [str(error)])
    drafts, unread, complaints = _drafts(directory, texts)
    sound: list[Draft] = []
    for draft, faults in examine(drafts, statements, unread):
        complaints += [fault.line() for fault in faults]
        sound += [] if faults else [draft]
    if not unread:  # else the texts cannot be matched to exercises
        complaints += [fault.line() for fault in _strays(texts, drafts)]
    languages, untranslated = _languages(directory, texts)
    complaints += untranslated
    course = Course((draft.lesson() for draft in sound), languages)
    places = {lesson.id: place for place, lesson in enumerate(course.lessons)}
    sound.sort(key=lambda draft: places[draft.sheet.id])
    return Library(tuple(sound), course, statements, complaints)


def _drafts(directory: Path, texts: Document) -> tuple[list[Draft], list[str], list[str]]:
    """The drafts of all lessons; ids, by their names, of files that could not be read as lessons;
    and why."""
    drafts: list[Draft] = []
    unread: list[str] = []
    complaints: list[str] = []
    paths = _lesson_paths(directory)
    if not paths:
        place = directory / LESSONS
        complaints.append(f"{place}: no lessons; write one, for example in 01_rook.toml")
    for path in paths:
        try:
            drafts.append(Draft(read_document(path, LessonError), texts))
        except LessonError as error:
            complaints.append(str(error))
            unread.append(path.stem.partition("_")[2])
    return drafts, unread, complaints


def _strays(texts: Document, drafts: list[Draft]) -> Iterator[Fault]:
    known: dict[str, set[str]] = {}
    for draft in drafts:
        known.setdefault(draft.sheet.id, set()).update(one.id for one in draft.sheet.exercise)
    return (Fault(texts, *trouble) for trouble in strays(texts.values, known))


def _languages(directory: Path, english: Document) -> tuple[dict[str, Table], list[str]]:
    """What lessons say in other languages, those sentences included that are not of one lesson; and
    what is wrong with the files. What a language has not is said in English."""
    found: dict[str, Table] = {}
    complaints: list[str] = []
    for path in sorted((directory / TEXTS).parent.glob("*.toml")):
        if path.name == TEXTS.name:
            continue
        texts: dict[str, str] = {}
        try:
            other = read_document(path, LessonError)
            complaints += [
                Fault(other, *trouble).line()
                for trouble in _pair(english.values, other.values, (), texts)
            ]
        except LessonError as error:
            complaints.append(str(error))
        found[path.stem] = {**table_of(path.stem), **texts}
    return found, complaints


def _pair(
    english: Mapping[str, Any], other: Mapping[str, Any], place: Place, table: dict[str, str]
) -> Iterator[Trouble]:
    """Enter each text into the table, below the English one; what is wrong is left out."""
    for key, text in other.items():
        here, said = (*place, key), english.get(key)
        if isinstance(text, dict) and isinstance(said, dict):
            yield from _pair(said, text, here, table)
        elif not is_text(text) or not isinstance(said, str):
            yield here, f"is no text, or {TEXTS} has none here; remove it, or write both"
        elif sorted(open_places(text)) != sorted(open_places(said)):
            places = " ".join(f"{{{name}}}" for name in open_places(said)) or "none"
            yield here, f"the English text has other places to fill: {places}; write these"
        elif len(text) > LONGEST:
            yield here, f"has {len(text)} characters; {LONGEST} are the most"
        elif table.get(said, text) != text:
            yield here, f"the same English text is {table[said]!r} further up; write that"
        else:
            table[said] = text
