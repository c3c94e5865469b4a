"""What a reason is: its kind by name, and the squares by which a board can show it."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple, TypeAlias

from boardfw.rules.attacks import BETWEEN
from boardfw.rules.board import COLOR_NAMES, PIECE_NAMES
from boardfw.rules.position import Position
from boardfw.squares import NAMES, Occupancy, Square, names_of, squares_in

Way: TypeAlias = tuple[Square, ...]
"""The squares from an attacker up to, and without, what it attacks; a leap has none."""


class Why(Enum):
    """The fourteen kinds of reasons, castling's in five; numbers are articles of FIDE's Laws.

    Each says what the squares of its ``Reason`` are. The values are the names for lessons and logs.
    """

    WRONG_PIECE = "wrong_piece"
    """1.2, 4.2: no man of the side to move. Its king; the square where nobody was found."""
    KING_TAKEN = "king_taken"
    """1.4.1: the king is never taken. The king."""
    OWN_PIECE = "own_piece"
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
    pieces: Occupancy = 0
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


# FROM words.py: Reasons as sentences: what a screen writes, a printer prints and a voice says.


class Case(NamedTuple):
    """A reason, and where it was found. ``origin``: where the man stands who may not go."""

    position: Position
    reason: Reason
    origin: Square

    @property
    def pieces(self) -> str:
        """``the bishop on e4 and the rook on e1``."""
        return _listed([self.piece(square) for square in squares_in(self.reason.pieces)])

    @property
    def squares(self) -> str:
        """``f1 and g1``."""
        return _listed(names_of(self.reason.squares))

    def piece(self, square: Square) -> str:
        """``the bishop on e4``."""
        return f"the {self.kind(square)} on {NAMES[square]}"

    def kind(self, square: Square) -> str:
        """``bishop``; ``piece`` where nobody stands."""
        piece = self.position.piece_at(square)
        return PIECE_NAMES[piece.piece_type] if piece else "piece"

    def do(self, verb: str) -> str:
        """What the men do: the verb, which is told of several, of so many."""
        return verb if self.reason.pieces.bit_count() > 1 else f"{verb}s"


Sentence: TypeAlias = Callable[[Case], str]


def in_words(position: Position, reason: Reason, origin: Square) -> str:
    """One sentence, without a full stop; ``origin``: where the man stands in the position."""
    return SENTENCES[reason.why](Case(position, reason, origin))


def _wrong_piece(case: Case) -> str:
    piece = case.position.piece_at(case.origin)
    turn = f"it is {COLOR_NAMES[case.position.turn]}'s turn"
    return turn if piece else f"nobody stands on {NAMES[case.origin]}; {turn}"


def _double_step(case: Case) -> str:
    if case.reason.pieces:
        return f"no pawn goes over a man: {case.pieces} {case.do('stand')} in the way"
    return "a pawn goes two squares only from where it began"


def _not_like_that(case: Case) -> str:
    where = f"may go to {_few(case.reason.squares)}" if case.reason.squares else "may not go now"
    return f"a {case.kind(case.origin)} does not go like that; this one {where}"


SENTENCES: dict[Why, Sentence] = {
    Why.WRONG_PIECE: _wrong_piece,
    Why.KING_TAKEN: lambda _: "the king is never taken",
    Why.OWN_PIECE: lambda case: f"nobody takes his own: {case.pieces} {case.do('stand')} there",
    Why.CASTLE_RIGHT_LOST: lambda _: "king or rook has moved before, and may not castle any more",
    Why.CASTLE_WAY_BLOCKED: lambda case: (
        f"castling needs a free way: {case.pieces} {case.do('stand')} on it"
    ),
    Why.CASTLE_IN_CHECK: lambda case: (
        f"nobody castles out of check: {case.pieces} {case.do('give')} it"
    ),
    Why.CASTLE_THROUGH_CHECK: lambda case: (
        f"no king castles over an attacked square: {case.pieces} {case.do('attack')} {case.squares}"
    ),
    Why.CASTLE_INTO_CHECK: lambda case: (
        f"the king would be in check: {case.pieces} {case.do('attack')} {case.squares}"
    ),
    Why.EN_PASSANT_BARES_KING: lambda case: (
        f"with both pawns gone {case.pieces} {case.do('look')} at the king"
    ),
    Why.PAWN_TAKES_STRAIGHT: lambda case: (
        f"a pawn does not take straight ahead: {case.pieces} {case.do('stand')} before it"
    ),
    Why.EN_PASSANT_TOO_LATE: lambda case: (
        f"taken in passing is only who has just gone two squares: {case.pieces} has not"
    ),
    Why.PAWN_NOTHING_TO_TAKE: lambda case: (
        f"a pawn goes slantwise only to take, and nobody stands on {case.squares}"
    ),
    Why.PAWN_DOUBLE_STEP: _double_step,
    Why.NOT_LIKE_THAT: _not_like_that,
    Why.BLOCKED: lambda case: (
        f"nobody goes over a man: {case.pieces} {case.do('stand')} in the way"
    ),
    Why.KING_ATTACKED: lambda case: (
        f"the king would be in check: {case.pieces} {case.do('attack')} {case.squares}"
    ),
    Why.CHECK_NOT_ANSWERED: lambda case: (
        f"the king on {case.squares} is in check: {case.pieces} still {case.do('give')} it"
    ),
    Why.PINNED: lambda case: (
        f"{case.pieces} {case.do('pin')} it: the king on {case.squares} would be in check"
    ),
}
"""What each reason says."""

MOST = 6
"""Squares that a sentence names."""


def _few(squares: Occupancy) -> str:
    names = names_of(squares)
    more = [f"{len(names) - MOST} more"] if len(names) > MOST else []
    return _listed([*names[:MOST], *more])


def _listed(names: list[str]) -> str:
    *most, last = names or ["nobody"]
    return f"{', '.join(most)} and {last}" if most else last
