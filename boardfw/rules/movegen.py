"""Strictly legal moves from masks: nothing is tried and taken back.

Checkers and pins restrict where each man may go, the enemy's attacks where the king may go. En
passant alone takes two men off one rank at once, and alone has a test of its own.

Moves come as ready tuples: all single steps of all pawns are one lookup under the set of squares
stepped to, and the quiet moves of a man are one lookup under the set of squares it goes to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from boardfw.rules.attacks import (
    BETWEEN,
    DIAGONAL_LINES,
    DIAGONAL_RELEVANT,
    DIAGONAL_SLIDES,
    FILE_A,
    FILE_H,
    KING_REACH,
    KNIGHT_REACH,
    LINE,
    PAWN_REACH,
    RANK_1,
    RANK_8,
    SQUARES,
    STRAIGHT_LINES,
    STRAIGHT_RELEVANT,
    STRAIGHT_SLIDES,
    SlideRow,
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
    Color,
    Kind,
    Placement,
    attacked,
    attackers,
)
from boardfw.rules.memo import Memo
from boardfw.rules.move import Move, castling_move
from boardfw.squares import ALL, Occupancy, Square, squares_in

Moves: TypeAlias = tuple[Move, ...]
MoveTable: TypeAlias = Memo[Occupancy, Moves]
"""Moves by the set of squares they go to."""

PROMOTIONS = (QUEEN, ROOK, BISHOP, KNIGHT)
RANK_3: Occupancy = RANK_1 << 16
RANK_6: Occupancy = RANK_1 << 40


def _pawn_table(step: int, *, is_capture: bool) -> MoveTable:
    """Moves of all pawns that go ``step`` squares on, by the set of their targets."""

    def moves_to(target: Square) -> Moves:
        victim = target if is_capture else None
        kinds = PROMOTIONS if 1 << target & (RANK_1 | RANK_8) else (0,)
        return tuple(Move.of(PAWN, target - step, target, kind, victim) for kind in kinds)

    def build(targets: Occupancy) -> Moves:
        return tuple(move for target in squares_in(targets) for move in moves_to(target))

    return Memo(build, 1 << 12)


def _man_table(kind: Kind, square: Square, *, is_capture: bool) -> MoveTable:
    """Moves of one man, by the set of its targets."""

    def build(targets: Occupancy) -> Moves:
        return tuple(
            Move.of(kind, square, target, 0, target if is_capture else None)
            for target in squares_in(targets)
        )

    return Memo(build, 1 << 9)


PAWN_STEPS = tuple(_pawn_table(step, is_capture=False) for step in (8, -8))
PAWN_DOUBLE_STEPS = tuple(_pawn_table(step, is_capture=False) for step in (16, -16))
PAWN_CAPTURES_TO_A = tuple(_pawn_table(step, is_capture=True) for step in (7, -9))
PAWN_CAPTURES_TO_H = tuple(_pawn_table(step, is_capture=True) for step in (9, -7))
"""By colour. An empty set of targets is remembered too: it is the commonest."""

StepRow: TypeAlias = tuple[Occupancy, MoveTable, MoveTable]
"""Of one knight or king: its reach, quiet moves, captures."""
SliderRow: TypeAlias = tuple[Occupancy, Memo[Occupancy, Occupancy], MoveTable, MoveTable]
QueenRow: TypeAlias = tuple[SlideRow, SlideRow, MoveTable, MoveTable]


def _tables(kind: Kind) -> tuple[Memo[Square, MoveTable], Memo[Square, MoveTable]]:
    quiets = Memo[Square, MoveTable](lambda s: _man_table(kind, s, is_capture=False), 64)
    captures = Memo[Square, MoveTable](lambda s: _man_table(kind, s, is_capture=True), 64)
    return quiets, captures


def _rows(make: Callable[[Square], SliderRow]) -> Memo[Occupancy, tuple[SliderRow, ...]]:
    return Memo(lambda men: tuple(make(square) for square in squares_in(men)), 1 << 11)


KNIGHT_QUIETS, KNIGHT_CAPTURES = _tables(KNIGHT)
BISHOP_QUIETS, BISHOP_CAPTURES = _tables(BISHOP)
ROOK_QUIETS, ROOK_CAPTURES = _tables(ROOK)
QUEEN_QUIETS, QUEEN_CAPTURES = _tables(QUEEN)
KING_QUIETS, KING_CAPTURES = _tables(KING)


def _knight_row(s: Square) -> StepRow:
    return KNIGHT_REACH[s], KNIGHT_QUIETS[s], KNIGHT_CAPTURES[s]


def _bishop_row(s: Square) -> SliderRow:
    return DIAGONAL_RELEVANT[s], DIAGONAL_SLIDES[s], BISHOP_QUIETS[s], BISHOP_CAPTURES[s]


def _rook_row(s: Square) -> SliderRow:
    return STRAIGHT_RELEVANT[s], STRAIGHT_SLIDES[s], ROOK_QUIETS[s], ROOK_CAPTURES[s]


def _queen_row(s: Square) -> QueenRow:
    straight = STRAIGHT_RELEVANT[s], STRAIGHT_SLIDES[s]
    return straight, (DIAGONAL_RELEVANT[s], DIAGONAL_SLIDES[s]), QUEEN_QUIETS[s], QUEEN_CAPTURES[s]


KNIGHT_ROWS: Memo[Occupancy, tuple[StepRow, ...]] = Memo(
    lambda men: tuple(map(_knight_row, squares_in(men))), 1 << 11
)
BISHOP_ROWS = _rows(_bishop_row)
ROOK_ROWS = _rows(_rook_row)
QUEEN_ROWS: Memo[Occupancy, tuple[QueenRow, ...]] = Memo(
    lambda men: tuple(map(_queen_row, squares_in(men))), 1 << 11
)

CastlingRow: TypeAlias = tuple[Occupancy, Occupancy, Move]
"""Squares that must be empty, squares that must not be attacked, and the move."""


def _castling_row(king: Square, rook: Square) -> CastlingRow:
    move = castling_move(king, rook)
    paths = 0
    for origin, target in ((king, move.target), move.rook_step or (rook, rook)):
        paths |= 1 << target | BETWEEN[origin << 6 | target]
    walk = 1 << king | 1 << move.target | BETWEEN[king << 6 | move.target]
    return paths & ~(1 << king | 1 << rook), walk, move


CASTLINGS: Memo[tuple[Square, Occupancy], tuple[CastlingRow, ...]] = Memo(
    lambda key: tuple(_castling_row(key[0], rook) for rook in squares_in(key[1])), 1 << 9
)


def checkers_and_pins(placement: Placement, turn: Color) -> tuple[Occupancy, Occupancy]:
    """Enemy men that give check, and own men that are pinned to the king."""
    _, pawns, knights, bishops, rooks, queens, kings, _ = placement
    own, enemy = placement[SIDE[turn]], placement[SIDE[1 - turn]]
    king = (kings & own).bit_length() - 1
    checkers = (KNIGHT_REACH[king] & knights | PAWN_REACH[turn][king] & pawns) & enemy
    snipers = enemy & (
        STRAIGHT_LINES[king] & (rooks | queens) | DIAGONAL_LINES[king] & (bishops | queens)
    )
    pinned = 0
    if snipers:
        occupied = own | enemy
        for sniper in SQUARES[snipers]:
            between = BETWEEN[king << 6 | sniper] & occupied
            if not between:
                checkers |= 1 << sniper
            elif not between & (between - 1):
                pinned |= between
    return checkers, pinned & own


def pawn_moves(
    pawns: Occupancy, turn: Color, empty: Occupancy, quiet: Occupancy, prey: Occupancy
) -> Moves:
    """Moves of these pawns, en passant apart, to ``quiet`` squares and against ``prey``."""
    if turn == BLACK:
        one = pawns >> 8 & empty
        two = (one & RANK_6) >> 8
        to_a, to_h = (pawns & ~FILE_A) >> 9, (pawns & ~FILE_H) >> 7
    else:
        one = pawns << 8 & empty
        two = (one & RANK_3) << 8
        to_a, to_h = (pawns & ~FILE_A) << 7, (pawns & ~FILE_H) << 9
    return (
        PAWN_CAPTURES_TO_A[turn][to_a & prey]
        + PAWN_CAPTURES_TO_H[turn][to_h & prey]
        + PAWN_STEPS[turn][one & quiet]
        + PAWN_DOUBLE_STEPS[turn][two & quiet]
    )


def en_passant_moves(placement: Placement, turn: Color, target: Square) -> Moves:
    """Legal captures en passant on ``target``: played on the sets, and the king looked at."""
    own, enemy, pawns = placement[SIDE[turn]], placement[SIDE[1 - turn]], placement[PAWN]
    victim = target + 8 if turn else target - 8
    king = (placement[KING] & own).bit_length() - 1
    moves = []
    for origin in squares_in(PAWN_REACH[1 - turn][target] & pawns & own):
        occupied = (own | enemy) ^ (1 << origin | 1 << victim | 1 << target)
        if not attackers(placement, king, 1 - turn, occupied) & ~(1 << victim):
            moves.append(Move.of(PAWN, origin, target, 0, victim))
    return tuple(moves)


def _moves_of(
    placement: Placement, men: Occupancy, occupied: Occupancy, quiet: Occupancy, prey: Occupancy
) -> list[Move]:
    """Moves of these knights, bishops, rooks and queens to ``quiet`` squares and ``prey``."""
    moves: list[Move] = []
    for reach, quiets, captures in KNIGHT_ROWS[placement[KNIGHT] & men]:
        moves += quiets[reach & quiet] + captures[reach & prey]
    for relevant, slides, quiets, captures in BISHOP_ROWS[placement[BISHOP] & men]:
        reach = slides[occupied & relevant]
        moves += quiets[reach & quiet] + captures[reach & prey]
    for relevant, slides, quiets, captures in ROOK_ROWS[placement[ROOK] & men]:
        reach = slides[occupied & relevant]
        moves += quiets[reach & quiet] + captures[reach & prey]
    for straight, diagonal, quiets, captures in QUEEN_ROWS[placement[QUEEN] & men]:
        reach = straight[1][occupied & straight[0]] | diagonal[1][occupied & diagonal[0]]
        moves += quiets[reach & quiet] + captures[reach & prey]
    return moves


def _king_moves(
    placement: Placement, turn: Color, castling: Occupancy, checkers: Occupancy
) -> list[Move]:
    """Moves of the king, castling included."""
    own, enemy = placement[SIDE[turn]], placement[SIDE[1 - turn]]
    own_king = placement[KING] & own
    king = own_king.bit_length() - 1
    occupied = own | enemy
    refuges = KING_REACH[king] & ~own
    rooks = 0 if checkers else castling & own
    if not refuges and not rooks:
        return []
    # The king is taken off: it does not shield the squares behind it from a slider.
    danger = attacked(placement, 1 - turn, occupied ^ own_king)
    moves: list[Move] = []
    if rooks:
        for obstacles, walk, move in CASTLINGS[king, rooks]:
            if not occupied & obstacles and not danger & walk:
                moves.append(move)
    if refuges := refuges & ~danger:
        moves += KING_QUIETS[king][refuges & ~enemy] + KING_CAPTURES[king][refuges & enemy]
    return moves


def legal_moves(
    placement: Placement, turn: Color, castling: Occupancy, en_passant: Square | None
) -> Moves:
    """Every legal move, in an order that depends on the position alone."""
    own, enemy = placement[SIDE[turn]], placement[SIDE[1 - turn]]
    occupied = own | enemy
    checkers, pinned = checkers_and_pins(placement, turn)
    moves = _king_moves(placement, turn, castling, checkers)
    if checkers & (checkers - 1):
        return tuple(moves)
    quiet = empty = ALL ^ occupied
    prey = enemy
    king = (placement[KING] & own).bit_length() - 1
    if checkers:
        quiet &= BETWEEN[king << 6 | checkers.bit_length() - 1]
        prey = checkers
    free = own ^ pinned
    moves += pawn_moves(placement[PAWN] & free, turn, empty, quiet, prey)
    moves += _moves_of(placement, free, occupied, quiet, prey)
    for square in SQUARES[pinned]:
        line = LINE[king << 6 | square]
        man = 1 << square
        moves += pawn_moves(placement[PAWN] & man, turn, empty, quiet & line, prey & line)
        moves += _moves_of(placement, man, occupied, quiet & line, prey & line)
    if en_passant is not None:
        moves += en_passant_moves(placement, turn, en_passant)
    return tuple(moves)
