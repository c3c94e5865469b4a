"""Wrong wiring: the same touches read once more, as if their wires led to other squares.

That is tried while a game is young and makes no sense. A wiring on which the game goes on by
several plies while it is stuck on the present one is suspected; play is paused then, and never goes
on by itself: somebody has to calibrate the board.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from boardfw.inference.reading import constants
from boardfw.inference.reading.beam import CUTOFF, Beam
from boardfw.inference.reading.constants import cost
from boardfw.inference.reading.faults import Fault, FaultKind
from boardfw.inference.reading.habits import Habits
from boardfw.inference.reading.hypothesis import Hypothesis
from boardfw.inference.reading.touches import Touch
from boardfw.squares import EVERY_SQUARE, Bitboard, Square, squares_in

YOUNG_PLIES = 30
"""A wiring that made sense for so long is right."""
MORE_PLIES = 4
"""A wiring is suspected once a game has gone on by so many plies since it was first tried."""
MOST_TRIED = 6
"""Wirings that are thought of at once."""
MOST_READ = 12
"""Touches of before that are read on other wirings at one touch: a light must not wait for them."""
WIDTH = 6
"""Hypotheses that are kept on each of them."""


@dataclass(frozen=True, slots=True)
class Wiring:
    """To which square the switch of each square belongs really."""

    kind: FaultKind
    really: tuple[Square, ...]

    @property
    def wrong(self) -> Bitboard:
        """The squares whose switch belongs to another."""
        return sum(1 << one for one in EVERY_SQUARE if self.really[one] != one)

    @property
    def price(self) -> float:
        """Nats for believing in it."""
        is_mirrored = self.kind is FaultKind.MIRRORED
        return cost(constants.P_MIRRORED if is_mirrored else constants.P_SWAPPED)

    def squares(self, squares: Bitboard) -> Bitboard:
        """Return where the pieces really are that these switches show."""
        return sum(1 << self.really[one] for one in squares_in(squares))

    def touch(self, touch: Touch) -> Touch:
        """Return the touch that was really felt."""
        moved = Touch(touch.t_us, self.really[touch.square], touch.kind, touch.length_us)
        moved.price, moved.in_burst = touch.price, touch.in_burst
        return moved


MIRRORED = Wiring(FaultKind.MIRRORED, tuple(Square(one ^ 7) for one in EVERY_SQUARE))


def swapped(one: Square, other: Square) -> Wiring:
    """Return the wiring on which the wires of two squares are exchanged."""
    really = list(EVERY_SQUARE)
    really[one], really[other] = other, one
    return Wiring(FaultKind.SWAPPED, tuple(really))


class Wirings:
    """The touches of a young game, and the other wirings on which they may make sense."""

    def __init__(self, start: Hypothesis, shown: Bitboard, t_us: int) -> None:
        """``shown``: the squares whose switch is closed when the game begins, at ``t_us``."""
        self._start = start
        self._shown = shown
        self._t_us = t_us
        self._touches: list[tuple[Touch, int]] = []
        self._beams: dict[Wiring, Beam] = {}
        self._read: dict[Wiring, int] = {}
        """So many of the touches have been read on each of them."""
        self._since: dict[Wiring, int] = {}
        """How many plies the game had on each of them when it was first tried."""

    def note(self, touch: Touch, now_us: int, habits: Habits) -> None:
        """Remember a touch, and let it be explained on each wiring that is thought of."""
        self._touches.append((touch, now_us))
        self._read_on(habits)

    def suspect(self, game: Hypothesis, shown: Bitboard, habits: Habits) -> None:
        """Think of wirings on which the game may go on. ``shown``: what the board shows."""
        for wiring in _candidates(game, shown):
            if len(self._read) - len(self._since) >= MOST_TRIED:
                break
            if wiring not in self._read:
                start = Hypothesis(self._start.position, 0.0, None, None, self._start.seating)
                shown_then = wiring.squares(self._shown)
                self._beams[wiring] = Beam([start], shown_then, self._t_us, WIDTH)
                self._read[wiring] = 0
        self._read_on(habits)

    def _read_on(self, habits: Habits) -> None:
        """Read some more touches on each wiring that is thought of, one wiring after the other."""
        left = MOST_READ
        for wiring, beam in self._beams.items():
            since = self._read[wiring]
            if since == len(self._touches):
                continue
            is_new = wiring not in self._since
            until = min(len(self._touches), since + left) if is_new else len(self._touches)
            for touch, now_us in self._touches[since:until]:
                _take(beam, wiring.touch(touch), now_us, habits)
            self._read[wiring] = until
            if is_new:
                left -= until - since
                if until == len(self._touches):
                    self._since[wiring] = beam.best.depth

    def found(self, price: float, ply: int, now_us: int) -> Fault | None:
        """Return the wiring that is by far likelier than the game, which costs ``price``.

        Where several wirings are, their squares are named together after a while.
        """
        costs = {}
        for wiring in self._since:
            beam = self._beams.get(wiring)
            if beam is None:
                continue
            beam.weigh(now_us)
            costs[wiring] = beam.prices[0] + wiring.price
            if costs[wiring] > price + CUTOFF:
                del self._beams[wiring], costs[wiring]
        best = min(costs, key=costs.__getitem__, default=None)
        if best is None or costs[best] > price - cost(constants.P_FALSE_STOP):
            return None
        equals = [one for one in costs if costs[one] < costs[best] + cost(constants.P_FALSE_STOP)]
        more = self._beams[best].best.depth - self._since[best]
        if more < MORE_PLIES * (1 if len(equals) == 1 else 3):
            return None
        wrong = 0
        for wiring in equals:
            wrong |= wiring.wrong
        return Fault(best.kind, wrong, now_us, ply)


def _take(beam: Beam, touch: Touch, now_us: int, habits: Habits) -> None:
    shown = beam.shown
    if touch.is_settled:
        shown ^= 1 << touch.square
    beam.take(touch, shown, now_us, habits)


def _candidates(game: Hypothesis, shown: Bitboard) -> Iterator[Wiring]:
    """Yield the wirings on which the next ply may be what the hands have done."""
    yield MIRRORED
    missing, stray = game.occupied & ~shown, shown & ~game.occupied
    if stray.bit_count() > 2 or missing.bit_count() > 2:
        return
    for move in game.hand_moves():
        if missing >> move.origin & 1 and not shown >> move.target & 1:
            for square in squares_in(stray):
                yield swapped(move.target, square)
        elif stray >> move.target & 1:
            for square in squares_in(missing):
                yield swapped(move.origin, square)
