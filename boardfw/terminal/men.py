"""The men to be drawn: those who stand there, as far as anybody can know."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from boardfw.game.view import Table, View
from boardfw.inference.line import HALF_TURN
from boardfw.rules import PAWN, Move, Piece
from boardfw.squares import Occupancy, Square, squares_in

UNKNOWN = "?"
"""Somebody stands there, and the game does not say who."""


def men_on_simulated(
    men: Mapping[Square, str], view: View, moves: tuple[Move, ...]
) -> dict[Square, str]:
    """Who stands where. A man promoted by ``moves`` is the one that the game says he is.

    Whoever plays by clicks leaves the pawn standing or puts back a queen who is a knight by then,
    and after a take-back she is a pawn.
    """
    seen = dict(men)
    if view.table is Table.SETUP:
        return seen
    promoted = promoted_men(moves)
    for square, label in men.items():
        piece = view.position.piece_at(square ^ turn_of(view))
        if piece is None or piece.color != Piece.of(label).color:
            continue
        if piece.kind == PAWN or promoted >> (square ^ turn_of(view)) & 1:
            seen[square] = piece.letter
    return seen


@lru_cache(maxsize=4)
def promoted_men(moves: tuple[Move, ...]) -> Occupancy:
    """Where the men stand at the end of a game who began it as pawns and are none."""
    promoted = 0
    for move in moves:
        moved = bool(move.promotion or promoted >> move.origin & 1)
        promoted &= ~move.touched
        if moved:
            promoted |= 1 << move.target
    return promoted


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
