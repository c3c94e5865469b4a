"""Variants of an exercise: the same with the files, or with the colours, turned round.

They keep learners from knowing an exercise by heart, and cost an author nothing: positions,
answers and squares are mapped, and the rules are the same on the other side of the mirror.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from boardfw.learning.course import Exercise
from boardfw.learning.task import (
    All,
    Find,
    Line,
    May,
    OneMove,
    Place,
    Play,
    Reach,
    Stars,
    Task,
    Touch,
)
from boardfw.rules import Color, Move, Position
from boardfw.rules.move import Step
from boardfw.squares import Bitboard, Square, bitboard_of, squares_in


class Variant(NamedTuple):
    """One way to vary. ``mask``: a piece on ``square`` comes to ``square ^ mask``."""

    name: str
    mask: int
    is_mirror: bool
    """Whether files change places: then the king stands where castling is impossible."""
    swaps: bool
    """Whether White and Black change places."""

    def suits(self, position: Position) -> bool:
        """Whether the position can be varied so: castling is impossible in a mirror."""
        return not (self.is_mirror and position.castling)

    def color(self, color: Color) -> Color:
        """The colour that this one becomes."""
        return 1 - color if self.swaps else color

    def square(self, square: Square) -> Square:
        """The square that this one becomes."""
        return square ^ self.mask

    def squares(self, squares: Bitboard) -> Bitboard:
        """The squares that these become."""
        return bitboard_of(self.square(square) for square in squares_in(squares))

    def move(self, move: Move) -> Move:
        """The move that this one becomes."""
        return Move.of(
            move.piece_type,
            self.square(move.origin),
            self.square(move.target),
            move.promotion,
            self._square(move.captured),
            None if move.rook_step is None else self._step(move.rook_step),
        )

    def position(self, position: Position) -> Position:
        """The position that this one becomes. Raises ValueError where it does not suit."""
        if not self.suits(position):
            raise ValueError(f"{position!r} has rights to castle, which have no mirror image")
        white, *kinds, black = (self.squares(pieces) for pieces in position.placement)
        if self.swaps:
            white, black = black, white
        return Position(
            (white, *kinds, black),
            self.color(position.turn),
            self.squares(position.castling),
            self._square(position.en_passant),
            position.halfmove_clock,
            position.fullmove_number,
        )

    def task(self, task: Task) -> Task:
        """The task that this one becomes."""
        match task:
            case Find(squares):
                return Find(tuple(map(self.square, squares)))
            case Place(guided, proof):
                return Place(guided, tuple(map(self.squares, proof)))
            case Touch(squares, asks, about):
                return Touch(self.squares(squares), asks, self._square(about))
            case Reach(origin, targets):
                return Reach(self.square(origin), self.squares(targets))
            case Stars(squares, par):
                return Stars(self.squares(squares), par)
            case _:
                return self._played(task)

    def _played(self, task: Task) -> Task:
        match task:
            case OneMove(accepted) | All(accepted):
                return replace(task, accepted=self._moves(accepted))
            case May(origin, target, is_allowed):
                return May(self.square(origin), self.square(target), is_allowed)
            case Line(plies, you, claims):
                asked = None if you is None else self.color(you)
                return Line(tuple(map(self._moves, plies)), asked, claims)
            case Play(goal, you, plies):
                return Play(goal, self.color(you), plies)
            case _:
                return task

    def exercise(self, exercise: Exercise) -> Exercise:
        """The exercise that this one becomes; its words stay, and are to be filled in again."""
        return replace(
            exercise,
            position=self.position(exercise.position),
            task=self.task(exercise.task),
            variant=self.name,
            you=self.color(exercise.you),
            jumped=self._square(exercise.jumped),
        )

    def _moves(self, moves: tuple[Move, ...]) -> tuple[Move, ...]:
        return tuple(map(self.move, moves))

    def _square(self, square: Square | None) -> Square | None:
        return None if square is None else self.square(square)

    def _step(self, step: Step) -> Step:
        return self.square(step[0]), self.square(step[1])


VARIANTS = {
    variant.name: variant
    for variant in (
        Variant("mirror", 7, is_mirror=True, swaps=False),
        Variant("colours", 56, is_mirror=False, swaps=True),
        Variant("both", 63, is_mirror=True, swaps=True),
    )
}
"""By the names that lessons write."""
