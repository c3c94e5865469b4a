"""One move without the list of all: who can go to a square, and which moves may give check.

Reading and writing a move asks about one square. The answers come from the same tables, checkers
and pins as the list of legal moves, cut down to the men that reach that square.
"""

from __future__ import annotations

from collections.abc import Sequence

from boardfw.rules.attacks import (
    BETWEEN,
    DIAGONAL_LINES,
    KING_REACH,
    KNIGHT_REACH,
    LINE,
    PAWN_REACH,
    SQUARES,
    STRAIGHT_LINES,
    diagonal_reach,
    straight_reach,
)
from boardfw.rules.board import (
    BISHOP,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    SIDE,
    Kind,
    attackers,
)
from boardfw.rules.move import Move
from boardfw.rules.movegen import checkers_and_pins, en_passant_moves, pawn_moves
from boardfw.rules.movetables import CAPTURES, QUIETS
from boardfw.rules.position import Position
from boardfw.squares import ALL, Occupancy, Square, occupancy_of


def moves_to(
    position: Position, kind: Kind, target: Square, origins: Occupancy = ALL
) -> Sequence[Move]:
    """The legal moves of men of one kind, standing on ``origins``, to one square.

    Castling is not among them: it is a move of two men.
    """
    placement, turn = position.placement, position.turn
    own, enemy = placement[SIDE[turn]], placement[SIDE[1 - turn]]
    occupied = own | enemy
    bit = 1 << target
    men = placement[kind] & own & origins
    if kind != PAWN:
        men &= _reach(kind, target, occupied)
    elif target == position.en_passant:
        captures = en_passant_moves(placement, turn, target)
        return [move for move in captures if men >> move.origin & 1]
    if not men or own & bit:
        return ()
    if kind == KING:
        # The king is taken off: it does not shield the squares behind it from a slider.
        if attackers(placement, target, 1 - turn, occupied ^ men):
            return ()
    else:
        checkers, pinned = checkers_and_pins(placement, turn)
        if checkers or pinned:
            king = (placement[KING] & own).bit_length() - 1
            men &= _unhindered(king, target, checkers, pinned)
    if kind == PAWN:
        return pawn_moves(men, turn, ALL ^ occupied, bit & ~occupied, bit & enemy)
    tables = CAPTURES[kind] if enemy & bit else QUIETS[kind]
    if men & (men - 1):
        return [move for origin in SQUARES[men] for move in tables[origin][bit]]
    return tables[men.bit_length() - 1][bit] if men else ()


def _unhindered(king: Square, target: Square, checkers: Occupancy, pinned: Occupancy) -> Occupancy:
    """Squares from which a man may go to ``target`` for all that its king minds."""
    if checkers:
        remedies = checkers | BETWEEN[king][checkers.bit_length() - 1]
        if checkers & (checkers - 1) or not remedies >> target & 1:
            return 0
    # A pinned man may go where the line from its king leads on through it.
    return ~pinned | LINE[king][target]


def men_reaching(position: Position, kind: Kind, target: Square) -> Occupancy:
    """Men of the side to move that could go to a square if their king were out of danger.

    En passant is not looked at.
    """
    own, occupied, bit = position.men(position.turn), position.occupied, 1 << target
    men = position.placement[kind] & own
    if own & bit:
        return 0
    if kind == PAWN:
        quiet, prey = bit & ~occupied, bit & occupied
        moves = pawn_moves(men, position.turn, ALL ^ occupied, quiet, prey)
        return occupancy_of(move.origin for move in moves)
    return men & _reach(kind, target, occupied)


def _reach(kind: Kind, target: Square, occupied: Occupancy) -> Occupancy:
    """From where a man of this kind, no pawn, reaches a square; reach is mutual."""
    if kind == KNIGHT:
        return KNIGHT_REACH[target]
    if kind == BISHOP:
        return diagonal_reach(target, occupied)
    if kind == ROOK:
        return straight_reach(target, occupied)
    if kind == QUEEN:
        return diagonal_reach(target, occupied) | straight_reach(target, occupied)
    return KING_REACH[target]


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
    kind = move.promotion or move.kind
    if kind == KNIGHT:
        reach = KNIGHT_REACH[king]
    elif kind == BISHOP:
        reach = diagonal
    elif kind == ROOK:
        reach = straight
    elif kind == QUEEN:
        reach = straight | diagonal
    else:
        reach = PAWN_REACH[1 - turn][king] if kind == PAWN else 0
    if reach >> move.target & 1:
        return True
    if not (straight | diagonal) >> move.origin & 1:
        return False
    queens = placement[QUEEN]
    snipers = own & (
        straight & (placement[ROOK] | queens) | diagonal & (placement[BISHOP] | queens)
    )
    return bool(snipers & ~(1 << move.origin))
