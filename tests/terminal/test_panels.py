"""The chess clock on the screen."""

from __future__ import annotations

import pytest

from boardfw.game.clock import ChessClock, ClockUse, parse_control
from boardfw.terminal.panels import clock_words, time_words
from tests.terminal.table import Table

SECOND_US = 1_000_000


@pytest.mark.parametrize(
    ("time_us", "words"),
    [
        (5_400 * SECOND_US, "1:30:00"),
        (300 * SECOND_US, "5:00"),
        (300 * SECOND_US - 1, "5:00"),
        (299 * SECOND_US, "4:59"),
        (10 * SECOND_US + 1, "0:11"),
        (10 * SECOND_US, "10.0"),
        (9_500_000, "9.5"),
        (1, "0.1"),
        (0, "0.0"),
    ],
)
def test_times_are_rounded_up_so_that_0_is_the_end(time_us: int, words: str) -> None:
    assert time_words(time_us) == words


def test_the_words_show_the_running_clock_and_the_fallen_flag() -> None:
    clock = ChessClock.of(parse_control("60"))
    assert clock_words(clock, 0) == "White 1:00  Black 1:00"
    clock = clock.press(0, 0)
    assert clock_words(clock, 2 * SECOND_US) == "White 1:00  ►Black 0:58"
    assert clock_words(clock.pause(2 * SECOND_US), 9 * SECOND_US) == "White 1:00  Black 0:58"
    assert clock_words(clock, 60 * SECOND_US) == "White 1:00  Black 0.0 flag"


def test_the_words_count_periods_of_byo_yomi() -> None:
    clock = ChessClock.of(parse_control("20y3x30")).press(1, 0)
    assert clock_words(clock, 45 * SECOND_US) == "►White 5.0 +3  Black 0:20 +3"
    assert clock_words(clock, 50 * SECOND_US) == "►White 0:30 +2  Black 0:20 +3"


async def test_the_clock_runs_in_the_first_line_of_the_screen() -> None:
    table = Table(clock=ClockUse(parse_control("60+1")))
    async with table.shown(80, 24):
        assert table.head == " boardfw   White 1:01  Black 1:01  ·  your hand  ·  games/x.pgn"
        await table.click("e2", "e4")
        await table.wait(10 * SECOND_US)
        assert "White 1:02  ►Black 0:5" in table.head
        seen = table.head
        await table.wait(SECOND_US)
        assert table.head != seen
        await table.wait(60 * SECOND_US)
        assert "Black 0.0 flag" in table.head
        assert "White won on time" in table.situation


async def test_without_a_clock_there_is_none_on_the_screen() -> None:
    async with (table := Table()).shown(80, 24):
        assert table.head == " boardfw   your hand  ·  games/x.pgn"
