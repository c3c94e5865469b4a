"""Strictly legal moves from masks: nothing is tried and taken back.

Checkers and pins restrict where each man may go, the enemy's attacks where the king may go. En
passant alone takes two men off one rank at once, and alone has a test of its own.

Moves come as ready tuples: all single steps of all pawns are one lookup under the set of squares
stepped to, and the quiet moves of a man are one lookup under the set of squares it goes to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

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
    Slides,
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
    Color,
    Kind,
    Placement,
    attacked,
    attackers,
)
from boardfw.rules.memo import Memo
from boardfw.rules.move import Move, castling_move
from boardfw.squares import ALL, Occupancy, Square, rank_of, square_at, squares_in

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

StepRow: TypeAlias = tuple[Occupancy, MoveTable, MoveTable]
"""Of one knight or king: its reach, quiet moves, captures."""
SliderRow: TypeAlias = tuple[Occupancy, Slides, MoveTable, MoveTable]
QueenRow: TypeAlias = tuple[Occupancy, Slides, Occupancy, Slides, MoveTable, MoveTable]
"""Of one slider: relevant squares, reach by the men on them (both twice for a queen), quiet
moves, captures."""


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
    straight, diagonal = STRAIGHT_SLIDES[s], DIAGONAL_SLIDES[s]
    lines = STRAIGHT_RELEVANT[s], straight, DIAGONAL_RELEVANT[s], diagonal
    return *lines, QUEEN_QUIETS[s], QUEEN_CAPTURES[s]


KNIGHT_ROWS: Memo[Occupancy, tuple[StepRow, ...]] = Memo(
    lambda men: tuple(map(_knight_row, squares_in(men))), 1 << 11
)
BISHOP_ROWS = _rows(_bishop_row)
ROOK_ROWS = _rows(_rook_row)
QUEEN_ROWS: Memo[Occupancy, tuple[QueenRow, ...]] = Memo(
    lambda men: tuple(map(_queen_row, squares_in(men))), 1 << 11
)


class CastlingRow(NamedTuple):
    """One castling of a king with a rook."""

    move: Move
    obstacles: Occupancy
    """Squares that must be empty."""
    walk: Occupancy
    """Squares of the king's way, both ends too: none may be attacked."""
    uncovered: Occupancy
    """Squares behind the rook, from where a slider may look at the king once the rook is gone."""


def _castling_row(king: Square, rook: Square) -> CastlingRow:
    move = castling_move(king, rook)
    ways = 0
    for origin, target in ((king, move.target), move.rook_step or (rook, rook)):
        ways |= 1 << target | BETWEEN[origin << 6 | target]
    walk = 1 << king | 1 << move.target | BETWEEN[king << 6 | move.target]
    edge = square_at(0 if rook < king else 7, rank_of(rook))
    # None in usual chess, where the rook stands in the corner; in Chess960 there may be some.
    uncovered = 0 if rook == edge else 1 << edge | BETWEEN[rook << 6 | edge]
    return CastlingRow(move, ways & ~(1 << king | 1 << rook), walk, uncovered)


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
    captures_to_a, captures_to_h, steps, double_steps = PAWN_TABLES[turn]
    moves = steps[one & quiet]
    if two := two & quiet:
        moves += double_steps[two]
    if to_a := to_a & prey:
        moves += captures_to_a[to_a]
    if to_h := to_h & prey:
        moves += captures_to_h[to_h]
    return moves


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


def _add_officers(
    moves: list[Move],
    placement: Placement,
    men: Occupancy,
    occupied: Occupancy,
    quiet: Occupancy,
    prey: Occupancy,
) -> None:
    """Add the moves of these knights, bishops, rooks and queens to ``quiet`` and ``prey``."""
    _, _, knights, bishops, rooks, queens, _, _ = placement
    for reach, quiets, captures in KNIGHT_ROWS[knights & men]:
        moves += quiets[reach & quiet]
        if victims := reach & prey:
            moves += captures[victims]
    for relevant, slides, quiets, captures in BISHOP_ROWS[bishops & men] + ROOK_ROWS[rooks & men]:
        reach = slides[occupied & relevant]
        moves += quiets[reach & quiet]
        if victims := reach & prey:
            moves += captures[victims]
    for straight, files, diagonal, aslant, quiets, captures in QUEEN_ROWS[queens & men]:
        reach = files[occupied & straight] | aslant[occupied & diagonal]
        moves += quiets[reach & quiet]
        if victims := reach & prey:
            moves += captures[victims]


def _king_moves(
    placement: Placement, turn: Color, castling: Occupancy, checkers: Occupancy
) -> list[Move]:
    """Moves of the king, castling included."""
    own, enemy = placement[SIDE[turn]], placement[SIDE[1 - turn]]
    occupied = own | enemy
    own_king = placement[KING] & own
    king = own_king.bit_length() - 1
    asked = refuges = KING_REACH[king] & ~own
    ways: list[CastlingRow] = []
    if castling and not checkers and (rooks := castling & own):
        for way in CASTLINGS[king, rooks]:
            if not occupied & way[1]:
                ways.append(way)
                asked |= way[2]
    moves: list[Move] = []
    if not asked:
        return moves
    # The king is taken off: it does not shield the squares behind it from a slider.
    danger = attacked(placement, 1 - turn, occupied ^ own_king, asked)
    for move, _, walk, uncovered in ways:
        if not danger & walk and not (
            uncovered and _is_uncovered(placement, turn, move, uncovered)
        ):
            moves.append(move)
    if refuges := refuges & ~danger:
        moves += KING_QUIETS[king][refuges & ~enemy]
        if prey := refuges & enemy:
            moves += KING_CAPTURES[king][prey]
    return moves


def _is_uncovered(placement: Placement, turn: Color, castling: Move, behind: Occupancy) -> bool:
    """Whether castling bares the king to a slider that stood behind the rook."""
    snipers = (placement[ROOK] | placement[QUEEN]) & placement[SIDE[1 - turn]] & behind
    after = placement[0] | placement[7]
    for origin, _ in castling.steps():
        after &= ~(1 << origin)
    for _, target in castling.steps():
        after |= 1 << target
    return bool(straight_reach(castling.target, after) & snipers)


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
    _add_officers(moves, placement, free, occupied, quiet, prey)
    for square in SQUARES[pinned] if pinned else ():
        line = LINE[king << 6 | square]
        man = 1 << square
        moves += pawn_moves(placement[PAWN] & man, turn, empty, quiet & line, prey & line)
        _add_officers(moves, placement, man, occupied, quiet & line, prey & line)
    if en_passant is not None:
        moves += en_passant_moves(placement, turn, en_passant)
    return tuple(moves)
