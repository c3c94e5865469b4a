"""What captures on one square win, by playing all of them in every order. Slow and sure."""

from __future__ import annotations

from typing import NamedTuple

from boardfw.rules import Position
from boardfw.squares import Square

PAWNS = {1: 1, 2: 3, 3: 3, 4: 5, 5: 9, 6: 0}


class Tried(NamedTuple):
    """What a search of all captures on one square found."""

    won: int
    """What the side to move wins at most; 0: nothing."""
    met_check: bool
    """Whether a side was in check on the way."""


def try_all(position: Position, square: Square) -> Tried:
    """Every legal capture on the square, and every answer on the same; either side may stop."""
    won, met_check = 0, position.is_check()
    piece = position.piece_at(square)
    for move in position.legal_moves():
        if piece is None or move.target != square or move.captured != square:
            continue
        gain = PAWNS[piece.piece_type] + (PAWNS[move.promotion] - 1 if move.promotion else 0)
        answer = try_all(position.play(move), square)
        won = max(won, gain - answer.won)
        met_check |= answer.met_check
    return Tried(won, met_check)
