"""The one reason why a man may not go from here to there: the first that holds, in one order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from boardfw.rules.attacks import BETWEEN
from boardfw.rules.board import BISHOP, KING, PAWN, QUEEN, ROOK, Kind, reach_of
from boardfw.rules.position import Position
from boardfw.rules.reasons.attempt import Attempt
from boardfw.rules.reasons.castling import castles, partner
from boardfw.rules.reasons.pawns import (
    bares_king,
    double_step,
    goes_otherwise,
    takes_nothing,
    takes_straight,
    takes_too_late,
)
from boardfw.rules.reasons.reason import Reason, Why
from boardfw.rules.reasons.safety import check_not_answered, king_attacked, pinned
from boardfw.squares import Square

Rule: TypeAlias = Callable[[Attempt], Reason | None]


def why_not(
    position: Position, origin: Square, target: Square, jumped: Square | None = None
) -> Reason | None:
    """Why the man on ``origin`` may not go to ``target``; None: he may.

    Castling is meant by the king's squares, or by those of king and rook. ``jumped``: the square
    that the last move jumped. A position keeps it only where a capture there is legal; who knows
    the game knows it always (``Move.skipped``), and only so can be told why there is none.
    """
    attempt = Attempt.of(position, origin, target, jumped)
    if attempt.targets >> target & 1:
        return None
    for rule in RULES[attempt.kind]:
        if (reason := rule(attempt)) is not None:
            return reason
    return None


def wrong_man(attempt: Attempt) -> Reason:
    """Nobody is there, or a man of the side that is not to move."""
    return Reason(Why.WRONG_MAN, 1 << attempt.king, 1 << attempt.origin)


def king_taken(attempt: Attempt) -> Reason | None:
    """The enemy's king stands there."""
    king = attempt.placement[KING] & attempt.enemy & 1 << attempt.target
    return Reason(Why.KING_TAKEN, king) if king else None


def own_man(attempt: Attempt) -> Reason | None:
    """A man of one's own stands there, and it is not the one of the two that castle."""
    man = attempt.own & 1 << attempt.target
    if not man:
        return None
    rook = partner(attempt)
    if rook is not None and attempt.target in (rook, attempt.origin):
        return None
    return Reason(Why.OWN_MAN, man)


def not_like_that(attempt: Attempt) -> Reason | None:
    """No man of his kind goes so, on whatever board."""
    if attempt.kind == PAWN:
        goes_so = not goes_otherwise(attempt)
    else:
        goes_so = bool(reach_of(attempt.kind, attempt.origin, 0) >> attempt.target & 1)
    return None if goes_so else Reason(Why.NOT_LIKE_THAT, 0, attempt.targets)


def blocked(attempt: Attempt) -> Reason | None:
    """Somebody stands between; a pawn's double step has a reason of its own."""
    between = BETWEEN[attempt.origin][attempt.target] & attempt.occupied
    if not between:
        return None
    nearest = between & -between
    if attempt.target < attempt.origin:
        nearest = 1 << between.bit_length() - 1
    return Reason(Why.BLOCKED, nearest)


NOBODY = (0,)
ANYBODY = range(PAWN, KING + 1)
OTHERS = range(PAWN, KING)

ORDER: tuple[tuple[Rule, Iterable[Kind]], ...] = (
    (wrong_man, NOBODY),  # of a man who is not there, or not to move, nothing else can be said
    (king_taken, ANYBODY),  # whatever else is wrong: the game is not about that
    (own_man, ANYBODY),  # seen at once, and true of every kind of man
    (castles, (KING,)),  # two squares are no king's step: whoever does that means castling
    (bares_king, (PAWN,)),  # before the pin, which it is not: nobody left a line
    (takes_straight, (PAWN,)),  # pawns have reasons where others would not go at all
    (takes_too_late, (PAWN,)),  # before the next one, of which it is a special case
    (takes_nothing, (PAWN,)),
    (double_step, (PAWN,)),
    (not_like_that, ANYBODY),
    (blocked, (BISHOP, ROOK, QUEEN)),  # only who goes like that can be blocked
    (king_attacked, (KING,)),  # of the king it is the target that matters, not an earlier check
    (check_not_answered, OTHERS),  # that a check must be answered comes before what is uncovered
    (pinned, OTHERS),  # what remains
)
"""The rules, of whom each speaks, and why it stands there: where several hold the first is told."""

RULES = tuple(tuple(rule for rule, kinds in ORDER if kind in kinds) for kind in range(KING + 1))
"""By the kind of man."""
