"""The languages that the board knows beside English: their tables are the files here."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from boardfw.document import read_document
from boardfw.errors import BoardError
from boardfw.phrase import LANGUAGES, Table, translated

FOLDER = Path(__file__).parent


@cache
def table_of(language: str) -> Table:
    """Sentences of the board in a language, by the English ones; empty: it is not known here.

    Sentences of single lessons are not among them: those come with the lessons.
    """
    if language not in LANGUAGES:
        return {}
    table: Table = read_document(FOLDER / f"{language}.toml", BoardError).values
    return table


def tables_with(more: Mapping[str, Table]) -> dict[str, Table]:
    """The tables of all languages, by their names; ``more``: some that have more than the board's,
    or that the board has not."""
    return {name: table_of(name) for name in LANGUAGES} | dict(more)


def also_said(
    languages: Mapping[str, Table] | None = None, /, **texts: str
) -> dict[str, dict[str, str]]:
    """Texts by their names in each language that has any of them; what a language has not is left
    out. ``languages``: tables that are more than those of the board; None: there are none."""
    found: dict[str, dict[str, str]] = {}
    for language, table in tables_with(languages or {}).items():
        said = {name: translated(text, table) for name, text in texts.items()}
        found[language] = {name: text for name, text in said.items() if text != texts[name]}
    return {language: said for language, said in found.items() if said}
