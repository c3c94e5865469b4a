"""Captured pieces that players put on an empty square of the board, and clear away later.

While one stands there, the switch of its square shows nothing of the game.
"""

from __future__ import annotations

from boardfw.inference.reading import constants
from boardfw.inference.reading.constants import cost
from boardfw.inference.reading.faults import Fault, FaultKind
from boardfw.inference.reading.hypothesis import Hypothesis
from boardfw.inference.reading.suspecting import with_fault
from boardfw.inference.reading.touches import Kind, Touch
from boardfw.rules.board import BLACK, WHITE
from boardfw.squares import Bitboard, Square, bitboard_of, squares_in


def with_parked(game: Hypothesis, touch: Touch, board: Bitboard) -> Hypothesis | None:
    """Return the game in which a touch has put a captured piece somewhere; None if it has not.

    ``board``: what it shows after the touch. Each captured piece is put down once.
    """
    bit = 1 << touch.square
    if touch.kind is not Kind.LAND or game.occupied & bit or game.dead & bit:
        return None
    kings = bitboard_of(map(game.position.king, (WHITE, BLACK)))
    if kings & ~game.as_shown(board):
        return None  # kings in the hand show a result
    if not _captured(game, board) > _parked(game):
        return None
    has_parked = any(fault.kind is FaultKind.PARKED for fault in game.faults)
    if not has_parked and _may_be_played(game, touch.square, board):
        return None
    parked = Fault(FaultKind.PARKED, bit, touch.t_us, game.depth, is_known=True)
    return with_fault(game, parked, cost(constants.P_PARKED), board)


def _may_be_played(game: Hypothesis, square: Square, board: Bitboard) -> bool:
    """True if a piece in the hand, or the last mover's, may have gone to a square (contract)."""
    lifted = game.own & ~game.as_shown(board)
    if any(move.target == square and lifted >> move.origin & 1 for move in game.hand_moves()):
        return True
    before, last = game.before, game.move
    if before is None or last is None:
        return False
    if square == last.origin:
        return True  # it is taken back
    return any((one.origin, one.target) == (last.origin, square) for one in before.hand_moves())


def _captured(game: Hypothesis, board: Bitboard) -> int:
    """Return how many pieces this ply may have captured, and the one that is in the making."""
    position = game.position
    lifted = game.others & ~game.as_shown(board) & ~(1 << position.king(1 - position.turn))
    is_in_the_making = any(position.attackers(one, position.turn) for one in squares_in(lifted))
    was_capture = game.move is not None and game.move.captured is not None
    return is_in_the_making + was_capture


def _parked(game: Hypothesis) -> int:
    """Return how many pieces have been put down since the ply before."""
    return sum(
        fault.kind is FaultKind.PARKED and fault.ply >= game.depth - 1 for fault in game.faults
    )
