"""How much of the rule documents the lessons teach, as a table, and how many pieces hands carry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from itertools import pairwise
from statistics import median
from typing import Annotated

import msgspec
from msgspec import Meta

from boardfw.document import Document
from boardfw.learning.course import Exercise
from boardfw.learning.lone_piece import moved, way
from boardfw.learning.queries import meant
from boardfw.learning.reading.draft import Draft, DraftedExercise, Fault
from boardfw.learning.reading.sheet import DocumentLetters, Number
from boardfw.learning.task import NAMES, Line, May, OneMove, Place, Play, Stars
from boardfw.rules.board import Placement
from boardfw.rules.planner import plan


def inside(draft: Draft) -> Iterator[tuple[DraftedExercise, int]]:
    """Each exercise of a lesson but the first, with the hand actions before it."""
    for before, drafted in pairwise(draft.exercises):
        count = between(before.written, drafted.written)
        if count is not None:
            yield drafted, count


def between(before: Exercise, exercise: Exercise) -> int | None:
    """Hand actions from the end of one exercise to the beginning of the next.

    None: the position after a game is unknown, and some exercises ask for the set-up itself.
    """
    standing = standing_after(before)
    if standing is None or isinstance(exercise.task, Place):
        return None
    return len(plan(standing, exercise.position.placement))


def standing_after(exercise: Exercise) -> Placement | None:
    """The position when an exercise is solved by its first answer; None if it is unknown."""
    position = exercise.position
    match exercise.task:
        case Play():
            return None
        case Stars(squares, _):
            placement = position.placement
            for origin, target in way(position, squares) or ():
                placement = moved(placement, origin, target)
            return placement
        case OneMove(accepted):
            position = position.play_unchecked(accepted[0])
        case Line(plies, _, _):
            for accepted in plies:
                position = position.play_unchecked(accepted[0])
        case May(origin, target, True):
            move = meant(position, origin, target)
            position = position if move is None else position.play_unchecked(move)
        case _:  # all pieces are put back
            pass
    return position.placement


class Taught(Enum):
    """Where a statement can be taught."""

    LESSON = "lesson"
    """By an exercise on the board."""
    TRAINER = "trainer"
    """By play, or by what the board does beside its lessons."""
    PARSING = "parsing"
    """Nowhere: it is about the reading of written moves alone."""


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """One statement, in our own words."""

    number: Number
    text: Annotated[str, Meta(max_length=80, description="a text of at most 80 characters")]
    documents: DocumentLetters
    taught: Annotated[Taught, Meta(description="'lesson', 'trainer' or 'parsing'")]
    trainer: Annotated[str, Meta(description="the name of a trainer in quotes")] = ""


class StatementSheet(msgspec.Struct, frozen=True, kw_only=True):
    """The whole file of statements."""

    statement: tuple[Statement, ...]


def read_statements(document: Document) -> dict[int, Statement]:
    """The statements by their numbers. Raises the document's error."""
    statements: dict[int, Statement] = {}
    for place, statement in enumerate(document.fit(StatementSheet).statement):
        if statement.number in statements:
            what = f"statement {statement.number} is there already; choose another number"
            document.check([(("statement", place, "number"), what)])
        statements[statement.number] = statement
    return statements


def statement_faults(draft: Draft, statements: Mapping[int, Statement]) -> Iterator[Fault]:
    """Numbers that no statement has."""
    for item, number in enumerate(draft.sheet.statements):
        if number not in statements:
            what = f"there is no statement {number}; the numbers are in statements.toml"
            yield Fault(draft.document, ("statements", item), what)


DOCUMENTS = "ABCDE"


def matrix(drafts: Sequence[Draft], statements: Mapping[int, Statement]) -> Iterator[str]:
    """Lines: rows are lessons, columns documents, cells the numbers of the statements met."""
    rows = [["lesson", *DOCUMENTS], *(_row(draft, statements) for draft in drafts)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()
    yield ""
    yield from _counts(drafts)
    yield from _met(drafts, statements)


def _row(draft: Draft, statements: Mapping[int, Statement]) -> list[str]:
    sheet = draft.sheet
    cells = []
    for letter in DOCUMENTS:
        known = (number for number in sheet.statements if number in statements)
        of_it = [number for number in known if letter in statements[number].documents]
        cells.append(_numbers(of_it) if letter in sheet.documents else "")
    return [sheet.id, *cells]


def _counts(drafts: Sequence[Draft]) -> Iterator[str]:
    exercises = [drafted for draft in drafts for drafted in draft.exercises]
    variants = sum(len(drafted.made) - 1 for drafted in exercises)
    types = Counter(drafted.written.type for drafted in exercises)
    yield f"lessons: {len(drafts)}, exercises: {len(exercises)}, their variants: {variants}"
    yield "of each type: " + ", ".join(f"{name} {types[name]}" for name in NAMES.values())
    within = [count for draft in drafts for _, count in inside(draft)]
    taught = [draft for draft in drafts if draft.exercises]
    ends = [
        between(before.exercises[-1].written, after.exercises[0].written)
        for before, after in pairwise(taught)
    ]
    changes = [count for count in ends if count is not None]
    yield (
        f"pieces to carry, median: {median(within or [0]):g} within a lesson, "
        f"{median(changes or [0]):g} between lessons; {sum(within) + sum(changes)} in all"
    )


def _met(drafts: Sequence[Draft], statements: Mapping[int, Statement]) -> Iterator[str]:
    """By exercises, or by the trainer that teaches it; nothing where no lesson names any."""
    if not any(draft.sheet.statements for draft in drafts):
        return
    teachable = {n for n, known in statements.items() if known.taught is not Taught.PARSING}
    in_lessons = {number for draft in drafts for number in draft.sheet.statements}
    by_trainers = {n for n in teachable if statements[n].taught is Taught.TRAINER}
    met = teachable & (in_lessons | by_trainers)
    trained = len(by_trainers - in_lessons)
    yield (
        f"statements met: {len(met)} of {len(teachable)} that can be taught, "
        f"{trained} of them by trainers alone"
    )
    for number in sorted(teachable - met):
        yield f"not met: {number} {statements[number].text}"


def _numbers(numbers: Sequence[int]) -> str:
    """Numbers in order, three and more in a row as a range."""
    rows: list[list[int]] = []
    for number in sorted(numbers):
        if rows and rows[-1][-1] == number - 1:
            rows[-1].append(number)
        else:
            rows.append([number])
    return " ".join(
        f"{row[0]}-{row[-1]}" if len(row) > 2 else " ".join(map(str, row)) for row in rows
    )
