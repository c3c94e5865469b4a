"""A piece that moves alone, without replies and checks, and the shortest path through stars."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

from boardfw.rules import Position
from boardfw.rules.attacks import LAST_RANKS
from boardfw.rules.board import KING, PAWN, QUEEN, SIDE, Placement, attacks_of, kept, piece_at
from boardfw.rules.move import Step
from boardfw.rules.movegen import pawn_moves
from boardfw.squares import ALL, Bitboard, Square, bitboard_of, squares_in


def targets(placement: Placement, square: Square) -> Bitboard:
    """Where the piece of a square may go; 0 if the square is empty.

    Kings step onto attacked squares, and are never captured. Castling and en passant are left out.
    """
    piece = piece_at(placement, square)
    if piece is None:
        return 0
    own, enemy = placement[SIDE[piece.color]], placement[SIDE[1 - piece.color]]
    if piece.piece_type == PAWN:
        empty = ALL ^ (own | enemy)
        moves = pawn_moves(1 << square, piece.color, empty, empty, enemy & ~placement[KING])
        return bitboard_of(move.target for move in moves)
    return attacks_of(piece.piece_type, square, own | enemy) & ~own & ~placement[KING]


def unseen_path(
    placement: Placement, pieces: Bitboard, standing: Bitboard, dead: Bitboard
) -> tuple[Step, ...]:
    """The moves by which one of these ``pieces`` may have come over a dead switch to what stands.

    One move from or to that square, and perhaps a further one; empty: there is no path.
    """
    alive = ~dead
    for origin in squares_in(pieces if dead else 0):
        for target in squares_in(targets(placement, origin)):
            after = moved(placement, origin, target)
            if not (_occupied(after) ^ standing) & alive:
                return ((origin, target),)
            is_unseen = dead & (1 << origin | 1 << target)
            for last in squares_in(targets(after, target) if is_unseen else 0):
                if not (_occupied(moved(after, target, last)) ^ standing) & alive:
                    return ((origin, target), (target, last))
    return ()


def _occupied(placement: Placement) -> Bitboard:
    return placement[SIDE[0]] | placement[SIDE[1]]


def carried(placement: Placement, origin: Square, target: Square) -> Placement:
    """The placement after a piece was carried there: what stood on the target is gone."""
    there = 1 << target
    change = 1 << origin | there
    around = kept(placement, ALL ^ there)
    return tuple(pieces ^ change if pieces >> origin & 1 else pieces for pieces in around)


def moved(placement: Placement, origin: Square, target: Square) -> Placement:
    """The same after a move: a pawn at its end is a queen."""
    there = 1 << target
    sets = [*carried(placement, origin, target)]
    if sets[PAWN] & there & LAST_RANKS:
        sets[PAWN] ^= there
        sets[QUEEN] ^= there
    return tuple(sets)


MOST = 100_000
"""States looked at: a few seconds. Lessons need some hundreds."""

State: TypeAlias = tuple[Placement, Bitboard]
"""What stands, and the stars not visited yet."""


@lru_cache(maxsize=1)  # lights that show it ask often
def way(position: Position, stars: Bitboard, most: int = MOST) -> tuple[Step, ...] | None:
    """The fewest moves of the side to move that land on all stars; one of the shortest paths.

    None: there is no path, or none was found among the first ``most`` states.
    """
    if not stars:
        return ()
    side = SIDE[position.turn]
    first: State = (position.placement, stars)
    came: dict[State, tuple[State, Step] | None] = {first: None}
    queue = [first]
    for state in queue:
        for step, after in _after(state, side):
            if after in came:
                continue
            came[after] = state, step
            if not after[1]:
                return tuple(_steps(came, after))
            queue.append(after)
        if len(came) > most:
            break
    return None


def _after(state: State, side: int) -> Iterator[tuple[Step, State]]:
    placement, left = state
    for origin in squares_in(placement[side] & ~placement[KING]):
        for target in squares_in(targets(placement, origin)):
            yield (origin, target), (moved(placement, origin, target), left & ~(1 << target))


def _steps(came: dict[State, tuple[State, Step] | None], state: State) -> list[Step]:
    steps: list[Step] = []
    while (before := came[state]) is not None:
        state, step = before
        steps.append(step)
    return steps[::-1]
