"""Chess clocks as their makers describe them: wheels that move by a thousandth of a second.

Written from the definitions, one class a kind, with decimal seconds and no formula: a slow and
literal second opinion for what ``boardfw.game.clock`` computes.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import chain, repeat

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
