"""Each kind of clock agrees with a mechanism made from its definition.

Whole games of random moves, a thousand plies of each kind, to the thousandth of a second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import chain, repeat
from random import Random

import pytest

from boardfw.game.clock import ChessClock, parse_control
from tests.sizes import sized

TICK = Decimal("0.001")


class Mechanism:
    """Sudden death: a time for each player that only ever gets less."""

    def __init__(self, main: str) -> None:
        self.shown = [Decimal(main), Decimal(main)]
        self.fallen: int | None = None
        for color in (0, 1):
            self.before_move(color)

    def tick(self, color: int) -> None:
        """A thousandth of a second of one player's thought."""
        if self.fallen is None:
            self.turn_wheel(color)
            if self.shown[color] == 0:
                self.out_of_time(color)

    def press(self, color: int) -> None:
        """The player has moved."""
        if self.fallen is None:
            self.after_move(color)
            self.before_move(color)

    def turn_wheel(self, color: int) -> None:
        self.shown[color] -= TICK

    def out_of_time(self, color: int) -> None:
        self.fallen = color

    def before_move(self, color: int) -> None:
        pass

    def after_move(self, color: int) -> None:
        pass


class Fischer(Mechanism):
    """Time is added prior to each move."""

    def __init__(self, main: str, increment: str) -> None:
        self.increment = Decimal(increment)
        super().__init__(main)

    def before_move(self, color: int) -> None:
        self.shown[color] += self.increment


class American(Mechanism):
    """A small wheel runs off before the big one moves."""

    def __init__(self, main: str, delay: str) -> None:
        self.delay = Decimal(delay)
        self.waiting = [self.delay, self.delay]
        super().__init__(main)

    def before_move(self, color: int) -> None:
        self.waiting[color] = self.delay

    def turn_wheel(self, color: int) -> None:
        if self.waiting[color] > 0:
            self.waiting[color] -= TICK
        else:
            self.shown[color] -= TICK

    def tick(self, color: int) -> None:
        if self.shown[color] > 0:
            super().tick(color)
            return
        self.waiting[color] -= TICK  # nothing left but the delay
        if self.waiting[color] <= 0:
            self.fallen = color

    def out_of_time(self, color: int) -> None:
        self.fallen = color


class Bronstein(Mechanism):
    """What a move took is added behind it, at most so much."""

    def __init__(self, main: str, most: str) -> None:
        self.most = Decimal(most)
        self.taken = Decimal(0)
        super().__init__(main)

    def before_move(self, color: int) -> None:
        self.taken = Decimal(0)

    def turn_wheel(self, color: int) -> None:
        self.taken += TICK
        self.shown[color] -= TICK

    def after_move(self, color: int) -> None:
        self.shown[color] += min(self.taken, self.most)


class Stages(Mechanism):
    """So many moves in so much time, then another time on top, with increments of their own."""

    def __init__(self, *stages: tuple[int, str, str]) -> None:
        """``stages``: (moves, seconds, increment); the last comes again and again."""
        self.to_come = [gifts(stages), gifts(stages)]
        super().__init__("0")

    def before_move(self, color: int) -> None:
        self.shown[color] += next(self.to_come[color])


def gifts(stages: tuple[tuple[int, str, str], ...]) -> Iterator[Decimal]:
    """What each move brings, for ever."""
    for moves, seconds, increment in chain(stages, repeat(stages[-1])):
        yield Decimal(seconds) + Decimal(increment)
        yield from repeat(Decimal(increment), moves - 1)


class Hourglass(Mechanism):
    """Sand that leaves the one glass arrives in the other."""

    def turn_wheel(self, color: int) -> None:
        self.shown[color] -= TICK
        self.shown[1 - color] += TICK


class ByoYomi(Mechanism):
    """When the time is used up, periods run; one that was not used up begins again."""

    def __init__(self, main: str, periods: int, period: str) -> None:
        self.period = Decimal(period)
        self.periods = [periods, periods]
        self.reading = [False, False]
        super().__init__(main)

    def out_of_time(self, color: int) -> None:
        if self.reading[color]:
            self.periods[color] -= 1
        if self.periods[color] == 0:
            self.fallen = color
            return
        self.reading[color] = True
        self.shown[color] = self.period

    def after_move(self, color: int) -> None:
        if self.reading[color]:
            self.shown[color] = self.period


PLIES = sized(400, 1_000)
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


@pytest.mark.slow
@pytest.mark.parametrize("text", KINDS)
def test_many_plies_agree_with_the_mechanism(text: str) -> None:
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
