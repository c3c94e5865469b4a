"""Sentences in other languages: whatever was put into what, and however deep."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.phrase import Phrase, joined, linked, translated

WORDS = st.text(alphabet="ab {}01.;", min_size=1, max_size=8)
PHRASES = st.recursive(
    WORDS,
    lambda inner: st.builds(Phrase, WORDS, inner, inner) | st.lists(inner, min_size=1).map(joined),
    max_leaves=8,
)
TABLE = {
    "the {0} on {1}": "{0} auf {1}",
    "rook": "Turm",
    "{0} takes {1}": "{1} wird geschlagen: {0}",
    "{0} and {1}": "{0} und {1}",
    "Well done.": "Gut gemacht.",
}
ROOK = Phrase("the {0} on {1}", "rook", "a1")


@given(PHRASES)
def test_without_a_table_it_is_the_english_text(text: str) -> None:
    assert translated(text, {}) == text
    assert type(translated(text, {})) is str or not isinstance(text, Phrase)


def test_places_may_stand_otherwise_and_hold_phrases() -> None:
    taken = Phrase("{0} takes {1}", ROOK, "e4")
    assert taken == "the rook on a1 takes e4"
    assert translated(taken, TABLE) == "e4 wird geschlagen: Turm auf a1"


def test_a_sentence_is_not_half_translated() -> None:
    assert translated(Phrase("You are {0}.", "rook"), TABLE) == "You are rook."
    told = linked((Phrase("You are {0}.", "rook"), "Well done."))
    assert translated(told, TABLE) == "You are rook. Gut gemacht."


def test_what_is_put_in_is_not_filled_itself() -> None:
    assert Phrase("{0}{1}", "{1}", "x") == "{1}x"


def test_a_named_place_without_a_value_stays_open() -> None:
    assert Phrase("{you} on {square}", you="White") == "White on {square}"


@pytest.mark.parametrize(
    ("parts", "english", "german"),
    [
        (["e4"], "e4", "e4"),
        (["e4", ROOK], "e4 and the rook on a1", "e4 und Turm auf a1"),
        (["e4", "f5", ROOK], "e4, f5 and the rook on a1", "e4, f5 und Turm auf a1"),
    ],
)
def test_lists_are_joined(parts: list[str], english: str, german: str) -> None:
    assert joined(parts) == english
    assert translated(joined(parts), TABLE) == german


def test_empty_parts_are_left_out() -> None:
    assert linked(["", ROOK, "", "Well done."]) == "the rook on a1 Well done."
    assert translated(linked(["", ROOK, "Well done."]), TABLE) == "Turm auf a1 Gut gemacht."
    assert linked([]) == ""
