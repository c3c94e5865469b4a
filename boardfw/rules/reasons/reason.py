"""Reasons why a move is illegal: their kinds, the squares that show them, their sentences."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple, TypeAlias

from boardfw.phrase import Phrase, joined
from boardfw.rules.attacks import BETWEEN
from boardfw.rules.board import COLOR_NAMES, PIECE_NAMES
from boardfw.rules.position import Position
from boardfw.squares import NAMES, Bitboard, Square, names_of, squares_in

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
    pieces: Bitboard = 0
    """The pieces that cause it."""
    squares: Bitboard = 0
    """The squares that show it; ``Why`` says which for each kind."""
    ways: tuple[Way, ...] = ()
    """For each attacker at a distance, the squares between, the nearest to the attacker first."""


def ways_of(attackers: Bitboard, attacked: Square) -> tuple[Way, ...]:
    """The paths of the attackers, from a1 to h8, to a square; leapers and neighbours have none."""
    ways = []
    for attacker in squares_in(attackers):
        passed = tuple(squares_in(BETWEEN[attacker][attacked]))
        if passed:
            ways.append(passed if attacker < attacked else passed[::-1])
    return tuple(ways)


MOST = 6
"""How many squares a sentence names at most."""

SENTENCES = {
    Why.WRONG_PIECE: "it is {turn}'s turn",
    Why.KING_TAKEN: "the king is never captured",
    Why.OWN_PIECE: "blocked by your own piece{s}: {pieces}",
    Why.CASTLE_RIGHT_LOST: "the king or the rook has already moved, so castling is no longer "
    "allowed",
    Why.CASTLE_WAY_BLOCKED: "castling needs a clear path: {pieces} {be} in the way",
    Why.CASTLE_IN_CHECK: "the king cannot castle out of check: {pieces} {be} giving check",
    Why.CASTLE_THROUGH_CHECK: "the king cannot castle through check: {pieces} {attack} {squares}",
    Why.CASTLE_INTO_CHECK: "the king would be in check: {pieces} {attack} {squares}",
    Why.EN_PASSANT_BARES_KING: "capturing en passant would expose the king to {pieces}",
    Why.PAWN_TAKES_STRAIGHT: "a pawn does not capture straight ahead: {pieces} {be} in front of it",
    Why.EN_PASSANT_TOO_LATE: "only a pawn that has just moved two squares can be captured en "
    "passant: {pieces} has not",
    Why.PAWN_NOTHING_TO_TAKE: "a pawn moves diagonally only to capture, and {squares} is empty",
    Why.PAWN_DOUBLE_STEP: "a pawn cannot jump over a piece: {pieces} {be} in the way",
    Why.NOT_LIKE_THAT: "{unlike}; this one can move to {few}",
    Why.BLOCKED: "a {kind} cannot jump over a piece: {pieces} {be} in the way",
    Why.KING_ATTACKED: "the king would be in check: {pieces} {attack} {squares}",
    Why.CHECK_NOT_ANSWERED: "the king on {squares} would still be in check from {pieces}",
    Why.PINNED: "it is pinned by {pieces}: the king on {squares} would be in check",
}
"""The sentence of each kind of reason: ``be``, ``attack`` and ``s`` follow the number of the
pieces, ``kind`` is the type of the piece that may not move, ``few`` are not too many squares, and
``unlike`` is what ``not_like_that`` says."""
EMPTY_SQUARE = "{origin} is empty; it is {turn}'s turn"
"""In place of it, if no piece at all is there."""
BARE_SENTENCES = {
    Why.PAWN_DOUBLE_STEP: "a pawn may move two squares only from its starting square",
    Why.NOT_LIKE_THAT: "{unlike}; this one cannot move now",
}
"""In place of them, if no piece is in the way and no square is left."""


def in_words(position: Position, reason: Reason, origin: Square) -> Phrase:
    """The reason as one sentence, in small letters and without a full stop.

    ``origin``: the square of the piece in the position.
    """
    pieces = [piece_on(position, square) for square in squares_in(reason.pieces)]
    names, is_one = names_of(reason.squares), len(pieces) < 2
    more = [Phrase("{0} more", str(len(names) - MOST))] if len(names) > MOST else []
    return Phrase(
        _sentence(position, reason, origin),
        pieces=joined(pieces or ["no piece"]),
        squares=joined(names or ["no piece"]),
        few=joined([*names[:MOST], *more] or ["no piece"]),
        kind=_kind(position, origin),
        unlike=not_like_that(position, origin),
        origin=NAMES[origin],
        turn=COLOR_NAMES[position.turn],
        be="is" if is_one else "are",
        attack="attacks" if is_one else "attack",
        s="" if is_one else "s",
    )


def not_like_that(position: Position, origin: Square) -> Phrase:
    """That pieces of this type do not move like that; nothing of where this one may go."""
    return Phrase("a {0} does not move like that", _kind(position, origin))


def piece_on(position: Position, square: Square) -> Phrase:
    """``the rook on d8``; ``the piece on d8`` where none is there."""
    return Phrase("the {0} on {1}", _kind(position, square), NAMES[square])


def _kind(position: Position, square: Square) -> str:
    piece = position.piece_at(square)
    return PIECE_NAMES[piece.piece_type] if piece else "piece"


def _sentence(position: Position, reason: Reason, origin: Square) -> str:
    if reason.why is Why.WRONG_PIECE and position.piece_at(origin) is None:
        return EMPTY_SQUARE
    shown = reason.squares if reason.why is Why.NOT_LIKE_THAT else reason.pieces
    sentences = SENTENCES if shown else SENTENCES | BARE_SENTENCES
    return sentences[reason.why]
