"""Reasons why a move is illegal: their kinds, the squares that show them, their sentences."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple, TypeAlias

from boardfw.rules.attacks import BETWEEN
from boardfw.rules.board import COLOR_NAMES, PIECE_NAMES
from boardfw.rules.position import Position
from boardfw.squares import NAMES, Occupancy, Square, joined, names_of, squares_in

Way: TypeAlias = tuple[Square, ...]
"""The squares between an attacker and what it attacks, the nearest to the attacker first."""


class Why(Enum):
    """The fourteen kinds of reasons, castling's in five; numbers are articles of FIDE's Laws.

    Each says what the pieces and the squares of its ``Reason`` are. The values are the names used
    in lessons and logs.
    """

    WRONG_PIECE = "wrong_piece"
    """1.2, 4.2: no piece of the side to move. The king of that side; the square that was tried."""
    KING_TAKEN = "king_taken"
    """1.4.1: the king is never captured. The king."""
    OWN_PIECE = "own_piece"
    """3.1: a piece of the same side is on the target. That piece."""
    CASTLE_RIGHT_LOST = "castle_right_lost"
    """3.8.2.1: the king or the rook has moved. The king, and a rook on its starting square."""
    CASTLE_WAY_BLOCKED = "castle_way_blocked"
    """3.8.2.2: the path is not clear. The pieces on it."""
    CASTLE_IN_CHECK = "castle_in_check"
    """3.8.2.1: not out of check. The checking pieces; the king's square."""
    CASTLE_THROUGH_CHECK = "castle_through_check"
    """3.8.2.1: not over an attacked square. The attackers; the attacked squares."""
    CASTLE_INTO_CHECK = "castle_into_check"
    """3.8.2.1: not to an attacked square. The attackers; that square."""
    EN_PASSANT_BARES_KING = "en_passant_bares_king"
    """3.9.2: with both pawns gone the king is in check. The checking pieces; the pawns' squares."""
    PAWN_TAKES_STRAIGHT = "pawn_takes_straight"
    """3.7.1: pawns do not capture straight ahead. The piece in front of the pawn."""
    EN_PASSANT_TOO_LATE = "en_passant_too_late"
    """3.7.3: the pawn beside has not just made a double step. That pawn."""
    PAWN_NOTHING_TO_TAKE = "pawn_nothing_to_take"
    """3.7.3: pawns move diagonally only to capture. The empty square."""
    PAWN_DOUBLE_STEP = "pawn_double_step"
    """3.7.2: a double step only from the starting rank, over an empty square. A piece between."""
    NOT_LIKE_THAT = "not_like_that"
    """3.2 to 3.8: that piece type moves differently. Where this piece may move."""
    BLOCKED = "blocked"
    """3.5: pieces do not jump over others. The first piece on the path."""
    KING_ATTACKED = "king_attacked"
    """3.9.2: the king does not move to an attacked square. The attackers; the target."""
    CHECK_NOT_ANSWERED = "check_not_answered"
    """3.9.2: the check is not answered. The pieces still giving check; the king's square."""
    PINNED = "pinned"
    """3.9.2: moving would open a check. The pieces that would give it; the king's square."""


class Reason(NamedTuple):
    """Why a move is not legal."""

    why: Why
    pieces: Occupancy = 0
    """The pieces that cause it."""
    squares: Occupancy = 0
    """The squares that show it; ``Why`` says which for each kind."""
    ways: tuple[Way, ...] = ()
    """For each attacker at a distance, the squares between, the nearest to the attacker first."""


def ways_of(attackers: Occupancy, attacked: Square) -> tuple[Way, ...]:
    """The paths of the attackers, from a1 to h8, to a square; leapers and neighbours have none."""
    ways = []
    for attacker in squares_in(attackers):
        passed = tuple(squares_in(BETWEEN[attacker][attacked]))
        if passed:
            ways.append(passed if attacker < attacked else passed[::-1])
    return tuple(ways)


class Case(NamedTuple):
    """A reason, and where it was found; ``origin`` is the square of the piece that may not move."""

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
        """``bishop``; ``piece`` where the square is empty."""
        piece = self.position.piece_at(square)
        return PIECE_NAMES[piece.piece_type] if piece else "piece"

    def do(self, verb: str) -> str:
        """A verb, given in the plural, in the number of the pieces."""
        return verb if self.reason.pieces.bit_count() > 1 else f"{verb}s"

    @property
    def be(self) -> str:
        """``is`` or ``are``, in the number of the pieces."""
        return "are" if self.reason.pieces.bit_count() > 1 else "is"


Sentence: TypeAlias = Callable[[Case], str]


def in_words(position: Position, reason: Reason, origin: Square) -> str:
    """The reason as one sentence, in small letters and without a full stop.

    ``origin``: the square of the piece in the position.
    """
    return SENTENCES[reason.why](Case(position, reason, origin))


def _wrong_piece(case: Case) -> str:
    piece = case.position.piece_at(case.origin)
    turn = f"it is {COLOR_NAMES[case.position.turn]}'s turn"
    return turn if piece else f"{NAMES[case.origin]} is empty; {turn}"


def _double_step(case: Case) -> str:
    if case.reason.pieces:
        return f"a pawn cannot jump over a piece: {case.pieces} {case.be} in the way"
    return "a pawn may move two squares only from its starting square"


def _not_like_that(case: Case) -> str:
    targets = case.reason.squares
    where = f"can move to {_few(targets)}" if targets else "cannot move now"
    return f"a {case.kind(case.origin)} does not move like that; this one {where}"


def _own_piece(case: Case) -> str:
    pieces = "pieces" if case.reason.pieces.bit_count() > 1 else "piece"
    return f"blocked by your own {pieces}: {case.pieces}"


SENTENCES: dict[Why, Sentence] = {
    Why.WRONG_PIECE: _wrong_piece,
    Why.KING_TAKEN: lambda _: "the king is never captured",
    Why.OWN_PIECE: _own_piece,
    Why.CASTLE_RIGHT_LOST: lambda _: (
        "the king or the rook has already moved, so castling is no longer allowed"
    ),
    Why.CASTLE_WAY_BLOCKED: lambda case: (
        f"castling needs a clear path: {case.pieces} {case.be} in the way"
    ),
    Why.CASTLE_IN_CHECK: lambda case: (
        f"the king cannot castle out of check: {case.pieces} {case.be} giving check"
    ),
    Why.CASTLE_THROUGH_CHECK: lambda case: (
        f"the king cannot castle through check: {case.pieces} {case.do('attack')} {case.squares}"
    ),
    Why.CASTLE_INTO_CHECK: lambda case: (
        f"the king would be in check: {case.pieces} {case.do('attack')} {case.squares}"
    ),
    Why.EN_PASSANT_BARES_KING: lambda case: (
        f"capturing en passant would expose the king to {case.pieces}"
    ),
    Why.PAWN_TAKES_STRAIGHT: lambda case: (
        f"a pawn does not capture straight ahead: {case.pieces} {case.be} in front of it"
    ),
    Why.EN_PASSANT_TOO_LATE: lambda case: (
        "only a pawn that has just moved two squares can be captured en passant: "
        f"{case.pieces} has not"
    ),
    Why.PAWN_NOTHING_TO_TAKE: lambda case: (
        f"a pawn moves diagonally only to capture, and {case.squares} is empty"
    ),
    Why.PAWN_DOUBLE_STEP: _double_step,
    Why.NOT_LIKE_THAT: _not_like_that,
    Why.BLOCKED: lambda case: (
        f"a {case.kind(case.origin)} cannot jump over a piece: {case.pieces} {case.be} in the way"
    ),
    Why.KING_ATTACKED: lambda case: (
        f"the king would be in check: {case.pieces} {case.do('attack')} {case.squares}"
    ),
    Why.CHECK_NOT_ANSWERED: lambda case: (
        f"the king on {case.squares} would still be in check from {case.pieces}"
    ),
    Why.PINNED: lambda case: (
        f"it is pinned by {case.pieces}: the king on {case.squares} would be in check"
    ),
}
"""The sentence of each kind of reason."""

MOST = 6
"""How many squares a sentence names at most."""


def _few(squares: Occupancy) -> str:
    names = names_of(squares)
    more = [f"{len(names) - MOST} more"] if len(names) > MOST else []
    return _listed([*names[:MOST], *more])


def _listed(names: list[str]) -> str:
    return joined(names or ["no piece"])
