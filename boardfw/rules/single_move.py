"""Single moves, without generating all legal ones: to one square, and whether one may give check.

Reading or writing a move asks about one square: from where the piece can come, and which squares
between must be empty. From where its king would be attacked tell the masks of the move generator.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from boardfw.rules.attacks import (
    BETWEEN,
    KING_ATTACKS,
    LAST_RANKS,
    PAWN_ATTACKS,
    RANK_1,
    SQUARES,
)
from boardfw.rules.board import (
    BISHOP,
    KING,
    PAWN,
    QUEEN,
    ROOK,
    SIDE,
    Color,
    PieceType,
    attacks_of,
)
from boardfw.rules.memo import Memo
from boardfw.rules.move import Move
from boardfw.rules.movegen import APPROACHES, en_passant_moves, pawn_moves
from boardfw.rules.movetables import PROMOTIONS
from boardfw.rules.position import Position
from boardfw.squares import ALL, Bitboard, Square, bitboard_of, file_of

RANK_4: Bitboard = RANK_1 << 24
RANK_5: Bitboard = RANK_1 << 32

Finder: TypeAlias = Callable[[Position], Move | None]

Path: TypeAlias = tuple[Bitboard, Move | None, Move | None]
"""How a piece gets to a square: the squares between, which must be empty; its move if the target is
empty; its move if an enemy piece is there. None: a pawn has no such move."""


def _path_to(
    kind: PieceType, target: Square, promotion: PieceType, pieces: Bitboard
) -> Path | None:
    """How the one piece of a bitboard gets there; None if ``pieces`` holds no piece or several."""
    if not pieces or pieces & (pieces - 1):
        return None
    origin = Square(pieces.bit_length() - 1)
    quiet = Move.of(kind, origin, target, promotion)
    capture = Move.of(kind, origin, target, promotion, target)
    if kind != PAWN:
        return BETWEEN[target][origin], quiet, capture
    if file_of(origin) == file_of(target):
        return BETWEEN[target][origin], quiet, None
    return 0, None, capture


PATHS: Memo[tuple[PieceType, Square, PieceType], Memo[Bitboard, Path | None]] = Memo(
    lambda key: Memo(partial(_path_to, *key), 1 << 7), 1 << 10
)
"""By piece type, target and promotion, and then by the piece as a bitboard."""


def finder(
    kind: PieceType, target: Square, origins: Bitboard = ALL, promotion: PieceType = 0
) -> Finder:
    """A function that finds the one legal move of a piece type from ``origins`` to a square.

    It returns None if there is no such move or more than one, and for castling and en passant.
    """
    # Games are read through this: all that does not depend on the position is looked up once.
    bit = 1 << target
    paths = PATHS[kind, target, promotion]
    possible = tuple(origins & _origins(kind, color, target, promotion) for color in (0, 1))
    is_king, near = kind == KING, KING_ATTACKS[target]

    def find(position: Position) -> Move | None:
        placement, turn = position.placement, position.turn
        white, pawns, knights, bishops, rooks, queens, kings, black = placement
        own, enemy = (black, white) if turn else (white, black)
        pieces = placement[kind] & own & possible[turn]
        path = paths[pieces]
        if path is None:
            return _only(moves_to(position, kind, target, pieces)) if pieces else None
        between, quiet, capture = path
        if between & (white | black) or own & bit:
            return None
        home = kings & own
        if is_king:
            if near & kings & enemy:
                return None
            home = bit
        pawn, knight, diagonal, straight, shields = APPROACHES[turn][home]
        attackers = enemy & (
            straight & (rooks | queens)
            | diagonal & (bishops | queens)
            | knight & knights
            | pawn & pawns
        )
        if attackers:
            occupied = (white | black) & ~pieces | bit
            for attacker in SQUARES[attackers & ~bit]:
                if not shields[attacker] & occupied:
                    return None
        if enemy & bit:
            return None if kings & bit else capture
        return quiet

    return find


def _origins(kind: PieceType, color: Color, target: Square, promotion: PieceType) -> Bitboard:
    """From where a piece could come to a square on an empty board, or by a capture."""
    if kind != PAWN:
        return 0 if promotion else attacks_of(kind, target, 0)
    bit = 1 << target
    if bool(promotion) != bool(bit & LAST_RANKS):
        return 0
    steps = bit << 8 & ALL | (bit & RANK_5) << 16 if color else bit >> 8 | (bit & RANK_4) >> 16
    return PAWN_ATTACKS[1 - color][target] | steps


def _only(moves: Sequence[Move]) -> Move | None:
    return moves[0] if len(moves) == 1 else None


FINDERS: Memo[tuple[PieceType, Square, Bitboard, PieceType], Finder] = Memo(
    lambda key: finder(*key), 1 << 12
)


def moves_to(
    position: Position, kind: PieceType, target: Square, origins: Bitboard = ALL
) -> list[Move]:
    """The legal moves of one piece type from ``origins`` to one square.

    Castling is not among them: it moves two pieces.
    """
    pieces = position.pieces_of(kind, position.turn) & origins
    if kind == PAWN:
        if target == position.en_passant:
            captures = en_passant_moves(position.placement, position.turn, target)
            return [move for move in captures if pieces >> move.origin & 1]
        promotions = PROMOTIONS if 1 << target & LAST_RANKS else (0,)
    else:
        pieces &= attacks_of(kind, target, position.occupied)
        promotions = (0,)
    found = [
        FINDERS[kind, target, 1 << origin, promotion](position)
        for origin in SQUARES[pieces]
        for promotion in promotions
    ]
    return [move for move in found if move is not None]


def is_legal(position: Position, move: Move) -> bool:
    """Whether a move may be played here."""
    if move.is_castling or move.is_en_passant:
        return move in position.legal_moves()
    return FINDERS[move.piece_type, move.target, 1 << move.origin, move.promotion](position) is move


def pieces_reaching(position: Position, kind: PieceType, target: Square) -> Bitboard:
    """Pieces of the side to move with a pseudo-legal move to a square: pins and checks are ignored.

    So is en passant.
    """
    own, occupied, bit = position.pieces(position.turn), position.occupied, 1 << target
    pieces = position.placement[kind] & own
    if own & bit:
        return 0
    if kind == PAWN:
        quiet, capturable = bit & ~occupied, bit & occupied
        moves = pawn_moves(pieces, position.turn, ALL ^ occupied, quiet, capturable)
        return bitboard_of(move.origin for move in moves)
    return pieces & attacks_of(kind, target, occupied)


def may_give_check(position: Position, move: Move) -> bool:
    """False if the move certainly gives no check; True if only the position after it can tell.

    A piece gives check from a square on a line with the king, or by leaving one: most moves do
    neither, and this test is far quicker than playing them.
    """
    if move.is_castling or move.is_en_passant:
        return True
    placement, turn = position.placement, position.turn
    own, enemy = placement[SIDE[turn]], placement[SIDE[1 - turn]]
    pawn, knight, diagonal, straight, _ = APPROACHES[1 - turn][placement[KING] & enemy]
    lines = straight | diagonal
    attacks = (0, pawn, knight, diagonal, straight, lines, 0)[move.promotion or move.piece_type]
    if attacks >> move.target & 1:
        return True
    if not lines >> move.origin & 1:
        return False
    queens = placement[QUEEN]
    snipers = own & (
        straight & (placement[ROOK] | queens) | diagonal & (placement[BISHOP] | queens)
    )
    return bool(snipers & ~(1 << move.origin))
