"""Looking one move back: the placements from which a man can have come to its square."""

from __future__ import annotations

from collections.abc import Iterator

from boardfw.rules.attacks import LAST_RANKS, PAWN_REACH
from boardfw.rules.board import (
    HOME_RANK,
    KING,
    PAWN,
    SIDE,
    Color,
    Kind,
    Placement,
    attackers,
    piece_at,
    reach_of,
)
from boardfw.squares import Occupancy, Square, rank_of, squares_in

AHEAD = (8, -8)
"""What a pawn's step adds to its square, by colour."""
PASSING_RANK = (5, 2)
"""Rank 0..7 to which a colour's pawns capture en passant."""


def can_be_given(placement: Placement, turn: Color, checkers: Occupancy) -> bool:
    """Whether the king was out of check before some last move of the other side.

    Two checks come at once where a checker uncovered another, or where a pawn, taking en passant,
    left one line and took its victim from another: no other man need be looked at.
    """
    mover = 1 - turn
    pawns = placement[PAWN] & placement[SIDE[mover]]
    king = (placement[KING] & placement[SIDE[turn]]).bit_length() - 1
    stranded = pawns & LAST_RANKS  # a fault of its own
    return any(
        not attackers(before, king, mover, before[0] | before[7] | taken)
        for target in squares_in((checkers | pawns) & ~stranded)
        for before, taken in _positions_before(placement, mover, target)
    )


def _positions_before(
    placement: Placement, mover: Color, target: Square
) -> Iterator[tuple[Placement, Occupancy]]:
    """Every placement from which a man can have come to ``target``, and what it took there."""
    man = piece_at(placement, target)
    if man is None:
        return
    empty = ~(placement[0] | placement[7])
    if man.kind != PAWN:
        for origin in squares_in(reach_of(man.kind, target, ~empty) & empty):
            before = taken_back(placement, mover, (man.kind, target), (man.kind, origin))
            yield before, 0
            yield before, 1 << target
    if man.kind == PAWN or 1 << target & HOME_RANK[1 - mover]:
        for origin, taken in _pawn_origins(mover, target, empty & ~LAST_RANKS):
            yield taken_back(placement, mover, (man.kind, target), (PAWN, origin)), taken


def _pawn_origins(
    mover: Color, target: Square, empty: Occupancy
) -> Iterator[tuple[Square, Occupancy]]:
    """Whence a pawn can have come to a square, and the square on which it took, as a set."""
    behind = target - AHEAD[mover]
    if empty >> behind & 1:
        yield behind, 0  # a double step opens no line to a king that it attacks
    is_passing = rank_of(target) == PASSING_RANK[mover] and _is_clear(empty, target, behind)
    for origin in squares_in(PAWN_REACH[1 - mover][target] & empty):
        yield origin, 1 << target
        if is_passing:
            yield origin, 1 << behind


def _is_clear(empty: Occupancy, target: Square, behind: Square) -> bool:
    """Whether a pawn taken en passant can have stood behind the target, come from beyond it."""
    way = 1 << behind | 1 << 2 * target - behind
    return not way & ~empty


def taken_back(
    placement: Placement, mover: Color, now: tuple[Kind, Square], before: tuple[Kind, Square]
) -> Placement:
    """The placement with this man as it was and where it was."""
    sets = list(placement)
    sets[now[0]] ^= 1 << now[1]
    sets[before[0]] ^= 1 << before[1]
    sets[SIDE[mover]] ^= 1 << now[1] | 1 << before[1]
    return tuple(sets)
