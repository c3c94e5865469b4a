"""The hand of whoever sits at the terminal: what it holds, and what a touch of a square means.

A hand knows squares and men and no rules. Squares are those of the board, as it is wired.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from boardfw.ports import Clock
from boardfw.rules import KING, Color, Piece
from boardfw.squares import Square
from hardware.sim.board import SimBoard
from hardware.sim.gesture import HandAction

SWAP_US = 150_000
"""Between a victim's lift and the drop on its square, when one click takes: a quick hand."""


class Held(NamedTuple):
    """A man in the hand and the square it was lifted from; None: out of the box."""

    label: str
    origin: Square | None


class Hand:
    """Holds any number of men; the last one lifted is the next to be put down."""

    def __init__(self, board: SimBoard, clock: Clock) -> None:
        self._board = board
        self._clock = clock
        self.held: list[Held] = []

    @property
    def labels(self) -> list[str]:
        """The men in the hand, the next one to be put down last."""
        return [held.label for held in self.held]

    @property
    def box(self) -> Counter[str]:
        """The men beside the board, by label."""
        return Counter(self._board.box) - Counter(self.labels)

    def touch(self, square: Square, pieces: Mapping[Square, str], to_move: Color | None) -> bool:
        """A click on a square: lift, drop, or take; False: there was nothing to do.

        ``pieces``: who is seen where. ``to_move``: whose turn it is; None: nobody's, so nobody is
        taken.
        """
        if square not in pieces:
            return self.drop(square)
        if self.held and self._takes(pieces[square], to_move):
            return self._capture(square)
        return self.lift(square, pieces)

    def lift(self, square: Square, pieces: Mapping[Square, str]) -> bool:
        """Take the man seen on a square into the hand, beside those it holds."""
        if square not in pieces or self._board.lift(square) is None:
            return False
        # A pawn standing for the man it became is exchanged when it is next in the hand.
        self.held.append(Held(pieces[square], square))
        return True

    def drop(self, square: Square) -> bool:
        """Put the man in the hand on a square."""
        if not self.held:
            return False
        self._board.drop(square, self.held.pop().label)
        return True

    def put_back(self) -> bool:
        """Put the man in the hand where it came from."""
        if not self.held:
            return False
        origin = self.held[-1].origin
        if origin is None:
            return self.into_box()
        return origin not in self._board.pieces and self.drop(origin)

    def into_box(self) -> bool:
        """Put the man in the hand beside the board."""
        return bool(self.held and self.held.pop())

    def take(self, label: str) -> bool:
        """Take a man up who stands beside the board."""
        if not self.box[label]:
            return False
        self.held.append(Held(label, None))
        return True

    def hold(self, labels: list[str]) -> None:
        """Get men handed over by somebody else."""
        self.held += [Held(label, None) for label in labels]

    def turn_over(self) -> bool:
        """Let another man in the hand be the next to be put down."""
        self.held[:0] = [self.held.pop()] if self.held else []
        return len(self.held) > 1

    def _takes(self, label: str, to_move: Color | None) -> bool:
        """Whether the man in the hand takes this one; if not, it is lifted as well.

        Men of one colour do not take each other, and the man in the hand is a victim himself if
        the man touched is to move. Nobody takes a king: two in the hand show the result.
        """
        if Piece.of(label).piece_type == KING:
            return False
        mine, other = Piece.of(self.held[-1].label).color, Piece.of(label).color
        return to_move is not None and mine != other and other != to_move

    def _capture(self, square: Square) -> bool:
        now_us = self._clock.now_us()
        self._board.lift(square)
        arriving = self.held.pop().label
        self._board.schedule([HandAction(now_us + SWAP_US, "drop", square, arriving)])
        return True
