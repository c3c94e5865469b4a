"""Texts are short enough to be heard, and say who is to move."""

from __future__ import annotations

from collections.abc import Iterator

from boardfw.learning.reading import Draft, DraftedExercise, Fault
from boardfw.learning.task import Find, Line, Place
from boardfw.rules import Position
from boardfw.rules.board import COLOR_NAMES

LONGEST = {"name": 40, "goal": 140}
LONGEST_SENTENCE = 140
"""Characters, once the placeholders are filled in."""


def sentence_faults(draft: Draft) -> Iterator[Fault]:
    """Texts that are too long, and prompts that do not say who is asked."""
    for key, text in draft.about.items():
        if len(text) > LONGEST[key]:
            yield _too_long(draft, (draft.sheet.id, key), len(text), LONGEST[key])
    for drafted in draft.exercises:
        yield from _long_sentences(draft, drafted)
        yield from _nameless(draft, drafted)


def _too_long(draft: Draft, place: tuple[str, ...], length: int, most: int) -> Fault:
    dotted = ".".join(place)
    return Fault(draft.texts, place, f"{dotted!r} has {length} characters; {most} are the most")


def _long_sentences(draft: Draft, drafted: DraftedExercise) -> Iterator[Fault]:
    for key in drafted.texts:
        length = max(len(getattr(exercise.words, key)) for exercise in drafted.made)
        if length > LONGEST_SENTENCE:
            place = (draft.sheet.id, drafted.sheet.id, key)
            yield _too_long(draft, place, length, LONGEST_SENTENCE)


def _nameless(draft: Draft, drafted: DraftedExercise) -> Iterator[Fault]:
    exercise = drafted.written
    if "say" not in drafted.texts or _anybody(drafted):
        return
    if COLOR_NAMES[exercise.you] not in exercise.words.say:
        what = "'say' must tell who is asked; write 'You are {you}.'"
        yield Fault(draft.texts, (draft.sheet.id, drafted.sheet.id, "say"), what)


def _anybody(drafted: DraftedExercise) -> bool:
    """Whether it does not matter who is asked: at the start, and where one plays both sides."""
    exercise = drafted.written
    if isinstance(exercise.task, Line):
        return exercise.task.you is None
    is_start = exercise.position.placement == Position.start().placement
    return is_start and isinstance(exercise.task, Find | Place)
