"""The mind of a pupil: what he is asked, what he has heard, and how he says what hands shall do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import NamedTuple, TypeAlias

from boardfw.learning.course import Exercise
from boardfw.players.game_player import hand_move
from boardfw.rules import Move, Position
from boardfw.rules.move import Step
from boardfw.squares import Occupancy, Square, squares_in
from hardware.sim.gesture import Gesture
from hardware.sim.hands import Hands

PATIENCE_US = 2_500_000
"""Longer than an answer ripens: who has heard nothing for so long answers again."""
JUDGED_US = 6_000_000
"""Longer than any move waits for its judgement."""
REFUSED_US = 800_000
"""So long after a ply was read it is known whether it was refused."""
LONG_US = 60_000_000
"""So long somebody waits for the move of the other side."""

Pieces: TypeAlias = Mapping[Square, str]
Act: TypeAlias = Callable[[int, Pieces], Gesture]
"""What hands do, given when they begin and who stands where."""
Choice: TypeAlias = Callable[[Position], Move]


class Heard(NamedTuple):
    """What the board has said of the exercise so far."""

    right: Occupancy = 0
    """Squares that were answers."""
    answers: int = 0
    """How many answers were right; where plies are played one after the other, how many were."""
    shown: Step | None = None
    """From where to where the lights show a move of the other side."""
    asked: Occupancy = 0
    """Squares on which men are wanted next."""
    stars: Occupancy = 0
    """Squares that are still to be visited."""
    is_misplaced: bool = False
    """Men have to go home before anything else is judged."""
    is_over: bool = False


class Wait(NamedTuple):
    """Wait until this is so, or until nothing was done and nothing heard for so long."""

    until: Callable[[], bool]
    patience_us: int = PATIENCE_US


Acts: TypeAlias = Iterator[Act | Wait]


@dataclass
class Mind:
    """Who solves: what he is asked, with which hands, and what he has heard."""

    exercise: Exercise
    hands: Hands
    random: Random
    choose: Choice
    """What he plays in a game of his own."""
    heard: Heard = field(default_factory=Heard)

    def put_back(self, squares: Sequence[Square]) -> Act:
        """Hold these men up, one after the other."""
        return partial(self.hands.put_back, squares)

    def visit(self, origin: Square, squares: Sequence[Square]) -> Act:
        """Touch these squares with a man, and bring him home."""
        return partial(self.hands.visit, origin, squares, origin)

    def play(self, position: Position, move: Move) -> Act:
        """Make a move."""
        return partial(self.hands.play, hand_move(position, move))

    def has_heard(self, answers: int) -> Wait:
        """Wait for so many right answers."""
        return Wait(lambda: self.heard.answers >= answers)

    def has_right(self, squares: Occupancy) -> Wait:
        """Wait until all these squares are right."""
        return Wait(lambda: not squares & ~self.heard.right)

    def left(self, squares: Occupancy) -> list[Square]:
        """Those that were not right yet, in any order."""
        left = [*squares_in(squares & ~self.heard.right)]
        self.random.shuffle(left)
        return left
