"""The men to be drawn: those who stand there, as far as anybody can know."""

from __future__ import annotations

from collections.abc import Mapping

from boardfw.game.table import Table
from boardfw.game.view import View
from boardfw.rules import KING, PAWN, Move, Piece
from boardfw.squares import Occupancy, Square, distance, file_of, occupancy_of, squares_in, turned

UNKNOWN = "?"
"""Somebody stands there, and the game does not say who."""


def men_on_simulated(
    men: Mapping[Square, str], view: View, promoted: Occupancy
) -> dict[Square, str]:
    """Who stands where. A man on a ``promoted`` square is the one that the game says he is.

    Whoever plays by clicks leaves the pawn standing or puts back a queen who is a knight by then,
    and after a take-back she is a pawn.
    """
    seen = dict(men)
    if view.table is Table.SETUP:
        return seen
    for square, label in men.items():
        piece = view.position.piece_at(square ^ turn_of(view))
        man = Piece.of(label)
        if piece is None or piece.color != man.color or man.kind == KING:
            continue
        if piece.kind == PAWN or promoted >> (square ^ turn_of(view)) & 1:
            seen[square] = piece.letter
    return seen


class Promotions:
    """Remembers what it found: the screen asks twenty times a second, the game changes seldom."""

    def __init__(self) -> None:
        self._moves: tuple[Move, ...] = ()
        self._promoted: Occupancy = 0

    def follow(self, moves: tuple[Move, ...]) -> Occupancy:
        """Where promoted men stand at the end of this game; the same tuple is not read again."""
        if moves is not self._moves:
            self._moves, self._promoted = moves, promoted_men(moves)
        return self._promoted


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


def men_as_asked(men: Mapping[Square, str], view: View) -> dict[Square, str]:
    """Who stands where after the next thing that the board asks of those who put the men up."""
    turn, after = turn_of(view), dict(men)
    for square in squares_in(view.surplus):
        after.pop(square ^ turn, None)
    if view.asked and not view.surplus:
        man, squares = view.asked
        after[next(squares_in(squares)) ^ turn] = man.letter
    return after


def is_settled(men: Mapping[Square, str], view: View) -> bool:
    """Whether the board stands, and is known to stand, as the game has it."""
    wired = occupancy_of(square ^ turn_of(view) for square in men)
    return view.standing == view.position.occupied == wired


def visitor(men: Mapping[Square, str], view: View, target: Square) -> Square | None:
    """The man of the side to move, no king, who is nearest to a square, and stands at home."""
    position = view.position
    own = position.men(position.turn) & ~position.placement[KING]
    near = [man ^ turn_of(view) for man in squares_in(own) if man ^ turn_of(view) in men]
    return min(near, key=lambda man: _far(man, target), default=None)


def _far(man: Square, target: Square) -> tuple[int, int]:
    """Of those who are as near, he of the same file."""
    return distance(man, target), abs(file_of(man) - file_of(target))


def turn_of(view: View) -> int:
    """``square ^ turn_of(view)`` leads from switches to squares of the game, and back."""
    return turned(0) if view.turned else 0
