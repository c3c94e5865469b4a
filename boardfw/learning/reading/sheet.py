"""What an author may write in the file of a lesson and in the file of texts, key by key."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from boardfw.document import Place, Trouble, named, unknown_key
from boardfw.learning.task import NAMES, Goal
from boardfw.rules.reasons import Why

# Each description completes the sentence "KEY must be ...".
Flag = Annotated[bool, Meta(description="true or false")]
MaybeFlag = Annotated[bool | None, Meta(description="true or false")]
Text = Annotated[str, Meta(description="a text in quotes")]
Query = Annotated[str, Meta(description="a query in quotes, such as 'check' or 'kind:Q'")]
Queries = Annotated[tuple[Query, ...], Meta(description="a list of queries in quotes")]
SquareName = Annotated[
    str, Meta(pattern=r"^[a-h][1-8]\Z", description="a square in quotes, such as 'e4'")
]
MaybeSquare = Annotated[
    str, Meta(pattern=r"^([a-h][1-8])?\Z", description="a square in quotes, such as 'e4'")
]
SquareNames = Annotated[
    tuple[SquareName, ...], Meta(description="a list of squares in quotes, such as ['e4', 'd5']")
]
MaybeWay = Annotated[
    str,
    Meta(
        pattern=r"^([a-h][1-8][a-h][1-8])?\Z", description="two squares in quotes, such as 'e1c1'"
    ),
]
LessonId = Annotated[
    str,
    Meta(
        pattern=r"^[a-z][a-z0-9_]*\Z",
        description="a name in quotes, of small letters, digits and '_'",
    ),
]
ExerciseId = Annotated[
    str,
    Meta(
        pattern=r"^(?!name\Z|goal\Z)[a-z][a-z0-9_]*\Z",
        description="a name in quotes, of small letters, digits and '_', but for 'name' and 'goal'",
    ),
]
LessonIds = Annotated[tuple[LessonId, ...], Meta(description="a list of lessons' ids in quotes")]
DocumentLetter = Annotated[
    Literal["A", "B", "C", "D", "E"], Meta(description="a rule document: 'A' to 'E'")
]
DocumentLetters = Annotated[
    tuple[DocumentLetter, ...], Meta(description="a list of rule documents, 'A' to 'E'")
]
Number = Annotated[int, Meta(ge=1, description="the number of a statement, from 1")]
Numbers = Annotated[tuple[Number, ...], Meta(description="a list of numbers of statements")]
VariantName = Annotated[
    Literal["mirror", "colours", "both"], Meta(description="'mirror', 'colours' or 'both'")
]
VariantNames = Annotated[
    tuple[VariantName, ...], Meta(description="a list of 'mirror', 'colours' and 'both'")
]
MaybeAnswer = Annotated[
    str | int | tuple[str, ...] | None,
    Meta(description="what the task asks for: a list, a word in quotes, or a number"),
]
MaybePlace = Annotated[
    Literal["guided", "alone"] | None, Meta(description="'guided' (by lights) or 'alone'")
]
Judge = Annotated[
    Literal["rules", "exchange"], Meta(description="'rules' (allowed?) or 'exchange' (wise?)")
]
Side = Annotated[
    Literal["white", "black", "both"] | None, Meta(description="'white', 'black' or 'both'")
]
NotationName = Annotated[Literal["san", "descriptive"], Meta(description="'san' or 'descriptive'")]
MaybeGoal = Annotated[
    Goal | None, Meta(description=f"one of {', '.join(repr(goal.value) for goal in Goal)}")
]
Plies = Annotated[int, Meta(ge=1, le=600, description="a number of plies, 1 to 600")]
MaybeWhy = Annotated[
    Why | None, Meta(description=f"one of {', '.join(repr(why.value) for why in Why)}")
]
Format = Annotated[Literal[1], Meta(description="1, the only format that is read")]

MOST_PLIES = 200
"""How long is played where a lesson does not say it, in plies."""


class TaskSheet(msgspec.Struct, frozen=True, kw_only=True):
    """A task: the key of one type, and what that type needs besides."""

    find: SquareNames = ()
    place: MaybePlace = None
    touch: Text = ""
    reach: MaybeSquare = ""
    stars: SquareNames = ()
    move: Text = ""
    all: Text = ""
    may: MaybeWay = ""
    verdict: Flag = False
    line: Text = ""
    play: MaybeGoal = None
    proof: Queries = ()
    by: Judge = "rules"
    you: Side = None
    notation: NotationName = "san"
    claims: MaybeFlag = None
    plies: Plies = MOST_PLIES

    @property
    def types(self) -> tuple[str, ...]:
        """The types whose keys are there; a sound task has one."""
        return tuple(name for name in NAMES.values() if getattr(self, name))


class ExerciseSheet(msgspec.Struct, frozen=True, kw_only=True):
    """One exercise."""

    id: ExerciseId
    fen: Text
    task: TaskSheet
    answer: MaybeAnswer = None
    why: MaybeWhy = None
    variants: VariantNames = ()
    lights: Flag = True


class LessonSheet(msgspec.Struct, frozen=True, kw_only=True):
    """A whole file."""

    format: Format
    id: LessonId
    exercise: tuple[ExerciseSheet, ...]
    after: LessonIds = ()
    documents: DocumentLetters = ()
    statements: Numbers = ()


ABOUT_LESSON = ("name", "goal")
ABOUT_EXERCISE = ("say", "hint1", "hint2", "solved")


def texts_of(
    values: dict[str, Any], place: Place, keys: tuple[str, ...]
) -> tuple[Mapping[str, str], list[Trouble]]:
    """The texts with these keys below a heading, and what is wrong with them."""
    table: Any = values
    for step in place:
        table = table.get(step, {}) if isinstance(table, dict) else {}
    if not isinstance(table, dict):
        return {}, [(place, f"{named(place)} is a section; write [{_dotted(place)}]")]
    found = {key: table[key] for key in keys if is_text(table.get(key))}
    wanted = ", ".join(keys)
    if not table:
        return {}, [(place, f"[{_dotted(place)}] is missing; write it, with {wanted}")]
    missing = [key for key in keys if key not in found]
    what = "must be a text of one line in quotes"
    return found, [((*place, key), f"{named((*place, key))} {what}") for key in missing]


def strays(values: dict[str, Any], lessons: Mapping[str, Collection[str]]) -> Iterator[Trouble]:
    """Texts of lessons and exercises that are not there; ``lessons``: exercises by lesson."""
    for id_, table in values.items():
        if id_ not in lessons:
            yield (id_,), f"there is no lesson {id_!r}; remove its texts, or write it"
            continue
        for key, value in table.items() if isinstance(table, dict) else ():
            if key in lessons[id_] and isinstance(value, dict):
                known = [f"{id_}.{key}.{name}" for name in ABOUT_EXERCISE]
                for name in [one for one in value if one not in ABOUT_EXERCISE]:
                    yield (id_, key, name), unknown_key(f"{id_}.{key}.{name}", known)
            elif key not in ABOUT_LESSON and key not in lessons[id_]:
                what = f"lesson {id_!r} has no exercise {key!r}; remove its texts, or write it"
                yield (id_, key), what


def is_text(value: object) -> bool:
    """Whether there is something to be said, on one line."""
    return isinstance(value, str) and bool(value.strip()) and value.isprintable()


def _dotted(place: Place) -> str:
    return ".".join(map(str, place))
