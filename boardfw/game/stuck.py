"""Switches found stuck: said once, and said again when they are not."""

from __future__ import annotations

from boardfw.game.events import Action, Stuck, Unstuck
from boardfw.game.final import RIVAL
from boardfw.inference.line import Line
from boardfw.inference.tracker import Tracker
from boardfw.squares import Occupancy, Square, squares_in


class StuckSwitches:
    """What is known of switches that do not move."""

    def __init__(self) -> None:
        self.known: Occupancy = 0
        """Switches said to be stuck."""

    def watch(self, t_us: int, tracker: Tracker) -> list[Action]:
        """What is to be said of switches, now that the tracker has thought again."""
        dead = _undoubted(tracker) if tracker.best.ledger.dead else 0
        new, gone = dead & ~self.known, self.known & ~tracker.best.ledger.dead
        if not new and not gone:
            return []
        self.known = self.known & ~gone | new
        line, closed = tracker.best, tracker.trace.now
        said: list[Action] = [Unstuck(t_us, line.switch(switch)) for switch in squares_in(gone)]
        return said + [
            Stuck(t_us, line.switch(switch), bool(closed >> switch & 1))
            for switch in squares_in(new)
        ]

    def moved(self, t_us: int, switch: Square, line: Line) -> list[Action]:
        """A switch has moved while nobody played, so that no game could tell."""
        if not self.known >> switch & 1:
            return []
        self.known &= ~(1 << switch)
        return [Unstuck(t_us, line.switch(switch))]


def _undoubted(tracker: Tracker) -> Occupancy:
    """Switches that every credible game holds to be dead."""
    least = tracker.credit(tracker.best) - RIVAL
    dead = tracker.best.ledger.dead
    for line in tracker.lines:
        if tracker.credit(line) >= least:
            dead &= line.ledger.dead
    return dead
