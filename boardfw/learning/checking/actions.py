"""How many men hands have to carry from one exercise to the next."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from boardfw.inference.planner import plan
from boardfw.learning.answers import meant
from boardfw.learning.exercise import Exercise
from boardfw.learning.reading import Draft, DraftedExercise
from boardfw.learning.solo import moved
from boardfw.learning.stars import way
from boardfw.learning.task import Line, May, OneMove, Place, Play, Stars
from boardfw.rules.board import Placement


def inside(draft: Draft) -> Iterator[tuple[DraftedExercise, int]]:
    """Each exercise of a lesson but the first, with the hand actions before it."""
    for before, drafted in pairwise(draft.exercises):
        count = between(before.written, drafted.written)
        if count is not None:
            yield drafted, count


def between(before: Exercise, exercise: Exercise) -> int | None:
    """Hand actions from the end of one exercise to the beginning of the next.

    None: nobody knows what stands after a game, and to set up is the task of some exercises.
    """
    standing = standing_after(before)
    if standing is None or isinstance(exercise.task, Place):
        return None
    return len(plan(standing, exercise.position.placement))


def standing_after(exercise: Exercise) -> Placement | None:
    """What stands when an exercise is solved, by the first of its answers; None: nobody knows."""
    position = exercise.position
    match exercise.task:
        case Play():
            return None
        case Stars(squares, _):
            return _after_stars(exercise, squares)
        case OneMove(accepted):
            position = position.play_unchecked(accepted[0])
        case Line(plies, _, _):
            for accepted in plies:
                position = position.play_unchecked(accepted[0])
        case May(origin, target, True):
            move = meant(position, origin, target)
            position = position if move is None else position.play_unchecked(move)
        case _:  # everybody is put back
            pass
    return position.placement


def _after_stars(exercise: Exercise, squares: int) -> Placement:
    placement = exercise.position.placement
    for origin, target in way(exercise.position, squares) or ():
        placement = moved(placement, origin, target)
    return placement
