"""Which judge an exercise has, and what that judge has to be told."""

from __future__ import annotations

from boardfw.learning.exercise import Exercise
from boardfw.learning.judge.deciding import VerdictJudge
from boardfw.learning.judge.finding import FindJudge
from boardfw.learning.judge.following import LineJudge
from boardfw.learning.judge.judge import Judge
from boardfw.learning.judge.moving import AllJudge, MayJudge, MoveJudge
from boardfw.learning.judge.placing import PlaceJudge
from boardfw.learning.judge.playing import PlayJudge
from boardfw.learning.judge.plies import PlyJudge
from boardfw.learning.judge.reaching import ReachJudge
from boardfw.learning.judge.starring import StarsJudge
from boardfw.learning.judge.touching import TouchJudge
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
    Touch,
    Verdict,
)
from boardfw.rules import Position
from boardfw.squares import Occupancy

PLAYED = (OneMove, All, May, Verdict, Line, Play)
"""Tasks whose answers are plies: who watches the board reads them as those of a game."""


def judge_of(exercise: Exercise, standing: Occupancy, t_us: int, dead: Occupancy = 0) -> Judge:
    """The judge of an exercise that begins now, these squares occupied.

    ``dead``: switches that tell nothing.
    """
    judge = _judge_of(exercise, standing, t_us)
    judge.surface.dead = dead
    return judge


def _judge_of(exercise: Exercise, standing: Occupancy, t_us: int) -> Judge:
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
