"""One move without the list of all: who can go to a square, and which moves may give check.

Reading and writing a move asks about one square: where the man can come from, what must be empty
between, and whether an enemy looks at the king once the man is there. The answers come from the
same tables of reach as the list of legal moves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from boardfw.rules.attacks import (
    BETWEEN,
    DIAGONAL_LINES,
    KING_ATTACKS,
    KNIGHT_ATTACKS,
    LAST_RANKS,
    PAWN_ATTACKS,
    RANK_1,
    SQUARES,
    STRAIGHT_LINES,
)
from boardfw.rules.board import (
    BISHOP,
    KING,
    KNIGHT,
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
from boardfw.rules.movegen import en_passant_moves, pawn_moves
from boardfw.rules.movetables import PROMOTIONS
from boardfw.rules.position import Position
from boardfw.squares import ALL, Occupancy, Square, file_of, occupancy_of

RANK_4: Occupancy = RANK_1 << 24
RANK_5: Occupancy = RANK_1 << 32

Finder: TypeAlias = Callable[[Position], Move | None]

Way: TypeAlias = tuple[Occupancy, Move | None, Move | None]
"""How a man gets to a square: what must be empty between, its move if nobody stands on the square,
its move if an enemy does. None: no such move of a pawn."""


def _way(kind: PieceType, target: Square, promotion: PieceType, pieces: Occupancy) -> Way | None:
    """The way of one man; None if ``pieces`` are none or several."""
    if not pieces or pieces & (pieces - 1):
        return None
    origin = pieces.bit_length() - 1
    quiet = Move.of(kind, origin, target, promotion)
    capture = Move.of(kind, origin, target, promotion, target)
    if kind != PAWN:
        return BETWEEN[target][origin], quiet, capture
    if file_of(origin) == file_of(target):
        return BETWEEN[target][origin], quiet, None
    return 0, None, capture


WAYS: Memo[tuple[PieceType, Square, PieceType], Memo[Occupancy, Way | None]] = Memo(
    lambda key: Memo(partial(_way, *key), 1 << 7), 1 << 10
)
"""By kind, target and promotion, and then by the man as a set."""


def _looks(color: Color, king: Occupancy) -> tuple[Occupancy, ...]:
    square = king.bit_length() - 1
    reaches = PAWN_ATTACKS[color], KNIGHT_ATTACKS, DIAGONAL_LINES, STRAIGHT_LINES
    return square, *(reach[square] for reach in reaches)


LOOKS = tuple(Memo(partial(_looks, color), 64) for color in (0, 1))
"""By a king's colour and his square as a set: the square, and from where an enemy pawn, knight,
bishop and rook would look at him."""


def finder(
    kind: PieceType, target: Square, origins: Occupancy = ALL, promotion: PieceType = 0
) -> Finder:
    """What finds the one legal move of men of a kind, standing on ``origins``, to a square.

    It answers None if there is none or more than one, and where castling or en passant is meant.
    """
    # Games are read through this: all that does not depend on the position is looked up once.
    bit = 1 << target
    ways = WAYS[kind, target, promotion]
    reach = tuple(origins & _origins(kind, color, target, promotion) for color in (0, 1))
    is_king, near = kind == KING, KING_ATTACKS[target]

    def find(position: Position) -> Move | None:
        placement, turn = position.placement, position.turn
        white, pawns, knights, bishops, rooks, queens, kings, black = placement
        own, enemy = (black, white) if turn else (white, black)
        pieces = placement[kind] & own & reach[turn]
        way = ways[pieces]
        if way is None:
            return _only(moves_to(position, kind, target, pieces)) if pieces else None
        between, quiet, capture = way
        if between & (white | black) or own & bit:
            return None
        home = kings & own
        if is_king:
            if near & kings & enemy:
                return None
            home = bit
        square, pawn, knight, diagonal, straight = LOOKS[turn][home]
        lookers = enemy & (
            straight & (rooks | queens)
            | diagonal & (bishops | queens)
            | knight & knights
            | pawn & pawns
        )
        if lookers:
            shields = BETWEEN[square]
            occupied = (white | black) & ~pieces | bit
            for looker in SQUARES[lookers & ~bit]:
                if not shields[looker] & occupied:
                    return None
        return capture if enemy & bit else quiet

    return find


def _origins(kind: PieceType, color: Color, target: Square, promotion: PieceType) -> Occupancy:
    """From where a man could come to a square on an empty board, or by a capture."""
    if kind != PAWN:
        return 0 if promotion else attacks_of(kind, target, 0)
    bit = 1 << target
    if bool(promotion) != bool(bit & LAST_RANKS):
        return 0
    steps = bit << 8 & ALL | (bit & RANK_5) << 16 if color else bit >> 8 | (bit & RANK_4) >> 16
    return PAWN_ATTACKS[1 - color][target] | steps


def _only(moves: Sequence[Move]) -> Move | None:
    return moves[0] if len(moves) == 1 else None


FINDERS: Memo[tuple[PieceType, Square, Occupancy, PieceType], Finder] = Memo(
    lambda key: finder(*key), 1 << 12
)


def moves_to(
    position: Position, kind: PieceType, target: Square, origins: Occupancy = ALL
) -> list[Move]:
    """The legal moves of men of one kind, standing on ``origins``, to one square.

    Castling is not among them: it is a move of two men.
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


def pieces_reaching(position: Position, kind: PieceType, target: Square) -> Occupancy:
    """Men of the side to move that could go to a square if their king were out of danger.

    En passant is not looked at.
    """
    own, occupied, bit = position.pieces(position.turn), position.occupied, 1 << target
    pieces = position.placement[kind] & own
    if own & bit:
        return 0
    if kind == PAWN:
        quiet, capturable = bit & ~occupied, bit & occupied
        moves = pawn_moves(pieces, position.turn, ALL ^ occupied, quiet, capturable)
        return occupancy_of(move.origin for move in moves)
    return pieces & attacks_of(kind, target, occupied)


def may_give_check(position: Position, move: Move) -> bool:
    """False if the move certainly gives no check; True asks for a look at the position after it.

    A man gives check from a square on a line with the king, or by leaving one: most moves do
    neither, and this is far quicker than to play them.
    """
    if move.is_castling or move.is_en_passant:
        return True
    placement, turn = position.placement, position.turn
    own = placement[SIDE[turn]]
    king = (placement[KING] & placement[SIDE[1 - turn]]).bit_length() - 1
    straight, diagonal = STRAIGHT_LINES[king], DIAGONAL_LINES[king]
    kind = move.promotion or move.piece_type
    if kind == KNIGHT:
        reach = KNIGHT_ATTACKS[king]
    elif kind == BISHOP:
        reach = diagonal
    elif kind == ROOK:
        reach = straight
    elif kind == QUEEN:
        reach = straight | diagonal
    else:
        reach = PAWN_ATTACKS[1 - turn][king] if kind == PAWN else 0
    if reach >> move.target & 1:
        return True
    if not (straight | diagonal) >> move.origin & 1:
        return False
    queens = placement[QUEEN]
    snipers = own & (
        straight & (placement[ROOK] | queens) | diagonal & (placement[BISHOP] | queens)
    )
    return bool(snipers & ~(1 << move.origin))
