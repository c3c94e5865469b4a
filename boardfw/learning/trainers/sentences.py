"""What trainers say, as sentences that are heard in one breath."""

from __future__ import annotations

from boardfw.notation.san import format_san, move_number
from boardfw.rules import Move, Position
from boardfw.rules.board import COLOR_NAMES, KIND_NAMES
from boardfw.squares import NAMES

LONGEST = 140
"""Characters that are said at once."""


def sentences(*parts: str, at_most: int = LONGEST) -> str:
    """The parts in one text; what an author wrote too long ends in dots."""
    text = " ".join(filter(None, parts))
    if len(text) <= at_most:
        return text
    kept = text[: at_most - 1]
    return (kept.rpartition(" ")[0] or kept) + "…"


def numbered(position: Position, move: Move) -> str:
    """``3.Bb5`` or ``3...a6``."""
    return move_number(position) + format_san(position, move)


def plays(position: Position, move: Move) -> str:
    """``Black plays 3...a6``."""
    return f"{COLOR_NAMES[position.turn]} plays {numbered(position, move)}"


def nudge(move: Move) -> str:
    """Who moves, and no more."""
    return f"Move a {KIND_NAMES[move.kind]}." if not move.is_castling else "Think of the king."


def narrower(move: Move) -> str:
    """Whence, but not whither."""
    return f"The {KIND_NAMES[move.kind]} on {NAMES[move.origin]} moves."
