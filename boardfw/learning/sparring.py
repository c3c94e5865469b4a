"""The quick partner that plays against the learner, without an engine.

This is the seam where an engine may come in: whatever maps a position to a move can take the place
of ``reply``. This one is sure of the endings that have tables; elsewhere it looks one ply ahead,
counts exchanges, sees mates in one and pawns that run, and otherwise goes to the middle.
"""

from __future__ import annotations

from functools import lru_cache

from boardfw.learning.endings import best_move, value
from boardfw.rules import (
    BISHOP,
    BLACK,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    WHITE,
    Color,
    Move,
    Position,
)
from boardfw.rules.attacks import FILE_A, RANK_1, SQUARES
from boardfw.rules.board import attacked
from boardfw.rules.material import WORTH, material
from boardfw.rules.outcome import mates
from boardfw.rules.static_exchange import Contact, contacts, taken_worth
from boardfw.squares import EVERY_SQUARE, Bitboard, Square, distance, file_of, rank_of, square_at


def _stoppers(color: Color, square: Square) -> Bitboard:
    """The squares before a pawn, on its file and on those beside it."""
    file, rank = file_of(square), rank_of(square)
    files = sum(FILE_A << near for near in range(max(file - 1, 0), min(file + 2, 8)))
    ranks = range(rank + 1, 8) if color == WHITE else range(rank)
    return files & sum(RANK_1 << 8 * passed for passed in ranks)


STOPPERS = tuple(
    tuple(_stoppers(color, square) for square in EVERY_SQUARE) for color in (WHITE, BLACK)
)
"""By colour and square: where an enemy pawn still stops this one, or may."""


def moves_to_promote(color: Color, square: Square) -> int:
    """The fewest moves in which a pawn of this square promotes."""
    ranks = 7 - rank_of(square) if color == WHITE else rank_of(square)
    return min(ranks, 5)


def passed_pawns(position: Position, color: Color) -> tuple[Square, ...]:
    """The pawns that no enemy pawn can stop or capture."""
    enemies = position.pieces_of(PAWN, 1 - color)
    pawns = SQUARES[position.pieces_of(PAWN, color)]
    return tuple(square for square in pawns if not STOPPERS[color][square] & enemies)


def fastest(position: Position, color: Color) -> int | None:
    """In how many moves a pawn promotes that cannot be stopped; None: no pawn does.

    A pawn cannot be stopped where the enemy has pawns and a king alone, with the king outside the
    pawn's square and unable to capture it at once, and where its path is empty.
    """
    enemy = position.pieces(1 - color)
    if enemy & ~(position.placement[PAWN] | position.placement[KING]):
        return None
    running = (s for s in passed_pawns(position, color) if _runs(position, color, s))
    return min((moves_to_promote(color, square) for square in running), default=None)


def _runs(position: Position, color: Color, square: Square) -> bool:
    file, king = FILE_A << file_of(square), position.king(1 - color)
    is_late = position.turn != color
    last = square_at(file_of(square), 0 if color else 7)
    if STOPPERS[color][square] & file & position.occupied or (
        is_late and distance(king, square) < 2
    ):
        return False
    return distance(king, last) - is_late > moves_to_promote(color, square)


def _middle(line: int) -> int:
    return 1 + min(line, 7 - line)


CENTRE = tuple(_middle(file_of(square)) * _middle(rank_of(square)) for square in EVERY_SQUARE)
"""By square, from 1 in the corner to 16 in the middle."""

# All below in hundredths of a pawn.
PAWN_VALUE = 100
THREAT = 10  # for each pawn that the enemy would lose by doing nothing
CASTLING = 40
CENTRE_GAIN = {PAWN: 2, KNIGHT: 2, BISHOP: 2, ROOK: 1, QUEEN: 1}
KING_HOME, KING_OUT = -5, 5
"""What a step towards the middle brings a king: with many pieces about, and with few."""
RACE_WON = 500
NEARLY = 10  # so much less than the best is nearly as good

FEW_PIECES = 10  # pawns that an enemy's pieces are worth; a king need not hide from fewer
CONSIDERED, CONTACTS = 3, 48
"""Moves that are looked at more closely: so many at least, more the fewer pieces there are."""


@lru_cache(maxsize=1)  # lights that show it ask often
def reply(position: Position) -> Move:
    """A move for the side to move; always the same one in the same position.

    Takes some thirty times as long as listing the legal moves; the first one in an ending that has
    a table waits for it (``endings.prepare``). Raises LookupError where the game is over.
    """
    moves = position.legal_moves()
    if not moves:
        raise LookupError("the game is over")
    if value(position):
        return best_move(position)
    return next(iter(mates(position)), None) or _look_ahead(position)


def weighed(position: Position) -> dict[Move, int]:
    """The few moves worth a closer look, and what each gains, in hundredths of a pawn."""
    after = {move: position.play_unchecked(move) for move in _at_first_sight(position)}
    return {move: _at_second_sight(position, move, there) for move, there in after.items()}


def _look_ahead(position: Position) -> Move:
    """The best of the moves that look well at first sight, if it does not allow a mate in one.

    While nothing happens the moves that are nearly as good take turns, so that the partner does not
    go to and fro for ever.
    """
    worth = weighed(position)
    best = sorted(worth, key=worth.__getitem__, reverse=True)
    near = [move for move in best if worth[move] >= worth[best[0]] - NEARLY]
    first = near[position.halfmove_clock // 2 % len(near)]
    sound = (move for move in (first, *best) if not mates(position.play_unchecked(move)))
    return next(sound, first)


def _at_first_sight(position: Position) -> list[Move]:
    """The few moves worth a closer look."""
    danger = attacked(position.placement, 1 - position.turn, position.occupied)
    touching = contacts(position)

    def promise(move: Move) -> int:
        gain = PAWN_VALUE * taken_worth(position, move)
        hung = touching.get(move.origin)
        risk = (
            PAWN_VALUE * WORTH[move.promotion or move.piece_type]
            if danger >> move.target & 1
            else 0
        )
        rescued = PAWN_VALUE * hung.loss if hung else 0
        return gain + rescued + _placed(position, move) - max(0, risk - gain) // 2

    considered = max(CONSIDERED, CONTACTS // position.occupied.bit_count())
    return sorted(position.legal_moves(), key=promise, reverse=True)[:considered]


def _at_second_sight(position: Position, move: Move, after: Position) -> int:
    """What a move is worth with what is attacked and defended after it."""
    color = position.turn
    if not after.legal_moves():
        ahead = material(position.placement, color) - material(position.placement, 1 - color)
        return -PAWN_VALUE * ahead
    touching = contacts(after)
    gain = PAWN_VALUE * (taken_worth(position, move) - _worst(after, touching, color))
    threat = THREAT * _worst(after, touching, 1 - color)
    return gain + threat + _placed(position, move) + _running(after, color)


def _worst(position: Position, touching: dict[Square, Contact], color: Color) -> int:
    """The most that a colour may lose on one square, in pawns."""
    own = position.pieces(color)
    return max((known.loss for square, known in touching.items() if own >> square & 1), default=0)


def _placed(position: Position, move: Move) -> int:
    """What the piece gains by standing elsewhere."""
    if move.is_castling:
        return CASTLING
    if move.piece_type == KING:
        few = material(position.placement, 1 - position.turn) <= FEW_PIECES
        gain = KING_OUT if few else KING_HOME
    else:
        gain = CENTRE_GAIN[move.piece_type]
    return gain * (CENTRE[move.target] - CENTRE[move.origin])


def _running(after: Position, color: Color) -> int:
    """What the passed pawns of both sides promise; it is the enemy's turn."""
    if not after.placement[PAWN]:
        return 0
    own, enemy = fastest(after, color), fastest(after, 1 - color)
    race = 0
    if enemy is not None and (own is None or enemy <= own):
        race = -RACE_WON
    elif own is not None:
        race = RACE_WON - own
    return race + _nearness(after, color) - _nearness(after, 1 - color)


def _nearness(position: Position, color: Color) -> int:
    """How near the passed pawns of a colour are to promotion, the nearest counting most."""
    left = (moves_to_promote(color, square) for square in passed_pawns(position, color))
    return sum(3 * (6 - moves) ** 2 for moves in left)
