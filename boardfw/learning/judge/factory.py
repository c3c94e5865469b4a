"""Which judge an exercise has, what it is told, and whether dead switches leave it an answer."""

from __future__ import annotations

from collections.abc import Iterable

from boardfw.learning.course import Exercise
from boardfw.learning.judge.base import Judge
from boardfw.learning.judge.find import FindJudge
from boardfw.learning.judge.line import LineJudge
from boardfw.learning.judge.move import AllJudge, MayJudge, MoveJudge
from boardfw.learning.judge.place import PlaceJudge
from boardfw.learning.judge.play import PlayJudge
from boardfw.learning.judge.plies import PlyJudge
from boardfw.learning.judge.reach import ReachJudge
from boardfw.learning.judge.stars import StarsJudge
from boardfw.learning.judge.touch import TouchJudge
from boardfw.learning.judge.verdict import VerdictJudge
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
    Touch,
    Verdict,
)
from boardfw.rules import Move, Position
from boardfw.squares import Bitboard, squares_in

PLAYED = (OneMove, All, May, Verdict, Line, Play)
"""Tasks whose answers are plies, read from the board as those of a game."""


def judge_of(exercise: Exercise, standing: Bitboard, t_us: int, dead: Bitboard = 0) -> Judge:
    """The judge of an exercise that begins now, these squares occupied.

    ``dead``: switches that tell nothing.
    """
    judge = _judge_of(exercise, standing, t_us)
    judge.surface.dead = dead
    return judge


def _judge_of(exercise: Exercise, standing: Bitboard, t_us: int) -> Judge:
    position, task = exercise.position, exercise.task
    none = position.king(1 - exercise.you)
    match task:
        case Find():
            return FindJudge(task, position, t_us)
        case Place():
            return PlaceJudge(task, position, standing, t_us)
        case Touch():
            return TouchJudge(task, position, none, t_us)
        case Reach():
            return ReachJudge(task, position, none, t_us)
        case Stars():
            return StarsJudge(task, position, exercise.you, t_us)
        case May():
            judge: PlyJudge = MayJudge(task, position, none, t_us)
        case _:
            judge = _judge_of_plies(position, task, t_us)
    judge.jumped = exercise.jumped
    return judge


def _judge_of_plies(
    position: Position, task: OneMove | All | Verdict | Line | Play, t_us: int
) -> PlyJudge:
    match task:
        case OneMove():
            return MoveJudge(task, position, t_us)
        case All():
            return AllJudge(task, position, t_us)
        case Verdict():
            return VerdictJudge(task, position, t_us)
        case Line():
            return LineJudge(task, position, t_us)
        case Play():
            return PlayJudge(task, position, t_us)


def can_be_told(exercise: Exercise, dead: Bitboard) -> bool:
    """Whether something is left to ask, and to hear, though these switches tell nothing."""
    return any(not needed & dead for needed in _ways(exercise))


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
