"""Why a man has no legal move at all: what the ways that he could go have in common."""

from __future__ import annotations

from boardfw.rules.attacks import PAWN_REACH
from boardfw.rules.board import PAWN, SIDE, reach_of
from boardfw.rules.position import Position
from boardfw.rules.reasons.pawns import AHEAD
from boardfw.rules.reasons.reason import Reason, Why
from boardfw.rules.reasons.why_not import why_not
from boardfw.squares import Occupancy, Square, squares_in

ORDER = (
    Why.CHECK_NOT_ANSWERED,
    Why.PINNED,
    Why.KING_ATTACKED,
    Why.EN_PASSANT_BARES_KING,
    Why.PAWN_TAKES_STRAIGHT,
    Why.OWN_MAN,
)
"""Where his ways have different reasons: what holds him, before what is merely in his way."""


def why_none(position: Position, origin: Square) -> Reason | None:
    """The reason that holds a man of the side to move, with the men and squares of all his ways.

    None where he has a legal move, or nobody of that side stands there.
    """
    if any(move.origin == origin for move in position.legal_moves()):
        return None
    refused = [why_not(position, origin, target) for target in squares_in(_ways(position, origin))]
    for why in ORDER:
        found = [reason for reason in refused if reason is not None and reason.why is why]
        if found:
            return _all_of(found)
    return None


def _ways(position: Position, origin: Square) -> Occupancy:
    """Where the man could go if nothing but his own manner of going counted."""
    man = position.piece_at(origin)
    if man is None or man.color != position.turn:
        return 0
    if man.kind != PAWN:
        return reach_of(man.kind, origin, position.occupied)
    enemy = position.placement[SIDE[1 - man.color]]
    return 1 << origin + AHEAD[man.color] | PAWN_REACH[man.color][origin] & enemy


def _all_of(reasons: list[Reason]) -> Reason:
    men = squares = 0
    ways = dict.fromkeys(way for reason in reasons for way in reason.ways)
    for reason in reasons:
        men |= reason.men
        squares |= reason.squares
    return Reason(reasons[0].why, men, squares, tuple(ways))
