"""Time controls are read as the PGN tag writes them, and mistakes are named in one line."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.errors import NotationError
from boardfw.game.clock import (
    SECOND_US,
    Stage,
    TimeControl,
    control_in_words,
    format_control,
    parse_control,
)

MAIN_US = st.integers(1, 9_999_999 * SECOND_US)
EACH_US = st.integers(1, 60 * SECOND_US)
COUNTS = st.integers(1, 999)
ways = st.one_of(
    st.just({}),
    st.builds(lambda us: {"increment_us": us}, EACH_US),
    st.builds(lambda us: {"delay_us": us}, EACH_US),
    st.builds(lambda us: {"refund_us": us}, EACH_US),
)
byo_yomi = st.builds(lambda n, us: {"periods": n, "period_us": us}, COUNTS, EACH_US)
staged = st.builds(lambda us, n, way: Stage(us, n, **way), MAIN_US, COUNTS, ways)
last = st.one_of(staged, st.builds(lambda us, way: Stage(us, **way), MAIN_US, ways | byo_yomi))
controls = st.one_of(
    st.builds(lambda us: TimeControl((Stage(us),), hourglass=True), MAIN_US),
    st.builds(lambda some, end: TimeControl((*some, end)), st.lists(staged, max_size=3), last),
)


@given(controls)
def test_what_is_written_is_read_back(control: TimeControl) -> None:
    text = format_control(control)
    assert parse_control(text) == control
    assert text.isprintable()
    assert " " not in text


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("300", TimeControl((Stage(300 * SECOND_US),))),
        ("4500+60", TimeControl((Stage(4_500 * SECOND_US, increment_us=60 * SECOND_US),))),
        ("40/9000", TimeControl((Stage(9_000 * SECOND_US, 40),))),
        (
            "40/7200:3600",
            TimeControl((Stage(7_200 * SECOND_US, 40), Stage(3_600 * SECOND_US))),
        ),
        ("*180", TimeControl((Stage(180 * SECOND_US),), hourglass=True)),
        ("300d5", TimeControl((Stage(300 * SECOND_US, delay_us=5 * SECOND_US),))),
        ("300b2.5", TimeControl((Stage(300 * SECOND_US, refund_us=2_500_000),))),
        (
            "600y3x30",
            TimeControl((Stage(600 * SECOND_US, periods=3, period_us=30 * SECOND_US),)),
        ),
        (" 40/7200 : 300 + 3 ", parse_control("40/7200:300+3")),
    ],
)
def test_spellings(text: str, control: TimeControl) -> None:
    assert parse_control(text) == control
    assert format_control(control) == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "exactly", "words"),
    [
        ("5+3", "300+3", "5 minutes and 3 seconds for each move"),
        ("3", "180", "3 minutes"),
        ("0.5+1", "30+1", "30 seconds and 1 second for each move"),
        ("0+2", "0+2", "2 seconds for each move"),
        ("90+30", "5400+30", "1 hour 30 minutes and 30 seconds for each move"),
        ("180", "10800", "3 hours"),
        ("300+3", "300+3", "5 minutes and 3 seconds for each move"),
        ("180s+2", "180+2", "3 minutes and 2 seconds for each move"),
        ("240m", "14400", "4 hours"),
        ("5d3", "300d3", "5 minutes and a delay of 3 seconds before each move"),
        ("5b2.5", "300b2.5", "5 minutes and up to 2.5 seconds given back after each move"),
        ("10y3x30", "600y3x30", "10 minutes and 3 periods of 30 seconds"),
        ("40/120:60+30", "40/7200:3600+30",
         "2 hours for 40 moves, then 1 hour and 30 seconds for each move"),
        ("40/7200:3600", "40/7200:3600", "2 hours for 40 moves, then 1 hour"),
        ("*1", "*60", "1 minute each, and what one player uses the other gains"),
    ],
)  # fmt: skip
def test_what_people_write_is_in_minutes(text: str, exactly: str, words: str) -> None:
    control = parse_control(text, in_minutes=True)
    assert format_control(control) == exactly
    assert control_in_words(control) == words
    assert parse_control(exactly) == control


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "not understood; write minutes and seconds for each move, such as 5+3"),
        ("5 minutes", "not understood; write"),
        ("300+", "not understood; write"),
        ("40/7200:x", "'x' is no stage; write"),
        ("*60:60", "'*60' is no stage; write"),
        ("-300", "not understood; write"),
        ("300:60", "stage 1 never ends; give it a number of moves, such as 40/7200"),
        ("0/300:60", "stage 1 has no moves; give it at least 1"),
        ("40/600y1x5:60", "stage 1 has byo-yomi, which never ends; let it be the last stage"),
        ("40/600y1x5", "it has byo-yomi, which never ends; leave out the number of moves"),
        ("600y0x5", "it has byo-yomi without time; write such as 600y3x30"),
        ("0", "it gives no time; write more than 0 seconds"),
        ("0d5", "it gives no time"),
        ("*0", "it gives no time"),
        ("40/60:0", "stage 2 gives no time"),
    ],
)
def test_a_mistake_is_one_line_that_says_what_where_and_how_to_mend_it(
    text: str, told: str
) -> None:
    with pytest.raises(NotationError) as caught:
        parse_control(text)
    message = str(caught.value)
    assert told in message
    assert message.startswith("time control '")
    assert "\n" not in message


@given(st.text("0123456789.+dbyxsm:/*\n- ") | st.text())
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    with suppress(NotationError):
        control = parse_control(text)
        assert parse_control(format_control(control)) == control
        return
    with pytest.raises(NotationError, match=r"\A[^\n]*\Z"):
        parse_control(text)


@pytest.mark.parametrize(
    ("text", "firsts"),
    [
        ("300", [1]),
        ("3/60", [1, 4, 7, 10]),
        ("3/60:2/30:10", [1, 4, 6]),
        ("2/60:3/30", [1, 3, 6, 9]),
    ],
)
def test_stages_begin_where_their_moves_say(text: str, firsts: list[int]) -> None:
    control = parse_control(text)
    assert [move for move in range(1, 11) if control.place(move).is_first] == firsts
