"""The hand of the player at the terminal: what it holds, and what a click on a square does.

A hand knows squares and pieces but no rules. Squares are those of the board, as it is wired.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from boardfw.ports import Clock
from boardfw.rules import KING, Color, Piece
from boardfw.squares import Switch
from hardware.sim.board import SimBoard
from hardware.sim.gesture import HandAction

SWAP_US = 150_000
"""From the lift of a captured piece to the drop on its square, when one click captures."""


class Held(NamedTuple):
    """A piece in the hand and the square it was lifted from; None: the box."""

    label: str
    origin: Switch | None


class Hand:
    """Holds any number of pieces; the last one lifted is the next to be put down."""

    def __init__(self, board: SimBoard, clock: Clock) -> None:
        self._board = board
        self._clock = clock
        self.held: list[Held] = []

    @property
    def labels(self) -> list[str]:
        """The pieces in the hand; the last one is the next to be put down."""
        return [held.label for held in self.held]

    @property
    def box(self) -> Counter[str]:
        """The pieces beside the board, by label."""
        return Counter(self._board.box) - Counter(self.labels)

    def touch(self, square: Switch, pieces: Mapping[Switch, str], to_move: Color | None) -> bool:
        """A click on a square: lift, drop, or capture; False: there was nothing to do.

        ``pieces``: the pieces as drawn. ``to_move``: the side to move; None: no game is being
        played, so no piece is captured.
        """
        if square not in pieces:
            return self.drop(square)
        if self.held and self._takes(pieces[square], to_move):
            return self._capture(square)
        return self.lift(square, pieces)

    def lift(self, square: Switch, pieces: Mapping[Switch, str]) -> bool:
        """Lift the piece drawn on a square into the hand, in addition to those it holds."""
        if square not in pieces or self._board.lift(square) is None:
            return False
        # A pawn drawn as the piece it became is exchanged for that piece here.
        self.held.append(Held(pieces[square], square))
        return True

    def drop(self, square: Switch) -> bool:
        """Put the piece in the hand on a square."""
        if not self.held:
            return False
        self._board.drop(square, self.held.pop().label)
        return True

    def put_back(self) -> bool:
        """Put the piece in the hand back where it came from."""
        if not self.held:
            return False
        origin = self.held[-1].origin
        if origin is None:
            return self.into_box()
        return origin not in self._board.pieces and self.drop(origin)

    def into_box(self) -> bool:
        """Put the piece in the hand beside the board."""
        return bool(self.held and self.held.pop())

    def take(self, label: str) -> bool:
        """Take a piece from beside the board into the hand."""
        if not self.box[label]:
            return False
        self.held.append(Held(label, None))
        return True

    def hold(self, labels: list[str]) -> None:
        """Receive pieces from other hands."""
        self.held += [Held(label, None) for label in labels]

    def turn_over(self) -> bool:
        """Make another piece in the hand the next to be put down."""
        self.held[:0] = [self.held.pop()] if self.held else []
        return len(self.held) > 1

    def _takes(self, label: str, to_move: Color | None) -> bool:
        """Whether the piece in the hand captures this one; if not, it is lifted as well.

        Pieces of one colour do not capture each other. If the clicked piece's side is to move,
        the piece in the hand is itself being captured. A king is never captured: lifting both
        kings is how a result is shown.
        """
        if Piece.of(label).piece_type == KING:
            return False
        mine, other = Piece.of(self.held[-1].label).color, Piece.of(label).color
        return to_move is not None and mine != other and other != to_move

    def _capture(self, square: Switch) -> bool:
        now_us = self._clock.now_us()
        self._board.lift(square)
        arriving = self.held.pop().label
        self._board.schedule([HandAction(now_us + SWAP_US, "drop", square, arriving)])
        return True
