"""Score sheets and columns of books, taken apart into moves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.notation import UnreadableMove
from boardfw.notation.game_text import in_order, words


@pytest.mark.parametrize(
    ("line", "moves"),
    [
        ("1.e4   e5", ["e4", "e5"]),
        ("1. e4 e5 2. Nf3", ["e4", "e5", "Nf3"]),
        ("1.P-K4 P-K4 5.NxP BxQ??", ["P-K4", "P-K4", "NxP", "BxQ??"]),
        ("1....P-K4", ["P-K4"]),
        ("1… e5 2 . Nf3", ["e5", "Nf3"]),
        ("exd6 e.p. ! Nf6 ch", ["exd6 e.p. !", "Nf6 ch"]),
        ("N-B5 dis ch K-K2", ["N-B5 dis ch", "K-K2"]),
        ("0-0 0-0-0 (0-1)", ["0-0", "0-0-0"]),
        ("40.Nd5# 1-0", ["Nd5#"]),
        ("Kd2 Kd7 ( ½ - ½ )", ["Kd2", "Kd7"]),
        ("Kd2 1/2 - 1/2", ["Kd2"]),
        ("", []),
    ],
)
def test_the_moves_of_a_line(line: str, moves: list[str]) -> None:
    assert words(line) == moves


def test_columns_are_put_in_order() -> None:
    assert in_order("1.a b 3.e f\n2.c d 4.g") == list("abcdefg")
    assert in_order("12...x 13.y") == ["x", "y"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1.e4 e5 1.d4", "'d4': 1. is already 'e4'; correct its number"),
        ("1.e4 e5 3.d4", "2. is missing; write it before 3."),
        ("1.e4 2.d4", "1... is missing; write it before 2."),
    ],
)
def test_numbers_that_make_no_game(text: str, message: str) -> None:
    with pytest.raises(UnreadableMove) as caught:
        in_order(text)
    assert str(caught.value) == message


@given(st.text("1.… e4½-/()!+") | st.text())
def test_any_text_has_words(text: str) -> None:
    assert all(words(text))


@pytest.mark.parametrize(
    "text", ["( " * 30_000, "(" + " " * 100_000, "1 - " * 30_000, "+" * 300_000]
)
def test_a_long_text_is_quick(text: str) -> None:
    words(text)
