"""UCI moves: ``e2e4``, ``e1g1``, ``e7e8q``."""

from __future__ import annotations

import re

from boardfw.notation.errors import IllegalMove, UnreadableMove
from boardfw.rules.board import LETTERS
from boardfw.rules.move import Move
from boardfw.rules.position import Position
from boardfw.squares import BY_NAME

_FORM = re.compile(r"([a-h][1-8])([a-h][1-8])([nbrq]?)")
_MOST_SHOWN = 8
"""Legal moves that a message names."""


def format_uci(move: Move) -> str:
    """The move in UCI: what ``parse_uci`` reads, so that this room speaks both ways."""
    return move.uci()


def parse_uci(position: Position, text: str) -> Move:
    """The legal move of a UCI text. Raises UnreadableMove or IllegalMove."""
    form = _FORM.fullmatch(text.strip())
    if form is None:
        raise UnreadableMove(f"{text[:20]!a}: no UCI move; write one such as e2e4 or e7e8q")
    origin, target = BY_NAME[form[1]], BY_NAME[form[2]]
    promotion = LETTERS.index(form[3].upper()) if form[3] else 0
    move = position.find(origin, target, promotion)
    if move is None:
        raise IllegalMove(f"{form[0]}: {_reason(position, form[1])}")
    return move


def _reason(position: Position, origin: str) -> str:
    moves = [m.uci() for m in position.legal_moves() if m.origin == BY_NAME[origin]]
    if moves:
        more = ", ..." if len(moves) > _MOST_SHOWN else ""
        return f"not legal here; legal from {origin}: {', '.join(moves[:_MOST_SHOWN])}{more}"
    return f"not legal here; no legal move starts on {origin}"
