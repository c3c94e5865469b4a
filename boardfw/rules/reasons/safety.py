"""Reasons of the king's safety: for men who go as they may, but leave their king to be taken."""

from __future__ import annotations

from boardfw.rules.reasons.attempt import Attempt
from boardfw.rules.reasons.pawns import beside, is_slantwise
from boardfw.rules.reasons.reason import Reason, Why, ways_of
from boardfw.squares import Occupancy


def king_attacked(attempt: Attempt) -> Reason:
    """The king goes to an attacked square; he himself shields no square behind him."""
    target = attempt.target
    men = attempt.attackers(target, attempt.occupied & ~(1 << attempt.origin))
    return Reason(Why.KING_ATTACKED, men, 1 << target, ways_of(men, target))


def check_not_answered(attempt: Attempt) -> Reason | None:
    """Who gave check before gives it still."""
    checkers = attempt.position.checkers()
    men = checkers and _looking(attempt) & checkers
    return _bared(attempt, Why.CHECK_NOT_ANSWERED, men) if men else None


def pinned(attempt: Attempt) -> Reason:
    """Somebody gives check who did not before: the man went off the line between."""
    return _bared(attempt, Why.PINNED, _looking(attempt))


def _bared(attempt: Attempt, why: Why, men: Occupancy) -> Reason:
    return Reason(why, men, 1 << attempt.king, ways_of(men, attempt.king))


def _looking(attempt: Attempt) -> Occupancy:
    """Enemies who look at the king once the man stands where he was put."""
    target = 1 << attempt.target
    taken = target
    if attempt.target == attempt.jumped and is_slantwise(attempt):
        taken |= 1 << beside(attempt)
    occupied = attempt.occupied & ~(1 << attempt.origin | taken) | target
    return attempt.attackers(attempt.king, occupied) & ~taken
