"""Sentences that can be said in other languages than English, which they are made in.

A table of a language has its pattern for each English one, as ``{0} und {1}`` for ``{0} and {1}``,
and its words for those that are put into them. What it has not stays English.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

LANGUAGES = ("de",)
"""Those for which there are tables, beside English."""
Table: TypeAlias = Mapping[str, str]
_OPEN: Final = re.compile(r"\{(\w+)\}")


class Phrase(str):
    """An English text that knows its pattern, and what was put into that.

    To all who do not ask it is a text; what methods of texts make of it is no phrase any more.
    """

    __slots__ = ("pattern", "values")

    pattern: str
    values: Mapping[str, str]

    def __new__(cls, pattern: str, *values: str, **named: str) -> Phrase:
        """``{0}`` is the first of the values, ``{name}`` one that is named; others stay open."""
        put_in = {str(place): value for place, value in enumerate(values)} | named
        self = super().__new__(cls, _filled(pattern, put_in))
        self.pattern, self.values = pattern, put_in
        return self


def _filled(pattern: str, values: Mapping[str, str]) -> str:
    return _OPEN.sub(lambda found: values.get(found[1], found[0]), pattern)


def translated(text: str, table: Table) -> str:
    """The text in the language of a table; sentences that it has not stay whole in English."""
    if not isinstance(text, Phrase):
        return table.get(text, text)
    pattern = table.get(text.pattern)
    if pattern is None:
        if any(map(str.isalpha, _OPEN.sub("", text.pattern))):
            return str(text)
        pattern = text.pattern  # it only puts sentences behind each other
    return _filled(pattern, {key: translated(value, table) for key, value in text.values.items()})


def linked(parts: Iterable[str], between: str = " ") -> Phrase:
    """These one after the other; those that are empty are left out."""
    told = [part for part in parts if part]
    return Phrase(between.join(f"{{{place}}}" for place in range(len(told))), *told)


def joined(parts: Iterable[str]) -> Phrase:
    """As a sentence lists them: ``a1, e4 and h8``. Raises ValueError without any."""
    *most, last = parts
    return Phrase("{0} and {1}", linked(most, ", "), last) if most else Phrase("{0}", last)
