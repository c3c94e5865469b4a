"""What pawns may not do; a pawn is the one man who takes otherwise than it walks."""

from __future__ import annotations

from boardfw.rules.attacks import PAWN_REACH, RANK_1
from boardfw.rules.board import PAWN
from boardfw.rules.reasons.attempt import Attempt
from boardfw.rules.reasons.reason import Reason, Why, ways_of
from boardfw.squares import Occupancy, Square

AHEAD = (8, -8)
"""By colour: how a pawn walks."""
FIRST_RANK = (RANK_1 << 8, RANK_1 << 48)
FIFTH_RANK = (RANK_1 << 32, RANK_1 << 24)
"""By colour: where its pawns begin, and where they take en passant."""


def bares_king(attempt: Attempt) -> Reason | None:
    """En passant is given up where, both pawns gone, somebody new looks at the king."""
    if attempt.target != attempt.jumped or not is_slantwise(attempt):
        return None
    pawns = 1 << attempt.origin | 1 << beside(attempt)
    before = attempt.occupied
    after = before & ~pawns | 1 << attempt.target
    king = attempt.king
    looking = attempt.attackers(king, after) & ~attempt.attackers(king, before) & ~pawns
    if not looking:
        return None
    return Reason(Why.EN_PASSANT_BARES_KING, looking, pawns, ways_of(looking, king))


def takes_straight(attempt: Attempt) -> Reason | None:
    """An enemy stands where only an empty square is walked to."""
    target = 1 << attempt.target
    if not attempt.enemy & target & _walk(attempt):
        return None
    return Reason(Why.PAWN_TAKES_STRAIGHT, target)


def takes_too_late(attempt: Attempt) -> Reason | None:
    """An enemy pawn stands beside, but it did not just come by a double step."""
    if not _takes_nothing(attempt) or not FIFTH_RANK[attempt.turn] >> attempt.origin & 1:
        return None
    pawn = 1 << beside(attempt) & attempt.placement[PAWN] & attempt.enemy
    return Reason(Why.EN_PASSANT_TOO_LATE, pawn) if pawn else None


def takes_nothing(attempt: Attempt) -> Reason | None:
    """A pawn goes slantwise to an empty square."""
    if not _takes_nothing(attempt):
        return None
    return Reason(Why.PAWN_NOTHING_TO_TAKE, 0, 1 << attempt.target)


def double_step(attempt: Attempt) -> Reason | None:
    """Two squares at once, not from the first rank or over a man."""
    ahead = AHEAD[attempt.turn]
    if attempt.target - attempt.origin != 2 * ahead:
        return None
    jumped = attempt.origin + ahead
    between = attempt.occupied & 1 << jumped
    if FIRST_RANK[attempt.turn] >> attempt.origin & 1:
        if not between:
            return None
        return Reason(Why.PAWN_DOUBLE_STEP, between)
    return Reason(Why.PAWN_DOUBLE_STEP, between, FIRST_RANK[attempt.turn])


def goes_otherwise(attempt: Attempt) -> bool:
    """Whether no pawn goes from the one square to the other at all."""
    return not (is_slantwise(attempt) or _walk(attempt) >> attempt.target & 1)


def is_slantwise(attempt: Attempt) -> bool:
    """Whether a pawn goes a step as if to take."""
    reach = PAWN_REACH[attempt.turn][attempt.origin]
    return attempt.kind == PAWN and bool(reach >> attempt.target & 1)


def beside(attempt: Attempt) -> Square:
    """Where the pawn stands that is taken en passant on the target."""
    return attempt.target - AHEAD[attempt.turn]


def _takes_nothing(attempt: Attempt) -> bool:
    is_empty = not attempt.occupied >> attempt.target & 1
    return is_empty and attempt.target != attempt.jumped and is_slantwise(attempt)


def _walk(attempt: Attempt) -> Occupancy:
    """The squares straight before the pawn to which it could walk on an empty board."""
    pawn, is_black = 1 << attempt.origin, attempt.turn
    one = pawn >> 8 if is_black else pawn << 8
    if not pawn & FIRST_RANK[attempt.turn]:
        return one
    return one | (pawn >> 16 if is_black else pawn << 16)
