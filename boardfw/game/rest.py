"""When the board last stood still with every man in his place, and what has happened since."""

from __future__ import annotations

from boardfw.inference.line import Line
from boardfw.inference.tracker import Tracker
from boardfw.inference.weights import REST_US
from boardfw.squares import Occupancy

IN_THE_AIR = 3
"""So many men in the air at once are no ply and no take-back: the board is being set up."""


class Rest:
    """The last moment at which the board stood as a game had it."""

    def __init__(self, t_us: int, line: Line) -> None:
        self.edge_us = t_us
        """When a switch last changed."""
        self.stood: Line = line
        """The game that the board showed when it last stood still."""
        self._most_in_the_air = 0

    def lasts_us(self, t_us: int) -> int:
        """For how long no switch has changed."""
        return t_us - self.edge_us

    def before(self, t_us: int, tracker: Tracker) -> None:
        """An edge is about to be taken: was the board at rest until now?"""
        if self.lasts_us(t_us) >= REST_US:
            line = _shown(tracker)
            if line is not None:
                self.stood = line
                self._most_in_the_air = 0
        self.edge_us = max(self.edge_us, t_us)

    def after(self, standing: Occupancy) -> None:
        """An edge was taken."""
        in_the_air = self.stood.expected.bit_count() - standing.bit_count()
        self._most_in_the_air = max(self._most_in_the_air, in_the_air)

    @property
    def was_set_up(self) -> bool:
        """Whether more men have been in the air at once than any play lifts."""
        return self._most_in_the_air >= IN_THE_AIR


def _shown(tracker: Tracker) -> Line | None:
    """The game that the board shows: exactly, or with one man still in a hand."""
    settled = tracker.trace.now
    for line in tracker.lines:
        if not line.wrong(settled) and not line.owed:
            return line
    best = tracker.best
    wrong = best.wrong(settled)
    return best if wrong.bit_count() <= 1 and not wrong & settled else None
