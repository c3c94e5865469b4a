"""What the lights of a lesson show: the men put up, the task, answers, reasons and help."""

from __future__ import annotations

from collections.abc import Iterable

from boardfw.learning.judge.judge import Marks
from boardfw.learning.lesson import Lesson, Phase
from boardfw.learning.task import All, Play
from boardfw.lights.cue import STARS, WAYS, Cue
from boardfw.lights.pattern import LETTERS
from boardfw.lights.scene import Paint, Scene, first_wins, scene, sparing
from boardfw.rules import WHITE, Piece
from boardfw.rules.reasons import Reason
from boardfw.squares import ALL, LIGHT, Occupancy, distance, occupancy_of

RANKS_FROM_ABOVE = tuple(0xFF << 8 * rank for rank in range(7, -1, -1))


def lesson_scene(lesson: Lesson) -> Scene:
    """What the lights say about a lesson."""
    if lesson.phase is Phase.SETUP or lesson.game.blind or lesson.game.good_bye is not None:
        return scene(lesson.game)
    paints = sparing(first_wins(paint for paint in _painted(lesson) if paint[1]))
    return Scene(tuple(paints), lesson.game.turned)


def _painted(lesson: Lesson) -> Iterable[Paint]:
    if lesson.wave is not None and lesson.phase is Phase.SOLVED:
        return _wave(*lesson.wave)
    if lesson.phase is not Phase.ASKED:
        return ()
    return [*_refused(lesson), *_answered(lesson), *_shown(lesson), *_asked(lesson)]


def _wave(square: int, ring: int) -> Iterable[Paint]:
    """A ring of lights that runs away from the square of the answer."""
    squares = (other for other in range(64) if distance(square, other) == ring)
    return ((Cue.DONE, occupancy_of(squares)),)


def _refused(lesson: Lesson) -> Iterable[Paint]:
    """No, and why; then the way home."""
    yield Cue.WRONG, lesson.wrong
    if lesson.way_home:
        origin, target = lesson.way_home[0]
        yield Cue.REPAIR_FROM, 0 if origin is None else 1 << origin
        yield Cue.PUT_HERE, 0 if target is None else 1 << target
    if lesson.reason is not None:
        yield from reason_paints(lesson.reason)


def reason_paints(reason: Reason) -> Iterable[Paint]:
    """The men to whom it is due, where it shows, and a light along each line between."""
    yield Cue.REASON_MAN, reason.men
    yield Cue.REASON_SQUARE, reason.squares
    for number, cue in enumerate(WAYS):
        yield cue, occupancy_of(way[number] for way in reason.ways if len(way) > number)


def _answered(lesson: Lesson) -> Iterable[Paint]:
    yield Cue.RIPENING, lesson.marks.ripening
    if lesson.wave is not None:
        yield Cue.DONE, 1 << lesson.wave[0]
    yield Cue.FOUND, lesson.marks.found


def _shown(lesson: Lesson) -> Iterable[Paint]:
    """The answer, or where to look for it."""
    if lesson.solution is not None:
        yield Cue.THIS_ONE, lesson.solution.asked
        yield Cue.PUT_HERE, lesson.solution.put
    if (
        lesson.exercise is not None
        and isinstance(lesson.exercise.task, Play)
        and not lesson.marks.put
    ):
        yield from scene(lesson.game).lit


def _asked(lesson: Lesson) -> Iterable[Paint]:
    marks = lesson.marks
    yield Cue.SURPLUS, marks.surplus
    if marks.man is not None:
        yield from _wanted(marks.man, marks.put)
    elif lesson.may_ask:
        yield Cue.THIS_ONE, marks.asked
        yield Cue.PUT_HERE, marks.put
    yield STARS[0], marks.stars & ~LIGHT
    yield STARS[1], marks.stars & LIGHT
    if lesson.may_ask:
        yield Cue.COUNTER, _counter(lesson, marks)
        yield Cue.WHO_MOVES, 0 if lesson.who_moves is None else 1 << lesson.who_moves
    yield Cue.AREA, lesson.area


def _wanted(man: Piece, squares: Occupancy) -> Iterable[Paint]:
    """The squares, and the man's letter: lit for White's men, left dark for Black's."""
    letter = LETTERS[man.letter.upper()]
    yield Cue.WANTED, squares
    yield (Cue.WHITES_LETTER, letter) if man.color == WHITE else (Cue.BLACKS_LETTER, ALL & ~letter)


def _counter(lesson: Lesson, marks: Marks) -> Occupancy:
    """As many lights as answers are left, on the uppermost rank that stands empty."""
    exercise = lesson.exercise
    if exercise is None or not isinstance(exercise.task, All):
        return 0
    occupied = exercise.position.occupied
    rank = next((rank for rank in RANKS_FROM_ABOVE if not rank & occupied), 0)
    return rank & (1 << (rank & -rank).bit_length() - 1 + min(marks.left, 8)) - 1
