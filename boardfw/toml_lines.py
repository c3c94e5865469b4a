"""The lines of a TOML text on which its tables, keys and items begin.

Python's parser does not report them, and its time is quadratic in the parts of a dotted key.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Final, TypeAlias

Place: TypeAlias = tuple[str | int, ...]
"""The way to a value: names of keys, positions (from 0) in arrays."""

MOST_PARTS: Final = 32
"""Parts of a key that is read, such as the two of ``board.url``. Nothing here needs more."""
_TOKEN = re.compile(
    r'''
    """ (?: [^"\\]++ | \\.? | "{1,2}(?!") )*+ (?: "{3,5} | \Z )
    | \'\'\' (?: [^']++ | '{1,2}(?!') )*+ (?: '{3,5} | \Z )
    | " (?: [^"\\\n]++ | \\[^\n]? )*+ "?
    | ' [^'\n]*+ '?
    | \#[^\n]*+
    | [\n=.,\[\]{}]
    | [^\s=.,\[\]{}"'#]++
    ''',
    re.VERBOSE | re.DOTALL,
)
"""A string (perhaps without its end), a comment, a sign, or a word. None is read twice."""


def line_of_a_long_key(text: str) -> int | None:
    """Return the line, from 1, of the first key with more than ``MOST_PARTS`` parts; None: no such
    key. The text may be anything."""
    dots = 0
    for token, line in _tokens(text):
        if token == ".":
            dots += 1
            if dots >= MOST_PARTS:
                return line
        elif token in {"\n", "=", ",", "[", "]", "{", "}"}:
            dots = 0
    return None


def lines_of(text: str) -> dict[Place, int]:
    """Return the line, from 1, on which each table, key and item of sound TOML begins."""
    return _Reader(text).lines


class _Reader:
    """Reads the statements of a text one after the other."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Place, int] = {(): 1}
        self._tokens = ((token, line) for token, line in _tokens(text) if token[0] != "#")
        self._last_table: dict[Place, int] = {}
        """For each array written as [[name]], the position of its last table so far."""
        section: Place = ()
        is_new = True
        for token, line in self._tokens:
            if token == "\n":
                is_new = True
            elif is_new:
                is_new = False
                if token == "[":
                    section = self._heading(line)
                else:
                    self._pair(section, token, line)

    def _heading(self, line: int) -> Place:
        """Read a heading behind its first bracket, and return the place of its table."""
        token = self._next()
        is_array = token == "["
        *above, last = self._parts(self._next() if is_array else token, "]")
        place: Place = ()
        for part in above:
            place = self._note((*place, part), line)
            if place in self._last_table:
                place = (*place, self._last_table[place])
        place = self._note((*place, last), line)
        if is_array:
            self._last_table[place] = position = self._last_table.get(place, -1) + 1
            place = self._note((*place, position), line)
        return place

    def _pair(self, place: Place, token: str, line: int) -> None:
        """Read a key, of which this is the first token, and the beginning of its value."""
        for part in self._parts(token, "="):
            place = self._note((*place, part), line)
        self._value(place, self._next())

    def _value(self, place: Place, token: str) -> None:
        """Read what is in brackets. What remains of other values is left to the caller."""
        if token not in {"[", "{"}:
            return
        position, is_new = 0, True
        for inner, line in self._tokens:
            if inner in {"]", "}"}:
                return
            if inner == ",":
                position, is_new = position + 1, True
            elif is_new and inner != "\n":
                is_new = False
                if token == "[":
                    self._value(self._note((*place, position), line), inner)
                else:
                    self._pair(place, inner, line)

    def _parts(self, token: str, end: str) -> list[str]:
        """Read the parts of a key and the sign behind it."""
        parts = []
        while token != end:
            if token[0] in "\"'":
                parts.append(tomllib.loads(f"part = {token}")["part"])
            elif token != ".":
                parts.append(token)
            token = self._next()
        return parts

    def _note(self, place: Place, line: int) -> Place:
        self.lines.setdefault(place, line)
        return place

    def _next(self) -> str:
        return next(self._tokens)[0]


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """Each token with its line."""
    line = 1
    for found in _TOKEN.finditer(text):
        token = found[0]
        yield token, line
        line += token.count("\n")
