"""Reads a game on a board that may lie either way round: a reader for each way."""

from __future__ import annotations

from collections.abc import Iterable
from math import exp

from boardfw.inference.reading import constants
from boardfw.inference.reading.beam import CUTOFF
from boardfw.inference.reading.hypothesis import Hypothesis
from boardfw.inference.reading.reader import Reader
from boardfw.ports import earliest
from boardfw.rules.board import Color
from boardfw.sensing.debounce import Blip, Edge

SURE_PLIES = 4
"""After these, two of each side, a board is turned and Black has not begun (contract)."""


class EitherWay:
    """Readers of the same switches, each of which believes that the board lies another way."""

    def __init__(self, readers: Iterable[Reader]) -> None:
        """``readers``: the likeliest first."""
        self._readers = list(readers)
        self._first = self._readers[0]

    @property
    def best(self) -> Reader:
        """The reader that is most probably right."""
        return self._readers[0]

    @property
    def doubt(self) -> float:
        """Odds against the way round that the best reader believes in."""
        price = self.best.price
        doubt = sum(exp(min(0.0, price - other.price)) for other in self._readers[1:])
        if self.best is not self._first and self.best.game.depth < SURE_PLIES:
            doubt = max(doubt, constants.P_BLACK_BEGINS)  # no reader knows of that
        return doubt

    def deadline_us(self, t_us: int) -> int | None:
        """When something may become known after ``t_us`` without a change; None: never."""
        return earliest(*(one.deadline_us for one in self._readers), after_us=t_us)

    def note_changes(self, t_us: int, known: Iterable[Edge | Blip]) -> None:
        """Let every reader explain what switches did."""
        for one in self._readers:
            one.note_changes(t_us, known)

    def try_again(self, t_us: int) -> None:
        """Let every reader look for plies once more."""
        for one in self._readers:
            one.try_again(t_us)

    def answer(self, index: int) -> None:
        """Answer the question that the best reader asks."""
        self.best.answer(index)

    def press_clock(self, color: Color) -> None:
        """Tell every reader that this player has pressed the clock."""
        for one in self._readers:
            one.press_clock(color)

    def bridge_gap(self, t_us: int) -> None:
        """Let every reader look for plies that a gap in scanning hid."""
        for one in self._readers:
            one.bridge_gap(t_us)

    def pass_time(self, t_us: int) -> None:
        """Let time go by for every reader, and find out which way the board lies."""
        for one in self._readers:
            one.pass_time(t_us)
        if len(self._readers) == 1:
            return  # nearly always
        # A lifted piece turns no board: it takes a ply to believe that.
        first, *others = self._readers
        best = min([first, *(one for one in others if one.game.depth)], key=lambda one: one.price)
        limit = best.price + CUTOFF
        self._readers = [best, *(one for one in self._readers if one is not best)]
        self._readers = [one for one in self._readers if one.price <= limit]

    def restart(self, game: Hypothesis) -> None:
        """Let it be this game, and the board lie as it does in it."""
        for one in self._readers:
            if one.game.seating == game.seating:
                self._readers = [one]
                break
        self.best.restart(game)
