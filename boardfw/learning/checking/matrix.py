"""What the lessons teach of the rule documents, as a table, and how much of it there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import median

from boardfw.learning.checking.actions import between, inside
from boardfw.learning.checking.statements import Statement, Taught
from boardfw.learning.reading import Draft
from boardfw.learning.task import NAMES

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
        f"men to carry, in the median: {_median(within)} within a lesson, "
        f"{_median(changes)} between lessons; {sum(within) + sum(changes)} in all"
    )


def _median(counts: Sequence[int]) -> str:
    return f"{median(counts):g}" if counts else "0"


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
