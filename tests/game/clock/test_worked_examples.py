"""Each kind of clock agrees with a mechanism made from its definition.

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
