"""Human hands: plain squares in, timed lifts, slides and drops out, in any order people use.

Hands know no chess. Whoever asks says which men go where and which leave the board; how it is
done, and what goes wrong on the way, is the hands' affair, and it comes from a seed. Of a label
they know its case, upper for the men of one side and lower for those of the other: hands that
err take a wrong man of their own side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random

from boardfw.squares import Square

from . import mishaps
from .action import perform
from .manners import MANNERS, REST_MS
from .motion import Gesture, Motion, line_between
from .moving import HandMove, carry_out, undo

FOLLOW_US = (10_000, 60_000)
"""After one hand lets a man go, the quickest other hand takes him up: fingers need room."""


class Hands:
    """One kind of hands, of ``manners.MANNERS``; the same seed always does the same."""

    def __init__(self, kind: str, seed: int = 0) -> None:
        if kind not in MANNERS:
            raise ValueError(f"no hands {kind!r}; there are {', '.join(MANNERS)}")
        self.kind = kind
        self._manner = MANNERS[kind]
        self._random = Random(f"{kind} {seed}")
        # A promoted man touched again would be stepped down: nobody adjusts him for a while.
        self._promoted: Square | None = None

    def play(
        self,
        move: HandMove,
        t_us: int,
        men: Mapping[Square, str],
        between: Sequence[Square] | None = None,
    ) -> Gesture:
        """The touches of one move, the first at ``t_us``.

        ``men``: who stands where before it. ``between``: squares that the first man may pass,
        in order; without it, those of the straight line.
        """
        motion = Motion(self._random, self._manner, men, t_us)
        untouched = sorted(set(men) - move.squares - {self._promoted})
        mishaps.before(motion, move.steps[0][0], untouched)
        mishaps.illegal(motion, move.steps[0][0], untouched, move.illegal)
        path = line_between(*move.steps[0]) if between is None else list(between)
        path = path if all(square not in motion.men for square in path) else []
        carry_out(motion, move, path)
        if motion.chance(self._manner.take_back):
            motion.tags.append("take_back")
            motion.wait(REST_MS)
            undo(motion, move, men)
            motion.wait(REST_MS)
            carry_out(motion, move, path)
        self._promoted = move.steps[0][1] if move.promotion is not None else None
        return motion.gesture()

    def undo(
        self, move: HandMove, t_us: int, before: Mapping[Square, str], now: Mapping[Square, str]
    ) -> Gesture:
        """Take a move back: ``now`` stands what stood ``before`` it was played."""
        motion = Motion(self._random, self._manner, now, t_us)
        undo(motion, move, before)
        return motion.gesture()

    def game(
        self, moves: Iterable[HandMove], t_us: int, men: Mapping[Square, str]
    ) -> Iterator[Gesture]:
        """A gesture for each move, thinking before each; a reply may begin while a move ends."""
        standing = dict(men)
        last_touch: dict[Square, int] = {}
        last = Gesture((), t_us, t_us)
        for move in moves:
            replies = bool(last.actions) and self._promoted is None
            overlaps = replies and self._random.random() < self._manner.overlap
            gesture = self.play(move, 0, standing)
            gesture = gesture.shifted(self._start_us(gesture, last, last_touch, overlaps))
            yield gesture
            perform(standing, gesture.actions)
            last_touch |= gesture.last_touches()
            last = gesture

    def set_up(
        self, standing: Mapping[Square, str], wanted: Mapping[Square, str], t_us: int
    ) -> Gesture:
        """Clear away every man who stands wrong, then put up every man who is missing."""
        motion = Motion(self._random, self._manner, standing, t_us)
        wrong = [square for square in standing if standing[square] != wanted.get(square)]
        missing = [square for square in wanted if standing.get(square) != wanted[square]]
        for square in self._shuffled(wrong):
            motion.lift(square)
            motion.wait(self._manner.pause_ms)
        for square in self._shuffled(missing):
            motion.wait(self._manner.pause_ms)
            motion.land(square, wanted[square])
        return motion.gesture()

    def kings_to_centre(
        self,
        result: str,
        white_king: Square,
        black_king: Square,
        t_us: int,
        men: Mapping[Square, str],
    ) -> Gesture:
        """Both kings in the air, then on the centre squares that stand for the result."""
        motion = Motion(self._random, self._manner, men, t_us)
        motion.tags.append("kings")
        kings = {king: motion.men[king] for king in self._shuffled([white_king, black_king])}
        for king in kings:
            motion.lift(king)
            motion.wait(self._manner.pause_ms)
        centre = self._shuffled(self._random.choice(_centre(result)))
        for square in centre:
            if square in motion.men:
                motion.lift(square)
                motion.wait(self._manner.pause_ms)
        for square, label in zip(centre, kings.values(), strict=True):
            motion.wait(self._manner.carry_ms)
            motion.land(square, label)
        return motion.gesture()

    def _start_us(
        self, gesture: Gesture, last: Gesture, last_touch: Mapping[Square, int], overlaps: bool
    ) -> int:
        """When a gesture planned for time 0 begins: never before a square it needs is free."""
        if overlaps:
            start_us = last.end_us + self._random.randint(*self._manner.overlap_us)
        else:
            start_us = last.end_us + self._think_us()
        free_us = [
            last_touch[square] + self._random.randint(*FOLLOW_US) - first
            for square, first in gesture.first_touches().items()
            if square in last_touch
        ]
        return max([start_us, last.landed_us + 1_000 - gesture.landed_us, *free_us])

    def _think_us(self) -> int:
        low, high = self._manner.think_ms
        return int(self._random.triangular(low, high, low) * 1000)

    def _shuffled(self, squares: Iterable[Square]) -> list[Square]:
        squares = sorted(squares)
        self._random.shuffle(squares)
        return squares


def _centre(result: str) -> list[tuple[Square, Square]]:
    d4, e4, d5, e5 = 27, 28, 35, 36
    if result == "1-0":
        return [(e4, d5)]
    if result == "0-1":
        return [(d4, e5)]
    if result == "1/2-1/2":
        return [(light, dark) for light in (e4, d5) for dark in (d4, e5)]
    raise ValueError(f"no kings stand for the result {result!r}")
