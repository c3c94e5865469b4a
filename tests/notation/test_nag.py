"""Annotation signs and their numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.notation.nag import SIGNS, format_nag, meaning, parse_nag


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("!", 1), ("!!", 3), ("?", 2), ("??", 4), ("?!", 6), ("!?", 5)),
        *(("+-", 18), ("+ -", 18), (" + - ", 18), ("-+", 19), ("- +", 19), ("+–", 18), ("−+", 19)),
        *(("=", 10), ("∞", 13), ("⩲", 14), ("+/=", 14), ("⩱", 15), ("=/+", 15)),
        *(("±", 16), ("+/-", 16), ("∓", 17), ("-/+", 17), ("⁈", 6), ("‼", 3)),
        *(("$0", 0), ("$3", 3), ("$139", 139), ("$255", 255)),
    ],
)
def test_a_sign_has_its_number(text: str, number: int) -> None:
    assert parse_nag(text) == number


@pytest.mark.parametrize(
    "text", ["", "+", "++", "#", "-", "$", "$256", "$1234", "$-1", "$ ", "!!!", "e4", "$²", "$٣"]
)
def test_what_is_no_nag(text: str) -> None:
    assert parse_nag(text) is None


def test_no_text_is_too_long() -> None:
    assert parse_nag("!" * 10_000_000) is None


@given(st.text())
def test_any_text_is_read_or_is_no_nag(text: str) -> None:
    number = parse_nag(text)
    assert number is None or 0 <= number <= 255


def test_what_is_written_is_read() -> None:
    for number in range(256):
        assert format_nag(number) == f"${number}"
        assert parse_nag(format_nag(number)) == number
        assert parse_nag(format_nag(number, signs=True)) == number


def test_signs_are_written_where_there_are_some() -> None:
    assert [format_nag(n, signs=True) for n in range(8)] == [
        "$0",
        "!",
        "?",
        "!!",
        "??",
        "!?",
        "?!",
        "□",
    ]
    assert [format_nag(n, signs=True) for n in (18, 19, 20)] == ["+-", "-+", "$20"]
    assert set(SIGNS.values()) == {parse_nag(sign) for sign in SIGNS}


@pytest.mark.parametrize("number", [-1, 256])
def test_there_is_no_other_number(number: int) -> None:
    with pytest.raises(ValueError, match="0 to 255"):
        format_nag(number)


def test_meanings_are_those_of_the_standard() -> None:
    assert meaning(1) == "good move"
    assert meaning(18) == "White is winning"
    assert meaning(139) == "Black is very short of time"
    assert meaning(140) == "$140: no meaning in the PGN standard"
    assert len({meaning(number) for number in range(256)}) == 256
