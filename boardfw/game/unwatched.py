"""What follows for a game from a time in which nobody looked at the board.

Of one ply the order of its touches does not matter. Of several, other orders and other ways may
lead to the same board: then no later play tells for certain what was played.
"""

from __future__ import annotations

from boardfw.game.course import Course
from boardfw.game.events import Action, Sample, Unwatched
from boardfw.game.timekeeper import Pause
from boardfw.inference.line import Line
from boardfw.squares import Occupancy

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
