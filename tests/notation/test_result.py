"""Results in every spelling that players use."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.notation.result import RESULTS, parse_result


@pytest.mark.parametrize(
    ("text", "result"),
    [
        *(("1-0", "1-0"), ("(1-0)", "1-0"), ("( 1 - 0 )", "1-0"), ("1–0", "1-0"), ("1:0", "1-0")),
        *(("0-1", "0-1"), ("(0-1)", "0-1"), (" 0 - 1", "0-1"), ("[0—1]", "0-1")),
        *((text, "1/2-1/2") for text in ("1/2-1/2", "1/2", "½", "½-½", "½–½", "( ½ - ½ )")),
        *((text, "1/2-1/2") for text in ("(½-½)", "1/2 - 1/2", "1⁄2-1⁄2", "0.5-0.5")),
        *(("*", "*"), (" * ", "*"), ("(*)", "*")),
    ],
)
def test_spellings(text: str, result: str) -> None:
    assert parse_result(text) == result


@pytest.mark.parametrize(
    "text",
    [
        *("", "1", "0-0", "1-1", "(1-0", "1-0)", "(1-0]", "((1-0))"),
        *("0-0-0", "1-0-0", "1/3", "draw", "-"),
    ],
)
def test_what_is_no_result(text: str) -> None:
    assert parse_result(text) is None


def test_no_text_is_too_long() -> None:
    assert parse_result("(" * 10_000_000) is None


@given(st.text("()[] 0123/½*-–:.", max_size=12) | st.text())
def test_any_text_is_read_or_is_no_result(text: str) -> None:
    assert parse_result(text) in (None, *RESULTS)
