"""What becomes of an exercise where switches are dead: whether its answer can still be read."""

from __future__ import annotations

from collections.abc import Iterable

from boardfw.learning.answers import meant
from boardfw.learning.exercise import Exercise
from boardfw.learning.task import All, Find, Line, May, OneMove, Reach, Stars, State, Touch, Verdict
from boardfw.rules import Move
from boardfw.squares import Occupancy, squares_in


def can_be_told(exercise: Exercise, dead: Occupancy) -> bool:
    """Whether something is left to ask, and to hear, though these switches tell nothing."""
    return any(not needed & dead for needed in _ways(exercise))


def _ways(exercise: Exercise) -> Iterable[Occupancy]:
    """For each way to give an answer, or one of several: the squares that have to tell of it."""
    position, task = exercise.position, exercise.task
    yours, theirs = (1 << position.king(color) for color in (exercise.you, 1 - exercise.you))
    ways: Iterable[Occupancy] = [0]
    match task:
        case Find(squares):
            ways = (1 << square for square in squares)
        case Touch(squares) | Reach(_, squares):
            ways = _each(squares or theirs)
        case Stars(squares):
            ways = _each(squares)
        case All(accepted):
            ways = (move.touched for move in accepted)
        case OneMove(accepted):
            ways = map(_of_ply, accepted)
        case May(origin, target, is_allowed):
            move = meant(position, origin, target)
            # A move made though it may not be has to be seen, or its way back is the answer.
            ways = [_of_ply(move) if is_allowed and move else theirs | 1 << origin | 1 << target]
        case Verdict(State.MATE | State.DRAW | State.CLAIM) | Line(claims=True):
            ways = [yours | theirs]  # who sees one of them cannot tell mate from a draw
    return ways


def _each(squares: Occupancy) -> Iterable[Occupancy]:
    return (1 << square for square in squares_in(squares))


def _of_ply(move: Move) -> Occupancy:
    """A ply of one man is also read from where he has come to.

    Not from where he is missing: he may be in a hand that thinks. And who takes and is not seen to
    leave looks like the other man put back.
    """
    if move.is_castling or move.promotion:
        return move.touched
    return 1 << move.target | (0 if move.victim is None else 1 << move.origin)
