"""UCI moves: ``e2e4``, ``e7e8q``; castling is ``e1g1``, or ``e1h1``: king takes rook."""

from __future__ import annotations

import re

from boardfw.notation.errors import AmbiguousMove, IllegalMove
from boardfw.notation.move_text import illegal, named_moves, unreadable
from boardfw.rules.board import LETTERS
from boardfw.rules.move import Move
from boardfw.rules.position import Position
from boardfw.squares import BY_NAME, NAMES, Square

_FORM = r"([a-h][1-8])([a-h][1-8])([nbrq]?)"
_NULL = "0000"


def format_uci(move: Move, *, chess960: bool = False) -> str:
    """The move in UCI; with ``chess960`` every castling is written king takes rook."""
    if chess960 and move.rook_step is not None:
        return NAMES[move.origin] + NAMES[move.rook_step[0]]
    return move.uci()


def parse_uci(position: Position, text: str) -> Move:
    """The legal move of a UCI text. Raises UnreadableMove, IllegalMove or AmbiguousMove.

    Castling is read by the king's squares or by those of king and rook; if the king can move to
    the same square in a plain step, that step is meant. Only a missing promotion is ambiguous.
    """
    word = text.strip()
    form = re.fullmatch(_FORM, word)
    if form is None or form[1] == form[2]:
        why = "the null move is not a chess move" if word == _NULL else "not a UCI move"
        raise unreadable(position, text, _written, why)
    origin, target = BY_NAME[form[1]], BY_NAME[form[2]]
    promotion = LETTERS.index(form[3].upper()) if form[3] else 0
    move = position.find(origin, target, promotion)
    if move is None:
        raise _fault(position, form[0], origin, target)
    return move


def _written(_: Position, move: Move) -> str:
    return move.uci()


def _fault(
    position: Position, text: str, origin: Square, target: Square
) -> AmbiguousMove | IllegalMove:
    moves = [move for move in position.legal_moves() if move.origin == origin]
    names = [move.uci() for move in moves if move.target == target and move.promotion]
    if names and len(text) == 4:
        return AmbiguousMove(f"{text}: the promotion is missing; write {', '.join(names)}")
    if not moves:
        reason = f"no legal move starts on {NAMES[origin]}"
        return illegal(position, text, _written, 0, target, reason)
    legal = f"legal from {NAMES[origin]}: {named_moves(position, moves, _written)}"
    return IllegalMove(f"{text}: not legal here; {legal}")
