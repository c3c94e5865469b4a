"""Long algebraic: ``e2-e4``, ``Bf1-c4``, ``Nf3xe5``, ``e7-e8=Q``, ``e5xd6e.p.``, ``O-O``."""

from __future__ import annotations

from boardfw.notation.move_text import meant
from boardfw.notation.san import castling_text, check_sign
from boardfw.rules.board import LETTERS, PAWN
from boardfw.rules.move import Move
from boardfw.rules.position import Position
from boardfw.squares import NAMES


def format_long(position: Position, move: Move) -> str:
    """The long form of a legal move, with + or #."""
    return _stem(move) + check_sign(position, move, "+", "#")


def parse_long(position: Position, text: str) -> Move:
    """The legal move that a text means. Raises UnreadableMove, IllegalMove or AmbiguousMove.

    Every spelling that ``parse_san`` reads is read, including short ones; messages name moves in
    the long form.
    """
    return meant(position, text, format_long)


def _stem(move: Move) -> str:
    """The long form without the sign for check or mate; it needs no position to be unambiguous."""
    if move.is_castling:
        return castling_text(move)
    letter = "" if move.piece_type == PAWN else LETTERS[move.piece_type]
    sign = "-" if move.captured is None else "x"
    suffix = "e.p." if move.is_en_passant else ""
    if move.promotion:
        suffix = "=" + LETTERS[move.promotion]
    return f"{letter}{NAMES[move.origin]}{sign}{NAMES[move.target]}{suffix}"
