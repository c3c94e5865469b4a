"""Moves of two men, seen half way or as hands meant them."""

from __future__ import annotations

from boardfw.learning.solo import carried
from boardfw.rules import KING, ROOK, Move, Piece
from boardfw.rules.board import SIDE, Placement, piece_at
from boardfw.rules.move import Step, castling_move
from boardfw.squares import Occupancy, occupancy_of


def is_half_of(move: Move, gone: Occupancy, extra: Occupancy) -> bool:
    """Whether what has left and come is part of a ply of more than one man off the target."""
    steps = move.steps()
    if len(steps) == 1 and not move.is_en_passant:
        return False
    lifted = occupancy_of(origin for origin, _ in steps)
    if move.victim is not None:
        lifted |= 1 << move.victim
    return not gone & ~lifted and not extra & ~occupancy_of(target for _, target in steps)


def parts_of(move: Move) -> tuple[Step, ...]:
    """The steps of a move; a king that is put on its rook's square means castling, too."""
    steps = move.steps()
    return (*steps, (steps[0][0], steps[1][0])) if move.is_castling else steps


def shown_by(men: Placement, step: Step, standing: Occupancy) -> Placement:
    """What stands where after a piece was carried, or, where the board shows that, two pieces."""
    both = _castled(men, step)
    return both if both[SIDE[0]] | both[SIDE[1]] == standing else carried(men, *step)


def _castled(men: Placement, step: Step) -> Placement:
    king, rook = (piece_at(men, square) for square in step)
    is_castling = king is not None and rook == Piece(ROOK, king.color) and king.kind == KING
    for origin, target in castling_move(*step).steps() if is_castling else (step,):
        men = carried(men, origin, target)
    return men
