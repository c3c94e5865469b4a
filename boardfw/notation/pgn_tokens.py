"""The words of PGN, one line of text at a time; a file of any size needs no more memory."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple

from boardfw.errors import NotationError
from boardfw.notation.errors import quoted


class Sort(Enum):
    """What a word of PGN is."""

    TAG = "tag"
    COMMENT = "comment"
    OPEN = "("
    CLOSE = ")"
    RESULT = "result"
    MOVE = "move"


class Token(NamedTuple):
    """One word: the line it begins on, its sort and text; a tag has its value too."""

    line: int
    sort: Sort
    text: str
    value: str = ""


RESULTS = {"1-0": "1-0", "0-1": "0-1", "1/2-1/2": "1/2-1/2", "½-½": "1/2-1/2", "*": "*"}
"""Results as they are met, and as PGN writes them."""

_TAG = re.compile(r'\[\s*(?P<name>[^\s"\]]+)\s*"(?P<value>(?:[^"\\]|\\.)*)"\s*\]')
_SKIPPED = re.compile(r"\s+|\$\d*|[!?]+|e\.p\.|\d+\s*[.…]+|[.…]+|\d+(?=[\s{}();]|\Z)")
"""Blanks, NAGs, signs and move numbers."""
_RESULT = re.compile(r"(?:1-0|0-1|1/2-1/2|½-½|\*)(?=[\s{}();\[]|\Z)")
_MOVE = re.compile(r"[^\s{}();\[\]$!?]+[!?]*")
_SIGNS = {"(": Sort.OPEN, ")": Sort.CLOSE}


def tokens(lines: Iterable[str], name: str) -> Iterator[Token]:
    """The words of these lines. Raises NotationError: ``NAME:LINE: what is wrong``."""
    opened = 0
    parts: list[str] = []
    for number, line in enumerate(lines, 1):
        text = line.removeprefix("\ufeff") if number == 1 else line
        if not opened and text.startswith("%"):
            continue
        at = 0
        while at < len(text) or opened:
            if opened:
                end = text.find("}", at)
                parts.append(text[at:end] if end >= 0 else text[at:])
                if end < 0:
                    break
                yield Token(opened, Sort.COMMENT, _collapsed(" ".join(parts)))
                opened, at, parts = 0, end + 1, []
            elif text[at] == "{":
                opened, at = number, at + 1
            elif text[at] == ";":
                yield Token(number, Sort.COMMENT, _collapsed(text[at + 1 :]))
                break
            else:
                token, at = _next(text, at, number, name)
                if token is not None:
                    yield token
    if opened:
        raise NotationError(f"{name}:{opened}: this comment is never closed; add a }}")


def _next(text: str, at: int, number: int, name: str) -> tuple[Token | None, int]:
    """The word that begins here, None for one that says nothing, and where the next begins."""
    if text[at] in _SIGNS:
        return Token(number, _SIGNS[text[at]], text[at]), at + 1
    if text[at] == "[":
        tag = _TAG.match(text, at)
        if tag is None:
            raise NotationError(
                f"{name}:{number}: {quoted(text[at:])} is no tag; "
                f'write one such as [White "Anna"] on a line'
            )
        value = re.sub(r"\\(.)", r"\1", tag["value"])
        return Token(number, Sort.TAG, tag["name"], value), tag.end()
    if result := _RESULT.match(text, at):
        return Token(number, Sort.RESULT, RESULTS[result[0]]), result.end()
    if skipped := _SKIPPED.match(text, at):
        return None, skipped.end()
    if move := _MOVE.match(text, at):
        return Token(number, Sort.MOVE, move[0]), move.end()
    raise NotationError(f"{name}:{number}: {quoted(text[at:])} has no place in a game; remove it")


def _collapsed(text: str) -> str:
    return " ".join(text.split())
