"""Mate in one."""

from __future__ import annotations

from boardfw.rules.finding import may_give_check
from boardfw.rules.move import Move
from boardfw.rules.position import Position


def mates(position: Position) -> tuple[Move, ...]:
    """The legal moves that mate (FIDE 5.1.1), in the order of all legal moves."""
    checks = (move for move in position.legal_moves() if may_give_check(position, move))
    return tuple(move for move in checks if _is_mated(position.play_unchecked(move)))


def _is_mated(position: Position) -> bool:
    return position.is_check() and not position.legal_moves()
