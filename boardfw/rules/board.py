"""Placement: where each piece is, as eight bitboards, and what attacks what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from boardfw.rules.attacks import (
    ALL_KNIGHT_ATTACKS,
    DIAGONAL_ROWS,
    KING_ATTACKS,
    KNIGHT_ATTACKS,
    PAWN_ATTACKS,
    PAWN_STEPS,
    RANK_1,
    RANK_8,
    STRAIGHT_ROWS,
    ZONES,
    diagonal_attacks,
    straight_attacks,
)
from boardfw.squares import ALL, Bitboard, Square

Color: TypeAlias = int
PieceType: TypeAlias = int

WHITE: Color = 0
BLACK: Color = 1
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)

COLOR_NAMES = ("White", "Black")
PIECE_NAMES = ("", "pawn", "knight", "bishop", "rook", "queen", "king")
LETTERS = " PNBRQK"

Placement: TypeAlias = tuple[Bitboard, ...]
"""(white, pawns, knights, bishops, rooks, queens, kings, black): a piece type is its own index."""

SIDE = (0, 7)
"""Index of a colour's pieces in a placement."""

EMPTY: Placement = (0,) * 8

HOME_RANK = (RANK_1, RANK_8)
"""By colour: the rank of its king and pieces at the start."""
AHEAD = (8, -8)
"""By colour: what a pawn's step adds to its square."""


class Piece(NamedTuple):
    """A piece: its type (PAWN..KING) and its colour."""

    piece_type: PieceType
    color: Color

    @property
    def letter(self) -> str:
        """Its letter in FEN: ``N`` is a white knight, ``n`` a black one."""
        letter = LETTERS[self.piece_type]
        return letter.lower() if self.color else letter

    @classmethod
    def of(cls, letter: str) -> Piece:
        """The piece of a FEN letter. Raises ValueError for any other text."""
        piece = PIECES.get(letter)
        if piece is None:
            raise ValueError(f"{letter!a} is not a piece; use one of PNBRQK or pnbrqk")
        return piece


PIECES = {
    piece.letter: piece
    for color in (WHITE, BLACK)
    for piece in (Piece(kind, color) for kind in range(PAWN, KING + 1))
}
"""Every piece by its letter in FEN."""


def placement_of(pieces: Mapping[Square, Piece]) -> Placement:
    """The placement with these pieces and no others."""
    sets = list(EMPTY)
    for square, piece in pieces.items():
        sets[piece.piece_type] |= 1 << square
        sets[SIDE[piece.color]] |= 1 << square
    return tuple(sets)


def kept(placement: Placement, squares: Bitboard) -> Placement:
    """The placement reduced to the pieces on these squares."""
    return tuple(pieces & squares for pieces in placement)


def piece_at(placement: Placement, square: Square) -> Piece | None:
    """The piece on a square, or None if it is empty."""
    bit = 1 << square
    for kind in range(PAWN, KING + 1):
        if placement[kind] & bit:
            return Piece(kind, BLACK if placement[7] & bit else WHITE)
    return None


def attacks_of(kind: PieceType, square: Square, occupied: Bitboard) -> Bitboard:
    """What a piece of this type, not a pawn, attacks from a square, and whence it attacks it."""
    if kind == KNIGHT:
        return KNIGHT_ATTACKS[square]
    if kind == KING:
        return KING_ATTACKS[square]
    straight = 0 if kind == BISHOP else straight_attacks(square, occupied)
    return straight if kind == ROOK else straight | diagonal_attacks(square, occupied)


def attackers(placement: Placement, square: Square, color: Color, occupied: Bitboard) -> Bitboard:
    """Pieces of ``color``, among ``occupied``, that attack ``square``; others block no lines."""
    return attackers_of_both(placement, square, occupied) & placement[SIDE[color]]


def attackers_of_both(placement: Placement, square: Square, occupied: Bitboard) -> Bitboard:
    """Pieces of both colours, among ``occupied``, that attack a square."""
    white, pawns, knights, bishops, rooks, queens, kings, black = placement
    return occupied & (
        (PAWN_ATTACKS[BLACK][square] & white | PAWN_ATTACKS[WHITE][square] & black) & pawns
        | KNIGHT_ATTACKS[square] & knights
        | KING_ATTACKS[square] & kings
        | straight_attacks(square, occupied) & (rooks | queens)
        | diagonal_attacks(square, occupied) & (bishops | queens)
    )


def attacked(
    placement: Placement, color: Color, occupied: Bitboard, among: Bitboard = ALL
) -> Bitboard:
    """What ``color`` attacks when exactly ``occupied`` blocks the lines.

    Complete for the squares of ``among`` only: sliders and knights that can attack none of these
    are left out, and so are some other squares. A king usually asks about three squares.
    """
    _, pawns, knights, bishops, rooks, queens, kings, _ = placement
    pieces = placement[SIDE[color]]
    attacks = PAWN_STEPS[color][pawns & pieces][3] | KING_ATTACKS[(kings & pieces).bit_length() - 1]
    straight, diagonal, leaps = ZONES[among]
    if near := knights & pieces & leaps:
        attacks |= ALL_KNIGHT_ATTACKS[near]
    if near := (rooks | queens) & pieces & straight:
        for relevant, slides in STRAIGHT_ROWS[near]:
            attacks |= slides[occupied & relevant]
    if near := (bishops | queens) & pieces & diagonal:
        for relevant, slides in DIAGONAL_ROWS[near]:
            attacks |= slides[occupied & relevant]
    return attacks
