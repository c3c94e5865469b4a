"""Endings of three pieces solved plainly: position by position, with counters of the moves left.

Nothing here is shared with what it checks: squares are numbers, pieces go by steps on a board of
files and ranks, and only a promotion's value is taken from another ending solved in the same way.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import cache
from typing import TypeAlias

Place: TypeAlias = tuple[bool, int, int, int]
"""White to move; squares of the white king, of the third piece, of the lone king."""

STEPS = [(f, r) for f in (-1, 0, 1) for r in (-1, 0, 1) if f or r]
STRAIGHT = [(f, r) for f, r in STEPS if not f or not r]
LINES = {"q": STEPS, "r": STRAIGHT}
TAKEN = None
"""The third piece is gone: a draw."""


def walk(square: int, step: tuple[int, int]) -> Iterator[int]:
    file, rank = square % 8 + step[0], square // 8 + step[1]
    while 0 <= file < 8 and 0 <= rank < 8:
        yield rank * 8 + file
        file, rank = file + step[0], rank + step[1]


@cache
def steps(square: int) -> tuple[int, ...]:
    return tuple(there for step in STEPS for there in [*walk(square, step)][:1])


@cache
def glides(kind: str, square: int, king: int) -> tuple[tuple[int, ...], ...]:
    """Line by line the squares that the third piece attacks, if only its own king blocks it."""
    lines = []
    for step in LINES[kind]:
        line = [*walk(square, step)]
        lines.append(tuple(line[: line.index(king)] if king in line else line))
    return tuple(lines)


@cache
def attacked(kind: str, square: int, king: int) -> frozenset[int]:
    if kind == "p":
        fronts = (walk(square, (f, 1)) for f in (-1, 1))
        return frozenset(there for front in fronts for there in [*front][:1])
    own = {king} if king != square else set()
    return frozenset(s for line in glides(kind, square, king) for s in line) | own


def is_check(kind: str, place: Place) -> bool:
    """Whether the third piece attacks the lone king, with what stands between in mind."""
    _, king, third, lone = place
    if kind == "p":
        return lone in attacked(kind, third, king)
    return any(lone in line for line in glides(kind, third, king))


def is_legal(kind: str, place: Place) -> bool:
    white, king, third, lone = place
    if len({king, third, lone}) < 3 or lone in steps(king):
        return False
    return not (white and is_check(kind, place))


def black_moves(kind: str, place: Place) -> Iterator[Place | None]:
    _, king, third, lone = place
    for there in steps(lone):
        if there == king or there in steps(king):
            continue
        if there == third:
            yield TAKEN
        elif not is_check(kind, (True, king, third, there)):
            yield True, king, third, there


def white_moves(kind: str, place: Place) -> Iterator[Place]:
    """All but promotions."""
    _, king, third, lone = place
    for there in steps(king):
        if there != third and there not in steps(lone) and there != lone:
            yield False, there, third, lone
    for there in pawn_walk(king, third, lone) if kind == "p" else flights(kind, king, third, lone):
        yield False, king, there, lone


def flights(kind: str, king: int, third: int, lone: int) -> Iterator[int]:
    for line in glides(kind, third, king):
        for there in line:
            if there == lone:
                break
            yield there


def pawn_walk(king: int, third: int, lone: int) -> Iterator[int]:
    ahead = [third + 8, third + 16] if third // 8 == 1 else [third + 8]
    for there in ahead:
        if there in (king, lone) or there > 55:
            return
        yield there


def canonical(kind: str, place: Place) -> Place:
    """The same position with the third piece on the left, a queen or rook also below."""
    white, king, third, lone = place
    flip = 7 if third % 8 > 3 else 0
    flip |= 56 if kind != "p" and third // 8 > 3 else 0
    return white, king ^ flip, third ^ flip, lone ^ flip


def places(kind: str) -> Iterator[Place]:
    for third in range(64):
        if kind == "p" and third // 8 in (0, 7):
            continue
        for king in range(64):
            for lone in range(64):
                for white in (True, False):
                    place = (white, king, third, lone)
                    if place == canonical(kind, place) and is_legal(kind, place):
                        yield place


class Unsolved:
    """All legal positions of an ending, the paths back between them, and where mates begin."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.known: dict[Place, int | None] = dict.fromkeys(places(kind))
        self.comes_from: dict[Place, list[Place]] = {place: [] for place in self.known}
        self.left: dict[Place, int] = {}
        """By position with the lone king to move: its moves that are not known to lose."""
        self.queues: dict[int, deque[Place]] = {ply: deque() for ply in range(200)}
        for place in self.known:
            if place[0]:
                self.note_white(place)
            else:
                self.note_black(place)

    def note_white(self, place: Place) -> None:
        for there in white_moves(self.kind, place):
            self.comes_from[canonical(self.kind, there)].append(place)
        for plies in promoted(place) if self.kind == "p" and place[2] // 8 == 6 else ():
            self.queues[plies + 1].append(place)

    def note_black(self, place: Place) -> None:
        moves = [*black_moves(self.kind, place)]
        self.left[place] = len(moves)
        for move in moves:
            if move is not TAKEN:
                self.comes_from[canonical(self.kind, move)].append(place)
        if not moves and is_check(self.kind, place):
            self.queues[0].append(place)

    def settle(self, place: Place, plies: int) -> None:
        self.known[place] = plies
        for before in self.comes_from[place]:
            if not before[0]:
                self.left[before] -= 1
            if before[0] or not self.left[before]:
                self.queues[plies + 1].append(before)


@cache
def solved(kind: str) -> dict[Place, int | None]:
    """By legal position, the plies to mate; None: a draw."""
    ending = Unsolved(kind)
    for plies, queue in ending.queues.items():
        while queue:
            place = queue.popleft()
            if ending.known[place] is None:
                ending.settle(place, plies)
    return ending.known


def promoted(place: Place) -> Iterator[int]:
    """Plies to mate after each promotion that wins."""
    _, king, third, lone = place
    target = third + 8
    if target in (king, lone):
        return
    for kind in "qr":
        plies = solved(kind)[canonical(kind, (False, king, target, lone))]
        if plies is not None:
            yield plies
