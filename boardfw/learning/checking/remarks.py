"""What could be better: nothing that keeps a lesson from being taught."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from boardfw.learning.checking.actions import inside
from boardfw.learning.checking.statements import Statement
from boardfw.learning.reading import Draft, DraftedExercise, Fault
from boardfw.learning.reading.words import subject
from boardfw.rules import Position
from boardfw.rules.board import KIND_NAMES

MOST_ACTIONS = 12
"""Hand actions between two exercises of a lesson."""


def remarks_on(drafts: Iterable[Draft], statements: Mapping[int, Statement]) -> Iterator[Fault]:
    """What an author may want to look at; lessons in the order in which they are learnt."""
    seen: set[str] = set()
    for draft in drafts:
        yield from _statements_of_others(draft, statements)
        for drafted, count in inside(draft):
            if count > MOST_ACTIONS and not _is_start(drafted):
                what = f"{count} men to carry before this exercise; {MOST_ACTIONS} are enough"
                yield Fault(draft.document, (*drafted.place, "fen"), what)
        for drafted in draft.exercises:
            new = [idea for idea in _ideas(drafted) if idea not in seen]
            seen.update(new)
            if len(new) > 1:
                what = f"new at once: {' and '.join(new)}; one new thing is easier"
                yield Fault(draft.document, (*drafted.place, "task"), what)


def _is_start(drafted: DraftedExercise) -> bool:
    return drafted.written.position.placement == Position.start().placement


def _ideas(drafted: DraftedExercise) -> Iterator[str]:
    """What a learner may meet for the first time: how it is asked, and which man it is about."""
    exercise, task = drafted.written, drafted.sheet.task
    query = (task.touch or task.move or task.all).partition(":")[0]
    yield f"{exercise.type!r}{query and f' of {query!r}'}"
    square = subject(exercise)
    man = None if square is None else exercise.position.piece_at(square)
    if man is not None:
        yield f"the {KIND_NAMES[man.kind]}"


def _statements_of_others(draft: Draft, statements: Mapping[int, Statement]) -> Iterator[Fault]:
    """Statements of documents that the lesson does not name, and documents without a statement."""
    sheet = draft.sheet
    known = {number: statements[number] for number in sheet.statements if number in statements}
    for item, number in enumerate(sheet.statements):
        if number in known and not set(known[number].documents) & set(sheet.documents):
            letters = ", ".join(known[number].documents)
            what = f"statement {number} is of {letters}, which 'documents' does not name"
            yield Fault(draft.document, ("statements", item), what)
    for item, letter in enumerate(sheet.documents):
        if not any(letter in statement.documents for statement in known.values()):
            what = f"no statement of this lesson is of document {letter}"
            yield Fault(draft.document, ("documents", item), what)
