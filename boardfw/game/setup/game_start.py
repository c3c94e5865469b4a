"""Whether a game begins: the pieces stand as at a start, and were set up, not played there."""

from __future__ import annotations

from boardfw.game.course import Course
from boardfw.game.mismatch import UNFINISHED_US
from boardfw.inference.evidence import REST_US
from boardfw.inference.hypothesis import Hypothesis
from boardfw.rules import Position
from boardfw.squares import START, Occupancy

NEARLY = 2
"""Squares that may differ from the start and play begins all the same: a contact may be poor."""
PIECES_A_CONTACT = 16
"""Pieces for each poor contact: if only few pieces are wanted, a missing one was not put yet."""


def stands(course: Course, wanted: Occupancy, t_us: int) -> bool:
    """Whether these pieces stand; after a while of rest a poor contact or two do not count."""
    # What a game believes of pieces that are set up for another does not make a switch dead.
    dead = course.hypothesis.state.dead if course.placing is None else course.placing.dead
    wanted, standing = wanted & ~dead, course.trace.now & ~dead
    if wanted == standing:
        return True
    return course.rest.lasts_us(t_us) >= UNFINISHED_US and bool(poor(wanted, standing))


def is_placed(course: Course, t_us: int) -> bool:
    """Whether the pieces stand that the board has asked for, and none in another's place."""
    placing = course.placing
    return (
        placing is not None and not placing.has_strangers and stands(course, placing.switches, t_us)
    )


def nearly(wanted: Occupancy) -> int:
    """How many switches may read otherwise than wanted while the pieces stand all the same."""
    return min(NEARLY, wanted.bit_count() // PIECES_A_CONTACT)


def poor(wanted: Occupancy, standing: Occupancy) -> Occupancy:
    """The switches that read otherwise than wanted, if poor contacts are enough to explain it."""
    differing = wanted ^ standing
    return differing if is_poor(standing, differing, nearly(wanted)) else 0


def is_poor(standing: Occupancy, differing: Occupancy, most: int = NEARLY) -> bool:
    """Whether poor contacts are enough to explain what differs."""
    # A piece on a wrong square is missing in one place and extra in another.
    is_piece = differing & standing and differing & ~standing
    return not is_piece and differing.bit_count() <= most


def game_before(course: Course, t_us: int) -> Hypothesis | None:
    """The game after which the pieces, now standing, were set up again; None if they were not.

    What the hands have done since then was no play.
    """
    ended = course.ending.by_rules
    if course.is_asked or _was_set_up(course, t_us):
        # Taking back plies of an ended game without playing others is putting the pieces home.
        played = course.record.moves
        is_over = ended is not None and ended.moves[: len(played)] == played
        return ended if is_over else _abandoned(course)
    return ended if ended is not None and ended.expected != START else None


def _abandoned(course: Course) -> Hypothesis:
    """The game as it was when its players stopped.

    Plies that were undone last, by putting pieces where they stand at the start and then all the
    others there too, were not taken back.
    """
    stood, before = course.stood, course.rest.taken_back
    is_home = before is not None and _goes_home(before, len(stood.moves))
    return before if before is not None and is_home else stood


def _goes_home(hypothesis: Hypothesis, plies: int) -> bool:
    """Whether every piece moved after so many plies came from where it stands at the start."""
    start = Position.start()
    while hypothesis.parent is not None and len(hypothesis.moves) > plies:
        before = hypothesis.parent.position
        for origin, _ in hypothesis.moves[-1].steps():
            if before.piece_at(origin) != start.piece_at(origin):
                return False
        hypothesis = hypothesis.parent
    return True


def _was_set_up(course: Course, t_us: int) -> bool:
    """Whether the pieces were set up, not played, to where they stand."""
    hypothesis, standing, rest = course.hypothesis, course.trace.now, course.rest
    if not rest.stood.moves and not course.ending.is_decided:
        return False
    exactly = not (standing ^ START) & ~hypothesis.state.dead
    if exactly and rest.was_set_up:
        return True
    resting = rest.lasts_us(t_us) >= REST_US and course.ending.by_rules is None
    return resting and hypothesis.wrong(standing).bit_count() > NEARLY
