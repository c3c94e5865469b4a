"""Squares and sets of squares; imports nothing.

A ``Square`` is an ``int`` 0..63 with a1 = 0, b1 = 1 ... h8 = 63. An ``Occupancy`` is an ``int``
used as a set of squares: bit *n* stands for square *n*. Both are plain integers because the
scan loop, the rules core and the trace format all count in them, hundreds of times a second.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

Square: TypeAlias = int
Occupancy: TypeAlias = int

FILES = "abcdefgh"
RANKS = "12345678"
NAMES: tuple[str, ...] = tuple(file + rank for rank in RANKS for file in FILES)
BY_NAME: dict[str, Square] = {name: square for square, name in enumerate(NAMES)}
ALL: Occupancy = (1 << 64) - 1
LIGHT: Occupancy = 0x55AA_55AA_55AA_55AA
HALF_TURN = 63
"""``square ^ HALF_TURN`` is the square that lies there when the board is turned round."""
START: Occupancy = 0xFFFF_0000_0000_FFFF


def square_at(file: int, rank: int) -> Square:
    """Square of file 0..7 (a..h) and rank 0..7 (first..eighth)."""
    return rank * 8 + file


def file_of(square: Square) -> int:
    """File 0..7 (a..h)."""
    return square & 7


def rank_of(square: Square) -> int:
    """Rank 0..7 (first..eighth)."""
    return square >> 3


def is_light(square: Square) -> bool:
    """Whether the square is a light one; h1 is light."""
    return bool(LIGHT >> square & 1)


def distance(origin: Square, target: Square) -> int:
    """King's steps from one square to the other."""
    files = abs(file_of(origin) - file_of(target))
    return max(files, abs(rank_of(origin) - rank_of(target)))


def turned(square: Square) -> Square:
    """The square that lies here when the board is turned round by half a turn."""
    return square ^ HALF_TURN


def turned_occupancy(occupancy: Occupancy) -> Occupancy:
    """The set as it is seen when the board is turned round by half a turn."""
    return int(f"{occupancy:064b}"[::-1], 2)


def squares_in(occupancy: Occupancy) -> Iterator[Square]:
    """The squares of a set, from a1 to h8."""
    while occupancy:
        lowest = occupancy & -occupancy
        yield lowest.bit_length() - 1
        occupancy ^= lowest


def occupancy_of(squares: Iterable[Square]) -> Occupancy:
    """The set of these squares."""
    occupancy = 0
    for square in squares:
        occupancy |= 1 << square
    return occupancy


def names_of(occupancy: Occupancy) -> list[str]:
    """Names of the squares of a set, from a1 to h8."""
    return [NAMES[square] for square in squares_in(occupancy)]


def joined(names: Iterable[str]) -> str:
    """Names as a sentence lists them: ``a1, e4 and h8``. Raises ValueError without any."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
