"""Trouble with the board: gaps in which it was not watched, and switches found stuck.

After a gap with a single ply the order of its edges does not matter. Several plies can be made in
other orders and by other paths to the same board; then no later play shows for certain what was
played. A stuck switch is announced once, again when the board is turned, and withdrawn when it
moves.
"""

from __future__ import annotations

from boardfw.game.course import Course
from boardfw.game.events import Action, Stuck, Unstuck, Unwatched
from boardfw.inference import Interpretation
from boardfw.recording import Scan
from boardfw.squares import (
    ALL_SWITCHES,
    NO_SWITCHES,
    Bitboard,
    Occupancy,
    Orientation,
    Switch,
    squares_in,
)


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
    reads_plies, reader = course.phase.reads_plies, course.reader
    after = sample.occupancy
    if not reader.pass_gap(since_us, sample.t_us, before, after, is_play=reads_plies):
        return []
    return [Unwatched(sample.t_us, since_us)]


# --- stuck switches


class StuckSwitches:
    """What is known of switches that do not move, and what has been said of them."""

    def __init__(self, known: Occupancy = NO_SWITCHES) -> None:
        self.known = known
        """Switches believed to be stuck."""
        self._said: Bitboard = 0
        """Squares said to be stuck: a switch lies under another one when the board is turned."""

    def watch(self, read: Interpretation) -> None:
        """At rest, believe what no credible game doubts, until the best one does.

        While pieces are cleared away, set up or handled, nothing new is believed.
        """
        self.known &= read.dead
        if not (read.is_clearing or read.is_handling):
            self.known |= read.stuck

    def moved(self, switch: Switch) -> None:
        """Take note of a switch that moved between games, so that no game could tell."""
        self.known &= ~(1 << switch)

    def say(self, t_us: int, orientation: Orientation, standing: Occupancy) -> list[Action]:
        """The changes to announce, as squares of the board as it lies."""
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
