"""Counting the leaves of the tree of legal moves, the usual test of a move generator."""

from __future__ import annotations

from boardfw.rules.move import Move
from boardfw.rules.position import Position


def perft(position: Position, depth: int) -> int:
    """Number of lines of ``depth`` legal moves; the last ply is counted, not played.

    Raises ValueError for a depth below 0.
    """
    if depth < 1:
        if depth:
            raise ValueError(f"depth {depth}: a tree has no negative depth; 0 is its root")
        return 1
    moves = position.legal_moves()
    if depth == 1:
        return len(moves)
    return sum(perft(position.play_unchecked(move), depth - 1) for move in moves)


def divide(position: Position, depth: int) -> dict[Move, int]:
    """The same for each first move separately. Raises ValueError for a depth below 1."""
    return {
        move: perft(position.play_unchecked(move), depth - 1) for move in position.legal_moves()
    }
