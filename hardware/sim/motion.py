"""A gesture while it is planned: what the hands do one after the other, with times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

from boardfw.squares import Square, file_of, rank_of, square_at

from .action import HandAction
from .faults import neighbours
from .manners import Habit, Manner, Range

DRAG_US = 25_000  # from one square's edge over the line to the next one's


@dataclass(frozen=True, slots=True)
class Gesture:
    """All touches of one move, in the order of their times.

    ``landed_us``: when the moving man stood on its last square; ``tags``: what the hands did, in
    plain words, as truth for whoever has to find it out.
    """

    actions: tuple[HandAction, ...]
    landed_us: int
    end_us: int
    tags: tuple[str, ...] = ()

    def shifted(self, by_us: int) -> Gesture:
        """The same gesture so much later."""
        actions = tuple(replace(action, t_us=action.t_us + by_us) for action in self.actions)
        return Gesture(actions, self.landed_us + by_us, self.end_us + by_us, self.tags)

    def first_touches(self) -> dict[Square, int]:
        """When each square is touched first."""
        return {action.square: action.t_us for action in reversed(self.actions)}

    def last_touches(self) -> dict[Square, int]:
        """When each square is touched last."""
        return {action.square: action.t_us for action in self.actions}


class Motion:
    """A timeline that grows: lifts and drops happen at ``now_us``, waiting moves it on.

    ``men``: who stands where at that point of the plan.
    """

    def __init__(
        self, random: Random, manner: Manner, men: Mapping[Square, str], t_us: int
    ) -> None:
        self.random = random
        self.manner = manner
        self.men = dict(men)
        self.now_us = t_us
        self.landed_us = t_us
        self.tags: list[str] = []
        self._actions: list[HandAction] = []

    def wait(self, limits_ms: Range) -> None:
        """Let a time from this range pass; short ones are the more likely."""
        low, high = limits_ms
        self.wait_us(int(self.random.triangular(low, high, low + (high - low) / 4) * 1000))

    def wait_us(self, duration_us: int) -> None:
        """Let this time pass."""
        self.now_us += duration_us

    def lift(self, square: Square) -> str:
        """Take the man off a square; his label."""
        label = self.men.pop(square)
        self._actions.append(HandAction(self.now_us, "lift", square, label))
        return label

    def drop(self, square: Square, label: str) -> None:
        """Put a man on a square."""
        self.men[square] = label
        self._actions.append(HandAction(self.now_us, "drop", square, label))

    def land(self, square: Square, label: str) -> None:
        """Put the moving man on the square where it belongs."""
        self.drop(square, label)
        self.landed_us = self.now_us

    def touch(self, square: Square, hold_ms: Range) -> None:
        """Lift a man and put him back."""
        label = self.lift(square)
        self.wait(hold_ms)
        self.drop(square, label)

    def drag(self, path: Sequence[Square]) -> None:
        """Drag the man on the path's first square to its last, closing switches on the way."""
        for before, after in pairwise(path):
            label = self.men[before]
            if before == path[0]:
                both = False
            else:
                self.wait(self.manner.pass_ms)
                both = after in neighbours(before) and self.chance(0.5)
            if both:
                self.drop(after, label)  # the magnet between two squares closes both switches
                self.wait_us(self.random.randint(0, DRAG_US))
                self.lift(before)
            else:
                self.lift(before)
                self.wait_us(self.random.randint(0, DRAG_US))
                self.drop(after, label)

    def chance(self, probability: float) -> bool:
        """Whether something of this probability happens."""
        return self.random.random() < probability

    def habit(self, weights: Habit) -> str:
        """One of these ways, by their weights; it becomes a tag."""
        way = self.random.choices(list(weights), list(weights.values()))[0]
        self.tags.append(way)
        return way

    def gesture(self) -> Gesture:
        """What was planned."""
        return Gesture(tuple(self._actions), self.landed_us, self.now_us, tuple(self.tags))


def line_between(origin: Square, target: Square) -> list[Square]:
    """Squares passed on a straight or diagonal line, in order; none where there is no line."""
    files, ranks = file_of(target) - file_of(origin), rank_of(target) - rank_of(origin)
    if files and ranks and abs(files) != abs(ranks):
        return []
    length = max(abs(files), abs(ranks))
    return [
        square_at(
            file_of(origin) + n * files // length,
            rank_of(origin) + n * ranks // length,
        )
        for n in range(1, length)
    ]
