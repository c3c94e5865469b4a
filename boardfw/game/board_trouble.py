"""Trouble with the board: gaps in which it was not watched, and switches found stuck.

After a gap with a single ply the order of its edges does not matter. Several plies can be made in
other orders and by other paths to the same board; then no later play shows for certain what was
played. A stuck switch is announced once, again when the board is turned, and withdrawn when it
moves.
"""

from __future__ import annotations

from boardfw.game.course import Course
from boardfw.game.events import Action, Stuck, Unstuck, Unwatched
from boardfw.game.question import near
from boardfw.inference.hypothesis import Hypothesis
from boardfw.inference.tracker import Tracker
from boardfw.recording import Scan
from boardfw.squares import ALL_SWITCHES, NO_SWITCHES, Bitboard, Occupancy, Switch, squares_in

CARRY_US = 100_000
"""Carrying a piece takes at least this long, so no shorter gap hides a whole ply."""


def let_gap_pass(
    course: Course, before: Occupancy, sample: Scan, t_us: int, blind: Occupancy
) -> list[Action]:
    """Apply a scan after a gap to a game whose last event was at ``t_us``.

    ``before``: the switches settled until then. ``blind``: those that cannot be read. No player's
    time runs in the gap; if the game knew of it (an outage), it has held the time by itself.
    """
    since_us = sample.since_us
    if since_us is None:
        return []
    if since_us >= t_us:
        course.see(since_us, ALL_SWITCHES)
        course.see(sample.t_us, blind)
    is_short = sample.t_us - since_us < CARRY_US
    if (
        is_short
        or not course.phase.reads_plies
        or not hides_plies(course.hypothesis, before, sample.occupancy)
    ):
        return []
    if course.trace.clouded_us is None:
        course.trace.clouded_us = since_us
    return [Unwatched(sample.t_us, since_us)]


def hides_plies(hypothesis: Hypothesis, before: Occupancy, after: Occupancy) -> bool:
    """Whether what is read after a gap is more than a single legal move explains.

    ``hypothesis``: the most credible game until then; ``before``: the switches settled until then.
    """
    if after == before:
        return False
    changed = hypothesis.orientation.squares(hypothesis.wrong(after))
    return not any(
        not changed & ~(move.touched | (0 if move.captured is None else 1 << move.captured))
        for move in hypothesis.legal_moves()
    )


# --- stuck switches

PLIES_SAY = 4
"""Plies that make sense only with a dead switch before it is announced: a false alarm makes people
check a good switch."""


class StuckSwitches:
    """What is known of switches that do not move, and what has been said of them."""

    def __init__(self, known: Occupancy = NO_SWITCHES) -> None:
        self.known = known
        """Switches believed to be stuck."""
        self._said: Bitboard = 0
        """Squares said to be stuck: a switch lies under another one when the board is turned."""

    def watch(self, tracker: Tracker, *, is_set_up: bool = False) -> None:
        """At rest, believe what no credible game doubts, until the best one does.

        ``is_set_up``: pieces are being cleared away or set up, so nothing new is believed; nor is
        it while they are handled and not played with.
        """
        self.known &= tracker.best.state.dead
        if not (is_set_up or tracker.is_disturbed):
            self.known |= _undoubted(tracker)

    def moved(self, switch: Switch) -> None:
        """Take note of a switch that moved between games, so that no game could tell."""
        self.known &= ~(1 << switch)

    def say(self, t_us: int, hypothesis: Hypothesis, standing: Occupancy) -> list[Action]:
        """The changes to announce, as squares of the board as ``hypothesis`` has it lie."""
        orientation = hypothesis.orientation
        stuck = orientation.squares(self.known)
        if stuck == self._said:
            return []  # nearly always
        new, gone = stuck & ~self._said, self._said & ~stuck
        self._said = stuck
        said: list[Action] = [Unstuck(t_us, square) for square in squares_in(gone)]
        return said + [
            Stuck(t_us, square, bool(standing >> orientation.switch(square) & 1))
            for square in squares_in(new)
        ]


def _undoubted(tracker: Tracker) -> Occupancy:
    """Switches that every credible game believes dead."""
    dead = tracker.best.state.dead
    if not dead or not tracker.best.has_told(PLIES_SAY):
        return NO_SWITCHES  # nearly always
    for hypothesis in near(tracker):
        dead &= hypothesis.state.dead
    return dead
