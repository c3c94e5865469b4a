"""A learner that knows the board's replies, and so finds a path to any goal that can be reached."""

from __future__ import annotations

from functools import cache

from boardfw.learning.course import Exercise
from boardfw.learning.goals import Fate, Played
from boardfw.learning.sparring import reply
from boardfw.learning.task import Goal, Play
from boardfw.players.solutions import Choice
from boardfw.rules import KING, PAWN, Move, Position
from boardfw.squares import EVERY_SQUARE, Square, distance, file_of, rank_of, squares_in

BREADTH = 12
"""So many paths are followed at once."""


@cache
def way(task: Play, start: Position) -> dict[Position, Move]:
    """What to play in each position on a path to the goal; empty: no path was found."""
    ways = [Played.begin(task, start)]
    if start.turn != task.you:
        ways = [ways[0].after(reply(start))]
    for _ in range(task.plies // 2):
        ways = sorted(_next(ways), key=_worth, reverse=True)[:BREADTH]
        for played in ways:
            if played.standing.fate is Fate.REACHED:
                return dict(zip(played.positions, played.moves, strict=False))
    return {}


def _next(ways: list[Played]) -> list[Played]:
    found: dict[Position, Played] = {}
    for played in ways:
        for move in played.now.legal_moves():
            after = played.after(move)
            if after.standing.fate is Fate.GOING:
                after = after.after(reply(after.now))
            if after.standing.fate is not Fate.SPOILED:
                found.setdefault(after.now, after)
    return [*found.values()]


def _worth(played: Played) -> float:
    """How near the goal looks to the side that plays for it."""
    if played.standing.fate is Fate.REACHED:
        return 1_000
    you, now = played.task.you, played.now
    if played.task.goal is Goal.MATE:
        king = now.king(1 - you)
        room = sum(move.piece_type == KING for move in now.legal_moves()) if now.turn != you else 0
        edge = max(abs(2 * file_of(king) - 7), abs(2 * rank_of(king) - 7))
        return 10 * edge - room - distance(king, now.king(you)) - _reachable(now, king, you)
    return _walked(now, you) - 1.1 * _walked(now, 1 - you)


def _reachable(position: Position, king: Square, you: int) -> int:
    """How many squares the lone king can walk to without being captured."""
    seen, waiting = {king}, [king]
    while waiting:
        square = waiting.pop()
        beside = {other for other in EVERY_SQUARE if distance(square, other) == 1} - seen
        free = {other for other in beside if not position.attackers(other, you)}
        seen |= free
        waiting += free
    return len(seen)


def _walked(position: Position, color: int) -> float:
    pawns = squares_in(position.pieces_of(PAWN, color))
    ranks = [7 - rank_of(square) if color else rank_of(square) for square in pawns]
    return sum(ranks) + 3 * len(ranks) + 4 * max(ranks, default=0)


def choice_of(exercise: Exercise) -> Choice:
    """What this learner plays in a position of the exercise."""
    task, start = exercise.task, exercise.position
    known: dict[Position, Move] = {}
    if isinstance(task, Play) and task.goal is not Goal.GAME and start.occupied.bit_count() > 3:
        known = way(task, start)
    return lambda position: known.get(position) or reply(position)
