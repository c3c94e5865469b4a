"""King and queen, king and rook, king and pawn against a lone king: known to the last ply.

The tables are computed when first asked for, in a tenth of a second each on a laptop and a second
or two on a Pi Zero 2; together they hold less than half a megabyte. ``prepare`` does it ahead.

Retrograde search: from the mates backwards, ply by ply, until nothing new is found. The third piece
is White's. Mirrored positions are the same ending, so it is looked at on part of the board only: a
queen or rook on the lower left quarter, a pawn on the files a to d. For a pair (a square of the
third piece and one of its king) a single integer is the set of all squares where the lone king is
lost; arithmetic then handles 64 positions at once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple, TypeAlias

from boardfw.rules import KING, Move, Position
from boardfw.rules.attacks import FILE_A, FILE_H, KING_ATTACKS, PAWN_ATTACKS, SQUARES
from boardfw.rules.board import BLACK, PAWN, QUEEN, ROOK, WHITE, Color, PieceType, attacks_of
from boardfw.rules.memo import Memo
from boardfw.squares import (
    ALL,
    EVERY_SQUARE,
    Bitboard,
    Square,
    bitboard_of,
    file_of,
    only_in,
    rank_of,
    squares_in,
)

KINDS: tuple[PieceType, ...] = (QUEEN, ROOK, PAWN)

Mirror: TypeAlias = int
"""``square ^ mirror`` is where a square lies in the mirror."""
FILES: Mirror = 7
RANKS: Mirror = 56

Origin: TypeAlias = tuple[Square, Bitboard]
"""A square, and those from which the lone king would have blocked the line."""

PAWN_HOME, PAWN_LEAP = 1, 3
"""The ranks between which a pawn may make two steps, as 0..7."""

QUARTER = tuple(s for s in EVERY_SQUARE if file_of(s) < 4 and rank_of(s) < 4)
PAWN_HALF = tuple(s for s in EVERY_SQUARE if file_of(s) < 4 and 0 < rank_of(s) < 7)
_IN_QUARTER = bitboard_of(QUARTER)

_BACKWARDS = bytes(int(f"{rank:08b}"[::-1], 2) for rank in range(256))


def part_of(piece_type: PieceType) -> tuple[Square, ...]:
    """The part of the board on which a piece of this type is looked at."""
    return PAWN_HALF if piece_type == PAWN else QUARTER


def mirror_to_part(piece_type: PieceType, square: Square) -> Mirror:
    """The mirror that brings a piece from this square into its part of the board."""
    mirror = FILES if file_of(square) > 3 else 0
    return mirror | RANKS if piece_type != PAWN and rank_of(square) > 3 else mirror


def mirrored(squares: Bitboard, mirror: Mirror) -> Bitboard:
    """A set of squares in the mirror."""
    ranks = squares.to_bytes(8, "little")
    if mirror & FILES:
        ranks = ranks.translate(_BACKWARDS)
    return int.from_bytes(ranks, "big" if mirror & RANKS else "little")


def attacks(piece_type: PieceType, square: Square, king: Square) -> Bitboard:
    """What the piece attacks; only its own king, on ``king``, can block it.

    The lone king does not block: if it steps back along the line of a check, it is still in check.
    """
    if piece_type == PAWN:
        return PAWN_ATTACKS[WHITE][square]
    return attacks_of(piece_type, square, 1 << king)


def origins(piece_type: PieceType, target: Square, king: Square) -> tuple[Origin, ...]:
    """The squares from which the piece may have come, within its part of the board.

    Nothing blocked it: the lone king would have stood in check with White to move.
    """
    if piece_type == PAWN:
        return tuple(_pawn_origins(target, king))
    came = attacks(piece_type, target, king) & ~(1 << king) & _IN_QUARTER
    return tuple((origin, 0) for origin in squares_in(came))


def _pawn_origins(target: Square, king: Square) -> Iterator[Origin]:
    single, double = target - 8, target - 16
    if rank_of(target) > PAWN_HOME and king != single:
        yield single, 0
        if rank_of(target) == PAWN_LEAP and king != double:
            yield double, 1 << single


Pair: TypeAlias = tuple[Square, Square]
"""The squares of the third piece and its king."""
Layer: TypeAlias = dict[Pair, Bitboard]
"""By pair, the squares of the lone king."""

UNWON = 0
"""Drawn, or no legal position. Others: the plies to mate, and one."""


class Table:
    """White has the third piece. It holds the part of the board where that piece is looked at."""

    def __init__(self, piece_type: PieceType) -> None:
        self._piece_type = piece_type
        self._slots = {square: slot for slot, square in enumerate(part_of(piece_type))}
        self._plies = bytearray(2 * len(self._slots) << 12)

    def plies(self, turn: Color, pair: Pair, lone: Square) -> int | None:
        """Plies to mate, both playing as well as can be; None: there is no mate."""
        mirror = mirror_to_part(self._piece_type, pair[0])
        mirrored = pair[0] ^ mirror, pair[1] ^ mirror
        known = self._plies[self._row(turn, mirrored) + (lone ^ mirror)]
        return None if known == UNWON else known - 1

    def enter(self, turn: Color, layer: Layer, plies: int) -> None:
        """Note that all these positions are so many plies from mate."""
        for pair, lone_kings in layer.items():
            row = self._row(turn, pair)
            for lone in squares_in(lone_kings):
                self._plies[row + lone] = plies + 1

    def _row(self, turn: Color, pair: Pair) -> int:
        third, king = pair
        return (turn * len(self._slots) + self._slots[third]) << 12 | king << 6


BEFORE_LAST = 6
"""The rank, of 0..7, from which pawns promote."""


class Ground(NamedTuple):
    """What holds for a pair whatever was found out so far, as sets of squares of the lone king."""

    legal: Bitboard
    """With Black to move."""
    safe: Bitboard
    """Where it may step without capturing; with White to move these are the legal squares."""
    capturable: Bitboard
    """The third piece's square, if the lone king may capture it."""
    check: Bitboard

    def stuck(self, closed: Bitboard = 0) -> Bitboard:
        """Legal squares from which there is no step, or every step leads to a ``closed`` one."""
        return self.legal & ~_steps(self.capturable | self.safe & ~closed)


def _steps(squares: Bitboard) -> Bitboard:
    """Wherever a king may step from one of these squares."""
    beside = (squares & ~FILE_H) << 1 | (squares & ~FILE_A) >> 1
    row = squares | beside
    return (beside | row << 8 | row >> 8) & ALL


def _ground(piece_type: PieceType, third: Square, king: Square) -> Ground:
    pieces, near, check = (
        1 << third | 1 << king,
        KING_ATTACKS[king],
        attacks(piece_type, third, king),
    )
    legal = ALL & ~(pieces | near)
    return Ground(legal, legal & ~check, 1 << third & ~near, check)


@cache
def solve(piece_type: PieceType) -> Table:
    """The table of an ending with a QUEEN, a ROOK or a PAWN; computed once, then remembered."""
    return _Search(piece_type).run()


class _Search:
    """What is known after some plies: where White, to move, has won, and where Black has lost."""

    def __init__(self, piece_type: PieceType) -> None:
        self._mirrors = (0,) if piece_type == PAWN else (0, FILES, RANKS, FILES | RANKS)
        """The mirrors that a move of this piece may change between."""
        pairs = [(t, k) for t in part_of(piece_type) for k in EVERY_SQUARE if t != k]
        self._ground = {pair: _ground(piece_type, *pair) for pair in pairs}
        self._stalemate = {p: g.stuck() & ~g.check for p, g in self._ground.items()}
        self._won: Layer = dict.fromkeys(pairs, 0)
        self._lost: Layer = dict.fromkeys(pairs, 0)
        self._origins: Memo[Pair, tuple[Origin, ...]] = Memo(
            lambda pair: origins(piece_type, *pair), 1 << 12
        )
        self._promoting = _promotions() if piece_type == PAWN else {}
        self._table = Table(piece_type)

    def run(self) -> Table:
        """Find everything, ply by ply; after the last promotion an idle ply is the end."""
        plies, lost = 0, self._newly_lost(self._ground)
        while lost or plies < max(self._promoting, default=0):
            self._table.enter(BLACK, lost, plies)
            won = self._newly_won(lost, self._promoting.get(plies + 1, {}))
            self._table.enter(WHITE, won, plies + 1)
            plies, lost = plies + 2, self._newly_lost(won)
        return self._table

    def _newly_lost(self, changed: Iterable[Pair]) -> Layer:
        """Where every move of Black leads to what White has won."""
        found: Layer = {}
        for pair in changed:
            stuck = self._ground[pair].stuck(self._won[pair]) & ~self._stalemate[pair]
            if new := stuck & ~self._lost[pair]:
                found[pair] = new
                self._lost[pair] |= new
        return found

    def _newly_won(self, lost: Layer, promoting: Layer) -> Layer:
        """Where some move of White leads to what Black has lost."""
        reached: Layer = defaultdict(int, promoting)
        for (third, king), lone in lost.items():
            for origin in SQUARES[KING_ATTACKS[king]]:
                reached[third, origin] |= lone
            for mirror in self._mirrors:
                there = mirrored(lone, mirror)
                for origin, hindered in self._origins[third ^ mirror, king ^ mirror]:
                    reached[origin, king ^ mirror] |= there & ~hindered
        return self._kept(reached)

    def _kept(self, reached: Layer) -> Layer:
        """Of these positions those that are legal and new."""
        found: Layer = {}
        for pair, lone in reached.items():
            if pair in self._won and (new := lone & self._ground[pair].safe & ~self._won[pair]):
                found[pair] = new
                self._won[pair] |= new
        return found


def _promotions() -> Mapping[int, Layer]:
    """Where a promotion wins, by the plies to mate before it; a bishop or a knight never does."""
    layers: dict[int, Layer] = defaultdict(lambda: defaultdict(int))
    pairs = [(t, k) for t in part_of(PAWN) for k in EVERY_SQUARE if rank_of(t) == BEFORE_LAST]
    for table in (solve(QUEEN), solve(ROOK)):
        for third, king in pairs:
            target = third + 8
            for lone in EVERY_SQUARE:
                plies = None if king == target else table.plies(BLACK, (target, king), lone)
                if plies is not None:
                    layers[plies + 1][third, king] |= 1 << lone
    return layers


class Value(NamedTuple):
    """``stronger``: the side with the third piece. ``plies``: to mate; None: a draw with best play.

    Plies are counted to the mate itself, through a promotion, if both sides play as well as can
    be; the counting of fifty moves is left out, as no mate here takes so many. 0: it is mate.
    """

    stronger: Color
    plies: int | None

    @property
    def is_won(self) -> bool:
        """Whether the stronger side mates."""
        return self.plies is not None


def value(position: Position) -> Value | None:
    """What the position is worth; None: not one of these endings."""
    found = _third(position)
    if found is None:
        return None
    piece_type, third, stronger = found
    flip = RANKS if stronger == BLACK else 0
    pair = third ^ flip, position.king(stronger) ^ flip
    lone = position.king(1 - stronger) ^ flip
    return Value(stronger, solve(piece_type).plies(position.turn ^ stronger, pair, lone))


def prepare() -> None:
    """Compute all tables now, so that no game waits for them later."""
    for piece_type in KINDS:
        solve(piece_type)


def _third(position: Position) -> tuple[PieceType, Square, Color] | None:
    """PieceType, square and colour of the third piece of these endings, or None.

    None while there are rights to castle: the tables do not know that move.
    """
    third = position.occupied & ~position.placement[KING]
    if third.bit_count() != 1 or position.castling:
        return None
    square = only_in(third)
    piece = position.piece_at(square)
    return (
        (piece.piece_type, square, piece.color)
        if piece is not None and piece.piece_type in KINDS
        else None
    )


DRAWN = 1_000
"""Beyond every mate, in plies."""


def best_move(position: Position) -> Move:
    """The best move of either side; always the same one.

    The stronger side mates soonest; in a draw that may still be lost it leaves fewest moves that
    hold it. The weaker side draws, or else puts the mate off longest. Raises LookupError where the
    tables know nothing, and where there is no move.
    """
    known, moves = value(position), position.legal_moves()
    if known is None or not moves:
        raise LookupError("no table covers this ending, or the game is over")
    if known.stronger != position.turn:
        return max(moves, key=lambda move: _length(position.play_unchecked(move)))
    rank = _length if known.is_won else _holding
    return min(moves, key=lambda move: rank(position.play_unchecked(move)))


def _length(position: Position) -> int:
    """Plies to mate."""
    known = value(position)
    return DRAWN if known is None or known.plies is None else known.plies


def _holding(position: Position) -> tuple[bool, float]:
    """How hard a draw is to hold, with the weaker side to move; lowest where it is hardest."""
    known, replies = value(position), position.legal_moves()
    if known is None or not replies:
        return True, 1.0
    after = [position.play_unchecked(move) for move in replies]
    loses_piece = any(value(there) is None for there in after)
    return loses_piece, sum(_length(there) == DRAWN for there in after) / len(after)
