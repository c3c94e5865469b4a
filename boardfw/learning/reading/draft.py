"""A lesson as it is read: its exercises as far as they could be made, and what is wrong in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from boardfw.document import Document, Place
from boardfw.errors import NotationError
from boardfw.learning.course import Lesson
from boardfw.learning.exercise import Exercise, Words
from boardfw.learning.reading.sheet import ExerciseSheet, LessonSheet
from boardfw.learning.reading.tasks import task_of, type_of, you_of
from boardfw.learning.reading.texts import ABOUT_EXERCISE, ABOUT_LESSON, texts_of
from boardfw.learning.reading.words import PLACEHOLDERS, filled, names_of, open_places
from boardfw.learning.variant import VARIANTS
from boardfw.notation.fen import parse_fen, parse_setup
from boardfw.rules import Position


class Fault(NamedTuple):
    """One thing that is wrong: where, and what to do about it."""

    document: Document
    place: Place
    what: str

    def line(self) -> str:
        """``FILE:LINE: what is wrong and how to mend it``."""
        return f"{self.document.at(self.place)}: {self.what}"


@dataclass(frozen=True, slots=True)
class DraftedExercise:
    """An exercise that could be made."""

    place: Place
    """Where in its lesson's file it stands."""
    sheet: ExerciseSheet
    texts: Mapping[str, str]
    """As they are written, with placeholders."""
    made: tuple[Exercise, ...]
    """As it is written, and its variants behind it."""

    @property
    def written(self) -> Exercise:
        """The exercise without any variant."""
        return self.made[0]


@dataclass(frozen=True, slots=True)
class Draft:
    """A lesson's file, and what came of it."""

    document: Document
    texts: Document
    sheet: LessonSheet
    about: Mapping[str, str]
    """Its name and its goal."""
    exercises: tuple[DraftedExercise, ...]
    faults: tuple[Fault, ...]
    """Why exercises could not be made."""

    def lesson(self) -> Lesson:
        """The lesson of these exercises."""
        sheet = self.sheet
        return Lesson(
            sheet.id,
            self.about.get("name", ""),
            self.about.get("goal", ""),
            tuple(drafted.written for drafted in self.exercises),
            {drafted.written.key: drafted.made[1:] for drafted in self.exercises},
            sheet.after,
            sheet.documents,
            sheet.statements,
        )


def read_lesson(document: Document, texts: Document) -> Draft:
    """The draft of a lesson. Raises the document's error if the file has another shape."""
    sheet = document.fit(LessonSheet)
    reading = _Reading(document, texts, sheet)
    return reading.draft()


class _Reading:
    """Reads one lesson, and notes what is wrong."""

    def __init__(self, document: Document, texts: Document, sheet: LessonSheet) -> None:
        self.document = document
        self.texts = texts
        self.sheet = sheet
        self.faults: list[Fault] = []

    def draft(self) -> Draft:
        """The draft, once everything has been looked at."""
        about = self.said((self.sheet.id,), ABOUT_LESSON)
        exercises = tuple(self.exercises())
        faults = tuple(self.faults)
        return Draft(self.document, self.texts, self.sheet, about, exercises, faults)

    def said(self, place: Place, keys: tuple[str, ...]) -> Mapping[str, str]:
        """The texts below a heading; what is missing is a fault."""
        said, troubles = texts_of(self.texts.values, place, keys)
        self.faults += [Fault(self.texts, *trouble) for trouble in troubles]
        return said

    def exercises(self) -> Iterator[DraftedExercise]:
        """Those that can be made."""
        for number, sheet in enumerate(self.sheet.exercise):
            place: Place = ("exercise", number)
            heading = (self.sheet.id, sheet.id)
            texts = self.said(heading, ABOUT_EXERCISE)
            written = self.made(place, sheet)
            if written is None:
                continue
            exercises = [written, *self.varied(place, sheet, written)]
            made = tuple(self.worded(heading, texts, sheet, one) for one in exercises)
            yield DraftedExercise(place, sheet, texts, made)

    def made(self, place: Place, sheet: ExerciseSheet) -> Exercise | None:
        """The exercise as it is written, without words; None where something in it is wrong."""
        try:
            position = parse_fen(sheet.fen, strict=True)
        except NotationError as error:
            self.fault((*place, "fen"), f"{error}")
            return None
        try:
            return self.asked(position, sheet)
        except NotationError as error:
            self.fault((*place, "task"), str(error))
            return None

    def asked(self, position: Position, sheet: ExerciseSheet) -> Exercise:
        """The exercise of a position. Raises NotationError for what cannot be asked there."""
        task = task_of(position, sheet.task)
        return Exercise(
            f"{self.sheet.id}.{sheet.id}",
            position,
            task,
            why=sheet.why,
            you=you_of(position, sheet.task),
            jumped=parse_setup(sheet.fen).en_passant,
            lights=sheet.lights,
        )

    def varied(self, place: Place, sheet: ExerciseSheet, written: Exercise) -> Iterator[Exercise]:
        """Its variants; nobody castles in a mirror."""
        for item, name in enumerate(sheet.variants):
            variant = VARIANTS[name]
            if variant.suits(written.position):
                yield variant.exercise(written)
            else:
                what = f"{name!r} does not go with rights to castle; remove it"
                self.fault((*place, "variants", item), what)

    def worded(
        self, heading: Place, texts: Mapping[str, str], sheet: ExerciseSheet, exercise: Exercise
    ) -> Exercise:
        """The exercise with its words filled in."""
        names = names_of(exercise, is_descriptive=sheet.task.notation == "descriptive")
        if not exercise.variant:
            for key, text in texts.items():
                for name in open_places(text):
                    self.placeholder((*heading, key), name, names, type_of(sheet.task))
        return replace(exercise, words=Words(**{k: filled(t, names) for k, t in texts.items()}))

    def placeholder(self, place: Place, name: str, names: Mapping[str, str], type_: str) -> None:
        """Complain of a placeholder that nothing stands for."""
        if name in names:
            return
        known = ", ".join(
            f"{{{name}}}" for name in (names if name in PLACEHOLDERS else PLACEHOLDERS)
        )
        unknown = f"{{{name}}} is no placeholder; there are {known}"
        empty = f"{{{name}}} means nothing in this {type_!r} task; there are {known}"
        self.faults.append(Fault(self.texts, place, empty if name in PLACEHOLDERS else unknown))

    def fault(self, place: Place, what: str) -> None:
        """Complain of something in the lesson's file."""
        self.faults.append(Fault(self.document, place, what))
