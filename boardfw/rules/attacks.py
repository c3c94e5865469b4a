"""What each piece type attacks: ready tables for steps and leaps, lazily filled ones for slides.

A slide depends only on the pieces on its lines short of the edge (the *relevant* squares), so its
attacks are looked up by ``occupied & relevant``. A rook's rank and file are looked up separately, a
bishop's diagonals together: 10,000 entries in all instead of the 108,000 of whole crosses, at the
cost of one more lookup for a rook. Filling them all at once would keep a Raspberry Pi busy for half
a second, so an entry is computed when it is first needed.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TypeAlias

from boardfw.rules.memo import Memo
from boardfw.squares import (
    ALL,
    EVERY_SQUARE,
    Bitboard,
    Square,
    bitboard_of,
    file_of,
    rank_of,
    square_at,
    squares_in,
)

Direction: TypeAlias = tuple[int, int]
"""One step, as a number of files and of ranks."""

ALONG_FILE: tuple[Direction, ...] = ((0, 1), (0, -1))
ALONG_RANK: tuple[Direction, ...] = ((1, 0), (-1, 0))
STRAIGHT = ALONG_FILE + ALONG_RANK
DIAGONAL: tuple[Direction, ...] = ((1, 1), (1, -1), (-1, -1), (-1, 1))
AXES = (ALONG_FILE, ALONG_RANK, DIAGONAL[::2], DIAGONAL[1::2])
LEAPS: tuple[Direction, ...] = tuple(
    (df, dr) for df in (-2, -1, 1, 2) for dr in (-2, -1, 1, 2) if abs(df) != abs(dr)
)
FILE_A: Bitboard = 0x0101_0101_0101_0101
FILE_H: Bitboard = FILE_A << 7
RANK_1: Bitboard = 0xFF
RANK_8: Bitboard = RANK_1 << 56
LAST_RANKS: Bitboard = RANK_1 | RANK_8
"""Ranks on which there are never pawns: behind their start, and where they promote."""
INNER_FILES: Bitboard = ALL & ~(FILE_A | FILE_H)
INNER_RANKS: Bitboard = ALL & ~LAST_RANKS


@cache  # 512 rays at the most: squares times directions
def ray(square: Square, direction: Direction) -> tuple[Square, ...]:
    """The squares from here to the edge in one direction, nearest first."""
    file, rank = file_of(square) + direction[0], rank_of(square) + direction[1]
    squares = []
    while 0 <= file < 8 and 0 <= rank < 8:
        squares.append(square_at(file, rank))
        file, rank = file + direction[0], rank + direction[1]
    return tuple(squares)


def slide(square: Square, directions: tuple[Direction, ...], occupied: Bitboard) -> Bitboard:
    """Squares attacked by sliding up to, and including, the first piece in each direction."""
    attacks = 0
    for direction in directions:
        for passed in ray(square, direction):
            attacks |= 1 << passed
            if occupied >> passed & 1:
                break
    return attacks


def _step(square: Square, directions: tuple[Direction, ...]) -> Bitboard:
    return bitboard_of(squares[0] for d in directions if (squares := ray(square, d)))


def _leap(square: Square) -> Bitboard:
    file, rank = file_of(square), rank_of(square)
    landings = ((file + df, rank + dr) for df, dr in LEAPS)
    return bitboard_of(square_at(f, r) for f, r in landings if 0 <= f < 8 and 0 <= r < 8)


Slides: TypeAlias = Memo[Bitboard, Bitboard]


def _slides(square: Square, directions: tuple[Direction, ...]) -> Slides:
    return Memo(partial(slide, square, directions), 1 << 9)  # a central bishop's 9 squares


KNIGHT_ATTACKS = tuple(_leap(square) for square in EVERY_SQUARE)
KING_ATTACKS = tuple(_step(square, STRAIGHT + DIAGONAL) for square in EVERY_SQUARE)
PAWN_ATTACKS = (
    tuple(_step(square, ((-1, 1), (1, 1))) for square in EVERY_SQUARE),
    tuple(_step(square, ((-1, -1), (1, -1))) for square in EVERY_SQUARE),
)
"""Squares that a pawn attacks, by colour and square."""

STRAIGHT_LINES = tuple(slide(square, STRAIGHT, 0) for square in EVERY_SQUARE)
DIAGONAL_LINES = tuple(slide(square, DIAGONAL, 0) for square in EVERY_SQUARE)

# The last square of a ray is attacked whether or not a piece is on it.
DIAGONAL_RELEVANT = tuple(line & INNER_FILES & INNER_RANKS for line in DIAGONAL_LINES)
DIAGONAL_SLIDES = tuple(_slides(square, DIAGONAL) for square in EVERY_SQUARE)
FILE_RELEVANT = tuple(slide(square, ALONG_FILE, 0) & INNER_RANKS for square in EVERY_SQUARE)
FILE_SLIDES = tuple(_slides(square, ALONG_FILE) for square in EVERY_SQUARE)
RANK_RELEVANT = tuple(slide(square, ALONG_RANK, 0) & INNER_FILES for square in EVERY_SQUARE)
RANK_SLIDES = tuple(_slides(square, ALONG_RANK) for square in EVERY_SQUARE)


def straight_attacks(square: Square, occupied: Bitboard) -> Bitboard:
    """What a rook here attacks, the first piece in each direction included."""
    on_rank = RANK_SLIDES[square][occupied & RANK_RELEVANT[square]]
    return on_rank | FILE_SLIDES[square][occupied & FILE_RELEVANT[square]]


def diagonal_attacks(square: Square, occupied: Bitboard) -> Bitboard:
    """What a bishop here attacks, the first piece in each direction included."""
    return DIAGONAL_SLIDES[square][occupied & DIAGONAL_RELEVANT[square]]


def _between(origin: Square) -> tuple[Bitboard, ...]:
    between = [0] * 64
    for direction in STRAIGHT + DIAGONAL:
        passed = 0
        for target in ray(origin, direction):
            between[target] = passed
            passed |= 1 << target
    return tuple(between)


def _lines(origin: Square) -> tuple[Bitboard, ...]:
    lines = [0] * 64
    for one_way, other_way in AXES:
        line = ray(origin, one_way) + ray(origin, other_way)
        for target in line:
            lines[target] = 1 << origin | bitboard_of(line)
    return tuple(lines)


BETWEEN: Memo[Square, tuple[Bitboard, ...]] = Memo(_between, 64)
"""``BETWEEN[a][b]``: squares strictly between two squares of one line, else 0."""

LINE: Memo[Square, tuple[Bitboard, ...]] = Memo(_lines, 64)
"""``LINE[a][b]``: the whole line through two squares, 0 if there is none."""

SQUARES: Memo[Bitboard, tuple[Square, ...]] = Memo(
    lambda pieces: tuple(squares_in(pieces)), 1 << 11
)
"""The squares of a bitboard as a tuple: the same few bitboards recur all game long."""

SlideRow: TypeAlias = tuple[Bitboard, Slides]
"""Relevant squares of a line, and a slider's attacks on it by the pieces on them."""


def _straight_rows(pieces: Bitboard) -> tuple[SlideRow, ...]:
    return tuple(
        row
        for s in squares_in(pieces)
        for row in ((RANK_RELEVANT[s], RANK_SLIDES[s]), (FILE_RELEVANT[s], FILE_SLIDES[s]))
    )


def _diagonal_rows(pieces: Bitboard) -> tuple[SlideRow, ...]:
    return tuple((DIAGONAL_RELEVANT[s], DIAGONAL_SLIDES[s]) for s in squares_in(pieces))


STRAIGHT_ROWS: Memo[Bitboard, tuple[SlideRow, ...]] = Memo(_straight_rows, 1 << 10)
DIAGONAL_ROWS: Memo[Bitboard, tuple[SlideRow, ...]] = Memo(_diagonal_rows, 1 << 10)


def _knight_attacks(knights: Bitboard) -> Bitboard:
    attacks = 0
    for square in squares_in(knights):
        attacks |= KNIGHT_ATTACKS[square]
    return attacks


ALL_KNIGHT_ATTACKS: Memo[Bitboard, Bitboard] = Memo(_knight_attacks, 1 << 10)
"""What several knights attack together."""

PawnSteps: TypeAlias = tuple[Bitboard, Bitboard, Bitboard, Bitboard]
"""Squares straight ahead of all pawns of one colour, those attacked towards the a-file, towards
the h-file, and both together; whether or not they are empty."""


def _white_steps(pawns: Bitboard) -> PawnSteps:
    to_a, to_h = (pawns & ~FILE_A) << 7, (pawns & ~FILE_H) << 9
    return pawns << 8, to_a, to_h, to_a | to_h


def _black_steps(pawns: Bitboard) -> PawnSteps:
    to_a, to_h = (pawns & ~FILE_A) >> 9, (pawns & ~FILE_H) >> 7
    return pawns >> 8, to_a, to_h, to_a | to_h


PAWN_STEPS: tuple[Memo[Bitboard, PawnSteps], ...] = (
    Memo(_white_steps, 1 << 11),
    Memo(_black_steps, 1 << 11),
)
"""By colour and bitboard of pawns, which change less often than other pieces."""

Zones: TypeAlias = tuple[Bitboard, Bitboard, Bitboard]
"""From where a rook, a bishop, a knight would attack some squares on an empty board."""


def _zones(squares: Bitboard) -> Zones:
    straight = diagonal = leaps = 0
    for square in squares_in(squares):
        straight |= STRAIGHT_LINES[square]
        diagonal |= DIAGONAL_LINES[square]
        leaps |= KNIGHT_ATTACKS[square]
    return straight, diagonal, leaps


ZONES: Memo[Bitboard, Zones] = Memo(_zones, 1 << 11)
