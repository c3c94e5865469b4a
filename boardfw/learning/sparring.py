"""The opponent; for now any legal ply."""

from __future__ import annotations

from boardfw.rules import Move, Position


def reply(position: Position) -> Move:
    """A legal ply."""
    return position.legal_moves()[0]
