"""The 960 starts of Chess960 by their usual (Scharnagl's) numbers; 518 is standard chess."""

from __future__ import annotations

from functools import lru_cache

from boardfw.errors import BoardError
from boardfw.rules.board import BISHOP, KING, KNIGHT, QUEEN, ROOK, PieceType
from boardfw.rules.position import Position
from boardfw.squares import EVERY_SQUARE

STANDARD = 518
STARTS = 960
KNIGHT_PLACES = tuple((left, right) for left in range(5) for right in range(left + 1, 5))
"""The two knights' places among the last five free files, by the last part of the number."""


def start_position(number: int) -> Position:
    """The start position with this number, 0..959. Raises BoardError for any other number."""
    if not 0 <= number < STARTS:
        raise BoardError(f"Chess960 start {number}: there are 960; choose one from 0 to 959")
    return Position.start_with(back_rank(number))


def start_number(position: Position) -> int | None:
    """The number of this start position, None if it is not one; the counters do not matter."""
    number = _numbers().get(_back_rank_of(position))
    return number if number is not None and start_position(number).key == position.key else None


def back_rank(number: int) -> tuple[PieceType, ...]:
    """The piece types from the a-file to the h-file at the start with this number, 0..959.

    The number is taken apart from its end: the bishop on a light square, the bishop on a dark
    one, the queen's place among the six files left, the knights' among the five left then; rook,
    king and rook have what remains.
    """
    number, light = divmod(number, 4)
    number, dark = divmod(number, 4)
    knights, queen = divmod(number, 6)
    kinds = {2 * light + 1: BISHOP, 2 * dark: BISHOP}
    free = [file for file in range(8) if file not in kinds]
    kinds[free.pop(queen)] = QUEEN
    for place in reversed(KNIGHT_PLACES[knights]):
        kinds[free.pop(place)] = KNIGHT
    kinds.update(zip(free, (ROOK, KING, ROOK), strict=True))
    return tuple(kinds[file] for file in range(8))


def _back_rank_of(position: Position) -> tuple[PieceType, ...]:
    pieces = (position.piece_at(file) for file in EVERY_SQUARE[:8])
    return tuple(piece.piece_type if piece else 0 for piece in pieces)


@lru_cache(maxsize=1)
def _numbers() -> dict[tuple[PieceType, ...], int]:
    """The number of every start position by its back rank, computed at the first call."""
    return {back_rank(number): number for number in range(STARTS)}
