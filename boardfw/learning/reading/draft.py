"""A lesson as it is read: its tasks and exercises as far as they could be made, and its faults."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from boardfw.document import Document
from boardfw.document import Place as FilePlace
from boardfw.errors import NotationError
from boardfw.learning import queries
from boardfw.learning.course import Exercise, Lesson, Words
from boardfw.learning.lone_piece import way
from boardfw.learning.queries import may, reach, state
from boardfw.learning.reading.placeholders import PLACEHOLDERS, names_of, open_places
from boardfw.learning.reading.sheet import (
    ABOUT_EXERCISE,
    ABOUT_LESSON,
    ExerciseSheet,
    LessonSheet,
    TaskSheet,
    texts_of,
)
from boardfw.learning.task import (
    NAMES,
    All,
    Find,
    Goal,
    Line,
    May,
    OneMove,
    Place,
    Play,
    Reach,
    Stars,
    State,
    Task,
    Touch,
    Verdict,
)
from boardfw.learning.variant import VARIANTS
from boardfw.notation.fen import parse_fen, parse_setup
from boardfw.notation.san import parse_san
from boardfw.phrase import Phrase
from boardfw.rules import BLACK, WHITE, Color, Move, Position
from boardfw.rules.position import Key
from boardfw.squares import BY_NAME, Bitboard, Square, bitboard_of

BESIDE = {
    "proof": ("place",),
    "by": ("may",),
    "you": ("line", "play"),
    "notation": ("line",),
    "claims": ("line",),
    "plies": ("play",),
}
"""Keys beside those of the types, and the types that they belong to."""
_USUAL = TaskSheet()
_COLORS = {"white": WHITE, "black": BLACK}


def type_of(sheet: TaskSheet) -> str:
    """The type of a task. Raises NotationError if there is not exactly one, or a stray key."""
    if not sheet.types:
        raise NotationError(f"no type of task; write one of {', '.join(NAMES.values())}")
    if len(sheet.types) > 1:
        raise NotationError(f"{' and '.join(sheet.types)} are two tasks; keep one")
    (name,) = sheet.types
    for key, types in BESIDE.items():
        if getattr(sheet, key) != getattr(_USUAL, key) and name not in types:
            raise NotationError(f"{key!r} belongs to {' and '.join(types)}; remove it")
    return name


def you_of(position: Position, sheet: TaskSheet) -> Color:
    """The colour that is asked: the side to move, unless the task says otherwise."""
    return position.turn if sheet.you is None else _COLORS.get(sheet.you, position.turn)


def _pieces_of_query(position: Position, query: str) -> Bitboard:
    found = queries.squares(position, query)
    if not found:
        raise NotationError(f"no piece is {query!r} here; ask for pieces that are there")
    return found


def _moves(position: Position, query: str) -> tuple[Move, ...]:
    found = queries.moves(position, query)
    if not found:
        raise NotationError(f"no legal move is {query!r} here; change the position or the task")
    return found


def _own(position: Position, square: str) -> Square:
    if not position.pieces(position.turn) >> BY_NAME[square] & 1:
        raise NotationError(f"no piece of the side to move stands on {square}; name its square")
    return BY_NAME[square]


def _stars(position: Position, sheet: TaskSheet) -> Stars:
    stars = bitboard_of(BY_NAME[square] for square in sheet.stars)
    found = way(position, stars)
    if found is None:
        raise NotationError("no moves visit all these stars; move a star, or add a piece")
    return Stars(stars, len(found))


def _touch(position: Position, sheet: TaskSheet) -> Touch:
    asks, _, about = sheet.touch.partition(":")
    return Touch(queries.squares(position, sheet.touch), asks, BY_NAME.get(about))


def _reach(position: Position, sheet: TaskSheet) -> Reach:
    origin = _own(position, sheet.reach)
    return Reach(origin, reach(position, origin))


def _may(position: Position, sheet: TaskSheet) -> May:
    origin, target = _own(position, sheet.may[:2]), BY_NAME[sheet.may[2:]]
    allowed = may(position, origin, target, by_exchange=sheet.by == "exchange")
    return May(origin, target, allowed)


def _line(position: Position, sheet: TaskSheet) -> Line:
    you = None if sheet.you == "both" else you_of(position, sheet)
    plies: list[tuple[Move, ...]] = []
    earlier: list[Key] = []
    for word in sheet.line.split():
        plies.append(tuple(parse_san(position, san) for san in word.split("/")))
        earlier.append(position.key)
        position = position.play(plies[-1][0])
    if not plies:
        raise NotationError("no moves; write the line in SAN, such as 'e4 e5'")
    if len(plies) == 1 and you == position.turn:
        raise NotationError(f"no move of {sheet.you} in this line; change 'you' or the line")
    can_be_claimed = state(position, earlier) is State.CLAIM
    if sheet.claims is not None and sheet.claims is not can_be_claimed:
        end = "can be claimed" if can_be_claimed else "cannot be claimed"
        raise NotationError(f"a draw {end} after this line; change 'claims' or the line")
    return Line(tuple(plies), you, sheet.claims)


def _play(position: Position, sheet: TaskSheet) -> Play:
    if not position.legal_moves():
        raise NotationError("no move is legal here; begin with a game that goes on")
    return Play(sheet.play or Goal.GAME, you_of(position, sheet), sheet.plies)


_MAKERS: Mapping[str, Callable[[Position, TaskSheet], Task]] = {
    "find": lambda _, sheet: Find(tuple(BY_NAME[square] for square in sheet.find)),
    "place": lambda position, sheet: Place(
        sheet.place == "guided",
        tuple(_pieces_of_query(position, query) for query in sheet.proof),
    ),
    "touch": _touch,
    "reach": _reach,
    "stars": _stars,
    "move": lambda position, sheet: OneMove(_moves(position, sheet.move)),
    "all": lambda position, sheet: All(_moves(position, sheet.all)),
    "may": _may,
    "verdict": lambda position, _: Verdict(state(position)),
    "line": _line,
    "play": _play,
}


def task_of(position: Position, sheet: TaskSheet) -> Task:
    """The task. Raises NotationError: what in it cannot be asked in this position."""
    return _MAKERS[type_of(sheet)](position, sheet)


class Fault(NamedTuple):
    """One thing that is wrong: where, and what to do about it."""

    document: Document
    place: FilePlace
    what: str

    def line(self) -> str:
        """``FILE:LINE: what is wrong and how to mend it``."""
        return f"{self.document.at(self.place)}: {self.what}"


@dataclass(frozen=True, slots=True)
class DraftedExercise:
    """An exercise that could be made."""

    place: FilePlace
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


class Draft:
    """A lesson's file, and what came of it: the exercises that could be made, and why others could
    not."""

    def __init__(self, document: Document, texts: Document) -> None:
        """Raises the document's error if the file has another shape."""
        self.document, self.texts = document, texts
        self.sheet = document.fit(LessonSheet)
        self.faults: list[Fault] = []
        self.about = self._said((self.sheet.id,), ABOUT_LESSON)
        """Its name and its goal."""
        self.exercises = tuple(self._exercises())

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

    def all_texts(self) -> Iterator[str]:
        """As they are written, in English."""
        yield from self.about.values()
        for drafted in self.exercises:
            yield from drafted.texts.values()

    def _said(self, place: FilePlace, keys: tuple[str, ...]) -> Mapping[str, str]:
        """The texts below a heading; what is missing is a fault."""
        said, troubles = texts_of(self.texts.values, place, keys)
        self.faults += [Fault(self.texts, *trouble) for trouble in troubles]
        return said

    def _exercises(self) -> Iterator[DraftedExercise]:
        for number, sheet in enumerate(self.sheet.exercise):
            place: FilePlace = ("exercise", number)
            heading = (self.sheet.id, sheet.id)
            texts = self._said(heading, ABOUT_EXERCISE)
            written = self._made(place, sheet)
            if written is None:
                continue
            exercises = [written, *self._varied(place, sheet, written)]
            made = tuple(self._worded(heading, texts, sheet, one) for one in exercises)
            yield DraftedExercise(place, sheet, texts, made)

    def _made(self, place: FilePlace, sheet: ExerciseSheet) -> Exercise | None:
        """The exercise as it is written, without words; None where something in it is wrong."""
        read = "fen"
        try:
            position = parse_fen(sheet.fen, strict=True)
            read = "task"
            task = task_of(position, sheet.task)
        except NotationError as error:
            self._fault((*place, read), str(error))
            return None
        return Exercise(
            f"{self.sheet.id}.{sheet.id}",
            position,
            task,
            why=sheet.why,
            you=you_of(position, sheet.task),
            jumped=parse_setup(sheet.fen).en_passant,
            lights=sheet.lights,
        )

    def _varied(
        self, place: FilePlace, sheet: ExerciseSheet, written: Exercise
    ) -> Iterator[Exercise]:
        """Its variants; mirrored positions cannot have castling."""
        for item, name in enumerate(sheet.variants):
            variant = VARIANTS[name]
            if variant.suits(written.position):
                yield variant.exercise(written)
            else:
                what = f"{name!r} does not go with rights to castle; remove it"
                self._fault((*place, "variants", item), what)

    def _worded(
        self, heading: FilePlace, texts: Mapping[str, str], sheet: ExerciseSheet, exercise: Exercise
    ) -> Exercise:
        """The exercise with its words filled in."""
        names = names_of(exercise, is_descriptive=sheet.task.notation == "descriptive")
        if not exercise.variant:
            for key, text in texts.items():
                for name in [one for one in open_places(text) if one not in names]:
                    self._placeholder((*heading, key), name, names, type_of(sheet.task))
        return replace(exercise, words=Words(**{k: Phrase(t, **names) for k, t in texts.items()}))

    def _placeholder(
        self, place: FilePlace, name: str, names: Mapping[str, str], type_: str
    ) -> None:
        """Complain of a placeholder that nothing stands for."""
        is_known = name in PLACEHOLDERS
        known = ", ".join(f"{{{one}}}" for one in (names if is_known else PLACEHOLDERS))
        what = f"means nothing in this {type_!r} task" if is_known else "is no placeholder"
        self.faults.append(Fault(self.texts, place, f"{{{name}}} {what}; there are {known}"))

    def _fault(self, place: FilePlace, what: str) -> None:
        """Complain of something in the lesson's file."""
        self.faults.append(Fault(self.document, place, what))
