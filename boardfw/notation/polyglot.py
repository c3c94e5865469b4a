"""The key of a position in opening books of the Polyglot format.

Each feature of a position has a number of 64 bits that the format prescribes, and the key is the
exclusive or of them all. ``polyglot.bin`` holds these numbers, 781 of them, the highest byte first:
64 for each of the twelve pieces, 4 for the rights to castle, 8 for the files of en passant, and one
for White to move.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from struct import unpack

from boardfw.rules.attacks import PAWN_ATTACKS
from boardfw.rules.board import BLACK, HOME_RANK, KING, PAWN, SIDE, WHITE
from boardfw.rules.position import Position
from boardfw.rules.setup import Setup
from boardfw.squares import Bitboard, Square, file_of, squares_in

NUMBERS = Path(__file__).with_name("polyglot.bin")
COUNT = 781
CASTLING, EN_PASSANT, WHITE_MOVES = 768, 772, 780
"""Index of the first number of castling, of en passant, and of White to move."""


def polyglot_key(position: Position | Setup, *, jumped: Square | None = None) -> int:
    """The key of a position, or of a set-up position with one king each.

    The format counts an en passant square wherever a pawn is beside the one that jumped it,
    even if no capture is legal. A ``Position`` does not keep that square: pass it as ``jumped``,
    from ``skipped`` of the last move. A ``Setup`` has the square of its FEN.
    """
    numbers, placement = _numbers(), position.placement
    key = 0 if position.turn else numbers[WHITE_MOVES]
    for kind in range(PAWN, KING + 1):
        for color in (WHITE, BLACK):
            at = 64 * (2 * (kind - 1) + (color == WHITE))
            for square in squares_in(placement[kind] & placement[SIDE[color]]):
                key ^= numbers[at + square]
    for right in _rights(position):
        key ^= numbers[CASTLING + right]
    passed = position.en_passant if jumped is None else jumped
    if passed is not None:
        pawns = placement[PAWN] & placement[SIDE[position.turn]]
        if PAWN_ATTACKS[1 - position.turn][passed] & pawns:
            key ^= numbers[EN_PASSANT + file_of(passed)]
    return key


@cache  # read at the first call
def _numbers() -> tuple[int, ...]:
    return unpack(f">{COUNT}Q", NUMBERS.read_bytes())


def _rights(position: Position | Setup) -> list[int]:
    """0 to 3: White's right to castle on the king's side, on the queen's side, Black's."""
    rights = []
    for color in (WHITE, BLACK):
        king: Bitboard = position.placement[KING] & position.placement[SIDE[color]]
        rooks = position.castling & HOME_RANK[color]
        if rooks & -king:
            rights.append(2 * color)
        if rooks & (king - 1):
            rights.append(2 * color + 1)
    return rights
