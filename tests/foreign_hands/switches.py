"""Magnets and the switches that feel them, in continuous space.

Lengths are millimetres, fields milliteslas. The centre of a1 is the origin; x grows with the files,
y with the ranks, z upwards from the board. A magnet is a dipole in the base of a piece. A switch
feels the field along its own axis, closes above its pull-in and opens below its drop-out.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

PITCH_MM = 55.0
"""Side of a square. FIDE Handbook C.02 (Standards of Chess Equipment): 5 to 6 cm."""
REACH_MM = 95.0
"""Beyond this distance a magnet adds less than an eighth of a drop-out, on every board below."""


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a magnet is, and the unit vector along which it is magnetised."""

    x: float
    y: float
    z: float
    ux: float = 0.0
    uy: float = 0.0
    uz: float = 1.0


@dataclass(frozen=True, slots=True)
class Board:
    """How the switches and the magnets of a board are built."""

    name: str
    moment: float
    """Strength of a piece's magnet, mT mm³: remanence times volume / 4 pi."""
    depth_mm: float
    """From the middle of the magnet of a standing piece down to the switch."""
    pull_in_mt: float
    drop_out_mt: float
    lies: bool = False
    """True where the switch lies along the x axis; else it feels the vertical field."""
    offset_mm: float = 0.0
    """How far the switch is from the centre of its square, towards the a-file."""
    spread: float = 0.08
    """Standard deviation of the switches' sensitivity, as a share."""
    bounce_ms: float = 1.0
    """Longest time for which a contact is unsteady after it closes."""
    scan_ms: float = 2.0


def disc(diameter_mm: float, height_mm: float) -> float:
    """Return the moment of a neodymium disc of grade N35, whose remanence is about 1200 mT."""
    volume = math.pi * (diameter_mm / 2) ** 2 * height_mm
    return 1200.0 * volume / (4 * math.pi)


# Pull-in: small reeds close at 10 to 20 ampere turns, which is about 0.8 to 1.6 mT in a coil of
# their length. Drop-out: 0.5 to 0.8 of it by makers' tables; 0.6 is a guess in between. Depths are
# guesses: board, felt, half the magnet, and half the glass of a reed that stands upright.
# Bounce: 0.2 to 1 ms by data sheets of Standex and PIC.
UPRIGHT = Board("upright reeds", disc(10, 3), 18.0, 0.82, 0.49)
STRONG = Board("upright reeds, strong magnets", disc(15, 3), 25.0, 0.82, 0.49, spread=0.04)
LYING = Board("lying reeds", disc(10, 3), 14.0, 1.2, 0.72, lies=True, offset_mm=7.0)
WORN = Board("worn upright reeds", disc(10, 3), 18.0, 0.82, 0.49, spread=0.15, bounce_ms=6.0)
# Operate point 4.8 mT: DRV5032FA, which TI gives as |B| > 4.8 mT. It releases at 0.5 mT at the
# lowest; 3 mT is a guess for a common one. A magnetic switch without contacts does not bounce.
HALL = Board("halls", disc(15, 4), 14.0, 4.8, 3.0, bounce_ms=0.0, scan_ms=20.0)


def near(x: float, y: float) -> Iterator[int]:
    """Yield the squares, a1 = 0 and h8 = 63, whose switches may feel a magnet above x, y."""
    files = range(
        max(0, math.ceil((x - REACH_MM) / PITCH_MM)),
        min(7, math.floor((x + REACH_MM) / PITCH_MM)) + 1,
    )
    for rank in range(
        max(0, math.ceil((y - REACH_MM) / PITCH_MM)),
        min(7, math.floor((y + REACH_MM) / PITCH_MM)) + 1,
    ):
        for file in files:
            yield 8 * rank + file


class Switches:
    """The 64 switches of one board: what they feel, and what a scan reads."""

    def __init__(self, board: Board, chance: random.Random) -> None:
        self._board = board
        self._chance = chance
        self._gain = [max(0.6, chance.gauss(1.0, board.spread)) for _ in range(64)]
        self._closed = [False] * 64
        self._unsteady_until = [-1.0] * 64
        self._resting: list[dict[int, float]] = [{} for _ in range(64)]

    def field(self, square: int, pose: Pose, strength: float = 1.0) -> float:
        """Return the field of a magnet along the axis of a switch, mT."""
        board = self._board
        rank, file = divmod(square, 8)
        rx = file * PITCH_MM - board.offset_mm - pose.x
        ry = rank * PITCH_MM - pose.y
        rz = -board.depth_mm - pose.z
        r2 = rx * rx + ry * ry + rz * rz
        along = pose.ux * rx + pose.uy * ry + pose.uz * rz
        axis, own = (rx, pose.ux) if board.lies else (rz, pose.uz)
        return strength * board.moment * (3 * along * axis - own * r2) / (r2 * r2 * math.sqrt(r2))

    def place(self, thing: int, pose: Pose, strength: float = 1.0) -> set[int]:
        """Note a magnet that stays where it is; return the squares that it may change."""
        squares = set(near(pose.x, pose.y)) if pose.z < REACH_MM else set()
        for square in squares:
            self._resting[square][thing] = self.field(square, pose, strength)
        return squares

    def lift(self, thing: int) -> set[int]:
        """Forget a magnet that begins to move; return the squares that it may change."""
        return {s for s in range(64) if self._resting[s].pop(thing, None) is not None}

    def update(
        self, t_s: float, squares: Iterable[int], moving: list[tuple[Pose, float]]
    ) -> set[int]:
        """Let these switches follow their fields; return those whose contacts are unsteady."""
        board, unsteady = self._board, set()
        for square in squares:
            felt = sum(self._resting[square].values())
            felt += sum(self.field(square, pose, strength) for pose, strength in moving)
            felt = abs(felt) * self._gain[square]
            was = self._closed[square]
            now = felt >= (board.drop_out_mt if was else board.pull_in_mt)
            if now != was:
                self._closed[square] = now
                longest = board.bounce_ms / 1000
                self._unsteady_until[square] = t_s + self._chance.uniform(0.2, 1) * longest
            if self._unsteady_until[square] > t_s:
                unsteady.add(square)
        return unsteady

    def read(self, unsteady: set[int]) -> int:
        """Return what a scan reads: bit 0 = a1. An unsteady contact reads either way."""
        occupancy = sum(1 << square for square in range(64) if self._closed[square])
        for square in sorted(unsteady):
            if self._chance.random() < 0.5:
                occupancy ^= 1 << square
        return occupancy
