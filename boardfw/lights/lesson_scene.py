"""The lights of a lesson: setting up the pieces, the task, answers, reasons and help."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from boardfw.learning.lesson import NO_MARKS, Lesson, Marks, Phase
from boardfw.lights.cue import STARS, WAYS, Cue
from boardfw.lights.scene import Paint, Scene, composed, scene, wanted
from boardfw.rules import KNIGHT, Move
from boardfw.rules.reasons import Reason, Why
from boardfw.rules.reasons.reason import ways_of
from boardfw.squares import EVERY_SQUARE, LIGHT, Bitboard, Square, bitboard_of, distance

RANKS_FROM_ABOVE = tuple(0xFF << 8 * rank for rank in range(7, -1, -1))


def lesson_scene(lesson: Lesson) -> Scene:
    """The scene for the present state of a lesson."""
    if lesson.phase is Phase.SETUP or lesson.game.blind or lesson.game.good_bye is not None:
        return scene(lesson.game)
    return composed(_painted(lesson), lesson.game.orientation)


def _painted(lesson: Lesson) -> Iterable[Paint]:
    """A scene of play, or one that ``LESSONS`` in ``docs/draw_lights.py`` allows."""
    if lesson.phase is Phase.SOLVED:
        return () if lesson.wave is None else _wave(*lesson.wave)
    if lesson.phase is not Phase.ASKED:
        return ()
    is_refused = bool(lesson.wrong or lesson.way_home or lesson.reason)
    paints: tuple[tuple[object, Callable[[Lesson], Iterable[Paint]]], ...] = (
        (lesson.way_home, _leading),
        (lesson.marks.surplus or lesson.marks.piece, _putting_up),
        # First the pieces that were taken off come back.
        (lesson.missing and not is_refused, lambda one: ((Cue.PUT_HERE, one.missing),)),
        (lesson.solution is not None and not is_refused, _solution),
        (lesson.marks.stars, _stars),
        (lesson.area and not is_refused, _area),
        (
            lesson.plays_on and not lesson.marks.put and not is_refused,
            lambda one: scene(one.game).lit,
        ),
    )
    return next((paint for applies, paint in paints if applies), _asking)(lesson)


def _wave(square: Square, ring: int) -> Iterable[Paint]:
    """A ring of lights that moves away from the square of the answer."""
    squares = (other for other in EVERY_SQUARE if distance(square, other) == ring)
    return ((Cue.DONE, bitboard_of(squares)),)


def _leading(lesson: Lesson) -> Iterable[Paint]:
    """The wrong square, the reason, and where the piece goes back to."""
    yield from _refused(lesson)
    origin, target = lesson.way_home[0]
    yield Cue.THIS_ONE, 0 if origin is None else 1 << origin
    yield Cue.PUT_HERE, 0 if target is None else 1 << target


def _refused(lesson: Lesson) -> Iterable[Paint]:
    yield Cue.WRONG, lesson.wrong
    if lesson.reason is not None:
        yield from reason_paints(lesson.reason)
    elif lesson.reply is not None:
        led = {square for step in lesson.way_home[:1] for square in step if square is not None}
        yield from reply_paints(lesson.reply, bitboard_of(led))


def reason_paints(reason: Reason) -> Iterable[Paint]:
    """The pieces that are the reason, the squares that show it, and a light along each path."""
    yield Cue.REASON_PIECE, reason.pieces
    yield Cue.REASON_SQUARE, reason.squares
    for number, cue in enumerate(WAYS):
        yield cue, bitboard_of(way[number] for way in reason.ways if len(way) > number)


def reply_paints(reply: Move, led: Bitboard) -> Iterable[Paint]:
    """The piece that replies, where it goes, and a light along its path.

    Squares in ``led`` are left out: they show a piece its way back.
    """
    piece, target = 1 << reply.origin, reply.target
    way = () if reply.piece_type == KNIGHT else ways_of(piece, target)
    paints = reason_paints(Reason(Why.NOT_LIKE_THAT, piece, 1 << target, way))
    return [(cue, squares & ~led) for cue, squares in paints]


def _putting_up(lesson: Lesson) -> Iterable[Paint]:
    """The pieces to take off, and the next piece with its squares; as in any set-up."""
    marks = lesson.marks
    yield Cue.SURPLUS, marks.surplus | lesson.wrong
    if marks.piece is not None:
        yield from wanted(marks.piece, marks.put)


def _solution(lesson: Lesson) -> Iterable[Paint]:
    solution = lesson.solution or NO_MARKS
    yield Cue.THIS_ONE, solution.asked
    yield Cue.PUT_HERE, solution.put


def _stars(lesson: Lesson) -> Iterable[Paint]:
    yield from _refused(lesson)
    yield STARS[0], lesson.marks.stars & ~LIGHT
    yield STARS[1], lesson.marks.stars & LIGHT
    yield Cue.FOUND, lesson.marks.found


def _area(lesson: Lesson) -> Iterable[Paint]:
    """Where to look."""
    yield Cue.FOUND, lesson.marks.found
    yield Cue.THIS_ONE, lesson.marks.asked if lesson.may_ask else 0
    yield Cue.AREA, lesson.area


def _asking(lesson: Lesson) -> Iterable[Paint]:
    yield from _refused(lesson)
    marks = lesson.marks
    if marks.put:  # a shown move matters more than the side to move and the number of answers left
        yield Cue.THIS_ONE, marks.asked
        yield Cue.PUT_HERE, marks.put
        return
    yield Cue.RIPENING, marks.ripening
    yield Cue.FOUND, marks.found
    yield Cue.THIS_ONE, marks.asked if lesson.may_ask else 0
    if lesson.may_ask and not (lesson.wrong or lesson.reason):
        yield Cue.COUNTER, _counter(lesson, marks)
        yield Cue.WHO_MOVES, 0 if lesson.who_moves is None else 1 << lesson.who_moves


def _counter(lesson: Lesson, marks: Marks) -> Bitboard:
    """As many lights as answers are left, on the uppermost rank that stands empty."""
    exercise = lesson.exercise
    if exercise is None or not marks.left:
        return 0
    occupied = exercise.position.occupied
    rank = next((rank for rank in RANKS_FROM_ABOVE if not rank & occupied), 0)
    return rank & (1 << (rank & -rank).bit_length() - 1 + min(marks.left, 8)) - 1
