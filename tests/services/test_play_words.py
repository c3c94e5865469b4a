"""The words that choose a game: what they mean, and one line for what they cannot."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.errors import ConfigError
from boardfw.game.clock import parse_control
from boardfw.rules import BLACK, WHITE
from boardfw.services.levels import ADAPTIVE, LEVELS, Level, level_of
from boardfw.services.opponents import OWN, USUAL, Wish
from boardfw.services.play_words import parse_play

LEVEL_TEXTS = st.sampled_from(
    [str(level.number) for level in LEVELS]
    + [level.name for level in LEVELS]
    + ["elo 1350", "990", ADAPTIVE]
)
CONTROLS = st.sampled_from(["5+3", "10", "40/120:60", "*1", "10y3x30", "none"])


@given(
    st.none() | st.sampled_from(["white", "black", "White"]),
    st.none() | LEVEL_TEXTS,
    st.none() | CONTROLS,
    st.randoms(use_true_random=False),
)
def test_what_is_said_in_any_order_is_understood(
    color: str | None, level: str | None, control: str | None, order: object
) -> None:
    said = [color or "", f"level {level}" if level else "", control or ""]
    order.shuffle(said)  # type: ignore[attr-defined]
    asked = parse_play(f"own {' '.join(said)}")
    assert asked.wish is not None
    assert asked.wish.name == OWN
    assert asked.wish.adapts is (level == ADAPTIVE)
    is_said = level not in (None, ADAPTIVE)
    assert asked.wish.level == (level_of(level or "") if is_said else USUAL.level)
    assert asked.color == {"white": WHITE, "black": BLACK, None: None}[color and color.lower()]
    assert asked.is_timed is (control is not None)
    wanted = parse_control(control, in_minutes=True) if control not in (None, "none") else None
    assert asked.control == wanted


def test_what_is_not_said_is_as_usual() -> None:
    usual = Wish(OWN, LEVELS[6], seed=9)
    for text in ("engine", "white", "level club player", "engine black 5+3"):
        assert parse_play(text, usual).wish == usual


def test_an_opponent_as_strong_as_the_player_needs_no_name() -> None:
    usual = Wish(OWN, LEVELS[6], seed=9)
    for text in ("adaptive", "engine adaptive", "white Adaptive 5+3", "own level adaptive"):
        assert parse_play(text, usual).wish == replace(usual, adapts=True)
    assert parse_play("engine", replace(usual, adapts=True)).wish == replace(usual, adapts=True)
    assert parse_play("level 7", replace(usual, adapts=True)).wish == usual


def test_two_people_play_with_a_clock() -> None:
    asked = parse_play("person 5+3")
    assert (asked.wish, asked.is_timed) == (None, True)


def test_an_elo_of_its_own_is_kept() -> None:
    wish = parse_play("own level elo 1350").wish
    assert wish is not None
    assert wish.level == Level(5, "Elo 1350", 1350)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "play: write 'play engine'"),
        ("deepthought", "engine 'deepthought': there is no such program"),
        ("own white black", "play: 'black': that was said before"),
        ("own 5+3 10", "play: '10': that was said before"),
        ("own level 1 level 2", "play: 'level': that was said before"),
        ("own adaptive level 1", "play: 'level': that was said before"),
        ("own level", "level '': there is none such"),
        ("own level strong", "level 'strong': there is none such"),
        ("own blue", "play: 'blue' is no colour, level or time"),
        ("own 300:60", "play: '300:60' is no colour, level or time"),
        ("person white", "play person: two people"),
        ("person level 3", "play person: two people"),
    ],
)
def test_what_cannot_be_meant_is_one_line(text: str, told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_play(text)
    assert str(caught.value).startswith(told)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=60))
def test_whatever_is_typed_is_understood_or_one_line(text: str) -> None:
    told = ""
    try:
        parse_play(text)
    except ConfigError as error:
        told = str(error)
    assert "\n" not in told
