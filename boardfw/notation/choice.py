"""From the legal moves that a text fits to the one that it means, or to the reason why none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from boardfw.notation.errors import AmbiguousMove, IllegalMove, UnreadableMove, quoted
from boardfw.rules.board import Kind
from boardfw.rules.move import Move
from boardfw.rules.position import Position
from boardfw.squares import Square, distance

Writer: TypeAlias = Callable[[Position, Move], str]
"""How a message writes a move."""

_MOST_SHOWN = 8
"""Legal moves that a message names."""


def unreadable(
    position: Position, text: str, write: Writer, why: str = "no move"
) -> UnreadableMove:
    """The text is no move at all; moves that are legal here show what one looks like."""
    return UnreadableMove(f"{quoted(text)}: {why}; {_instead(position, write)}")


def ambiguous(
    position: Position, wanted: str, found: Sequence[Move], write: Writer
) -> AmbiguousMove:
    """The text fits all of these."""
    names = ", ".join(write(position, move) for move in found)
    return AmbiguousMove(f"{wanted}: more than one move fits; write {names}")


def illegal(  # all that the message speaks of
    position: Position,
    wanted: str,
    write: Writer,
    kind: Kind = 0,
    target: Square | None = None,
    reason: str = "",
) -> IllegalMove:
    """The text fits nothing legal; moves of this kind of man, nearest the target, are named."""
    why = f"not legal here{', ' if reason else ''}{reason}"
    return IllegalMove(f"{wanted}: {why}; {_instead(position, write, kind, target)}")


def _instead(
    position: Position, write: Writer, kind: Kind = 0, target: Square | None = None
) -> str:
    """Legal moves, of this kind of man if there are any, those nearest to the target first."""
    moves = [m for m in position.legal_moves() if m.kind == kind] or list(position.legal_moves())
    if not moves:
        return f"there is no legal move: {'checkmate' if position.is_check() else 'stalemate'}"
    if target is not None:
        moves.sort(key=lambda move: distance(move.target, target))
    return f"legal would be {listed(position, moves, write)}"


def listed(position: Position, moves: Sequence[Move], write: Writer) -> str:
    """Moves as a message names them: not too many."""
    names = [write(position, move) for move in moves[:_MOST_SHOWN]]
    return ", ".join(names) + (", ..." if len(moves) > _MOST_SHOWN else "")
