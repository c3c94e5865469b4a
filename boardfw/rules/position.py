"""A legal position: an immutable value. To take a move back is to keep an older one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from boardfw.errors import BoardError
from boardfw.rules.attacks import PAWN_ATTACKS
from boardfw.rules.board import (
    BISHOP,
    BLACK,
    HOME_RANK,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    SIDE,
    WHITE,
    Color,
    Piece,
    PieceType,
    Placement,
    attackers,
    piece_at,
    placement_of,
)
from boardfw.rules.move import Move
from boardfw.rules.movegen import checkers_and_pins, en_passant_moves, legal_moves
from boardfw.squares import EVERY_SQUARE, Bitboard, Square, square_at

Key: TypeAlias = tuple[Placement, Color, Bitboard, Square | None]
"""What makes two positions the same for repetition."""

BACK_RANK_KINDS = (ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK)
CORNERS: Bitboard = 0x8100_0000_0000_0081


class IllegalPlay(BoardError):  # noqa: N818  # the name is the finding
    """A move was played that is not legal in its position."""


class _State:
    """What a position consists of, while it is made: writing to a ``Position`` is refused."""

    __slots__ = (
        "_hash",
        "_legal_moves",
        "castling",
        "en_passant",
        "fullmove_number",
        "halfmove_clock",
        "placement",
        "turn",
    )

    placement: Placement
    turn: Color
    castling: Bitboard
    en_passant: Square | None
    halfmove_clock: int
    fullmove_number: int
    _legal_moves: tuple[Move, ...] | None
    _hash: int | None


_remember_moves = vars(_State)["_legal_moves"].__set__
_remember_hash = vars(_State)["_hash"].__set__
"""Store what has been computed about a position in it; twice as quick as object.__setattr__."""


class Position(_State):
    """A position that can be played on: one king each, the side that has moved not in check.

    ``Setup.position()`` and ``parse_fen`` check this; the constructor does not. A position is
    immutable: to play is to get another one.

    ``castling`` is the set of the squares of the rooks that still may castle, in Chess960 too.
    ``en_passant`` is the square that the last move jumped, if a capture on it is legal, else
    None. Two positions are equal when placement, turn, castling, en passant and both counters are.
    """

    __slots__ = ()

    def __new__(
        cls,
        placement: Placement,
        turn: Color,
        castling: Bitboard = 0,
        en_passant: Square | None = None,
        halfmove_clock: int = 0,
        fullmove_number: int = 1,
    ) -> Position:
        """The position with these fields, which are not checked."""
        made = _State()
        made.placement = placement
        made.turn = turn
        made.castling = castling
        made.en_passant = en_passant
        made.halfmove_clock = halfmove_clock
        made.fullmove_number = fullmove_number
        made._legal_moves = made._hash = None  # noqa: SLF001  # of its own class
        return _frozen(made)

    @classmethod
    def start(cls) -> Position:
        """The start position of standard chess."""
        return cls.start_with(BACK_RANK_KINDS)

    @classmethod
    def start_with(cls, back_rank: Sequence[PieceType]) -> Position:
        """The start with these piece types, from the a-file on, behind the pawns of either side.

        Every rook may castle. ``chess960`` lists the starts that there are.
        """
        pieces = {}
        for file, kind in zip(EVERY_SQUARE, back_rank, strict=False):
            pieces[file], pieces[file + 56] = Piece(kind, WHITE), Piece(kind, BLACK)
            pieces[file + 8], pieces[file + 48] = Piece(PAWN, WHITE), Piece(PAWN, BLACK)
        placement = placement_of(pieces)
        return cls(placement, WHITE, placement[ROOK])

    @property
    def occupied(self) -> Bitboard:
        """Squares with a piece of either colour."""
        return self.placement[0] | self.placement[7]

    @property
    def pair_rank(self) -> Bitboard:
        """The rank on which the side to move may castle, moving two pieces at once; else 0."""
        rank = HOME_RANK[self.turn]
        return rank if self.castling & rank else 0

    @property
    def key(self) -> Key:
        """Equal keys are the same position in the sense of the repetition rule."""
        return self.placement, self.turn, self.castling, self.en_passant

    def pieces(self, color: Color) -> Bitboard:
        """Squares of all pieces of a colour."""
        return self.placement[SIDE[color]]

    def pieces_of(self, kind: PieceType, color: Color) -> Bitboard:
        """Squares of the pieces of a type and colour."""
        return self.placement[kind] & self.placement[SIDE[color]]

    def piece_at(self, square: Square) -> Piece | None:
        """The piece on a square, or None if it is empty."""
        return piece_at(self.placement, square)

    def king(self, color: Color) -> Square:
        """The square of a colour's king."""
        return Square(self.pieces_of(KING, color).bit_length() - 1)

    def attackers(self, square: Square, color: Color) -> Bitboard:
        """Pieces of ``color`` that attack ``square``; pinned pieces attack too."""
        return attackers(self.placement, square, color, self.occupied)

    def checkers(self) -> Bitboard:
        """Pieces that give check to the side to move."""
        return checkers_and_pins(self.placement, self.turn)[0]

    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        return bool(self.checkers())

    def is_checkmate(self) -> bool:
        """Whether the side to move is mated."""
        return not self.legal_moves() and self.is_check()

    def is_stalemate(self) -> bool:
        """Whether the side to move has no legal move and is not in check."""
        return not self.legal_moves() and not self.is_check()

    def gives_check(self, move: Move) -> bool:
        """Whether a legal move gives check."""
        return self.play_unchecked(move).is_check()

    def captures(self) -> tuple[Move, ...]:
        """The legal moves that capture a piece, including en passant."""
        return tuple(move for move in self.legal_moves() if move.captured is not None)

    def legal_moves(self) -> tuple[Move, ...]:
        """Every legal move, each once; computed at the first call."""
        moves = self._legal_moves
        if moves is None:
            moves = legal_moves(self.placement, self.turn, self.castling, self.en_passant)
            _remember_moves(self, moves)
        return moves

    def find(self, origin: Square, target: Square, promotion: PieceType = 0) -> Move | None:
        """The legal move with these squares and this promotion (0: no promotion), or None.

        Castling is found by the king's squares, or by those of king and rook; if the king can
        make the step without castling (in Chess960), its squares mean the step.
        """
        castling = None
        for move in self.legal_moves():
            if move.origin != origin or move.promotion != promotion:
                continue
            if move.rook_step is None:
                if move.target == target:
                    return move
            elif target in (move.target, move.rook_step[0]):
                castling = move
        return castling

    def play(self, move: Move) -> Position:
        """The position after a legal move. Raises IllegalPlay for any other move."""
        if move not in self.legal_moves():
            raise IllegalPlay(
                f"{move.uci()} is not legal in {self!r}; play one of legal_moves(), "
                "or a move that a notation reads here"
            )
        return self.play_unchecked(move)

    def play_unchecked(self, move: Move) -> Position:
        """The position after a move from ``legal_moves()``, without checking it, for searches.

        After any other move the position may be nonsense.
        """
        # One long function, and no call of the constructor, for speed: every search plays its
        # moves here, and a call in Python costs more than most of the steps.
        turn = self.turn
        kind = move.piece_type
        change = move.change
        own = SIDE[turn]
        sets = [*self.placement]
        clock = self.halfmove_clock + 1
        en_passant = None
        captured = move.captured
        if captured is not None:
            _remove(sets, 7 - own, 1 << captured)
            clock = 0
        sets[kind] ^= change
        sets[own] ^= change
        if kind == PAWN:
            clock = 0
            if move.promotion:
                sets[PAWN] ^= 1 << move.target
                sets[move.promotion] ^= 1 << move.target
            elif move.skipped is not None:
                en_passant = _capturable(tuple(sets), 1 - turn, move.skipped)
        elif kind == KING and move.rook_step is not None:
            rook_change = 1 << move.rook_step[0] ^ 1 << move.rook_step[1]
            sets[ROOK] ^= rook_change
            sets[own] ^= rook_change
        castling = self.castling
        if castling:
            castling &= ~move.touched
            if kind == KING:
                castling &= ~HOME_RANK[turn]
        after = _State()  # quicker than object.__new__, and than a call that takes arguments
        after.placement = tuple(sets)
        after.turn = 1 - turn
        after.castling = castling
        after.en_passant = en_passant
        after.halfmove_clock = clock
        after.fullmove_number = self.fullmove_number + turn
        after._legal_moves = after._hash = None  # noqa: SLF001
        after.__class__ = Position
        return after  # type: ignore[return-value]  # since the line before

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a position is immutable: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a position is immutable: {name} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._state() == other._state()

    def __hash__(self) -> int:
        known = self._hash  # kept, because inference looks positions up all the time
        if known is None:
            known = hash(self.placement)
            _remember_hash(self, known)
        return known

    def __repr__(self) -> str:
        return f"<Position {'/'.join(self._rows())} {'wb'[self.turn]}>"

    def __str__(self) -> str:
        """The board, rank 8 first: letters of pieces, and points for empty squares."""
        return "\n".join(map(" ".join, self._rows()))

    def _rows(self) -> list[str]:
        ranks = (
            [self.piece_at(square_at(file, rank)) for file in range(8)] for rank in range(7, -1, -1)
        )
        return ["".join(piece.letter if piece else "." for piece in rank) for rank in ranks]

    def __reduce__(self) -> tuple[object, ...]:
        return Position, self._state()

    def _state(self) -> tuple[object, ...]:
        return (
            self.placement,
            self.turn,
            self.castling,
            self.en_passant,
            self.halfmove_clock,
            self.fullmove_number,
        )


def _frozen(made: _State) -> Position:
    """The same object as a ``Position``, which cannot be written to."""
    made.__class__ = Position
    return made  # type: ignore[return-value]  # since the line before


def _remove(sets: list[Bitboard], side: int, piece: Bitboard) -> None:
    """Remove the piece on this square from all bitboards; ``side`` is its colour's index."""
    sets[side] ^= piece
    for kind in range(PAWN, KING):
        if sets[kind] & piece:
            sets[kind] ^= piece
            return


def _capturable(placement: Placement, turn: Color, skipped: Square) -> Square | None:
    """The skipped square if a capture en passant on it is legal, else None."""
    if not PAWN_ATTACKS[1 - turn][skipped] & placement[PAWN] & placement[SIDE[turn]]:
        return None  # nearly always: no pawn could capture
    return skipped if en_passant_moves(placement, turn, skipped) else None
