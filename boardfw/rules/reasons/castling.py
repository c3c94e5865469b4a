"""Why a king may not castle: the first of the conditions that fails, in the order of the Laws."""

from __future__ import annotations

from boardfw.rules.board import HOME_RANK, KING, ROOK
from boardfw.rules.move import KINGS_FILE, ROOKS_FILES, Move
from boardfw.rules.movetables import CASTLINGS
from boardfw.rules.reasons.attempt import Attempt
from boardfw.rules.reasons.reason import Reason, Way, Why, ways_of
from boardfw.squares import Occupancy, Square, distance, file_of, squares_in

CASTLED_FILES = (2, 6)
"""Where the king comes to stand, to the side of either rook's file."""


def castles(attempt: Attempt) -> Reason | None:
    """Why castling is refused, if that is what these squares mean."""
    rook = partner(attempt)
    if rook is not None:
        return _refused(attempt, rook)
    return _right_lost(attempt)


def partner(attempt: Attempt) -> Square | None:
    """The rook, with its right, with which the king would castle; None: he would not, or may not.

    As in ``Position.find``, the rook's own square means castling too, and a single step of the
    king (in Chess960 castling may look like one) means the step.
    """
    rooks = attempt.position.castling & attempt.own
    if attempt.kind != KING or not rooks:
        return None
    if rooks >> attempt.target & 1:
        return attempt.target
    if distance(attempt.origin, attempt.target) == 1:
        return None
    ways = CASTLINGS[attempt.origin, rooks]
    return next((_rook(way[0]) for way in ways if way[0].target == attempt.target), None)


def _rook(move: Move) -> Square | None:
    return move.rook_step[0] if move.rook_step else None


def _right_lost(attempt: Attempt) -> Reason | None:
    """The king goes to where he would castle, from where he may have begun, and has no right."""
    origin, target = attempt.origin, attempt.target
    home = HOME_RANK[attempt.turn]
    is_home = file_of(origin) == KINGS_FILE or attempt.position.castling & home
    if not home >> origin & home >> target & 1 or not is_home:
        return None
    if file_of(target) not in CASTLED_FILES or distance(origin, target) < 2:
        return None
    corner = 1 << (target & ~7 | ROOKS_FILES[target > origin])
    rook = corner & attempt.own & attempt.placement[ROOK]
    return Reason(Why.CASTLE_RIGHT_LOST, 1 << origin | rook)


def _refused(attempt: Attempt, rook: Square) -> Reason:
    king = attempt.king
    ((move, way, walk, _),) = CASTLINGS[king, 1 << rook]
    if standing := attempt.occupied & way:
        return Reason(Why.CASTLE_WAY_BLOCKED, standing)
    occupied = attempt.occupied
    if checkers := attempt.attackers(king, occupied):
        return Reason(Why.CASTLE_IN_CHECK, checkers, 1 << king, ways_of(checkers, king))
    # Neither he nor, on his last square, his rook shields him from who looks along the rank.
    occupied ^= 1 << king
    passed = walk & ~(1 << move.target | 1 << king)
    through = _attacked(attempt, Why.CASTLE_THROUGH_CHECK, passed, occupied)
    if through.men:
        return through
    return _attacked(attempt, Why.CASTLE_INTO_CHECK, 1 << move.target, occupied & ~(1 << rook))


def _attacked(attempt: Attempt, why: Why, squares: Occupancy, occupied: Occupancy) -> Reason:
    """Which of these squares are attacked and by whom; without men where none is."""
    men = attacked = 0
    ways: list[Way] = []
    for square in squares_in(squares):
        if attackers := attempt.attackers(square, occupied):
            men |= attackers
            attacked |= 1 << square
            ways += ways_of(attackers, square)
    return Reason(why, men, attacked, tuple(ways))
