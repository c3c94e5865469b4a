"""The state of a simulated pupil: the exercise, the board's answers, and the acts of its hands."""

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
from boardfw.squares import Bitboard, Orientation, Square, Switch, squares_in
from hardware.sim.answering import put_back, visit
from hardware.sim.gesture import Gesture
from hardware.sim.hands import Hands

UNANSWERED_US = 2_500_000
"""Longer than the time an answer needs to count; after this silence the pupil answers again."""
JUDGED_US = 6_000_000
"""Longer than the judgement of any move takes."""
REFUSED_US = 800_000
"""Time after a ply was read until a refusal is known."""
REPLY_US = 60_000_000
"""Longest wait for the move of the other side."""
SWITCH = Orientation.AS_WIRED.switch
"""The switch under a square: hands set up each exercise on a board that stands as it was wired."""

Pieces: TypeAlias = Mapping[Switch, str]
Act: TypeAlias = Callable[[int, Pieces], Gesture]
"""A gesture of the hands, given its start time and the pieces on the board."""
Choice: TypeAlias = Callable[[Position], Move]


class Heard(NamedTuple):
    """What the board has said of the exercise so far."""

    right: Bitboard = 0
    """Squares that were right answers."""
    answers: int = 0
    """Number of right answers; in a line or a game, the number of plies played."""
    shown: Step | None = None
    """The other side's move that the lights show; None: they show none."""
    asked: Bitboard = 0
    """Squares on which pieces are wanted next."""
    stars: Bitboard = 0
    """Squares still to be visited."""
    is_misplaced: bool = False
    """Pieces have to go back before anything else is judged."""
    is_over: bool = False


class Wait(NamedTuple):
    """Wait until this is true, or until nothing was done or heard for ``patience_us``."""

    until: Callable[[], bool]
    patience_us: int = UNANSWERED_US


Acts: TypeAlias = Iterator[Act | Wait]


@dataclass
class Mind:
    """A pupil's state: the exercise, the hands, and what the board has said."""

    exercise: Exercise
    hands: Hands
    random: Random
    choose: Choice
    """Chooses the pupil's moves in a game."""
    heard: Heard = field(default_factory=Heard)

    def put_back(self, squares: Sequence[Square]) -> Act:
        """Lift these pieces and put them back, one after the other."""
        return partial(self.hands.do, partial(put_back, squares=[*map(SWITCH, squares)]))

    def visit(self, origin: Square, squares: Sequence[Square]) -> Act:
        """Touch these squares with a piece and bring it back."""
        home, goals = SWITCH(origin), [*map(SWITCH, squares)]
        return partial(self.hands.do, partial(visit, origin=home, squares=goals, home=home))

    def play(self, position: Position, move: Move) -> Act:
        """Make a move."""
        return partial(self.hands.play, hand_move(position, move))

    def has_heard(self, answers: int) -> Wait:
        """Wait for this number of right answers."""
        return Wait(lambda: self.heard.answers >= answers)

    def has_right(self, squares: Bitboard) -> Wait:
        """Wait until all these squares are right."""
        return Wait(lambda: not squares & ~self.heard.right)

    def left(self, squares: Bitboard) -> list[Square]:
        """The squares not yet confirmed, in random order."""
        left = [*squares_in(squares & ~self.heard.right)]
        self.random.shuffle(left)
        return left
