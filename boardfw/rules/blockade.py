"""What can still happen in a position, at the very most: proof that nothing more can.

For each man the squares that it may ever reach are gathered, as if both sides helped each other
and as if every man could go alone: too many perhaps, never too few. A fact enters only when the
facts it needs are there already; whatever happens in a real game needs only what happened before
it, so nothing that can happen is left out. Behind a wall of rammed pawns that is not much.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_

from boardfw.rules.attacks import KING_ATTACKS, LAST_RANKS, PAWN_ATTACKS
from boardfw.rules.board import BLACK, KING, KNIGHT, PAWN, WHITE, Color, PieceType, attacks_of
from boardfw.rules.position import Position
from boardfw.squares import ALL, Occupancy, Square, squares_in

FEWEST_RAMS = 3  # each bars a king its own file and, by the pawns' attacks, the two beside it


class Piece:
    """One man, and the most that may ever become of it."""

    __slots__ = ("color", "is_taken", "kind", "origin", "reach", "square")

    def __init__(self, kind: PieceType, color: Color, square: Square) -> None:
        self.kind = kind
        self.color = color
        self.square = square
        self.origin: Occupancy = 1 << square
        self.reach: Occupancy = self.origin
        """Where it may ever stand."""
        self.is_taken = False
        """It may be captured."""

    @property
    def is_fixed(self) -> bool:
        """Whether it stands where it stands for ever."""
        return self.reach == self.origin and not self.is_taken


class Blockade:
    """The most that can still happen, man by man.

    ``is_open`` says that a pawn may promote, or that rights to castle or to capture en passant
    are left: nothing is proved then, and ``pieces`` are not worked out.
    """

    def __init__(self, position: Position) -> None:
        self.pieces = [
            Piece(kind, color, square)
            for color in (WHITE, BLACK)
            for kind in range(PAWN, KING + 1)
            for square in squares_in(position.pieces_of(kind, color))
        ]
        self.is_open = bool(position.castling) or position.en_passant is not None
        self._sum_up()
        while not self.is_open and self._advance():
            self._sum_up()

    def attacks(self, piece: Piece, square: Square) -> Occupancy:
        """What this man may attack from a square, through every man that may be away."""
        if piece.kind == PAWN:
            return PAWN_ATTACKS[piece.color][square]
        return attacks_of(piece.kind, square, self._solid)

    # --- what is known so far

    def _sum_up(self) -> None:
        """From what is known of each man, what is known of the squares."""
        fixed, standing, fixed_kings = [0, 0], [0, 0], 0
        for piece in self.pieces:
            if piece.kind != KING:
                standing[piece.color] |= piece.reach
            if piece.is_fixed:
                fixed[piece.color] |= piece.origin
                fixed_kings |= piece.origin if piece.kind == KING else 0
        self._fixed, self._standing = fixed, standing
        self._fixed_kings = fixed_kings
        self._solid = fixed[WHITE] | fixed[BLACK]
        # A slider that never moves has neighbours that never do: nothing steps into its lines.
        self._guarded = [
            sum_of(
                self.attacks(piece, piece.square) for piece in self.pieces if piece.origin & pieces
            )
            for pieces in fixed
        ]

    # --- what follows from it

    def _advance(self) -> bool:
        """Add what may happen next; whether there was anything new."""
        strikes = [0, 0]
        has_news = False
        for piece in self.pieces:
            before = piece.reach
            strikes[piece.color] |= self._move(piece)
            has_news |= before != piece.reach
        for piece in self.pieces:
            if piece.kind != KING and not piece.is_taken and piece.reach & strikes[1 - piece.color]:
                piece.is_taken = has_news = True
        return has_news

    def _move(self, piece: Piece) -> Occupancy:
        """Let a man go as far as it may by now; the squares to which it may come by a capture."""
        if piece.kind == PAWN:
            return self._move_pawn(piece)
        barred = self._fixed[piece.color] | self._fixed_kings
        if piece.kind == KING:
            barred |= self._guarded[1 - piece.color]
        strikes = fresh = piece.reach
        while fresh:
            targets = 0
            for square in squares_in(fresh):
                targets |= self.attacks(piece, square)
            targets &= ~barred
            strikes |= targets
            fresh = targets & ~piece.reach
            piece.reach |= fresh
        return strikes if piece.reach != piece.origin else 0

    def _move_pawn(self, pawn: Piece) -> Occupancy:
        capturable = self._standing[1 - pawn.color]
        way = ALL & ~self._solid
        strikes, fresh = 0, pawn.reach
        while fresh:
            steps = (fresh >> 8 if pawn.color else fresh << 8) & way
            for square in squares_in(fresh):
                strikes |= PAWN_ATTACKS[pawn.color][square] & capturable
            fresh = (steps | strikes) & ~pawn.reach
            pawn.reach |= fresh
        self.is_open |= bool(pawn.reach & LAST_RANKS)
        return strikes

    # --- mate

    def may_mate(self, color: Color) -> bool:
        """Whether men of ``color`` may ever mate, for all that is known here.

        A mate needs a square of the king, a man that comes to give check there or uncovers one
        that does, and every flight square held: by the giver, by another man, by the king of
        ``color`` from the one square where he stands, or by men of the king's own, one a square.
        """
        if self.is_open:
            return True
        self._solid &= ~self._fixed_kings  # behind a king who is in check a slider goes on
        loser = next(piece for piece in self.pieces if piece.kind == KING and piece.color != color)
        winner = next(piece for piece in self.pieces if piece.kind == KING and piece.color == color)
        givers = [piece for piece in self.pieces if piece.color == color and piece.kind != KING]
        hits = {piece: self._hits(piece) for piece in givers}
        for giver in givers:
            held = sum_of(hits[piece] for piece in givers if piece is not giver)
            for square in squares_in(_checks_from(giver)):
                attacked = self.attacks(giver, square)
                for king in squares_in(attacked & loser.reach):
                    flights = KING_ATTACKS[king] & ~(attacked | held)
                    stands = winner.reach & ~KING_ATTACKS[king] & ~(1 << king)
                    if any(
                        self._is_shut_in(flights & ~KING_ATTACKS[stand], 1 - color)
                        for stand in squares_in(stands)
                    ):
                        return True
        return False

    def _is_shut_in(self, flights: Occupancy, color: Color) -> bool:
        """Whether men of the king's own colour may stand on all these squares at once."""
        if flights & ~self._standing[color]:
            return False
        pieces = sum(
            piece.color == color and piece.kind != KING and bool(piece.reach & flights)
            for piece in self.pieces
        )
        return pieces >= flights.bit_count()

    def _hits(self, piece: Piece) -> Occupancy:
        """What this man may ever attack."""
        return sum_of(self.attacks(piece, square) for square in squares_in(piece.reach))


def is_walled(position: Position) -> bool:
    """Whether a blockade is worth looking into: a quick test, made at every ply.

    Three pairs of rammed pawns bar all eight files at the least, and a pawn that no enemy pawn
    faces may promote. Knights leap over walls.
    """
    placement = position.placement
    pawns = placement[PAWN]
    white, black = pawns & placement[0], pawns & placement[7]
    if (white << 8 & black).bit_count() < FEWEST_RAMS or placement[KNIGHT]:
        return False
    before_white = white << 8 | white << 16
    before_white |= before_white << 16 | before_white << 32
    before_black = black >> 8 | black >> 16
    before_black |= before_black >> 16 | before_black >> 32
    return not (white & ~before_black or black & ~before_white or position.castling)


def bars_mate(position: Position, color: Color) -> bool:
    """Whether walls rule out every mate by ``color`` after the next move."""
    # Of a mate that stands already a blockade knows nothing: it looks at what may yet be done.
    return bool(position.legal_moves()) and not Blockade(position).may_mate(color)


def sum_of(sets: Iterable[Occupancy]) -> Occupancy:
    """All squares of all sets."""
    return reduce(or_, sets, 0)


def _checks_from(giver: Piece) -> Occupancy:
    """Squares from which this man may give a check that was not there before."""
    if giver.kind == PAWN:
        return giver.reach & ~giver.origin
    # A knight must come; a slider may stand there, and another man steps out of its line.
    return giver.reach if giver.kind != KNIGHT or giver.reach != giver.origin else 0
