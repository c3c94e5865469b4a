"""TOML files held against a description: what fits it, or one line that says what to mend.

A description is a ``msgspec.Struct``: a table of the file. Its fields are tables (Structs), arrays
of tables (tuples of Structs), tables with names of the user's own (dicts), or values, which are
annotated with a ``Meta`` whose description completes the sentence "KEY must be ...".
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from functools import cache, cached_property
from math import isnan
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from boardfw.errors import BoardError
from boardfw.given import read_given
from boardfw.toml_lines import Place as Place  # noqa: PLC0414 - rooms above take it from here
from boardfw.toml_lines import line_of_a_long_key, lines_of

Trouble: TypeAlias = tuple[Place, str]
"""Where something is wrong, and what to do about it."""
Shape = TypeVar("Shape", bound=msgspec.Struct)

_UNQUOTED = re.compile(r"""(\s*[\w.-]+\s*=\s*)([^\s"'\[{#][^"'\\#]*?)(\s*(?:#.*)?\r?)""")
"""A line that gives a key a value of neither quotes nor brackets: the key, the value, the rest."""
_MOST_REPAIRED = 16
"""Values without quotes that are repaired at most. The file is parsed again after each one."""
_DEEP = "nested too deeply; nothing here needs that"
_CURLY = "\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb"
"""Quotation marks of printed text, which TOML does not know."""
ONE_LINE: Final = r"^[^\x00-\x1f\x7f]*\Z"
"""Pattern of a text that does not break a line."""


@dataclass(frozen=True)
class Document:
    """A file that is TOML; whether it says anything sensible is still to be seen."""

    path: Path
    text: str
    """With quotes around what stood there without."""
    read: dict[str, Any]
    """What the text says."""
    error: type[BoardError]
    """What is raised about it."""
    unquoted: str = ""
    """Which value stands without its quotes, and how to write it; empty: none does."""

    @property
    def values(self) -> dict[str, Any]:
        """The values. Raises where one stands without its quotes."""
        if self.unquoted:
            raise self.error(self.unquoted)
        return self.read

    def fit(self, shape: type[Shape]) -> Shape:
        """The values as this Struct; raises for the first that does not fit its description.

        A word without quotes where a number or a truth value belongs is told as just that.
        """
        self.check(_troubles_of_table(shape, self.read, (), Known(shape)))
        return msgspec.convert(self.values, shape)

    def check(self, troubles: Iterable[Trouble]) -> None:
        """Raise the first trouble, if there is one, as ``FILE:LINE: ...``."""
        for place, what in troubles:
            raise self.error(f"{self.at(place)}: {what}")

    def at(self, place: Place) -> str:
        """``FILE:LINE`` of a place, for what only its use shows to be wrong.

        The line is that on which the value begins. For a missing value it is the line of the table
        or array that lacks it.
        """
        while place not in self._lines:
            place = place[:-1]
        return f"{self.path}:{self._lines[place]}"

    @cached_property
    def _lines(self) -> dict[Place, int]:
        return lines_of(self.text)  # once for all faults of a file


def read_document(path: Path, error: type[BoardError]) -> Document:
    """The file, parsed. Raises the given error, one line, where it is no TOML file in UTF-8."""
    text, unquoted = _text(path, error), ""
    if (line := line_of_a_long_key(text)) is not None:
        raise error(f"{path}:{line}: {_DEEP}")
    for _ in range(_MOST_REPAIRED):
        if (repaired := _with_quotes(text)) is None:
            break
        text, what = repaired
        unquoted = unquoted or f"{path}:{what}"
    else:
        raise error(unquoted)
    return Document(path, text, _parse(path, text, error), error, unquoted)


def keys_of(shape: type[msgspec.Struct], above: str = "") -> dict[str, Any]:
    """Every key below a table, dotted, with its annotated type; positions in arrays left out."""
    keys: dict[str, Any] = {}
    for name, hint in _hints(shape).items():
        table = _table_in(hint)
        keys |= {above + name: hint} if table is None else keys_of(table, f"{above}{name}.")
    return keys


def _items_at_the_end(place: Place) -> int:
    names = [position for position, step in enumerate(place, 1) if isinstance(step, str)]
    return len(place) - max(names, default=0)


def _text(path: Path, error: type[BoardError]) -> str:
    try:
        raw = read_given(path)
    except OSError as failure:
        what = f"{path}: cannot be read: {failure.strerror}"
        raise error(f"{what}; name a file that is there and readable") from failure
    try:
        return raw.decode("utf-8-sig")  # some editors put a byte order mark before the text
    except UnicodeDecodeError as failure:
        line = raw.count(b"\n", 0, failure.start) + 1
        raise error(f"{path}:{line}: not UTF-8; save the file as UTF-8 text") from failure


def _with_quotes(text: str) -> tuple[str, str] | None:
    """The text with quotes around the first word that lacks them, and what to say of it.

    None: what makes the text no TOML, if anything does, is something else.
    """
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as failure:
        number = _line_in(failure, text)
    except (RecursionError, ValueError):
        return None
    else:
        return None
    lines = text.split("\n")
    found = _UNQUOTED.fullmatch(lines[number - 1]) if number <= len(lines) else None
    if found is None:
        return None
    key, value, rest = found.groups()
    quoted = f'"{value.strip(_CURLY)}"'
    lines[number - 1] = f"{key}{quoted}{rest}"
    what = f"text stands in quotes: write {key.strip()} {quoted}, not {_short(value)}"
    return "\n".join(lines), f"{number}: {what}"


def _line_in(failure: Exception, text: str) -> int:
    """The line, from 1, at which the parser stopped."""
    place = re.search(r" \(at line (\d+), column \d+\)$", str(failure))
    return int(place[1]) if place else max(1, len(text.splitlines()))


def _parse(path: Path, text: str, error: type[BoardError]) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError as failure:
        raise error(f"{path}:1: {_DEEP}") from failure
    except ValueError as failure:  # broken TOML, and numbers too long for Python
        place = re.search(r" \(at line \d+, column (\d+)\)$", str(failure))
        said = re.sub(r" \(at (line \d+, column \d+|end of document)\)$", "", str(failure))
        line = _line_in(failure, text)
        spot = f" at column {place[1]}" if place else ""
        raise error(f"{path}:{line}: not TOML: {said}{spot}") from failure


class Known:
    """What a description knows, and what in it is nearest to a word that it does not know."""

    def __init__(self, shape: type[msgspec.Struct]) -> None:
        self.keys = tuple(keys_of(shape))
        self.sections = dict(_sections_of(shape))
        """Every section, dotted, as its heading is written."""

    def remedy(self, dotted: str, value: object) -> str:
        """What to say of a key or a section that does not exist."""
        return self._section(dotted) if _is_section(value) else unknown_key(dotted, self.keys)

    def _section(self, dotted: str) -> str:
        near = get_close_matches(dotted, self.sections, n=1)
        if near:
            return f"unknown section {dotted!r}; did you mean {self.sections[near[0]]}?"
        return f"unknown section {dotted!r}; there are {', '.join(self.sections)}"


def unknown_key(dotted: str, known: Iterable[str]) -> str:
    """What to say of a key that is none of these: the nearest, or those beside it."""
    known = tuple(known)
    section, _, key = dotted.rpartition(".")
    last = {name.rpartition(".")[2]: name for name in reversed(known)}
    near = [last[key]] if key in last else get_close_matches(dotted, known, n=1)
    near = near or [last[name] for name in get_close_matches(key, last, n=1)]
    if near:
        where = "" if "." in near[0] or not section else " above the first section"
        return f"unknown key {dotted!r}; did you mean {near[0]!r}{where}?"
    beside = [name for name in known if name.rpartition(".")[0] == section]
    if not section:
        beside = list(dict.fromkeys(name.partition(".")[0] for name in known))
    return f"unknown key {dotted!r}; there are {', '.join(beside)}"


def _is_section(value: object) -> bool:
    """Whether this was written under a heading of its own."""
    items = value if isinstance(value, list) and value else [value]
    return all(isinstance(item, dict) for item in items)


def _sections_of(shape: type[msgspec.Struct], above: str = "") -> Iterator[tuple[str, str]]:
    for name, hint in _hints(shape).items():
        table = _table_in(hint)
        if table is not None or get_origin(hint) is dict:
            yield above + name, _heading(above + name, hint)
        if table is not None:
            yield from _sections_of(table, f"{above}{name}.")


def _heading(dotted: str, hint: Any) -> str:
    return f"[[{dotted}]]" if get_origin(hint) is tuple else f"[{dotted}]"


@cache
def _hints(shape: type[msgspec.Struct]) -> dict[str, Any]:
    return get_type_hints(shape, include_extras=True)


@cache  # a table may come a hundred times in a file
def _required(shape: type[msgspec.Struct]) -> tuple[str, ...]:
    return tuple(field.name for field in msgspec.structs.fields(shape) if field.required)


def _table_in(hint: Any) -> type[msgspec.Struct] | None:
    """The Struct that this type is, or is an array of."""
    inner = get_args(hint)[0] if get_origin(hint) is tuple else hint
    is_table = isinstance(inner, type) and issubclass(inner, msgspec.Struct)
    return inner if is_table else None


def _troubles_of_table(
    shape: type[msgspec.Struct], values: dict[str, Any], place: Place, known: Known
) -> Iterator[Trouble]:
    """What is wrong, in the order of the file; last what is missing."""
    hints = _hints(shape)
    for key, value in values.items():
        there = (*place, key)
        if key in hints:
            yield from _troubles_of(hints[key], value, there, known)
        else:
            yield there, known.remedy(_dotted(there), value)
    for name in _required(shape):
        if name not in values:
            yield place, _missing(_dotted((*place, name)), hints[name])


def _missing(dotted: str, hint: Any) -> str:
    if _table_in(hint) is not None:
        return (
            f"{dotted!r} is missing; write {_heading(dotted, hint)} and its keys on lines below it"
        )
    return f"{dotted!r} is missing; it must be {_wanted(hint)}"


def _troubles_of(hint: Any, value: object, place: Place, known: Known) -> Iterator[Trouble]:
    table = _table_in(hint)
    if table is not None and get_origin(hint) is tuple:
        yield from _troubles_of_array(table, value, place, known)
    elif not isinstance(value, dict) and (table is not None or get_origin(hint) is dict):
        dotted = _dotted(place)
        yield place, f"{dotted!r} is a section; write [{dotted}] and its keys on lines below it"
    elif table is not None and isinstance(value, dict):
        yield from _troubles_of_table(table, value, place, known)
    elif get_origin(hint) is dict and isinstance(value, dict):
        for key, item in value.items():
            yield from _troubles_of_value(get_args(hint)[1], item, (*place, key))
    else:
        yield from _troubles_of_value(hint, value, place)


def _troubles_of_array(
    table: type[msgspec.Struct], value: object, place: Place, known: Known
) -> Iterator[Trouble]:
    if not isinstance(value, list) or not _is_section(value):
        dotted = _dotted(place)
        yield place, f"{dotted!r} may come often; write [[{dotted}]] and its keys on lines below it"
        return
    for position, item in enumerate(value):
        yield from _troubles_of_table(table, item, (*place, position), known)


def _troubles_of_value(hint: Any, value: object, place: Place) -> Iterator[Trouble]:
    if _fits(value, hint):
        return
    inner = get_args(hint)[0]
    items = value if get_origin(inner) is tuple and isinstance(value, list) else []
    wrong = [
        trouble
        for position, item in enumerate(items)
        for trouble in _troubles_of_value(get_args(inner)[0], item, (*place, position))
    ]
    must = f"{named(place)} must be {_wanted(hint)}, not {_shown(value)}{_near(value, inner)}"
    yield from wrong or [(place, must)]


def _fits(value: object, hint: Any) -> bool:
    try:
        msgspec.convert(value, hint)
    except msgspec.ValidationError:
        return False
    return not (isinstance(value, float) and isnan(value))  # nan slips through every range


def _near(value: object, kind: Any) -> str:
    """Of a choice among words, the one that was probably meant."""
    words = list(kind) if isinstance(kind, type) and issubclass(kind, Enum) else get_args(kind)
    texts = [word.value if isinstance(word, Enum) else word for word in words]
    choices = [text for text in texts if isinstance(text, str)]
    near = get_close_matches(value, choices, n=1) if isinstance(value, str) else []
    return f"; did you mean {near[0]!r}?" if near else ""


def _wanted(hint: Any) -> str:
    return str(hint.__metadata__[0].description)


def named(place: Place) -> str:
    """A key as messages name it: ``'chips.a'``, and an item of it ``'chips.a' item 3``."""
    items = [str(int(step) + 1) for step in place[len(place) - _items_at_the_end(place) :]]
    return f"{_dotted(place)!r} item {', '.join(items)}" if items else repr(_dotted(place))


def _dotted(place: Place) -> str:
    return ".".join(step for step in place if isinstance(step, str))


def _shown(value: object) -> str:
    return _short(repr(value) if not isinstance(value, bool) else str(value).lower())


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."
