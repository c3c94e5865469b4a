"""What answers of trainers are kept under: a position, whatever the moves that led to it."""

from __future__ import annotations

from boardfw.notation.fen import format_fen
from boardfw.rules import Position

UNKEPT = ""
"""The key of what is only shown: there is no answer to be kept."""


def card_of(position: Position) -> str:
    """The first four fields of its FEN; en passant only where a capture on the square is legal.

    Positions with equal keys (``Position.key``) have the same card.
    """
    return " ".join(format_fen(position).split(" ")[:4])
