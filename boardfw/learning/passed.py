"""Passed pawns, and who would promote first if both sides only ran."""

from __future__ import annotations

from boardfw.rules import BLACK, KING, PAWN, WHITE, Color, Position
from boardfw.rules.attacks import FILE_A, RANK_1, SQUARES
from boardfw.squares import Occupancy, Square, distance, file_of, rank_of, square_at


def _ahead(color: Color, square: Square) -> Occupancy:
    """The squares before a pawn, on its file and on those beside it."""
    file, rank = file_of(square), rank_of(square)
    files = sum(FILE_A << near for near in range(max(file - 1, 0), min(file + 2, 8)))
    ranks = range(rank + 1, 8) if color == WHITE else range(rank)
    return files & sum(RANK_1 << 8 * passed for passed in ranks)


AHEAD = tuple(tuple(_ahead(color, square) for square in range(64)) for color in (WHITE, BLACK))
"""By colour and square: where an enemy pawn still stops this one, or may."""


def moves_to_promote(color: Color, square: Square) -> int:
    """The fewest moves in which a pawn of this square promotes."""
    ranks = 7 - rank_of(square) if color == WHITE else rank_of(square)
    return min(ranks, 5)


def passed_pawns(position: Position, color: Color) -> tuple[Square, ...]:
    """The pawns that no enemy pawn can stop or take on the way."""
    enemies = position.men_of(PAWN, 1 - color)
    pawns = SQUARES[position.men_of(PAWN, color)]
    return tuple(square for square in pawns if not AHEAD[color][square] & enemies)


def fastest(position: Position, color: Color) -> int | None:
    """In how many moves a pawn promotes that nobody can stop; None: no pawn does.

    Nobody can where the enemy has pawns and a king alone, who is outside the square before the
    pawn and cannot take it at once, and where no man stands in its way.
    """
    enemy = position.men(1 - color)
    if enemy & ~(position.placement[PAWN] | position.placement[KING]):
        return None
    running = (s for s in passed_pawns(position, color) if _runs(position, color, s))
    return min((moves_to_promote(color, square) for square in running), default=None)


def _runs(position: Position, color: Color, square: Square) -> bool:
    file, king = FILE_A << file_of(square), position.king(1 - color)
    is_late = position.turn != color
    last = square_at(file_of(square), 0 if color else 7)
    if AHEAD[color][square] & file & position.occupied or (is_late and distance(king, square) < 2):
        return False
    return distance(king, last) - is_late > moves_to_promote(color, square)
