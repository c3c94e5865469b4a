"""Everything that keeps a lesson from being taught, lesson by lesson."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TypeAlias

from boardfw.learning.checking.answers import answer_faults
from boardfw.learning.checking.graph import double_faults, graph_faults
from boardfw.learning.checking.literals import literal_faults
from boardfw.learning.checking.sentences import sentence_faults
from boardfw.learning.checking.statements import Statement, statement_faults
from boardfw.learning.checking.why import why_faults
from boardfw.learning.reading import Draft, Fault

Examined: TypeAlias = tuple[Draft, list[Fault]]
"""A draft, and what is wrong with it; nothing: it may be taught."""


def examine(
    drafts: Sequence[Draft], statements: Mapping[int, Statement], unread: Collection[str] = ()
) -> list[Examined]:
    """Each draft with its faults. ``unread``: ids of lessons whose files could not be read."""
    doubles = double_faults(drafts)
    examined: list[Examined] = []
    for number, draft in enumerate(drafts):
        if number in doubles:  # the texts are the other one's: nothing else can be said
            examined.append((draft, [doubles[number]]))
        else:
            examined.append((draft, _faults_of(draft, drafts, statements, unread)))
    return examined


def _faults_of(
    draft: Draft,
    drafts: Sequence[Draft],
    statements: Mapping[int, Statement],
    unread: Collection[str],
) -> list[Fault]:
    found = [*graph_faults(draft, drafts, unread), *statement_faults(draft, statements)]
    found += [*draft.faults, *sentence_faults(draft)]
    for exercise in draft.exercises:
        found += answer_faults(draft, exercise)
        found += why_faults(draft, exercise)
        found += literal_faults(draft, exercise)
    return found
