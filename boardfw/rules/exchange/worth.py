"""What the men are worth in pawns, as beginners are taught it; the Laws know no such numbers."""

from __future__ import annotations

from boardfw.rules.board import PAWN, Kind
from boardfw.rules.move import Move
from boardfw.rules.position import Position

WORTH = (0, 1, 3, 3, 5, 9, 0)
"""By kind. The king has no price: he is never taken, and takes only what nobody guards."""


def promotion_worth(kind: Kind) -> int:
    """What a pawn gains in becoming this; 0 if it becomes nothing."""
    return WORTH[kind] - WORTH[PAWN] if kind else 0


def taken_worth(position: Position, move: Move) -> int:
    """What a move wins at once: the man it takes, and what its pawn becomes."""
    victim = None if move.victim is None else position.piece_at(move.victim)
    return (WORTH[victim.kind] if victim else 0) + promotion_worth(move.promotion)
