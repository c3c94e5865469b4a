"""Blockades: an upper bound of what can still happen in a position, to prove that no mate can.

For each piece the squares that it may ever reach are gathered, as if both sides helped each other
and as if every piece could move alone: perhaps too many, never too few. A fact is added only once
the facts that it needs are there; whatever happens in a real game needs only what happened before,
so nothing that can happen is left out. Behind a wall of rammed pawns that is not much.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_

from boardfw.rules.attacks import KING_ATTACKS, LAST_RANKS, PAWN_ATTACKS
from boardfw.rules.board import BLACK, KING, KNIGHT, PAWN, WHITE, Color, PieceType, attacks_of
from boardfw.rules.position import Position
from boardfw.squares import ALL, Bitboard, Square, squares_in

FEWEST_RAMS = 3  # each closes to kings its own file and, by the pawns' attacks, the two beside it


class Piece:
    """One piece, and the most that it may ever do."""

    __slots__ = ("color", "is_capturable", "kind", "origin", "reachable", "square")

    def __init__(self, kind: PieceType, color: Color, square: Square) -> None:
        self.kind = kind
        self.color = color
        self.square = square
        self.origin: Bitboard = 1 << square
        self.reachable: Bitboard = self.origin
        """Bitboard of the squares that it may ever reach."""
        self.is_capturable = False
        """Whether it may be captured."""

    @property
    def is_fixed(self) -> bool:
        """Whether it stays on its square for ever."""
        return self.reachable == self.origin and not self.is_capturable


class Blockade:
    """The most that can still happen, piece by piece.

    ``is_open``: a pawn may promote, or there are rights to castle or to capture en passant. Nothing
    is proved then, and ``pieces`` are not completed.
    """

    def __init__(self, position: Position) -> None:
        self.pieces = [
            Piece(kind, color, square)
            for color in (WHITE, BLACK)
            for kind in range(PAWN, KING + 1)
            for square in squares_in(position.pieces_of(kind, color))
        ]
        self.is_open = bool(position.castling) or position.en_passant is not None
        self._derive_squares()
        while not self.is_open and self._advance():
            self._derive_squares()

    def attacks(self, piece: Piece, square: Square) -> Bitboard:
        """What this piece may attack from a square, through every piece that may be gone."""
        if piece.kind == PAWN:
            return PAWN_ATTACKS[piece.color][square]
        return attacks_of(piece.kind, square, self._solid)

    # --- what is known so far

    def _derive_squares(self) -> None:
        """Derive what is known of the squares from what is known of each piece."""
        fixed, standing, fixed_kings = [0, 0], [0, 0], 0
        for piece in self.pieces:
            if piece.kind != KING:
                standing[piece.color] |= piece.reachable
            if piece.is_fixed:
                fixed[piece.color] |= piece.origin
                fixed_kings |= piece.origin if piece.kind == KING else 0
        self._fixed, self._standing = fixed, standing
        self._fixed_kings = fixed_kings
        self._solid = fixed[WHITE] | fixed[BLACK]
        # A fixed slider is surrounded by fixed pieces, so nothing moves onto its lines.
        self._defended = [
            sum_of(
                self.attacks(piece, piece.square) for piece in self.pieces if piece.origin & pieces
            )
            for pieces in fixed
        ]

    # --- what follows from it

    def _advance(self) -> bool:
        """Add what may happen next; whether there was anything new."""
        captures = [0, 0]
        has_news = False
        for piece in self.pieces:
            before = piece.reachable
            captures[piece.color] |= self._move(piece)
            has_news |= before != piece.reachable
        for piece in self.pieces:
            is_hit = piece.reachable & captures[1 - piece.color]
            if is_hit and piece.kind != KING and not piece.is_capturable:
                piece.is_capturable = has_news = True
        return has_news

    def _move(self, piece: Piece) -> Bitboard:
        """Add the squares that a piece may reach by now; return those where it may capture."""
        if piece.kind == PAWN:
            return self._move_pawn(piece)
        barred = self._fixed[piece.color] | self._fixed_kings
        if piece.kind == KING:
            barred |= self._defended[1 - piece.color]
        captures = fresh = piece.reachable
        while fresh:
            targets = 0
            for square in squares_in(fresh):
                targets |= self.attacks(piece, square)
            targets &= ~barred
            captures |= targets
            fresh = targets & ~piece.reachable
            piece.reachable |= fresh
        return captures if piece.reachable != piece.origin else 0

    def _move_pawn(self, pawn: Piece) -> Bitboard:
        capturable = self._standing[1 - pawn.color]
        free = ALL & ~self._solid
        captures, fresh = 0, pawn.reachable
        while fresh:
            steps = (fresh >> 8 if pawn.color else fresh << 8) & free
            for square in squares_in(fresh):
                captures |= PAWN_ATTACKS[pawn.color][square] & capturable
            fresh = (steps | captures) & ~pawn.reachable
            pawn.reachable |= fresh
        self.is_open |= bool(pawn.reachable & LAST_RANKS)
        return captures

    # --- mate

    def may_mate(self, color: Color) -> bool:
        """Whether ``color`` may ever give mate, for all that is known here.

        A mate needs a square of the enemy king, a piece that comes to give check there or discovers
        a check, and every flight square covered: by the checking piece, by another piece, by the
        king of ``color`` from its one square, or by pieces of the mated side, one on each square.
        """
        if self.is_open:
            return True
        self._solid &= ~self._fixed_kings  # a slider attacks through the king that it checks
        loser = next(piece for piece in self.pieces if piece.kind == KING and piece.color != color)
        winner = next(piece for piece in self.pieces if piece.kind == KING and piece.color == color)
        candidates = [piece for piece in self.pieces if piece.color == color and piece.kind != KING]
        covered = {piece: self._covered(piece) for piece in candidates}
        for checker in candidates:
            others_cover = sum_of(covered[piece] for piece in candidates if piece is not checker)
            for square in squares_in(_checks_from(checker)):
                attacked = self.attacks(checker, square)
                for king in squares_in(attacked & loser.reachable):
                    flights = KING_ATTACKS[king] & ~(attacked | others_cover)
                    places = winner.reachable & ~KING_ATTACKS[king] & ~(1 << king)
                    if any(
                        self._is_shut_in(flights & ~KING_ATTACKS[place], 1 - color)
                        for place in squares_in(places)
                    ):
                        return True
        return False

    def _is_shut_in(self, flights: Bitboard, color: Color) -> bool:
        """Whether pieces of the king's own colour may be on all these squares at once."""
        if flights & ~self._standing[color]:
            return False
        pieces = sum(
            piece.color == color and piece.kind != KING and bool(piece.reachable & flights)
            for piece in self.pieces
        )
        return pieces >= flights.bit_count()

    def _covered(self, piece: Piece) -> Bitboard:
        """What this piece may ever attack."""
        return sum_of(self.attacks(piece, square) for square in squares_in(piece.reachable))


def is_walled(position: Position) -> bool:
    """Whether a blockade is worth working out: a quick test, made at every ply.

    It takes at least three pairs of rammed pawns to close all eight files, a pawn that no enemy
    pawn faces may promote, and knights jump over walls.
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
    """Whether a blockade rules out every mate by ``color`` after the next move."""
    # A blockade looks only at what may still be played, not at a mate already on the board.
    return bool(position.legal_moves()) and not Blockade(position).may_mate(color)


def sum_of(sets: Iterable[Bitboard]) -> Bitboard:
    """The union of bitboards."""
    return reduce(or_, sets, 0)


def _checks_from(checker: Piece) -> Bitboard:
    """Squares from which this piece may give a new check."""
    if checker.kind == PAWN:
        return checker.reachable & ~checker.origin
    # A knight must move there; a slider may be there while another piece leaves its line.
    return checker.reachable if checker.kind != KNIGHT or checker.reachable != checker.origin else 0
