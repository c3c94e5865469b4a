"""Paths of pieces over the board: carried, slid from square to square, or two at a time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, cycle
from typing import TypeAlias

from boardfw.rules import Move
from boardfw.rules.attacks import BETWEEN
from boardfw.rules.move import Step
from boardfw.squares import Square, distance, file_of, rank_of, square_at
from tests.inference.dancing.plans import LONGEST_STOP_MS, Slide
from tests.inference.dancing.stage import Stage

STANDS_MS = 90
"""A piece that stands this long on a square off its straight path has played there, and goes on; on
its straight path it may rest for longer, and slide on."""
MOVING_MS = 450
"""Less than a rest of the hands: a piece that is slid may rest once on its path."""

Touching: TypeAlias = tuple[tuple[Square, bool], ...]
"""Squares lifted from (False) and put down on (True), in this order."""


def carry(stage: Stage, origin: Square, target: Square, beats: Iterator[int]) -> None:
    """A piece goes through the air."""
    stage.lift(origin)
    stage.wait(next(beats))
    stage.drop(target)


def slide(stage: Stage, plan: Slide, move: Move, origin: Square, target: Square) -> None:
    """The piece of a move keeps to the board on a stretch of its path."""
    free = free_paths(stage, origin, target)
    way = free[plan.path % len(free)] if free else ()
    moving = [min(dwell_ms, MOVING_MS) for dwell_ms in plan.dwells_ms]
    dwells, at = chain(plan.dwells_ms[:1], cycle(moving)), origin
    for square in (*way, target):
        if plan.border_ms > 0 and distance(at, square) == 1:
            stage.drop(square)
            stage.wait(plan.border_ms)
            stage.lift(at)
        else:
            stage.lift(at)
            stage.wait(abs(plan.border_ms))
            stage.drop(square)
        at = square
        if square != target:
            pause_at(stage, move, square, next(dwells))


def pause_at(stage: Stage, move: Move, square: Square, dwell_ms: int) -> None:
    """The piece of a move stands on a square for a while, and goes on."""
    since_ms = stage.t_ms
    stage.rest(dwell_ms)
    if dwell_ms < (
        LONGEST_STOP_MS if BETWEEN[move.origin][move.target] >> square & 1 else STANDS_MS
    ):
        return
    for other in stage.position.legal_moves():
        if (move.origin, square) in other.steps():
            stage.stood_for_a_while(other, since_ms)


def free_paths(stage: Stage, origin: Square, target: Square) -> list[tuple[Square, ...]]:
    """Paths over free squares, without their ends: files first, ranks first, and as a king goes.

    A piece that goes straight by the rules is slid straight: a bishop drawn along a file is a rook.
    """
    orders = ("both",) if BETWEEN[origin][target] else ("fr", "rf", "both")
    ways = sorted({_path(origin, target, order) for order in orders})
    return [way for way in ways if not any(stage.has(square) for square in way)]


def _path(origin: Square, target: Square, order: str) -> tuple[Square, ...]:
    file, rank, way = file_of(origin), rank_of(origin), []
    while (file, rank) != (file_of(target), rank_of(target)):
        to_file = _sign(file_of(target) - file)
        to_rank = _sign(rank_of(target) - rank)
        if order != "both" and to_file and to_rank:
            to_file, to_rank = (to_file, 0) if order == "fr" else (0, to_rank)
        file, rank = file + to_file, rank + to_rank
        way.append(square_at(file, rank))
    return tuple(way[:-1])


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def displace(stage: Stage, steps: tuple[Step, ...], order: int, beats: Iterator[int]) -> None:
    """One or two pieces change squares, in any order that the squares allow."""
    orders = [touching for touching in _orders(steps) if _is_possible(stage, touching)]
    for n, (square, closed) in enumerate(orders[order % len(orders)]):
        if n:
            stage.wait(next(beats))
        (stage.drop if closed else stage.lift)(square)


def _orders(steps: tuple[Step, ...]) -> list[Touching]:
    """Every order of touches in which each piece is lifted before it is put down."""
    if len(steps) == 1:
        return [((steps[0][0], False), (steps[0][1], True))]
    one, other = steps
    return [
        _merged(one, other, turns) for turns in ("aabb", "bbaa", "abab", "abba", "baab", "baba")
    ]


def _merged(a: Step, b: Step, turns: str) -> Touching:
    pieces = {"a": iter(((a[0], False), (a[1], True))), "b": iter(((b[0], False), (b[1], True)))}
    return tuple(next(pieces[turn]) for turn in turns)


def _is_possible(stage: Stage, touching: Touching) -> bool:
    stands = stage.stands
    for square, closed in touching:
        if bool(stands >> square & 1) == closed:
            return False
        stands ^= 1 << square
    return True
