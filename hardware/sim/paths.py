"""Shapes of the ways that men take through the air and over the board; squares and microseconds.

Hands reach with a smooth bell of speed: slow, quick, slow. Everything here is geometry.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, pi, sin
from random import Random
from typing import NamedTuple

from boardfw.squares import Square, file_of, rank_of

from .magnets import STANDS, Point

KNOTS = 14
"""Straight pieces of one reach; finer ones move no crossing by a millisecond."""
RISE = 0.35
"""Share of a reach in which a carried man goes up, and in which he comes down."""
HIGH = 1.3
"""Higher than any switch feels a magnet."""
SWING_US = (8_000, 22_000)
"""A rocking man's half swing."""
TREMOR_HZ = (4.0, 10.0)
TREMOR_STEP_US = 15_000
"""A trembling way is made of pieces so short that its swings are seen."""
STILL = 0.02
"""A swing that nobody sees any more."""


class Place(NamedTuple):
    """Where on the board a man stands or is held over it."""

    x: float
    y: float

    def towards(self, other: Place, share: float) -> Place:
        """A place on the straight line to another one."""
        return Place(self.x + share * (other.x - self.x), self.y + share * (other.y - self.y))

    def beyond(self, origin: Place, by: float) -> Place:
        """So far on, coming from ``origin``."""
        length = hypot(self.x - origin.x, self.y - origin.y) or 1.0
        x, y = (self.x - origin.x) / length, (self.y - origin.y) / length
        return Place(self.x + by * x, self.y + by * y)

    def to(self, other: Place) -> float:
        """The distance between two places."""
        return hypot(self.x - other.x, self.y - other.y)


def middle(square: Square) -> Place:
    """The centre of a square."""
    return Place(file_of(square), rank_of(square))


def landing(square: Square, random: Random, aim: float) -> Place:
    """Where on a square a man is put by a hand that misses its middle by ``aim``, one sigma.

    Nobody leaves a man half off his square.
    """
    return around(middle(square), random, min(abs(random.gauss(0.0, aim)), 0.98 * STANDS))


def around(place: Place, random: Random, by: float) -> Place:
    """A place so far away, in any direction."""
    angle = random.uniform(0, 2 * pi)
    return Place(place.x + by * cos(angle), place.y + by * sin(angle))


def reached(share: float) -> float:
    """How much of a smooth reach is done after a share of its time (least jerk)."""
    return share**3 * (10 - 15 * share + 6 * share**2)


def reach(start: Point, end: Place, end_z: float, height: float, duration_us: int) -> list[Point]:
    """Up to a height, over, and down: the points after ``start``."""
    top = max(height, start.z, end_z)
    points = []
    for n in range(1, KNOTS + 1):
        share = n / KNOTS
        x, y = Place(start.x, start.y).towards(end, reached(share))
        risen, left = min(share / RISE, 1.0), min((1 - share) / RISE, 1.0)
        up = start.z + (top - start.z) * reached(risen)
        down = end_z + (top - end_z) * reached(left)
        points.append(Point(start.t_us + round(share * duration_us), x, y, min(up, down)))
    return points


def trembling(start: Point, points: Sequence[Point], random: Random, size: float) -> list[Point]:
    """The same points with a hand's tremor about them, wherever a switch may feel it.

    Hands tremble 4 to 10 times a second. The last point stays: there the piece stands, or is held.
    """
    turns = 2 * pi * random.uniform(*TREMOR_HZ) / 1_000_000
    phases = random.uniform(0, 2 * pi), random.uniform(0, 2 * pi)
    shaken: list[Point] = []
    for end in points:
        steps = max(1, (end.t_us - start.t_us) // TREMOR_STEP_US)
        for n in range(1, steps + 1):
            share = n / steps
            t_us = start.t_us + round(share * (end.t_us - start.t_us))
            x, y = Place(start.x, start.y).towards(Place(end.x, end.y), share)
            z = start.z + share * (end.z - start.z)
            x += size * sin(turns * t_us + phases[0])
            y += size * sin(turns * t_us + phases[1])
            shaken.append(Point(t_us, x, y, z))
        start = end
    return [*shaken[:-1], points[-1]] if points else []


def slide(start: Point, stops: Sequence[tuple[Place, int, int]]) -> list[Point]:
    """Over the board: (where to, how long the way takes, how long he rests there) each."""
    points: list[Point] = []
    for place, duration_us, rest_us in stops:
        points += reach(start, place, 0.0, 0.0, duration_us)
        points.append(points[-1]._replace(t_us=points[-1].t_us + rest_us))
        start = points[-1]
    return points


def rocking(stands: Point, random: Random, swing: float) -> list[Point]:
    """A man set down crookedly: his foot swings about where it comes to rest, less and less."""
    angle, t_us = random.uniform(0, 2 * pi), stands.t_us
    points: list[Point] = []
    while abs(swing) > STILL:
        t_us += random.randint(*SWING_US)
        x, y = stands.x + swing * cos(angle), stands.y + swing * sin(angle)
        points.append(Point(t_us, x, y, abs(swing) / 2))
        swing *= -random.uniform(0.3, 0.7)
    return [*points, stands._replace(t_us=t_us + random.randint(*SWING_US))] if points else []
