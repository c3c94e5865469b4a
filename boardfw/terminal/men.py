"""The men to be drawn: those who stand there, as far as anybody can know."""

from __future__ import annotations

from collections.abc import Mapping

from boardfw.game.view import Table, View
from boardfw.inference.line import HALF_TURN
from boardfw.rules import PAWN, Piece
from boardfw.squares import Square, squares_in

UNKNOWN = "?"
"""Somebody stands there, and the game does not say who."""


def men_on_simulated(men: Mapping[Square, str], view: View) -> dict[Square, str]:
    """Who stands where; a pawn stands for the man that the game says it became, and back."""
    seen = dict(men)
    if view.table is Table.SETUP:
        return seen
    for square, label in men.items():
        piece = view.position.piece_at(square ^ turn_of(view))
        if piece is not None and _exchanged(Piece.of(label), piece):
            seen[square] = piece.letter
    return seen


def men_on_real(view: View) -> dict[Square, str]:
    """Who stands where on a board that feels only that somebody stands there."""
    men = {}
    for square in squares_in(view.standing):
        piece = view.position.piece_at(square)
        men[square ^ turn_of(view)] = UNKNOWN if piece is None else piece.letter
    return men


def turn_of(view: View) -> int:
    """``square ^ turn_of(view)`` leads from switches to squares of the game, and back."""
    return HALF_TURN if view.turned else 0


def _exchanged(one: Piece, other: Piece) -> bool:
    """Whether one of these is a promoted man for whom the other, a pawn, stands."""
    return one.color == other.color and one.kind != other.kind and PAWN in (one.kind, other.kind)
