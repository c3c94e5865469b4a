"""Reasons of the king's safety: for men who go as they may, but leave their king to be taken."""

from __future__ import annotations

from boardfw.rules.board import KING
from boardfw.rules.reasons.attempt import Attempt
from boardfw.rules.reasons.pawns import beside, is_slantwise
from boardfw.rules.reasons.reason import Reason, Why, ways_of
from boardfw.squares import Occupancy


def king_attacked(attempt: Attempt) -> Reason | None:
    """The king goes to an attacked square; he himself shields no square behind him."""
    if attempt.kind != KING:
        return None
    target = attempt.target
    men = attempt.attackers(target, attempt.occupied & ~(1 << attempt.origin))
    return Reason(Why.KING_ATTACKED, men, 1 << target, ways_of(men, target)) if men else None


def check_not_answered(attempt: Attempt) -> Reason | None:
    """Who gave check before gives it still."""
    return _looked_at(attempt, Why.CHECK_NOT_ANSWERED, attempt.position.checkers())


def pinned(attempt: Attempt) -> Reason:
    """Somebody gives check who did not before: the man went off the line between."""
    king = attempt.king
    men = _looking(attempt)
    return Reason(Why.PINNED, men, 1 << king, ways_of(men, king))


def _looked_at(attempt: Attempt, why: Why, among: Occupancy) -> Reason | None:
    king = attempt.king
    men = among and _looking(attempt) & among
    return Reason(why, men, 1 << king, ways_of(men, king)) if men else None


def _looking(attempt: Attempt) -> Occupancy:
    """Enemies who look at the king once the man stands where he was put."""
    target = 1 << attempt.target
    taken = target
    if attempt.target == attempt.jumped and is_slantwise(attempt):
        taken |= 1 << beside(attempt)
    occupied = attempt.occupied & ~(1 << attempt.origin | taken) | target
    return attempt.attackers(attempt.king, occupied) & ~taken
