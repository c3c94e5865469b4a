"""The best move of either side, out of the tables."""

from __future__ import annotations

from boardfw.learning.endings.value import Value, value
from boardfw.rules import Move, Position

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

    That is one after which fewest moves hold the draw, while there is a man to win with. Always the
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
        raise LookupError("no table knows this ending")
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
    loses_man = any(value(there) is None for there in after)
    return loses_man, sum(_length(there) == DRAWN for there in after) / len(after)
