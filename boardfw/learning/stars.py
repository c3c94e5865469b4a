"""The shortest way to visit all stars; kings stand still, and the opponent never moves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from boardfw.learning.solo import moved, targets
from boardfw.rules import KING, Position
from boardfw.rules.board import SIDE, Placement
from boardfw.rules.move import Step
from boardfw.squares import Occupancy, squares_in

MOST = 100_000
"""States looked at: a few seconds. Lessons need some hundreds."""

State: TypeAlias = tuple[Placement, Occupancy]
"""What stands, and the stars not visited yet."""


def way(position: Position, stars: Occupancy, most: int = MOST) -> tuple[Step, ...] | None:
    """The fewest moves of the side to move that land on all stars, one of the ways there are.

    None: there is none, or none was found among the first ``most`` states.
    """
    if not stars:
        return ()
    side = SIDE[position.turn]
    first: State = (position.placement, stars)
    came: dict[State, tuple[State, Step] | None] = {first: None}
    queue = [first]
    for state in queue:
        for step, after in _after(state, side):
            if after in came:
                continue
            came[after] = state, step
            if not after[1]:
                return tuple(_steps(came, after))
            queue.append(after)
        if len(came) > most:
            break
    return None


def _after(state: State, side: int) -> Iterator[tuple[Step, State]]:
    placement, left = state
    for origin in squares_in(placement[side] & ~placement[KING]):
        for target in squares_in(targets(placement, origin)):
            yield (origin, target), (moved(placement, origin, target), left & ~(1 << target))


def _steps(came: dict[State, tuple[State, Step] | None], state: State) -> list[Step]:
    steps: list[Step] = []
    while (before := came[state]) is not None:
        state, step = before
        steps.append(step)
    return steps[::-1]
