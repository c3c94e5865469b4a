"""What a reason is: its kind by name, and the squares by which a board can show it."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple, TypeAlias

from boardfw.rules.attacks import BETWEEN
from boardfw.squares import Occupancy, Square, squares_in

Way: TypeAlias = tuple[Square, ...]
"""The squares from an attacker up to, and without, what it attacks; a leap has none."""


class Why(Enum):
    """The fourteen kinds of reasons, castling's in five; numbers are articles of FIDE's Laws.

    Each says what the squares of its ``Reason`` are. The values are the names for lessons and logs.
    """

    WRONG_MAN = "wrong_man"
    """1.2, 4.2: no man of the side to move. Its king; the square where nobody was found."""
    KING_TAKEN = "king_taken"
    """1.4.1: the king is never taken. The king."""
    OWN_MAN = "own_man"
    """3.1: a man of one's own stands there. That man."""
    CASTLE_RIGHT_LOST = "castle_right_lost"
    """3.8.2.1: king or rook has moved. The king, and a rook that stands where it began."""
    CASTLE_WAY_BLOCKED = "castle_way_blocked"
    """3.8.2.2: somebody stands on the way. All who do."""
    CASTLE_IN_CHECK = "castle_in_check"
    """3.8.2.1: not out of check. Who gives it; the king's square."""
    CASTLE_THROUGH_CHECK = "castle_through_check"
    """3.8.2.1: not over an attacked square. Who attacks; the squares attacked."""
    CASTLE_INTO_CHECK = "castle_into_check"
    """3.8.2.1: not to an attacked square. Who attacks; that square."""
    EN_PASSANT_BARES_KING = "en_passant_bares_king"
    """3.9.2: with both pawns gone somebody looks at the king. Who does; where the pawns stood."""
    PAWN_TAKES_STRAIGHT = "pawn_takes_straight"
    """3.7.1: pawns do not take straight ahead. The man before it."""
    EN_PASSANT_TOO_LATE = "en_passant_too_late"
    """3.7.3: the pawn beside did not just come by a double step. That pawn."""
    PAWN_NOTHING_TO_TAKE = "pawn_nothing_to_take"
    """3.7.3: pawns go slantwise only to take. The empty square."""
    PAWN_DOUBLE_STEP = "pawn_double_step"
    """3.7.2: two squares only from its first, and over an empty one. Who stands between, if any."""
    NOT_LIKE_THAT = "not_like_that"
    """3.2 to 3.8: that kind of man goes otherwise. Where this one may go."""
    BLOCKED = "blocked"
    """3.5: nobody goes over a man. The first on the way."""
    KING_ATTACKED = "king_attacked"
    """3.9.2: the king does not go where he could be taken. Who attacks; the target."""
    CHECK_NOT_ANSWERED = "check_not_answered"
    """3.9.2: a man who gave check still gives it. All such; the king's square."""
    PINNED = "pinned"
    """3.9.2: somebody who gave no check now would. All such; the king's square."""


class Reason(NamedTuple):
    """Why a move is not legal."""

    why: Why
    men: Occupancy = 0
    """The men to whom it is due."""
    squares: Occupancy = 0
    """The squares on which it shows, as of the kind."""
    ways: tuple[Way, ...] = ()
    """For each man who attacks from afar, the squares between, the nearest to him first."""


def ways_of(attackers: Occupancy, attacked: Square) -> tuple[Way, ...]:
    """How each of these men, from a1 to h8, looks at a square; those beside it have no way."""
    ways = []
    for attacker in squares_in(attackers):
        passed = tuple(squares_in(BETWEEN[attacker][attacked]))
        if passed:
            ways.append(passed if attacker < attacked else passed[::-1])
    return tuple(ways)
