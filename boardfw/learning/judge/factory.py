"""Which judge an exercise has, and whether dead switches leave it an answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from boardfw.learning.course import Exercise
from boardfw.learning.judge.base import Judge
from boardfw.learning.judge.lines import LineJudge, PlayJudge
from boardfw.learning.judge.moves import AllJudge, MayJudge, MoveJudge, VerdictJudge
from boardfw.learning.judge.place import PlaceJudge
from boardfw.learning.judge.stars import StarsJudge
from boardfw.learning.judge.touch import FindJudge, ReachJudge, TouchJudge
from boardfw.learning.queries import meant
from boardfw.learning.task import (
    All,
    Find,
    Line,
    May,
    OneMove,
    Place,
    Play,
    Reach,
    Stars,
    State,
    Task,
    Touch,
    Verdict,
)
from boardfw.rules import Move
from boardfw.squares import Bitboard, squares_in

JUDGES: Mapping[type[Task], type[Judge[Any]]] = {
    Find: FindJudge,
    Place: PlaceJudge,
    Touch: TouchJudge,
    Reach: ReachJudge,
    Stars: StarsJudge,
    OneMove: MoveJudge,
    All: AllJudge,
    May: MayJudge,
    Verdict: VerdictJudge,
    Line: LineJudge,
    Play: PlayJudge,
}


def judges(exercise: Exercise) -> type[Judge[Any]]:
    """What judges an exercise, before it begins."""
    return JUDGES[type(exercise.task)]


def judge_of(
    exercise: Exercise, standing: Bitboard, t_us: int, dead: Bitboard = 0
) -> Judge[Any] | None:
    """The judge of an exercise that begins now, these squares occupied.

    ``dead``: switches that tell nothing. None: they leave nothing to ask, or to hear.
    """
    if all(needed & dead for needed in _ways(exercise)):
        return None
    judge = judges(exercise)(exercise, exercise.task, standing, t_us)
    judge.touches.ignore(dead)
    return judge


def lifts_own_king(exercise: Exercise) -> bool:
    """Whether lifting the learner's own king may be an answer, so that it asks for no help."""
    king, task = exercise.position.king(exercise.you), exercise.task
    match task:
        case Place() | Verdict() | Play():
            return True
        case Find(squares):
            return king in squares
        case Touch(squares):
            return bool(squares >> king & 1)
        case Reach(origin) | May(origin):
            return origin == king
        case OneMove(accepted) | All(accepted):
            return any(move.origin == king for move in accepted)
        case Line(plies, _, claims):
            is_moved = any(move.origin == king for accepted in plies for move in accepted)
            return claims is not None or is_moved
        case Stars():
            return False


def _ways(exercise: Exercise) -> Iterable[Bitboard]:
    """For each way to give an answer, or one of several: the squares that have to tell of it."""
    position, task = exercise.position, exercise.task
    yours, theirs = (1 << position.king(color) for color in (exercise.you, 1 - exercise.you))
    ways: Iterable[Bitboard] = [0]
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
            # A move that must not be made has to be seen, or its path back is the answer.
            ways = [_of_ply(move) if is_allowed and move else theirs | 1 << origin | 1 << target]
        case Verdict(State.MATE | State.DRAW | State.CLAIM) | Line(claims=True):
            ways = [yours | theirs]  # with only one of them seen, mate and draw look alike
    return ways


def _each(squares: Bitboard) -> Iterable[Bitboard]:
    return (1 << square for square in squares_in(squares))


def _of_ply(move: Move) -> Bitboard:
    """The squares that tell of a ply: of a ply of one piece, also the square to which it goes.

    Its own empty square does not tell: the piece may be in the hand of a thinking learner. And a
    capturing piece that is not seen to leave looks like the captured one put back.
    """
    if move.is_castling or move.promotion:
        return move.touched
    return 1 << move.target | (0 if move.captured is None else 1 << move.origin)
