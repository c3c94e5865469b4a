"""Why a piece cannot move from one square to another: the first reason that holds, in one order.

``why_not`` gives the reason for one target, ``why_none`` for a piece that has no legal move at all.
The rules speak of an ``Attempt``: those of pawns, those of castling in the order of the Laws, those
of the king's safety, and those of every piece.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from boardfw.rules.attacks import BETWEEN, PAWN_ATTACKS, RANK_1
from boardfw.rules.board import (
    AHEAD,
    BISHOP,
    HOME_RANK,
    KING,
    PAWN,
    QUEEN,
    ROOK,
    SIDE,
    Color,
    PieceType,
    Placement,
    attackers,
    attacks_of,
)
from boardfw.rules.move import KINGS_FILE, ROOKS_FILES, Move
from boardfw.rules.movetables import CASTLINGS
from boardfw.rules.position import Position
from boardfw.rules.reasons.reason import Reason, Way, Why, ways_of
from boardfw.squares import Bitboard, Square, distance, file_of, squares_in


class Attempt(NamedTuple):
    """A piece of the side to move, the square it was put on, and what the rules look at."""

    position: Position
    kind: PieceType
    """The piece type; 0 if no piece of the side to move is on ``origin``."""
    origin: Square
    target: Square
    jumped: Square | None
    """The square that the last move jumped, whether or not a capture there is legal; None: none."""
    placement: Placement
    turn: Color
    own: Bitboard
    enemy: Bitboard
    king: Square
    targets: Bitboard
    """Its legal targets; for castling, the king's new square and the rook's old one."""

    @classmethod
    def of(
        cls, position: Position, origin: Square, target: Square, jumped: Square | None
    ) -> Attempt:
        """The attempt that these squares mean in a position."""
        placement, turn = position.placement, position.turn
        own, enemy = placement[SIDE[turn]], placement[SIDE[1 - turn]]
        piece = own & 1 << origin
        kind = 0
        if piece:
            kind = PAWN
            while not placement[kind] & piece:
                kind += 1
        if position.en_passant is not None:
            jumped = position.en_passant
        king = position.king(turn)
        targets = _targets(position, origin) if kind else 0
        return cls(
            position, kind, origin, target, jumped, placement, turn, own, enemy, king, targets
        )

    @property
    def occupied(self) -> Bitboard:
        """Squares with a piece of either colour."""
        return self.own | self.enemy

    def attackers(self, square: Square, occupied: Bitboard) -> Bitboard:
        """Enemy pieces that would attack a square if exactly ``occupied`` blocked the lines."""
        return attackers(self.placement, square, 1 - self.turn, occupied)


def _targets(position: Position, origin: Square) -> Bitboard:
    squares = 0
    for move in position.legal_moves():
        if move.origin == origin:
            squares |= 1 << move.target
            if move.rook_step is not None:
                squares |= 1 << move.rook_step[0]
    return squares


FIRST_RANK = (RANK_1 << 8, RANK_1 << 48)
FIFTH_RANK = (RANK_1 << 32, RANK_1 << 24)
"""By colour: the rank where its pawns start, and the rank from which they capture en passant."""


def exposes_king(attempt: Attempt) -> Reason | None:
    """A capture en passant would open a check, because both pawns leave their lines."""
    if attempt.target != attempt.jumped or not is_diagonal_step(attempt):
        return None
    pawns = 1 << attempt.origin | 1 << beside(attempt)
    before = attempt.occupied
    after = before & ~pawns | 1 << attempt.target
    king = attempt.king
    opened = attempt.attackers(king, after) & ~attempt.attackers(king, before) & ~pawns
    if not opened:
        return None
    return Reason(Why.EN_PASSANT_BARES_KING, opened, pawns, ways_of(opened, king))


def captures_straight(attempt: Attempt) -> Reason | None:
    """An enemy piece is on a square straight ahead, to which a pawn moves only if it is empty."""
    target = 1 << attempt.target
    if not attempt.enemy & target & _straight_steps(attempt):
        return None
    return Reason(Why.PAWN_TAKES_STRAIGHT, target)


def captures_too_late(attempt: Attempt) -> Reason | None:
    """An enemy pawn is beside it, but has not just made a double step."""
    if not _is_empty_diagonal(attempt) or not FIFTH_RANK[attempt.turn] >> attempt.origin & 1:
        return None
    pawn = 1 << beside(attempt) & attempt.placement[PAWN] & attempt.enemy
    return Reason(Why.EN_PASSANT_TOO_LATE, pawn) if pawn else None


def captures_nothing(attempt: Attempt) -> Reason | None:
    """A pawn moves diagonally to an empty square."""
    if not _is_empty_diagonal(attempt):
        return None
    return Reason(Why.PAWN_NOTHING_TO_TAKE, 0, 1 << attempt.target)


def double_step(attempt: Attempt) -> Reason | None:
    """A double step not from the starting rank, or over a piece."""
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


def is_no_pawn_move(attempt: Attempt) -> bool:
    """Whether no pawn ever moves from the one square to the other."""
    return not (is_diagonal_step(attempt) or _straight_steps(attempt) >> attempt.target & 1)


def is_diagonal_step(attempt: Attempt) -> bool:
    """Whether this is a pawn's step as in a capture."""
    attacks = PAWN_ATTACKS[attempt.turn][attempt.origin]
    return attempt.kind == PAWN and bool(attacks >> attempt.target & 1)


def beside(attempt: Attempt) -> Square:
    """The square of the pawn that is captured en passant on the target."""
    return attempt.target - AHEAD[attempt.turn]


def _is_empty_diagonal(attempt: Attempt) -> bool:
    is_empty = not attempt.occupied >> attempt.target & 1
    return is_empty and attempt.target != attempt.jumped and is_diagonal_step(attempt)


def _straight_steps(attempt: Attempt) -> Bitboard:
    """The squares straight ahead to which the pawn could move on an empty board."""
    pawn, is_black = 1 << attempt.origin, attempt.turn
    one = pawn >> 8 if is_black else pawn << 8
    if not pawn & FIRST_RANK[attempt.turn]:
        return one
    return one | (pawn >> 16 if is_black else pawn << 16)


CASTLED_FILES = (2, 6)
"""Files of the king after castling to the left and to the right."""


def castles(attempt: Attempt) -> Reason | None:
    """Why castling is illegal, if that is what these squares mean."""
    rook = partner(attempt)
    if rook is not None:
        return _castling_refused(attempt, rook)
    return _right_lost(attempt)


def partner(attempt: Attempt) -> Square | None:
    """The rook with which the king would castle; None: not castling, or no right to castle.

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
    castlings = (row[0] for row in CASTLINGS[attempt.origin][rooks])
    return next((_rook(move) for move in castlings if move.target == attempt.target), None)


def _rook(move: Move) -> Square | None:
    return move.rook_step[0] if move.rook_step else None


def _right_lost(attempt: Attempt) -> Reason | None:
    """The king moves from its starting square as in castling, but the right is lost."""
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


def _castling_refused(attempt: Attempt, rook: Square) -> Reason:
    king = attempt.king
    ((move, path, kings_path, _),) = CASTLINGS[king][1 << rook]
    if blockers := attempt.occupied & path:
        return Reason(Why.CASTLE_WAY_BLOCKED, blockers)
    occupied = attempt.occupied
    if checkers := attempt.attackers(king, occupied):
        return Reason(Why.CASTLE_IN_CHECK, checkers, 1 << king, ways_of(checkers, king))
    # The king does not shield itself along the rank, nor does its rook on the last square.
    occupied ^= 1 << king
    passed = kings_path & ~(1 << move.target | 1 << king)
    through = _attacked(attempt, Why.CASTLE_THROUGH_CHECK, passed, occupied)
    if through.pieces:
        return through
    return _attacked(attempt, Why.CASTLE_INTO_CHECK, 1 << move.target, occupied & ~(1 << rook))


def _attacked(attempt: Attempt, why: Why, squares: Bitboard, occupied: Bitboard) -> Reason:
    """The attacked ones of these squares and their attackers; no pieces if none is attacked."""
    pieces = attacked = 0
    ways: list[Way] = []
    for square in squares_in(squares):
        if attackers := attempt.attackers(square, occupied):
            pieces |= attackers
            attacked |= 1 << square
            ways += ways_of(attackers, square)
    return Reason(why, pieces, attacked, tuple(ways))


def king_attacked(attempt: Attempt) -> Reason:
    """The king moves to an attacked square; it does not shield the squares behind it."""
    target = attempt.target
    pieces = attempt.attackers(target, attempt.occupied & ~(1 << attempt.origin))
    return Reason(Why.KING_ATTACKED, pieces, 1 << target, ways_of(pieces, target))


def check_not_answered(attempt: Attempt) -> Reason | None:
    """A piece that was giving check still does."""
    checkers = attempt.position.checkers()
    pieces = checkers and _checkers_after(attempt) & checkers
    return _in_check(attempt, Why.CHECK_NOT_ANSWERED, pieces) if pieces else None


def pinned(attempt: Attempt) -> Reason:
    """A piece that gave no check now does: the pinned piece has left the line."""
    return _in_check(attempt, Why.PINNED, _checkers_after(attempt))


def _in_check(attempt: Attempt, why: Why, pieces: Bitboard) -> Reason:
    return Reason(why, pieces, 1 << attempt.king, ways_of(pieces, attempt.king))


def _checkers_after(attempt: Attempt) -> Bitboard:
    """Enemy pieces that give check once the piece is on its target."""
    target = 1 << attempt.target
    taken = target
    if attempt.target == attempt.jumped and is_diagonal_step(attempt):
        taken |= 1 << beside(attempt)
    occupied = attempt.occupied & ~(1 << attempt.origin | taken) | target
    return attempt.attackers(attempt.king, occupied) & ~taken


Rule: TypeAlias = Callable[[Attempt], Reason | None]


def why_not(
    position: Position, origin: Square, target: Square, jumped: Square | None = None
) -> Reason | None:
    """Why the piece on ``origin`` cannot move to ``target``; None if it can.

    Castling is meant by the king's squares, or by those of king and rook. ``jumped``: the square
    that the last move jumped. A position keeps it only where a capture there is legal; a caller
    that knows the last move passes its ``Move.skipped``, so that the reason can be told where a
    capture is illegal.
    """
    attempt = Attempt.of(position, origin, target, jumped)
    if attempt.targets >> target & 1:
        return None
    for rule in RULES[attempt.kind]:
        if (reason := rule(attempt)) is not None:
            return reason
    return None


def wrong_piece(attempt: Attempt) -> Reason:
    """The square is empty, or its piece is not of the side to move."""
    return Reason(Why.WRONG_PIECE, 1 << attempt.king, 1 << attempt.origin)


def king_taken(attempt: Attempt) -> Reason | None:
    """The enemy king is on the target."""
    king = attempt.placement[KING] & attempt.enemy & 1 << attempt.target
    return Reason(Why.KING_TAKEN, king) if king else None


def own_piece(attempt: Attempt) -> Reason | None:
    """A piece of the same side is on the target, and castling is not meant."""
    piece = attempt.own & 1 << attempt.target
    if not piece:
        return None
    rook = partner(attempt)
    if rook is not None and attempt.target in (rook, attempt.origin):
        return None
    return Reason(Why.OWN_PIECE, piece)


def not_like_that(attempt: Attempt) -> Reason | None:
    """No piece of this type moves like that, even on an empty board."""
    if attempt.kind == PAWN:
        moves_so = not is_no_pawn_move(attempt)
    else:
        moves_so = bool(attacks_of(attempt.kind, attempt.origin, 0) >> attempt.target & 1)
    return None if moves_so else Reason(Why.NOT_LIKE_THAT, 0, attempt.targets)


def blocked(attempt: Attempt) -> Reason | None:
    """A piece is on the path; a pawn's double step has a reason of its own."""
    between = BETWEEN[attempt.origin][attempt.target] & attempt.occupied
    if not between:
        return None
    nearest = between & -between
    if attempt.target < attempt.origin:
        nearest = 1 << between.bit_length() - 1
    return Reason(Why.BLOCKED, nearest)


NO_PIECE = (0,)
ANY_PIECE = range(PAWN, KING + 1)
ANY_BUT_KING = range(PAWN, KING)

RULE_ORDER: tuple[tuple[Rule, Iterable[PieceType]], ...] = (
    (wrong_piece, NO_PIECE),  # nothing else can be said without a piece of the side to move
    (king_taken, ANY_PIECE),  # whatever else is wrong, a king is never captured
    (own_piece, ANY_PIECE),  # seen at once, and true of every piece type
    (castles, (KING,)),  # two squares are no step of a king: castling is meant
    (exposes_king, (PAWN,)),  # before the pin, which it is not: no single piece left the line
    (captures_straight, (PAWN,)),  # pawns have reasons where other pieces would not move at all
    (captures_too_late, (PAWN,)),  # before the next one, of which it is a special case
    (captures_nothing, (PAWN,)),
    (double_step, (PAWN,)),
    (not_like_that, ANY_PIECE),
    (blocked, (BISHOP, ROOK, QUEEN)),  # only a piece that moves like that can be blocked
    (king_attacked, (KING,)),  # for the king the target matters, not an earlier check
    (check_not_answered, ANY_BUT_KING),  # an unanswered check comes before one that is opened
    (pinned, ANY_BUT_KING),  # what remains
)
"""The rules, the piece types of each, and why it has its place: the first that holds is told."""

RULES = tuple(
    tuple(rule for rule, kinds in RULE_ORDER if kind in kinds) for kind in range(KING + 1)
)
"""The rules of each piece type, in order."""


MOST_TELLING = (
    Why.CHECK_NOT_ANSWERED,
    Why.PINNED,
    Why.KING_ATTACKED,
    Why.EN_PASSANT_BARES_KING,
    Why.PAWN_TAKES_STRAIGHT,
    Why.OWN_PIECE,
)
"""Where its targets have different reasons: what holds the piece, before what is in its way."""


def why_none(position: Position, origin: Square) -> Reason | None:
    """Why a piece of the side to move has no legal move, with all pieces and squares concerned.

    None if it has one, or if no piece of that side is on the square.
    """
    if any(move.origin == origin for move in position.legal_moves()):
        return None
    refused = [
        why_not(position, origin, target) for target in squares_in(_reachable(position, origin))
    ]
    for why in MOST_TELLING:
        found = [reason for reason in refused if reason is not None and reason.why is why]
        if found:
            return _all_of(found)
    return None


def _reachable(position: Position, origin: Square) -> Bitboard:
    """Where the piece could go if only the way its type moves counted."""
    piece = position.piece_at(origin)
    if piece is None or piece.color != position.turn:
        return 0
    if piece.piece_type != PAWN:
        return attacks_of(piece.piece_type, origin, position.occupied)
    enemy = position.placement[SIDE[1 - piece.color]]
    return 1 << origin + AHEAD[piece.color] | PAWN_ATTACKS[piece.color][origin] & enemy


def _all_of(reasons: list[Reason]) -> Reason:
    pieces = squares = 0
    ways = dict.fromkeys(way for reason in reasons for way in reason.ways)
    for reason in reasons:
        pieces |= reason.pieces
        squares |= reason.squares
    return Reason(reasons[0].why, pieces, squares, tuple(ways))
