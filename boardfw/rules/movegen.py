"""Strictly legal moves from masks: no move is tried and undone.

Checkers and pins restrict where each piece may move, enemy attacks where the king may. Only
en passant takes two pieces off one rank at once, so it has a test of its own.
"""

from __future__ import annotations

from functools import partial
from typing import TypeAlias

from boardfw.rules.attacks import (
    BETWEEN,
    DIAGONAL_LINES,
    KING_ATTACKS,
    KNIGHT_ATTACKS,
    LINE,
    PAWN_ATTACKS,
    PAWN_STEPS,
    RANK_1,
    SQUARES,
    STRAIGHT_LINES,
    straight_attacks,
)
from boardfw.rules.board import (
    KING,
    PAWN,
    QUEEN,
    ROOK,
    SIDE,
    Color,
    Placement,
    attacked,
    attackers,
)
from boardfw.rules.memo import Memo
from boardfw.rules.move import Move
from boardfw.rules.movetables import (
    BISHOP_ROWS,
    CAPTURES,
    CASTLINGS,
    KNIGHT_ROWS,
    PAWN_TABLES,
    QUEEN_ROWS,
    QUIETS,
    ROOK_ROWS,
    CastlingRow,
    Moves,
)
from boardfw.squares import ALL, EVERY_SQUARE, Bitboard, Square, squares_in

RANK_3: Bitboard = RANK_1 << 16
RANK_6: Bitboard = RANK_1 << 40
KING_QUIETS = tuple(QUIETS[KING][square] for square in EVERY_SQUARE)
KING_CAPTURES = tuple(CAPTURES[KING][square] for square in EVERY_SQUARE)


Approaches: TypeAlias = tuple[Bitboard, Bitboard, Bitboard, Bitboard, tuple[Bitboard, ...]]
"""From where an enemy pawn, knight, bishop and rook would attack a king on an empty board, and the
squares between the king and each other square."""


def _approaches(color: Color, king: Bitboard) -> Approaches:
    square = Square(king.bit_length() - 1)
    tables = PAWN_ATTACKS[color], KNIGHT_ATTACKS, DIAGONAL_LINES, STRAIGHT_LINES
    pawn, knight, diagonal, straight = (table[square] for table in tables)
    return pawn, knight, diagonal, straight, BETWEEN[square]


APPROACHES = tuple(Memo(partial(_approaches, color), 64) for color in (0, 1))
"""By a king's colour and bitboard."""


def checkers_and_pins(placement: Placement, turn: Color) -> tuple[Bitboard, Bitboard]:
    """Enemy pieces that give check, and own pieces that are pinned to the king."""
    _, pawns, knights, bishops, rooks, queens, kings, _ = placement
    own, enemy = placement[SIDE[turn]], placement[SIDE[1 - turn]]
    pawn, knight, diagonal, straight, between = APPROACHES[turn][kings & own]
    checkers = (knight & knights | pawn & pawns) & enemy
    snipers = enemy & (straight & (rooks | queens) | diagonal & (bishops | queens))
    pinned = 0
    if snipers:
        occupied = own | enemy
        for sniper in SQUARES[snipers]:
            shields = between[sniper] & occupied
            if not shields:
                checkers |= 1 << sniper
            elif not shields & (shields - 1):
                pinned |= shields
    return checkers, pinned & own


def pawn_moves(
    pawns: Bitboard, turn: Color, empty: Bitboard, quiet: Bitboard, capturable: Bitboard
) -> Moves:
    """Moves of these pawns, except en passant, to ``quiet`` squares and against ``capturable``."""
    ahead, to_a, to_h, _ = PAWN_STEPS[turn][pawns]
    one = ahead & empty
    two = (one & RANK_6) >> 8 if turn else (one & RANK_3) << 8
    captures_to_a, captures_to_h, steps, double_steps = PAWN_TABLES[turn]
    moves = steps[one & quiet]
    if two := two & quiet:
        moves += double_steps[two]
    if to_a := to_a & capturable:
        moves += captures_to_a[to_a]
    if to_h := to_h & capturable:
        moves += captures_to_h[to_h]
    return moves


def en_passant_moves(placement: Placement, turn: Color, target: Square) -> Moves:
    """Legal captures en passant on ``target``: those after which the king is not attacked."""
    own, enemy, pawns = placement[SIDE[turn]], placement[SIDE[1 - turn]], placement[PAWN]
    captured = target + 8 if turn else target - 8
    king = Square((placement[KING] & own).bit_length() - 1)
    moves = []
    for origin in squares_in(PAWN_ATTACKS[1 - turn][target] & pawns & own):
        occupied = (own | enemy) ^ (1 << origin | 1 << captured | 1 << target)
        if not attackers(placement, king, 1 - turn, occupied) & ~(1 << captured):
            moves.append(Move.of(PAWN, origin, target, 0, captured))
    return tuple(moves)


def _add_piece_moves(
    moves: list[Move],
    placement: Placement,
    pieces: Bitboard,
    occupied: Bitboard,
    quiet: Bitboard,
    capturable: Bitboard,
) -> None:
    """Add the moves of these knights, bishops, rooks and queens to ``quiet`` and ``capturable``."""
    _, _, knights, bishops, rooks, queens, _, _ = placement
    # What follows from the attacks stands here four times: said once, lists took 8 % longer.
    for attacks, quiets, captures in KNIGHT_ROWS[knights & pieces]:
        moves += quiets[attacks & quiet]
        if targets := attacks & capturable:
            moves += captures[targets]
    for relevant, slides, quiets, captures in BISHOP_ROWS[bishops & pieces]:
        attacks = slides[occupied & relevant]
        moves += quiets[attacks & quiet]
        if targets := attacks & capturable:
            moves += captures[targets]
    for rank, on_rank, file, on_file, quiets, captures in ROOK_ROWS[rooks & pieces]:
        attacks = on_rank[occupied & rank] | on_file[occupied & file]
        moves += quiets[attacks & quiet]
        if targets := attacks & capturable:
            moves += captures[targets]
    for rank, on_rank, file, on_file, cross, slides, quiets, captures in QUEEN_ROWS[
        queens & pieces
    ]:
        attacks = on_rank[occupied & rank] | on_file[occupied & file] | slides[occupied & cross]
        moves += quiets[attacks & quiet]
        if targets := attacks & capturable:
            moves += captures[targets]


def _king_moves(
    placement: Placement,
    turn: Color,
    king: Square,
    own: Bitboard,
    enemy: Bitboard,
    castling: Bitboard,
) -> list[Move]:
    """Moves of the king on ``king``; ``castling`` holds the rooks with which it may castle."""
    occupied = own | enemy
    asked = refuges = KING_ATTACKS[king] & ~own
    rows: list[CastlingRow] = []
    if castling:
        for row in CASTLINGS[king][castling]:
            if not occupied & row[1]:
                rows.append(row)
                asked |= row[2]
    if not asked:
        return []
    moves: list[Move] = []
    # The king is taken off: it does not shield the squares behind it from a slider.
    danger = attacked(placement, 1 - turn, occupied ^ 1 << king, asked)
    for move, _, kings_path, uncovered in rows:
        if not danger & kings_path and not (
            uncovered and _is_uncovered(placement, turn, move, uncovered)
        ):
            moves.append(move)
    if refuges := refuges & ~danger:
        moves += KING_QUIETS[king][refuges & ~enemy]
        if capturable := refuges & enemy & ~placement[KING]:
            moves += KING_CAPTURES[king][capturable]
    return moves


def _is_uncovered(placement: Placement, turn: Color, castling: Move, behind: Bitboard) -> bool:
    """Whether castling exposes the king to a slider behind the rook."""
    snipers = (placement[ROOK] | placement[QUEEN]) & placement[SIDE[1 - turn]] & behind
    after = placement[0] | placement[7]
    # The targets of the two do not matter: they are not between the king and what was behind.
    for origin, _ in castling.steps():
        after &= ~(1 << origin)
    return bool(straight_attacks(castling.target, after) & snipers)


def legal_moves(
    placement: Placement, turn: Color, castling: Bitboard, en_passant: Square | None
) -> Moves:
    """Every legal move, in an order that depends on the position alone.

    A king is never captured (FIDE Laws 1.4.1), not even where an arbiter has let a move stand that
    left it in check.
    """
    own, enemy = placement[SIDE[turn]], placement[SIDE[1 - turn]]
    occupied = own | enemy
    pawns = placement[PAWN] & own
    king = Square((placement[KING] & own).bit_length() - 1)
    checkers, pinned = checkers_and_pins(placement, turn)
    rooks = 0 if checkers else castling & own
    moves = _king_moves(placement, turn, king, own, enemy, rooks)
    if checkers & (checkers - 1):
        return tuple(moves)
    capturable = enemy & ~placement[KING]
    quiet = empty = ALL ^ occupied
    if checkers:
        quiet &= BETWEEN[king][Square(checkers.bit_length() - 1)]
        capturable = checkers
    free = own ^ pinned
    moves += pawn_moves(pawns & free, turn, empty, quiet, capturable)
    _add_piece_moves(moves, placement, free, occupied, quiet, capturable)
    for square in SQUARES[pinned] if pinned else ():
        line = LINE[king][square]
        piece = 1 << square
        moves += pawn_moves(pawns & piece, turn, empty, quiet & line, capturable & line)
        _add_piece_moves(moves, placement, piece, occupied, quiet & line, capturable & line)
    if en_passant is not None:
        moves += en_passant_moves(placement, turn, en_passant)
    return tuple(moves)
