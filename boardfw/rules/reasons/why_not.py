"""The one reason why a man may not go from here to there: the first that holds, in one order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from boardfw.rules.attacks import BETWEEN, PAWN_ATTACKS, RANK_1
from boardfw.rules.board import (
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
from boardfw.squares import Occupancy, Square, distance, file_of, squares_in

# FROM castling.py: Why a king may not castle: the first of the conditions that fails, in the order of the Laws.

# FROM attempt.py: A way that a man was tried on: the two squares, and what all the rules about it look at.


class Attempt(NamedTuple):
    """A man of the side to move, and where somebody put him."""

    position: Position
    kind: PieceType
    """What he is; 0: there is no man of the side to move."""
    origin: Square
    target: Square
    jumped: Square | None
    """The square that the last move jumped, whether or not a capture there is legal."""
    placement: Placement
    turn: Color
    own: Occupancy
    enemy: Occupancy
    king: Square
    targets: Occupancy
    """Where he may go: castling, to the king's new square and to the rook's old one."""

    @classmethod
    def of(
        cls, position: Position, origin: Square, target: Square, jumped: Square | None
    ) -> Attempt:
        """What these squares mean in a position."""
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
    def occupied(self) -> Occupancy:
        """Squares on which any man stands."""
        return self.own | self.enemy

    def attackers(self, square: Square, occupied: Occupancy) -> Occupancy:
        """Enemies that would attack a square if exactly ``occupied`` were on the lines."""
        return attackers(self.placement, square, 1 - self.turn, occupied)


def _targets(position: Position, origin: Square) -> Occupancy:
    squares = 0
    for move in position.legal_moves():
        if move.origin == origin:
            squares |= 1 << move.target
            if move.rook_step is not None:
                squares |= 1 << move.rook_step[0]
    return squares


# FROM pawns.py: What pawns may not do; a pawn is the one man who takes otherwise than it walks.

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
    reach = PAWN_ATTACKS[attempt.turn][attempt.origin]
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
    if through.pieces:
        return through
    return _attacked(attempt, Why.CASTLE_INTO_CHECK, 1 << move.target, occupied & ~(1 << rook))


def _attacked(attempt: Attempt, why: Why, squares: Occupancy, occupied: Occupancy) -> Reason:
    """Which of these squares are attacked and by whom; without men where none is."""
    pieces = attacked = 0
    ways: list[Way] = []
    for square in squares_in(squares):
        if attackers := attempt.attackers(square, occupied):
            pieces |= attackers
            attacked |= 1 << square
            ways += ways_of(attackers, square)
    return Reason(why, pieces, attacked, tuple(ways))


# FROM safety.py: Reasons of the king's safety: for men who go as they may, but leave their king to be taken.


def king_attacked(attempt: Attempt) -> Reason:
    """The king goes to an attacked square; he himself shields no square behind him."""
    target = attempt.target
    pieces = attempt.attackers(target, attempt.occupied & ~(1 << attempt.origin))
    return Reason(Why.KING_ATTACKED, pieces, 1 << target, ways_of(pieces, target))


def check_not_answered(attempt: Attempt) -> Reason | None:
    """Who gave check before gives it still."""
    checkers = attempt.position.checkers()
    pieces = checkers and _looking(attempt) & checkers
    return _bared(attempt, Why.CHECK_NOT_ANSWERED, pieces) if pieces else None


def pinned(attempt: Attempt) -> Reason:
    """Somebody gives check who did not before: the man went off the line between."""
    return _bared(attempt, Why.PINNED, _looking(attempt))


def _bared(attempt: Attempt, why: Why, pieces: Occupancy) -> Reason:
    return Reason(why, pieces, 1 << attempt.king, ways_of(pieces, attempt.king))


def _looking(attempt: Attempt) -> Occupancy:
    """Enemies who look at the king once the man stands where he was put."""
    target = 1 << attempt.target
    taken = target
    if attempt.target == attempt.jumped and is_slantwise(attempt):
        taken |= 1 << beside(attempt)
    occupied = attempt.occupied & ~(1 << attempt.origin | taken) | target
    return attempt.attackers(attempt.king, occupied) & ~taken


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


def wrong_piece(attempt: Attempt) -> Reason:
    """Nobody is there, or a man of the side that is not to move."""
    return Reason(Why.WRONG_PIECE, 1 << attempt.king, 1 << attempt.origin)


def king_taken(attempt: Attempt) -> Reason | None:
    """The enemy's king stands there."""
    king = attempt.placement[KING] & attempt.enemy & 1 << attempt.target
    return Reason(Why.KING_TAKEN, king) if king else None


def own_piece(attempt: Attempt) -> Reason | None:
    """A man of one's own stands there, and it is not the one of the two that castle."""
    piece = attempt.own & 1 << attempt.target
    if not piece:
        return None
    rook = partner(attempt)
    if rook is not None and attempt.target in (rook, attempt.origin):
        return None
    return Reason(Why.OWN_PIECE, piece)


def not_like_that(attempt: Attempt) -> Reason | None:
    """No man of his kind goes so, on whatever board."""
    if attempt.kind == PAWN:
        goes_so = not goes_otherwise(attempt)
    else:
        goes_so = bool(attacks_of(attempt.kind, attempt.origin, 0) >> attempt.target & 1)
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

ORDER: tuple[tuple[Rule, Iterable[PieceType]], ...] = (
    (wrong_piece, NOBODY),  # of a man who is not there, or not to move, nothing else can be said
    (king_taken, ANYBODY),  # whatever else is wrong: the game is not about that
    (own_piece, ANYBODY),  # seen at once, and true of every kind of man
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


# FROM why_none.py: Why a man has no legal move at all: what the ways that he could go have in common.

ORDER_of_why_none = (
    Why.CHECK_NOT_ANSWERED,
    Why.PINNED,
    Why.KING_ATTACKED,
    Why.EN_PASSANT_BARES_KING,
    Why.PAWN_TAKES_STRAIGHT,
    Why.OWN_PIECE,
)
"""Where his ways have different reasons: what holds him, before what is merely in his way."""


def why_none(position: Position, origin: Square) -> Reason | None:
    """The reason that holds a man of the side to move, with the men and squares of all his ways.

    None where he has a legal move, or nobody of that side stands there.
    """
    if any(move.origin == origin for move in position.legal_moves()):
        return None
    refused = [why_not(position, origin, target) for target in squares_in(_ways(position, origin))]
    for why in ORDER_of_why_none:
        found = [reason for reason in refused if reason is not None and reason.why is why]
        if found:
            return _all_of(found)
    return None


def _ways(position: Position, origin: Square) -> Occupancy:
    """Where the man could go if nothing but his own manner of going counted."""
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
