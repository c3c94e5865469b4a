"""The pupil: simulated hands that solve an exercise, one gesture at a time.

He knows the answers, as the rules do. What he has to learn from the board is whether it has seen
them: he waits for it to say so, and where it does not, he answers once more.
"""

from __future__ import annotations

from random import Random

from boardfw.learning.exercise import Exercise
from boardfw.rules import Move, Position
from boardfw.terminal.mind import LONG_US, Choice, Heard, Men, Mind, Wait
from boardfw.terminal.solving import acts
from hardware.sim.gesture import Gesture
from hardware.sim.hands import Hands


class Pupil:
    """Solves one exercise with these hands; ``choose``: what he plays in a game of his own.

    Ask for the ``next_gesture`` whenever time has passed or something was heard; he plans none
    before the last one has ended. Attentive hands (``Manner.attentive``) make no mistake.
    """

    def __init__(
        self, exercise: Exercise, hands: Hands, seed: int = 0, choose: Choice | None = None
    ) -> None:
        random = Random(f"{exercise.key} {exercise.variant} {seed}")

        def anything(position: Position) -> Move:
            return random.choice(position.legal_moves())

        self._mind = Mind(exercise, hands, random, choose or anything)
        self._acts = acts(exercise.task, self._mind)
        self._wait: Wait | None = None
        self._since_us = 0
        """When he has last done or heard anything."""

    @property
    def due_us(self) -> int | None:
        """When he goes on even if he hears nothing; None: he has nothing more to do."""
        if self._mind.heard.is_over:
            return None
        return self._since_us + (self._wait.patience_us if self._wait else 0)

    def hear(self, heard: Heard, now_us: int) -> None:
        """The board has said this."""
        if heard != self._mind.heard:
            self._mind.heard = heard
            self._since_us = max(self._since_us, now_us)

    def next_gesture(self, now_us: int, men: Men) -> Gesture | None:
        """What the hands do next, ``men`` standing; None: they wait, or have done everything."""
        while not self._mind.heard.is_over and self._goes_on(now_us):
            act = next(self._acts, None) or Wait(lambda: False, LONG_US)
            if not isinstance(act, Wait):
                gesture = act(now_us + self._mind.hands.think_us(), men)
                self._wait, self._since_us = None, gesture.end_us
                return gesture
            self._wait, self._since_us = act, max(self._since_us, now_us)
        return None

    def _goes_on(self, now_us: int) -> bool:
        if now_us < self._since_us:
            return False
        if self._wait is None or self._wait.until():
            return True
        return now_us >= self._since_us + self._wait.patience_us
