"""The table: which things lie on it, where each one is, and how they were moved.

Gestures are planned one after the other, but may overlap in time: each thing keeps the time from
which it rests, and nobody can take it before.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

import chess

from tests.foreign_hands.motion import Motion
from tests.foreign_hands.switches import PITCH_MM, Pose


def centre(square: int) -> tuple[float, float]:
    """Return the centre of a square, x and y in mm."""
    return PITCH_MM * chess.square_file(square), PITCH_MM * chess.square_rank(square)


def on_board(spot: tuple[float, float]) -> bool:
    """Return True if a spot is on one of the squares."""
    return all(-PITCH_MM / 2 < value < 7.5 * PITCH_MM for value in spot)


def beside(colour: chess.Color, number: int) -> tuple[float, float]:
    """Return a place off the board where a player keeps a captured piece, x and y in mm."""
    row, column = divmod(number, 8)
    return (-130.0 - 45 * row if colour else 515.0 + 45 * row), 45.0 * column


HEIGHT_MM = {
    chess.KING: 95.0,
    chess.QUEEN: 85.0,
    chess.BISHOP: 70.0,
    chess.KNIGHT: 60.0,
    chess.ROOK: 55.0,
    chess.PAWN: 50.0,
}
"""FIDE Handbook C.02, 2.3."""


def base_radius(piece: chess.Piece) -> float:
    """Return half the width of a piece's base, mm: it is 40 to 50 % of the height (C.02, 2.4)."""
    return 0.45 * HEIGHT_MM[piece.piece_type] / 2


@dataclass(frozen=True, slots=True)
class Thing:
    """A piece, or anything else with a magnet in it."""

    piece: chess.Piece | None
    """None: no piece, such as a ring."""
    strength: float = 1.0
    """Of its magnet, as a share of a usual piece's."""


class Table:
    """Everything with a magnet, and all its motions."""

    def __init__(self, board: chess.Board, chance: random.Random, aim_mm: float) -> None:
        self.things: list[Thing] = []
        self.first: list[Pose] = []
        """Where each thing is before the first motion."""
        self.on: dict[chess.Square, int] = {}
        """The thing that belongs on a square, as the game is planned so far."""
        self.at: list[tuple[float, float]] = []
        """Where each thing rests after all motions, x and y in mm."""
        self.z: list[float] = []
        """How high it is then, mm; a lifted piece rests in the air."""
        self.free_s: list[float] = []
        """The time from which each thing rests."""
        self.motions: list[Motion] = []
        self._off = 0
        for square, piece in sorted(board.piece_map().items()):
            x, y = centre(square)
            spot = (x + chance.gauss(0, aim_mm), y + chance.gauss(0, aim_mm))
            # Magnets of one batch differ by a few per cent (guess).
            self.on[square] = self.add(Thing(piece, chance.gauss(1.0, 0.03)), spot)

    def add(self, thing: Thing, spot: tuple[float, float], z: float = 0.0) -> int:
        """Bring one more thing, which is there from the start; return its number."""
        self.things.append(thing)
        self.at.append(spot)
        self.z.append(z)
        self.free_s.append(0.0)
        self.first.append(Pose(*spot, z))
        return len(self.things) - 1

    def spare(self, piece: chess.Piece) -> int:
        """Return a piece from beside the board, captured or from the box."""
        for number in self.off_board(lambda thing: thing.piece == piece):
            return number
        return self.add(Thing(piece), self.place_beside(piece.color))

    def off_board(self, wanted: Callable[[Thing], bool]) -> list[int]:
        """Return the wanted things that stand on no square."""
        here = set(self.on.values())
        return [n for n, thing in enumerate(self.things) if n not in here and wanted(thing)]

    def contact(self, one: int, other: int) -> float:
        """Return how far apart the centres of two pieces are that touch, mm."""
        pieces = [self.things[n].piece for n in (one, other)]
        return sum(base_radius(piece) for piece in pieces if piece)

    def place_beside(self, colour: chess.Color) -> tuple[float, float]:
        """Return a free place beside the board."""
        self._off += 1
        return beside(colour, self._off % 32)

    def leaves_s(self, number: int, distance_mm: float) -> float:
        """Return when a thing, on its last motion, is so far from where that began; or its end."""
        motion = next(m for m in reversed(self.motions) if m.thing == number)
        first = motion.pose(motion.start)
        for step in range(1, 101):
            t_s = motion.start + (motion.end - motion.start) * step / 100
            pose = motion.pose(t_s)
            if math.dist((first.x, first.y), (pose.x, pose.y)) >= distance_mm:
                return t_s
        return motion.end

    def move(self, motion: Motion) -> float:
        """Carry a motion out; return when the thing rests. It must not be on its way already."""
        number = motion.thing
        if motion.start < self.free_s[number]:
            raise ValueError(f"thing {number} is taken at {motion.start} before it rests")
        _, x, y = motion.plane[-1]
        self.at[number], self.z[number] = (x, y), motion.height[-1][1]
        self.free_s[number] = motion.end
        self.motions.append(motion)
        return motion.end
