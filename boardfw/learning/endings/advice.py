"""The value of a position of these endings, and the best move of either side, from the tables."""

from __future__ import annotations

from typing import NamedTuple

from boardfw.learning.endings.tablebase import KINDS, RANKS, solve
from boardfw.rules import BLACK, KING, Color, Move, PieceType, Position
from boardfw.squares import Square, only_in


class Value(NamedTuple):
    """``stronger``: the side with the third piece. ``plies``: to mate; None: a draw with best play.

    Plies are counted to the mate itself, through a promotion, if both sides play as well as can
    be; the counting of fifty moves is left out, as no mate here takes so many. 0: it is mate.
    """

    stronger: Color
    plies: int | None

    @property
    def is_won(self) -> bool:
        """Whether the stronger side mates."""
        return self.plies is not None


def value(position: Position) -> Value | None:
    """What the position is worth; None: not one of these endings."""
    found = _third(position)
    if found is None:
        return None
    piece_type, third, stronger = found
    flip = RANKS if stronger == BLACK else 0
    pair = third ^ flip, position.king(stronger) ^ flip
    lone = position.king(1 - stronger) ^ flip
    return Value(stronger, solve(piece_type).plies(position.turn ^ stronger, pair, lone))


def prepare() -> None:
    """Compute all tables now, so that no game waits for them later."""
    for piece_type in KINDS:
        solve(piece_type)


def _third(position: Position) -> tuple[PieceType, Square, Color] | None:
    """PieceType, square and colour of the third piece of these endings, or None.

    None while there are rights to castle: the tables do not know that move.
    """
    third = position.occupied & ~position.placement[KING]
    if third.bit_count() != 1 or position.castling:
        return None
    square = only_in(third)
    piece = position.piece_at(square)
    return (
        (piece.piece_type, square, piece.color)
        if piece is not None and piece.piece_type in KINDS
        else None
    )


DRAWN = 1_000
"""Beyond every mate, in plies."""


def best_defence(position: Position) -> Move:
    """The move of the weaker side that draws, or else puts the mate off longest.

    Always the same one. Raises LookupError where the tables know nothing, where the stronger side
    is to move, and where there is no move.
    """
    _demand(position, is_stronger=False)
    return max(position.legal_moves(), key=lambda move: _length(position.play_unchecked(move)))


def best_attack(position: Position) -> Move:
    """The move of the stronger side that mates soonest; in a draw, one that may still be lost.

    It is a move after which fewest moves hold the draw, while you can still win. Always the
    same one. Raises LookupError where the tables know nothing, where the weaker side is to move,
    and where there is no move.
    """
    known = _demand(position, is_stronger=True)
    moves = position.legal_moves()
    if known.is_won:
        return min(moves, key=lambda move: _length(position.play_unchecked(move)))
    return min(moves, key=lambda move: _holding(position.play_unchecked(move)))


def _demand(position: Position, *, is_stronger: bool) -> Value:
    known = value(position)
    if known is None:
        raise LookupError("no table covers this ending")
    if (known.stronger == position.turn) != is_stronger:
        raise LookupError("the other side is to move")
    if not position.legal_moves():
        raise LookupError("the game is over")
    return known


def _length(position: Position) -> int:
    """Plies to mate."""
    known = value(position)
    return DRAWN if known is None or known.plies is None else known.plies


def _holding(position: Position) -> tuple[bool, float]:
    """How hard a draw is to hold, with the weaker side to move; lowest where it is hardest."""
    known, replies = value(position), position.legal_moves()
    if known is None or not replies:
        return True, 1.0
    after = [position.play_unchecked(move) for move in replies]
    loses_piece = any(value(there) is None for there in after)
    return loses_piece, sum(_length(there) == DRAWN for there in after) / len(after)
