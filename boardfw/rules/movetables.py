"""Ready moves: the moves of one piece, or of all pawns at once, looked up by their target squares.

Making a move object is slow, so the generator makes none: all single steps of all pawns are one
lookup, and the quiet moves of a knight are another. An entry is computed when it is first needed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from boardfw.rules.attacks import (
    BETWEEN,
    DIAGONAL_RELEVANT,
    DIAGONAL_SLIDES,
    FILE_RELEVANT,
    FILE_SLIDES,
    KNIGHT_ATTACKS,
    LAST_RANKS,
    RANK_RELEVANT,
    RANK_SLIDES,
    Slides,
)
from boardfw.rules.board import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, PieceType
from boardfw.rules.memo import Memo
from boardfw.rules.move import Move, castling_move
from boardfw.squares import EVERY_SQUARE, Bitboard, Square, rank_of, square_at, squares_in

Moves: TypeAlias = tuple[Move, ...]
MoveTable: TypeAlias = Memo[Bitboard, Moves]
"""Moves by the bitboard of their targets."""

PROMOTIONS = (QUEEN, ROOK, BISHOP, KNIGHT)


def _pawn_table(step: int, *, is_capture: bool) -> MoveTable:
    """Moves of all pawns that go ``step`` squares on, by the bitboard of their targets."""

    def moves_to(target: Bitboard) -> Moves:
        square = Square(target.bit_length() - 1)
        captured = square if is_capture else None
        kinds = PROMOTIONS if target & LAST_RANKS else (0,)
        return tuple([Move.of(PAWN, square - step, square, kind, captured) for kind in kinds])

    alone: MoveTable = Memo(moves_to, 64)

    def build(targets: Bitboard) -> Moves:
        moves: list[Move] = []
        while targets:
            target = targets & -targets
            moves += alone[target]
            targets ^= target
        return tuple(moves)

    return Memo(build, 1 << 10)


def _piece_table(kind: PieceType, square: Square, *, is_capture: bool) -> MoveTable:
    """Moves of one piece, by the bitboard of its targets."""
    alone: dict[Bitboard, Move] = {}

    def build(targets: Bitboard) -> Moves:
        moves = []
        while targets:
            bit = targets & -targets
            targets ^= bit
            move = alone.get(bit)
            if move is None:
                target = Square(bit.bit_length() - 1)
                move = Move.of(kind, square, target, 0, target if is_capture else None)
                alone[bit] = move
            moves.append(move)
        return tuple(moves)

    return Memo(build, 1 << 7)


PAWN_TABLES = tuple(
    (
        _pawn_table(forward - 1, is_capture=True),
        _pawn_table(forward + 1, is_capture=True),
        _pawn_table(forward, is_capture=False),
        _pawn_table(2 * forward, is_capture=False),
    )
    for forward in (8, -8)
)
"""By colour: captures towards the a-file and towards the h-file, single steps, double steps."""


def _tables(*, is_capture: bool) -> dict[PieceType, Memo[Square, MoveTable]]:
    """Tables of one piece, by its type and square."""

    def of_kind(kind: PieceType) -> Memo[Square, MoveTable]:
        return Memo(lambda square: _piece_table(kind, square, is_capture=is_capture), 64)

    return {kind: of_kind(kind) for kind in (KNIGHT, BISHOP, ROOK, QUEEN, KING)}


QUIETS = _tables(is_capture=False)
CAPTURES = _tables(is_capture=True)

# A row is all that one piece's moves need: what it attacks (for a slider: the relevant squares of
# a line and its attacks by the pieces on them, line by line), its quiet moves, its captures.
KnightRow: TypeAlias = tuple[Bitboard, MoveTable, MoveTable]
BishopRow: TypeAlias = tuple[Bitboard, Slides, MoveTable, MoveTable]
RookRow: TypeAlias = tuple[Bitboard, Slides, Bitboard, Slides, MoveTable, MoveTable]
QueenRow: TypeAlias = tuple[
    Bitboard, Slides, Bitboard, Slides, Bitboard, Slides, MoveTable, MoveTable
]
Row = TypeVar("Row")


def _rows(row: Callable[[Square], Row]) -> Memo[Bitboard, tuple[Row, ...]]:
    """The rows of several pieces: the same few bitboards recur all game long."""
    row_on = Memo(row, 64)
    return Memo(lambda pieces: tuple(row_on[square] for square in squares_in(pieces)), 1 << 10)


def _knight_row(s: Square) -> KnightRow:
    return KNIGHT_ATTACKS[s], QUIETS[KNIGHT][s], CAPTURES[KNIGHT][s]


def _bishop_row(s: Square) -> BishopRow:
    return DIAGONAL_RELEVANT[s], DIAGONAL_SLIDES[s], QUIETS[BISHOP][s], CAPTURES[BISHOP][s]


def _rook_row(s: Square) -> RookRow:
    lines = RANK_RELEVANT[s], RANK_SLIDES[s], FILE_RELEVANT[s], FILE_SLIDES[s]
    return *lines, QUIETS[ROOK][s], CAPTURES[ROOK][s]


def _queen_row(s: Square) -> QueenRow:
    straight = RANK_RELEVANT[s], RANK_SLIDES[s], FILE_RELEVANT[s], FILE_SLIDES[s]
    diagonal = DIAGONAL_RELEVANT[s], DIAGONAL_SLIDES[s]
    return *straight, *diagonal, QUIETS[QUEEN][s], CAPTURES[QUEEN][s]


KNIGHT_ROWS = _rows(_knight_row)
BISHOP_ROWS = _rows(_bishop_row)
ROOK_ROWS = _rows(_rook_row)
QUEEN_ROWS = _rows(_queen_row)


CastlingRow: TypeAlias = tuple[Move, Bitboard, Bitboard, Bitboard]
"""One castling of a king with a rook: the move; the squares that must be empty; those that the king
crosses or reaches, none of which may be attacked; and those behind the rook, from where a slider
may attack the king once the rook is gone."""


def _castling_row(king: Square, rook: Square) -> CastlingRow:
    move = castling_move(king, rook)
    path = 0
    for origin, target in ((king, move.target), move.rook_step or (rook, rook)):
        path |= 1 << target | BETWEEN[origin][target]
    kings_path = 1 << move.target | BETWEEN[king][move.target]
    edge = square_at(0 if rook < king else 7, rank_of(rook))
    # Always 0 in standard chess, where the rook is in the corner; not always in Chess960.
    uncovered = 0 if rook == edge else 1 << edge | BETWEEN[rook][edge]
    return move, path & ~(1 << king | 1 << rook), kings_path, uncovered


def _castlings(king: Square) -> Memo[Bitboard, tuple[CastlingRow, ...]]:
    return Memo(lambda rooks: tuple(_castling_row(king, rook) for rook in squares_in(rooks)), 64)


CASTLINGS = tuple(_castlings(king) for king in EVERY_SQUARE)
"""By the king's square and the bitboard of the rooks that may still castle."""
