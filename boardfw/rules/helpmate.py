"""Looking for a mate that both sides help to bring about, the most promising positions first."""

from __future__ import annotations

from enum import Enum
from heapq import heappop, heappush
from typing import NamedTuple, TypeAlias

from boardfw.rules.attacks import KING_REACH
from boardfw.rules.blockade import Blockade, is_walled
from boardfw.rules.board import (
    BISHOP,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    SIDE,
    Color,
    attacked,
)
from boardfw.rules.material import lacks_mating_material
from boardfw.rules.move import Move
from boardfw.rules.position import Key, Position
from boardfw.squares import Occupancy, Square, distance, file_of, rank_of, squares_in


class Chance(Enum):
    """Whether a colour can still win, both sides helping."""

    ALIVE = "alive"
    """A sequence of legal moves ends in its mate."""
    DEAD = "dead"
    """None does: proved."""
    UNKNOWN = "unknown"
    """None was found, and none ruled out."""


class Verdict(NamedTuple):
    """What was found out, and the moves to the mate where one was found."""

    chance: Chance
    line: tuple[Move, ...] = ()


Origins: TypeAlias = dict[Key, tuple[Key, Move] | None]
"""For each position met, the one before it and the move between."""


def seek_mate(position: Position, color: Color, budget: int) -> Verdict:
    """Look for a mate by ``color`` in at most ``budget`` positions; DEAD when that was all of them.

    Move counters play no part: draws by 50 or 75 moves and by repetition are about the moves
    chosen, and a way to a mate never needs a position twice.
    """
    came_by: Origins = {position.key: None}
    queue = [(0, 0, position)]
    while queue:
        *_, here = heappop(queue)
        moves = here.legal_moves()
        if not moves and here.turn != color and here.is_check():
            return Verdict(Chance.ALIVE, _line(came_by, here.key))
        for move in moves:
            there = here.play(move)
            if there.key in came_by:
                continue
            if len(came_by) >= budget:
                return Verdict(Chance.UNKNOWN)
            came_by[there.key] = here.key, move
            if not _is_lost(there, color, move):
                # Of equals the newest: a line is followed to its end before the next is tried.
                heappush(queue, (_remoteness(there, color), -len(came_by), there))
    return Verdict(Chance.DEAD)


def _is_lost(position: Position, color: Color, last: Move) -> bool:
    """Whether the last move has settled that ``color`` never mates."""
    if last.victim is not None and lacks_mating_material(position.placement, color):
        return True
    changed = last.victim is not None or last.kind == PAWN
    return changed and is_walled(position) and not Blockade(position).may_mate(color)


def _line(came_by: Origins, key: Key) -> tuple[Move, ...]:
    """The moves that led to a position."""
    moves: list[Move] = []
    while (step := came_by[key]) is not None:
        key = step[0]
        moves.append(step[1])
    return tuple(reversed(moves))


def _remoteness(position: Position, color: Color) -> int:
    """How far a mate by ``color`` seems to be: a guess that only orders the search.

    The weights were tried on the last positions of played games. Enemy men weigh much, because
    they fill the queue with moves that lead nowhere.
    """
    placement = position.placement
    men, foes = placement[SIDE[color]], placement[SIDE[1 - color]]
    king, prey = position.king(color), position.king(1 - color)
    held = attacked(placement, color, position.occupied ^ 1 << prey)
    flights = KING_REACH[prey] & ~foes & ~held
    check = held >> prey & 1
    remote = distance(king, prey) + _to_corner(prey) + 2 * (flights.bit_count() - check)
    heavy = (placement[QUEEN] | placement[ROOK]) & men
    officers = heavy | (placement[BISHOP] | placement[KNIGHT]) & men
    pawns = 0 if heavy else placement[PAWN] & men
    return (
        3 * remote
        + 6 * foes.bit_count()
        + sum(distance(square, prey) for square in squares_in(officers))
        + (8 * _to_promotion(pawns, color) if pawns else 0)
    )


def _to_corner(square: Square) -> int:
    """King's steps along the edges from the nearest corner."""
    file, rank = file_of(square), rank_of(square)
    return min(file, 7 - file) + min(rank, 7 - rank)


def _to_promotion(pawns: Occupancy, color: Color) -> int:
    """Steps of the foremost pawn to its promotion."""
    return (
        rank_of((pawns & -pawns).bit_length() - 1) if color else 8 - (pawns.bit_length() + 7) // 8
    )
