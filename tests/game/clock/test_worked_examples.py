"""Each kind of clock agrees with a mechanism made from its definition, and with hand-made tables.

Whole games of random moves, a thousand plies of each kind, to the thousandth of a second.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from random import Random

import pytest

from boardfw.game.clock import ChessClock, parse_control
from tests.game.clock.mechanisms import (
    American,
    Bronstein,
    ByoYomi,
    Fischer,
    Hourglass,
    Mechanism,
    Stages,
)

PLIES = 1_000
MS_US = 1_000

# Times are short, so that each kind comes to its end, and to what it does near it, many times.
KINDS: dict[str, Callable[[], Mechanism]] = {
    "5": lambda: Mechanism("5"),
    "2+0.3": lambda: Fischer("2", "0.3"),
    "0+0.4": lambda: Fischer("0", "0.4"),
    "1.5d0.25": lambda: American("1.5", "0.25"),
    "1.5b0.25": lambda: Bronstein("1.5", "0.25"),
    "4/1:3/0.5+0.1:0.75": lambda: Stages((4, "1", "0"), (3, "0.5", "0.1"), (10_000, "0.75", "0")),
    "3/0.9": lambda: Stages((3, "0.9", "0")),
    "*2": lambda: Hourglass("2"),
    "1y3x0.4": lambda: ByoYomi("1", 3, "0.4"),
}
MOST_MS = {"2+0.3": 700, "0+0.4": 900, "3/0.9": 700, "*2": 900, "1y3x0.4": 600}
"""The longest thought of a random player; each kind has its own tempo at which it is close."""


def us(seconds: Decimal) -> int:
    return int(seconds * 1_000_000)


def agree(clock: ChessClock, mechanism: Mechanism, t_us: int) -> None:
    for color in (0, 1):
        assert clock.remaining_us(color, t_us) == us(mechanism.shown[color])
    assert clock.flag_fallen(t_us) == mechanism.fallen
    if isinstance(mechanism, ByoYomi):
        for color in (0, 1):
            assert clock.periods(color, t_us) == mechanism.periods[color]


@pytest.mark.parametrize("text", KINDS)
def test_a_thousand_plies_agree_with_the_mechanism(text: str) -> None:
    chance = Random(f"worked examples of {text}")
    control, plies, games = parse_control(text), 0, 0
    most_ms = MOST_MS.get(text, 500)
    while plies < PLIES:
        clock, mechanism, t_us = ChessClock.of(control), KINDS[text](), 17
        clock, games = clock.press(1, t_us), games + 1  # Black sets White's time going
        while mechanism.fallen is None and plies < PLIES:
            color = clock.turn
            for _ in range(chance.randint(1, most_ms)):
                mechanism.tick(color)
                t_us += MS_US
                if chance.random() < 0.02:
                    agree(clock, mechanism, t_us)
            agree(clock, mechanism, t_us)
            clock = clock.press(color, t_us)
            mechanism.press(color)
            agree(clock, mechanism, t_us)
            plies += 1
    assert games > 1, "no flag has fallen: nothing was seen of the end"


@pytest.mark.parametrize(
    ("text", "thoughts", "shown"),
    [
        # White's thought, Black's thought and so on; then what both clocks show, in seconds.
        ("300", "0 10 20 30", "280 260"),
        ("300+3", "0 10 20 30", "289 269"),  # 300 + 3 * 3 - 20, 300 + 3 * 3 - 40
        ("5400+30", "33 45", "5427 5415"),
        ("60d5", "3 5 9 65", "56 0"),
        ("60b5", "3 5 9 4.5", "56 60"),
        ("2/60:30", "20 10 30 49", "40 31"),
        ("2/60+1:30+2", "20 10 30 49", "44 35"),  # 60 + 1 + 1 + 30 + 2 - 50, ... - 59
        ("*60", "10 25 5 20", "90 30"),
        ("30y2x10", "25 31 9.5 9", "10 10"),
        ("30y2x10", "25 30 24.9 9.9", "10 10"),  # White has lost the first period on the way
    ],
)
def test_tables_made_by_hand(text: str, thoughts: str, shown: str) -> None:
    clock, t_us = ChessClock.of(parse_control(text)).press(1, 0), 0
    for thought in thoughts.split():
        t_us += us(Decimal(thought))
        clock = clock.press(clock.turn, t_us)
    if text == "60d5":  # with 60 s and a delay of 5 s a thought of 65 s is one too many
        assert clock.flag_fallen(t_us) == 1
    assert [clock.remaining_us(color, t_us) for color in (0, 1)] == [
        us(Decimal(seconds)) for seconds in shown.split()
    ]
