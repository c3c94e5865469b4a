"""Switches found stuck: said once, said anew when the board is turned, unsaid when they move."""

from __future__ import annotations

from boardfw.game.events import Action, Stuck, Unstuck
from boardfw.game.rivals import near
from boardfw.inference.line import Line
from boardfw.inference.tracker import Tracker
from boardfw.squares import Occupancy, Square, squares_in

PLIES_SAY = 4
"""Plies that make sense only with a dead switch before it is said aloud: said too early, somebody
looks under a sound square."""


class StuckSwitches:
    """What is known of switches that do not move, and what has been said of them."""

    def __init__(self, known: Occupancy = 0) -> None:
        self.known = known
        """Switches believed to be stuck."""
        self._said: Occupancy = 0
        """Squares said to be stuck: a switch lies under another one when the board is turned."""

    def watch(self, tracker: Tracker, *, is_set_up: bool = False) -> None:
        """The board is at rest: believe what no credible game doubts, until the best one does.

        ``is_set_up``: pieces are being cleared away or set up, so nothing new is believed.
        """
        self.known &= tracker.best.ledger.dead
        if not is_set_up:
            self.known |= _undoubted(tracker)

    def moved(self, switch: Square) -> None:
        """A switch has moved while nobody played, so that no game could tell."""
        self.known &= ~(1 << switch)

    def say(self, t_us: int, line: Line, standing: Occupancy) -> list[Action]:
        """What is to be said so that everybody knows the squares, as ``line`` has the board lie."""
        stuck = line.switches(self.known)
        if stuck == self._said:
            return []  # nearly always
        new, gone = stuck & ~self._said, self._said & ~stuck
        self._said = stuck
        said: list[Action] = [Unstuck(t_us, square) for square in squares_in(gone)]
        return said + [
            Stuck(t_us, square, bool(standing >> line.switch(square) & 1))
            for square in squares_in(new)
        ]


def _undoubted(tracker: Tracker) -> Occupancy:
    """Switches that every credible game holds to be dead."""
    dead = tracker.best.ledger.dead
    if not dead or not tracker.best.has_told(PLIES_SAY):
        return 0  # nearly always
    for line in near(tracker):
        dead &= line.ledger.dead
    return dead
