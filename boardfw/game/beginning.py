"""How a game begins: the men stand as at a start, and hands that set up have put them there."""

from __future__ import annotations

from boardfw.game.course import Course
from boardfw.game.mismatch import UNFINISHED_US
from boardfw.inference.line import Line
from boardfw.inference.weights import REST_US
from boardfw.squares import START, Occupancy

NEARLY = 2
"""Squares that may differ from the start and play begins all the same: a contact may be poor."""


def stands(course: Course, wanted: Occupancy, t_us: int) -> bool:
    """Whether these men stand; after a while of rest a poor contact or two do not count."""
    dead = course.line.ledger.dead
    wanted, standing = wanted & ~dead, course.trace.now & ~dead
    if wanted == standing:
        return True
    return course.rest.lasts_us(t_us) >= UNFINISHED_US and bool(poor(wanted, standing))


def poor(wanted: Occupancy, standing: Occupancy) -> Occupancy:
    """The switches that read otherwise than wanted, if poor contacts are enough to explain it."""
    missing, extra = wanted & ~standing, standing & ~wanted
    # A man on a wrong square is missing in one place and too many in another.
    is_man = missing and extra
    return 0 if is_man or (missing | extra).bit_count() > NEARLY else missing | extra


def game_before(course: Course, t_us: int) -> Line | None:
    """The game after which the men, who stand, were set up again; None: they were not.

    What the hands have done since then was no play.
    """
    ended = course.ending.by_rules
    if course.is_asked or _was_set_up(course, t_us):
        is_over = ended is not None and course.ending.stands(course.record.moves)
        return ended if is_over else course.rest.stood
    return ended if ended is not None and ended.expected != START else None


def _was_set_up(course: Course, t_us: int) -> bool:
    """Whether hands that set up, and did not play, have put the men where they stand."""
    line, standing, rest = course.line, course.trace.now, course.rest
    if not rest.stood.moves and not course.ending.is_decided:
        return False
    exactly = not (standing ^ START) & ~line.ledger.dead
    if exactly and rest.was_set_up:
        return True
    resting = rest.lasts_us(t_us) >= REST_US and course.ending.by_rules is None
    return resting and line.wrong(standing).bit_count() > NEARLY
