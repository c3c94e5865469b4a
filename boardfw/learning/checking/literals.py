"""A text that is said of several variants may name nothing that is another one in each of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from boardfw.learning.reading import Draft, DraftedExercise, Fault
from boardfw.learning.variant import VARIANTS

MIRRORS = {variant.name for variant in VARIANTS.values() if variant.is_mirror}
SWAPS = {variant.name for variant in VARIANTS.values() if variant.swaps}
ONE_TURN = MIRRORS ^ SWAPS
"""Variants in which light squares become dark ones; turned both ways, a square keeps its colour."""


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
