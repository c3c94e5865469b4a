"""Exercises that are played out, and perfect play of both sides."""

from __future__ import annotations

from collections.abc import Sequence

from boardfw.learning.endings import best_move
from boardfw.learning.goals import Fate, Played, Standing
from boardfw.learning.task import Goal, Play
from boardfw.rules import Move, Position

QUEEN_MATE = "8/8/8/4k3/8/8/8/3QK3 w - - 0 1"
ROOK_MATE = "8/8/8/4k3/8/8/8/R3K3 w - - 0 1"
TWO_ROOKS = "8/8/8/4k3/8/8/8/KR5R w - - 0 1"
PAWN_HOME = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
PAWN_RUNS = "8/8/8/8/7k/8/P7/K7 w - - 0 1"
BATTLE = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1"
ROOK_RACE = "4k3/ppppp3/8/8/8/8/8/R3K3 w - - 0 1"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
COURSE = [
    (QUEEN_MATE, Goal.MATE),
    (ROOK_MATE, Goal.MATE),
    (TWO_ROOKS, Goal.MATE),
    (PAWN_HOME, Goal.PROMOTE),
    (PAWN_RUNS, Goal.PROMOTE),
    (BATTLE, Goal.RACE),
    (ROOK_RACE, Goal.RACE),
    (PAWN_HOME, Goal.HOLD),
    (START, Goal.GAME),
]


def progress(task: Play, start: Position, moves: Sequence[Move]) -> Standing:
    """The state of the task after these moves from ``start``, which must be legal.

    The first decisive ply counts, whatever was played later. Only draws that need no claim end a
    game. To follow a game ply by ply, keep a ``Played`` instead.
    """
    played = Played.begin(task, start)
    for move in moves:
        played = played.after(move)
    return played.standing


def reached_from(task: Play, start: Position, moves: list[Move]) -> bool:
    """Whether perfect play of both reaches the goal from here."""
    position, moves = start, [*moves]
    for move in moves:
        position = position.play(move)
    while (found := progress(task, start, moves)).fate is Fate.GOING:
        moves.append(best_move(position))
        position = position.play(moves[-1])
    return found.fate is Fate.REACHED
