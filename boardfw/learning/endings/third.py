"""The third man of an ending: where he may be thought to stand, what he attacks, whence he came.

White has him. What lies mirrored is the same ending, so he is looked at on a part of the board
alone: a piece on its lower left quarter, a pawn on the files a to d.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from boardfw.rules.attacks import PAWN_REACH
from boardfw.rules.board import PAWN, QUEEN, ROOK, WHITE, Kind, reach_of
from boardfw.squares import Occupancy, Square, file_of, occupancy_of, rank_of, squares_in

KINDS: tuple[Kind, ...] = (QUEEN, ROOK, PAWN)

Mirror: TypeAlias = int
"""``square ^ mirror`` is where a square lies in the mirror."""
FILES: Mirror = 7
RANKS: Mirror = 56

Origin: TypeAlias = tuple[Square, Occupancy]
"""A square, and those on which the lone king would have been in the way."""

PAWN_HOME, PAWN_LEAP = 1, 3
"""The ranks between which a pawn may make two steps, as 0..7."""

QUARTER = tuple(s for s in range(64) if file_of(s) < 4 and rank_of(s) < 4)
PAWN_HALF = tuple(s for s in range(64) if file_of(s) < 4 and 0 < rank_of(s) < 7)
_IN_QUARTER = occupancy_of(QUARTER)

_BACKWARDS = bytes(int(f"{rank:08b}"[::-1], 2) for rank in range(256))


def part_of(kind: Kind) -> tuple[Square, ...]:
    """The part of the board on which a man of this kind is looked at."""
    return PAWN_HALF if kind == PAWN else QUARTER


def mirrors_of(kind: Kind) -> tuple[Mirror, ...]:
    """The mirrors between which a move of such a man may change."""
    return (0,) if kind == PAWN else (0, FILES, RANKS, FILES | RANKS)


def mirror_to_part(kind: Kind, square: Square) -> Mirror:
    """The mirror that brings a man from this square into his part of the board."""
    mirror = FILES if file_of(square) > 3 else 0
    return mirror | RANKS if kind != PAWN and rank_of(square) > 3 else mirror


def mirrored(squares: Occupancy, mirror: Mirror) -> Occupancy:
    """A set of squares in the mirror."""
    ranks = squares.to_bytes(8, "little")
    if mirror & FILES:
        ranks = ranks.translate(_BACKWARDS)
    return int.from_bytes(ranks, "big" if mirror & RANKS else "little")


def attacks(kind: Kind, square: Square, king: Square) -> Occupancy:
    """What he attacks; only his own king, on ``king``, can stand in his way.

    The lone king does not: one who steps back along the line of a check is still on it.
    """
    if kind == PAWN:
        return PAWN_REACH[WHITE][square]
    return reach_of(kind, square, 1 << king)


def origins(kind: Kind, target: Square, king: Square) -> tuple[Origin, ...]:
    """From where he may have come, within his part.

    A piece was hindered by nobody: the lone king would have stood in check on White's turn.
    """
    if kind == PAWN:
        return tuple(_pawn_origins(target, king))
    came = attacks(kind, target, king) & ~(1 << king) & _IN_QUARTER
    return tuple((origin, 0) for origin in squares_in(came))


def _pawn_origins(target: Square, king: Square) -> Iterator[Origin]:
    single, double = target - 8, target - 16
    if rank_of(target) > PAWN_HOME and king != single:
        yield single, 0
        if rank_of(target) == PAWN_LEAP and king != double:
            yield double, 1 << single
