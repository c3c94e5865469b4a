"""Checks of texts: names that change with the variant, length, the side to move, and remarks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from boardfw.learning.checking.coverage import Statement, inside
from boardfw.learning.reading.draft import Draft, DraftedExercise, Fault
from boardfw.learning.reading.placeholders import about
from boardfw.learning.task import Find, Line, Place
from boardfw.learning.variant import VARIANTS
from boardfw.rules import Position
from boardfw.rules.board import COLOR_NAMES, PIECE_NAMES

MIRRORS = {variant.name for variant in VARIANTS.values() if variant.is_mirror}
SWAPS = {variant.name for variant in VARIANTS.values() if variant.swaps}
ONE_TURN = MIRRORS ^ SWAPS
"""Variants in which light squares become dark ones; with both, a square keeps its colour."""


class Literal(NamedTuple):
    """Words that mean another thing in some variants."""

    what: str
    variants: set[str]
    pattern: re.Pattern[str]
    remedy: str


LITERALS = (
    Literal(
        "a square",
        MIRRORS | SWAPS,
        re.compile(r"\b[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8]\b"),
        "write {square}, {squares} or {move}",
    ),
    Literal(
        "a file",
        MIRRORS,
        re.compile(r"\b[a-h]-(?:file|line|pawn)s?\b|\bfile [a-h]\b"),
        "say it otherwise",
    ),
    Literal(
        "a rank",
        SWAPS,
        re.compile(r"\b(?:rank|row) [1-8]\b|\b[1-8](?:st|nd|rd|th) (?:rank|row)\b"),
        "count it from the player's side, in words",
    ),
    Literal(
        "a side",
        MIRRORS,
        re.compile(
            r"\b(?:king|queen)(?:'s[ -]|-)?side\b"
            r"|\b(?:on|to|from|at) (?:the|your|its|his|her) (?:left|right)\b",
            re.IGNORECASE,
        ),
        "say it otherwise",
    ),
    Literal(
        "a colour",
        SWAPS,
        re.compile(r"\b(?:white|black)\b", re.IGNORECASE),
        "write {you} or {they}",
    ),
    Literal(
        "the colour of a square",
        ONE_TURN,
        re.compile(r"\b(?:light|dark)(?: squares?\b|-squared\b)", re.IGNORECASE),
        "say it otherwise",
    ),
)


def literal_faults(draft: Draft, drafted: DraftedExercise) -> Iterator[Fault]:
    """What a text names itself although it is not the same in each variant."""
    variants = set(drafted.sheet.variants)
    for key, text in drafted.texts.items():
        for literal in LITERALS:
            found = literal.pattern.search(text)
            if found and literal.variants & variants:
                place = (draft.sheet.id, drafted.sheet.id, key)
                what = f"{found[0]!r} names {literal.what}, which variants change"
                yield Fault(draft.texts, place, f"{what}; {literal.remedy}")


LONGEST = {"name": 40, "goal": 140}
LONGEST_SENTENCE = 140
"""Characters, once the placeholders are filled in."""


def sentence_faults(draft: Draft) -> Iterator[Fault]:
    """Texts that are too long, and prompts that do not say which side is asked."""
    for key, text in draft.about.items():
        yield from _too_long(draft, (draft.sheet.id, key), len(text), LONGEST[key])
    for drafted in draft.exercises:
        heading = (draft.sheet.id, drafted.sheet.id)
        for key in drafted.texts:
            length = max(len(getattr(exercise.words, key)) for exercise in drafted.made)
            yield from _too_long(draft, (*heading, key), length, LONGEST_SENTENCE)
        words, you = drafted.written.words, COLOR_NAMES[drafted.written.you]
        if "say" in drafted.texts and you not in words.say and not _is_for_either_side(drafted):
            what = "'say' must tell which side is asked; write 'You are {you}.'"
            yield Fault(draft.texts, (*heading, "say"), what)


def _too_long(draft: Draft, place: tuple[str, ...], length: int, most: int) -> Iterator[Fault]:
    if length > most:
        what = f"{'.'.join(place)!r} has {length} characters; {most} are the most"
        yield Fault(draft.texts, place, what)


def _is_for_either_side(drafted: DraftedExercise) -> bool:
    """Whether the side does not matter: at the start, and where the learner plays both sides."""
    task = drafted.written.task
    if isinstance(task, Line):
        return task.you is None
    return _is_start(drafted) and isinstance(task, Find | Place)


def _is_start(drafted: DraftedExercise) -> bool:
    return drafted.written.position.placement == Position.start().placement


MOST_ACTIONS = 12
"""Hand actions between two exercises of a lesson."""


def remarks_on(drafts: Iterable[Draft], statements: Mapping[int, Statement]) -> Iterator[Fault]:
    """What an author may want to look at; lessons in the order in which they are learnt."""
    seen: set[str] = set()
    for draft in drafts:
        yield from _statements_of_others(draft, statements)
        for drafted, count in inside(draft):
            if count > MOST_ACTIONS and not _is_start(drafted):
                what = f"{count} pieces to carry before this exercise; {MOST_ACTIONS} are enough"
                yield Fault(draft.document, (*drafted.place, "fen"), what)
        for drafted in draft.exercises:
            new = [idea for idea in _ideas(drafted) if idea not in seen]
            seen.update(new)
            if len(new) > 1:
                what = f"new at once: {' and '.join(new)}; one new thing is easier"
                yield Fault(draft.document, (*drafted.place, "task"), what)


def _ideas(drafted: DraftedExercise) -> Iterator[str]:
    """What a learner may meet for the first time: how it is asked, and which piece it is about."""
    exercise, task = drafted.written, drafted.sheet.task
    query = (task.touch or task.move or task.all).partition(":")[0]
    yield f"{exercise.type!r}{query and f' of {query!r}'}"
    square = about(exercise).square
    piece = None if square is None else exercise.position.piece_at(square)
    if piece is not None:
        yield f"the {PIECE_NAMES[piece.piece_type]}"


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
