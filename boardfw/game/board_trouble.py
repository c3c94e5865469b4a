"""What follows for a game from a time in which nobody looked at the board.

Of one ply the order of its touches does not matter. Of several, other orders and other ways may
lead to the same board: then no later play tells for certain what was played.
"""

from __future__ import annotations

from boardfw.game.course import Course
from boardfw.game.events import (
    Action,
    MismatchCleared,
    Mismatched,
    Sample,
    Stuck,
    Unstuck,
    Unwatched,
)
from boardfw.game.question import near
from boardfw.game.timekeeper import Pause
from boardfw.inference.evidence import REST_US
from boardfw.inference.hypothesis import Line
from boardfw.inference.planner import Step, plan
from boardfw.inference.tracker import Tracker
from boardfw.rules.board import kept
from boardfw.squares import Occupancy, Square, distance, squares_in

CARRY_US = 100_000
"""No hand carries a piece in less, so no whole ply is hidden in a shorter gap."""


def let_gap_pass(
    course: Course, before: Occupancy, sample: Sample, t_us: int, blind: Occupancy
) -> list[Action]:
    """Let a scan after a gap be the next event of a game whose last one was at ``t_us``.

    ``before``: what had settled. ``blind``: squares that cannot be read. No player's time has run
    in the gap, unless the game knew of it (an outage) and has held the time by itself.
    """
    since_us = sample.since_us
    if since_us is None:
        return []
    if since_us >= t_us:
        for held_us, is_on in ((since_us, True), (sample.t_us, bool(blind))):
            course.time.hold(held_us, Pause.BLIND, is_on)
    is_short = sample.t_us - since_us < CARRY_US
    if is_short or not course.is_playing or not hides_plies(course.line, before, sample.occupancy):
        return []
    if course.trace.clouded_us is None:
        course.trace.clouded_us = since_us
    return [Unwatched(sample.t_us, since_us)]


def hides_plies(line: Line, before: Occupancy, after: Occupancy) -> bool:
    """Whether what is read after a gap is more than a single legal move explains.

    ``line``: the most credible game until then; ``before``: what had settled.
    """
    if after == before:
        return False
    changed = line.switches(line.wrong(after))
    return not any(
        not changed & ~(move.touched | (0 if move.victim is None else 1 << move.victim))
        for move in line.position.legal_moves()
    )


# FROM stuck.py: Switches found stuck: said once, said anew when the board is turned, unsaid when they move.

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


# FROM mismatch.py: What stands on the board and should not: told once the hands have been off it for a moment.

UNFINISHED_US = 3_000_000
"""A ply of two pieces, or a slide over a border, may stop half-way for so long before the board
says what is wanting."""


class Mismatch:
    """Watches whether the board at rest is what the game says."""

    def __init__(self) -> None:
        self.missing: Occupancy = 0
        """Squares (of the game) that want a man; 0 while nothing is wrong."""
        self.extra: Occupancy = 0
        """Squares (of the game) whose man should not stand there; 0 while nothing is wrong."""
        self.repair: tuple[Step, ...] = ()
        """The fewest actions back, the men who stand on extra squares taken for those missing."""

    def watch(self, t_us: int, rest_us: int, tracker: Tracker) -> list[Action]:
        """Compare the board, at rest for ``rest_us``, with the game; what is to be said."""
        missing, extra = difference(tracker.best, tracker.trace.now)
        if not extra:
            return self.clear(t_us)
        half_way = tracker.lines[0].owed or _on_a_border(tracker.best, missing, extra)
        if rest_us < (UNFINISHED_US if half_way else REST_US):
            return []
        if (missing, extra) == (self.missing, self.extra):
            return []
        self.missing, self.extra = missing, extra
        wanted = tracker.best.position.placement
        self.repair = plan(kept(wanted, ~missing), wanted, extra)
        return [Mismatched(t_us, missing, extra)]

    def clear(self, t_us: int) -> list[Action]:
        """Nothing is wrong any more."""
        if not self.extra:
            return []
        self.missing = self.extra = 0
        self.repair = ()
        return [MismatchCleared(t_us)]


def _on_a_border(line: Line, missing: Occupancy, extra: Occupancy) -> bool:
    """Whether a piece may merely rest on its way to the next square, holding both switches."""
    if missing or extra.bit_count() > 1:
        return False
    target = extra.bit_length() - 1
    begun = {move.origin for move in line.position.legal_moves() if move.target == target}
    if line.parent is not None and len(line.targets()) == 1:  # the last piece may be going on
        ways = line.parent.position.legal_moves()
        last = line.moves[-1]
        begun |= {last.target for way in ways if (way.origin, way.target) == (last.origin, target)}
    return any(distance(origin, target) == 1 for origin in begun)


def difference(line: Line, standing: Occupancy) -> tuple[Occupancy, Occupancy]:
    """(missing, extra) squares of the game; men merely lifted leave ``extra`` empty."""
    wrong = line.wrong(standing)
    return line.switches(wrong & line.expected), line.switches(wrong & standing)
