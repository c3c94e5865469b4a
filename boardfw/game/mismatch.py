"""What stands on the board and should not, and why it is no move.

It is told once the hands have been off the board for a moment; the reason, where one piece stands
wrong and the rest is right.
"""

from __future__ import annotations

from dataclasses import dataclass

from boardfw.game.events import (
    Action,
    MismatchCleared,
    Mismatched,
)
from boardfw.inference import REST_US, Interpretation
from boardfw.rules import PAWN, ROOK, Position
from boardfw.rules.board import kept
from boardfw.rules.move import Step as Attempt
from boardfw.rules.move import castling_move
from boardfw.rules.planner import Step, plan
from boardfw.rules.reasons import Reason, why_not
from boardfw.squares import (
    Bitboard,
    Square,
    bitboard_of,
    distance,
    only_in,
    squares_in,
)

UNFINISHED_US = 3_000_000
"""A ply of two pieces, or a slide over a border, may stop half-way for this long before the board
says what is missing."""


@dataclass(frozen=True, slots=True)
class Objection:
    """An attempt that is no legal move. Squares are squares of the game."""

    origin: Square
    target: Square
    reason: Reason
    is_capture: bool = False
    """Whether a piece was taken off the target first, so that its switch reads as it should."""

    @property
    def repair(self) -> tuple[Step, ...]:
        """How to undo a capture: the piece goes home, and the captured one comes from the box."""
        return (self.target, self.origin), (None, self.target)


class Mismatch:
    """Watches whether the board at rest is what the game says."""

    def __init__(self) -> None:
        self.missing: Bitboard = 0
        """Squares of the game that lack a piece; 0 while nothing is wrong."""
        self.extra: Bitboard = 0
        """Squares of the game with a piece that should not stand there; 0 if nothing is wrong."""
        self.repair: tuple[Step, ...] = ()
        """The fewest actions to repair it; extra pieces are taken for the missing ones."""
        self.objection: Objection | None = None
        """Why what stands on the board is no move; None if that cannot be told."""

    def watch(self, t_us: int, read: Interpretation) -> list[Action]:
        """Compare the board with the game; return what is to be said."""
        rest_us = t_us - read.changed_us
        said = self._compare(t_us, rest_us, read)
        self.objection = self._object(rest_us, read)
        return said

    def _compare(self, t_us: int, rest_us: int, read: Interpretation) -> list[Action]:
        if not read.extra:
            return self.clear(t_us)
        if rest_us < (UNFINISHED_US if read.is_half_way else REST_US):
            return []
        if (read.missing, read.extra) == (self.missing, self.extra):
            return []
        self.missing, self.extra = read.missing, read.extra
        wanted = read.game.position.placement
        self.repair = plan(kept(wanted, ~self.missing), wanted, self.extra)
        return [Mismatched(t_us, self.missing, self.extra)]

    def _object(self, rest_us: int, read: Interpretation) -> Objection | None:
        position, moves = read.game.position, read.game.moves
        if self.extra:
            attempt = meant(position, self.missing, self.extra)
        else:
            attempt = read.capture if rest_us >= REST_US else None
        if attempt is None:
            return None
        jumped = moves[-1].skipped if moves else None
        reason = why_not(position, *attempt, jumped)
        return reason and Objection(*attempt, reason, is_capture=not self.extra)

    def clear(self, t_us: int) -> list[Action]:
        """End the mismatch."""
        if not self.extra:
            return []
        self.missing = self.extra = 0
        self.repair = ()
        return [MismatchCleared(t_us)]


def meant(position: Position, missing: Bitboard, extra: Bitboard) -> Attempt | None:
    """The attempt that left and came to these squares, if that is clear; else None."""
    if missing.bit_count() == extra.bit_count() == 1:
        return only_in(missing), only_in(extra)
    return _castling(position, missing, extra) or _en_passant(position, missing, extra)


def _castling(position: Position, missing: Bitboard, extra: Bitboard) -> Attempt | None:
    """King and rook stand as if they had castled: the king's square, and the rook's."""
    king = position.king(position.turn)
    rooks = position.pieces_of(ROOK, position.turn)
    for rook in squares_in(rooks):
        if rook >> 3 == king >> 3:
            steps = castling_move(king, rook).steps()
            left, came = (bitboard_of(squares) for squares in zip(*steps, strict=True))
            if (left & ~came, came & ~left) == (missing, extra):
                return king, rook
    return None


def _en_passant(position: Position, missing: Bitboard, extra: Bitboard) -> Attempt | None:
    """A pawn went diagonally to an empty square, and the pawn beside it was taken off."""
    own = missing & position.pieces_of(PAWN, position.turn)
    taken = missing & position.pieces_of(PAWN, 1 - position.turn)
    if own.bit_count() != 1 or taken.bit_count() != 1 or own | taken != missing:
        return None
    origin, target = only_in(own), only_in(extra)
    is_diagonal = extra.bit_count() == 1 and distance(origin, target) == 1
    return (origin, target) if is_diagonal and extra in (taken << 8, taken >> 8) else None
