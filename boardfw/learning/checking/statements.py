"""The statements of the rule documents: which there are, and where each of them is taught."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Annotated

import msgspec
from msgspec import Meta

from boardfw.document import Document
from boardfw.learning.reading import Draft, Fault
from boardfw.learning.reading.sheet import DocumentLetters, Number


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
    """The whole file."""

    statement: tuple[Statement, ...]


def read_statements(document: Document) -> dict[int, Statement]:
    """The statements by their numbers. Raises the document's error."""
    statements: dict[int, Statement] = {}
    for place, statement in enumerate(document.fit(StatementSheet).statement):
        if statement.number in statements:
            what = f"statement {statement.number} is there already; number it anew"
            document.check([(("statement", place, "number"), what)])
        statements[statement.number] = statement
    return statements


def statement_faults(draft: Draft, statements: Mapping[int, Statement]) -> Iterator[Fault]:
    """Numbers that no statement has."""
    for item, number in enumerate(draft.sheet.statements):
        if number not in statements:
            what = f"there is no statement {number}; the numbers are in statements.toml"
            yield Fault(draft.document, ("statements", item), what)
