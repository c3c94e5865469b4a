"""One move without the list of all: who can go to a square, and which moves may give check.

Reading and writing a move asks about one square. The answers come from the same tables, checkers
and pins as the list of legal moves, cut down to the men that reach that square.
"""

from __future__ import annotations

from boardfw.rules.attacks import (
    BETWEEN,
    DIAGONAL_LINES,
    KING_REACH,
    KNIGHT_REACH,
    LINE,
    PAWN_REACH,
    RANK_1,
    RANK_8,
    SQUARES,
    STRAIGHT_LINES,
    diagonal_reach,
    straight_reach,
)
from boardfw.rules.board import (
    BISHOP,
    BLACK,
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
from boardfw.rules.movegen import PROMOTIONS, checkers_and_pins, en_passant_moves
from boardfw.rules.position import Position
from boardfw.squares import ALL, Occupancy, Square

NO_PROMOTION = (0,)
DOUBLE_STEP_RANK = (RANK_1 << 24, RANK_1 << 32)
"""Where a double step ends, by colour."""


def moves_to(
    position: Position, kind: Kind, target: Square, origins: Occupancy = ALL
) -> list[Move]:
    """The legal moves of men of one kind, standing on ``origins``, to one square.

    Castling is not among them: it is a move of two men.
    """
    if kind == PAWN and target == position.en_passant:
        captures = en_passant_moves(position.placement, position.turn, target)
        return [move for move in captures if origins >> move.origin & 1]
    men = men_reaching(position, kind, target) & origins
    if not men:
        return []
    men &= _unhindered(position, kind, target)
    bit = 1 << target
    victim = target if position.occupied & bit else None
    is_promotion = kind == PAWN and bit & (RANK_1 | RANK_8)
    promotions = PROMOTIONS if is_promotion else NO_PROMOTION
    return [
        Move.of(kind, origin, target, promotion, victim)
        for origin in SQUARES[men]
        for promotion in promotions
    ]


def men_reaching(position: Position, kind: Kind, target: Square) -> Occupancy:
    """Men of the side to move that could go to a square if their king were out of danger.

    En passant is not looked at.
    """
    placement = position.placement
    own, enemy = placement[SIDE[position.turn]], placement[SIDE[1 - position.turn]]
    men = placement[kind] & own
    if not men or own >> target & 1:
        return 0
    if kind == PAWN:
        return men & _pawns_reaching(position, target)
    if kind == KNIGHT:
        return men & KNIGHT_REACH[target]
    if kind == BISHOP:
        return men & diagonal_reach(target, own | enemy)
    if kind == ROOK:
        return men & straight_reach(target, own | enemy)
    if kind == QUEEN:
        occupied = own | enemy
        return men & (diagonal_reach(target, occupied) | straight_reach(target, occupied))
    return men & KING_REACH[target]


def _pawns_reaching(position: Position, target: Square) -> Occupancy:
    """Squares from which a pawn of the side to move goes to this square, not held by its side."""
    turn, occupied, bit = position.turn, position.occupied, 1 << target
    if occupied & bit:
        return PAWN_REACH[1 - turn][target]
    one, two = (bit << 8, bit << 16) if turn == BLACK else (bit >> 8, bit >> 16)
    if bit & DOUBLE_STEP_RANK[turn] and not occupied & one:
        return two
    return one


def _unhindered(position: Position, kind: Kind, target: Square) -> Occupancy:
    """Squares from which a man of this kind may go to ``target`` for all that its king minds."""
    placement, turn = position.placement, position.turn
    king_man = placement[KING] & placement[SIDE[turn]]
    if kind == KING:
        # The king is taken off: it does not shield the squares behind it from a slider.
        occupied = position.occupied ^ king_man
        return 0 if attackers(placement, target, 1 - turn, occupied) else ALL
    checkers, pinned = checkers_and_pins(placement, turn)
    king = king_man.bit_length() - 1
    if checkers:
        if checkers & (checkers - 1):
            return 0
        remedies = checkers | BETWEEN[king << 6 | checkers.bit_length() - 1]
        if not remedies >> target & 1:
            return 0
    # A pinned man may go where the line from its king leads on through it.
    return ~pinned | LINE[king << 6 | target] if pinned else ALL


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
