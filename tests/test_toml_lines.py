"""Each value of a TOML text has its line, whatever is written around it."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from boardfw.document import read_document
from boardfw.errors import TraceError
from boardfw.toml_lines import MOST_PARTS, Place, line_of_a_long_key, lines_of
from tests.growth import MOST_GROWTH, growth

SCALARS = ("1", "2.5", "1979-05-27 07:32:00", "'['", r'"]\""', "'''\n[''''", '"""\n\\"""""')
KEYS = ("a", "'b'", r'"\u0063"', "d . e", "f.'g'.1")
HEADINGS = ("", "[a]\n", "[[a]]\n", "[a.b] # [c]\n", "\r\n[[ a . 'b' ]]\n", "[ c ]\n", "[[c.d]]\n")


def places_in(value: object, place: Place = ()) -> set[Place]:
    """The places of a value, and of each key and item in it."""
    pairs = value.items() if isinstance(value, dict) else ()
    inner = enumerate(value) if isinstance(value, list) else pairs
    return {place}.union(*(places_in(item, (*place, step)) for step, item in inner))


def inside(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Arrays and tables of values."""
    items = st.lists(values, max_size=len(KEYS))
    arrays = items.map(lambda each: "[\n" + ", # ]\n".join(each) + "\n]")
    pairs = items.map(
        lambda each: [f"{key} = {value}" for key, value in zip(KEYS, each, strict=False)]
    )
    return arrays | pairs.map(lambda each: "{" + ", ".join(each) + "}")


VALUES = st.recursive(st.sampled_from(SCALARS), inside, max_leaves=6)


@given(st.lists(st.tuples(st.sampled_from(HEADINGS), VALUES), max_size=6))
def test_every_value_of_a_sound_text_has_its_line(parts: list[tuple[str, str]]) -> None:
    text = "".join(f"{above}k{n}.x = {value}\n" for n, (above, value) in enumerate(parts))
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        reject()  # a heading comes twice
    lines = lines_of(text)
    assert set(lines) == places_in(values)
    for n in range(len(parts)):
        (line,) = {line for place, line in lines.items() if place[-2:] == (f"k{n}", "x")}
        assert line == 1 + text[: text.index(f"k{n}.x")].count("\n")


@given(st.text("[]{}=,.#\n\\\"'a1 "))
def test_any_text_has_its_lines_or_is_no_toml(text: str) -> None:
    assert line_of_a_long_key(text) is None
    with suppress(tomllib.TOMLDecodeError):
        places = places_in(tomllib.loads(text))
        assert set(lines_of(text)) == places


def test_a_key_of_very_many_parts_is_not_read(tmp_path: Path) -> None:
    parts = ".".join("a" * MOST_PARTS)
    for text in (f"{parts} = 1", f"[{parts}]", f"[[{parts}]]", f"b = {{{parts} = 1}}"):
        assert len(max(places_in(values_of(tmp_path, f"# a.b\n{text}")), key=len)) >= MOST_PARTS
        with pytest.raises(TraceError, match="2: nested too deeply"):
            values_of(tmp_path, "# a.b\n" + text.replace("a.a", "a . 'a'.a", 1))


def values_of(folder: Path, text: str) -> dict[str, Any]:
    """The values of a file with this text."""
    path = folder / "x.toml"
    path.write_text(text, encoding="utf-8")
    return read_document(path, TraceError).values


@pytest.mark.slow
@pytest.mark.parametrize(
    ("begin", "piece", "end"),
    [
        ("", "[[a]]\nb = 1\n", ""),
        ("a = [\n", "1,\n", "]\n"),
        ("a = [\n", "{b = [1]},\n", "]\n"),
        ("a = {", "'b{n}' = 1, ", "c = 1}\n"),
        ("", "[a.b{n}]\n", ""),
        ("a = ", "[", ""),
        ("a = ", "{b = ", ""),
        ("", "a.", "a = 1\n"),
        ("[", "a.", "a]\n"),
        ("", '"""\\', ""),
        ("", "'", ""),
        ("", '"\\', ""),
        ("a = '''", "'\n", "'''"),
        ("# ", "# ", "\n"),
    ],
)
def test_time_grows_with_the_length_of_a_file(
    tmp_path: Path, begin: str, piece: str, end: str
) -> None:
    def of_size(size: int) -> str:
        pieces = (piece.replace("{n}", str(n)) for n in range(size // len(piece)))
        return begin + "".join(pieces) + end

    def read(text: str) -> None:
        with suppress(TraceError):
            values_of(tmp_path, text)
            lines_of(text)

    assert growth(read, of_size) < MOST_GROWTH
