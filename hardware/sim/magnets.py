"""Magnets over reed switches: which switches a piece closes on its path, and when; pure functions.

Also the shapes of the paths that hands move pieces on, through the air and over the board. Hands
reach with a smooth bell of speed: slow, quick, slow. Times are in microseconds.

A switch closes when a magnet comes nearer than its closing distance and opens when it goes farther
than its opening distance, which is larger: the field that keeps the blades together is weaker than
the one that pulls them together. Lengths are in squares (side 1), from the centre of a1 at (0, 0);
``z`` is the height of the piece's foot over the board.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from math import ceil, cos, floor, hypot, pi, sin, sqrt
from random import Random
from typing import NamedTuple

from boardfw.squares import Switch, file_of, rank_of, switch_at

DEPTH = 0.12
"""From the board's surface down to a switch: some 6 mm of wood and felt in squares of 50 mm."""
NEAREST, FARTHEST = 0.30, 0.78
"""Every piece closes a switch from ``NEAREST`` at the latest, and holds none beyond ``FARTHEST``.

So a piece within ``STANDS`` of its centre closes its own switch and no other; without that a board
could not be played on."""
STANDS = 0.23
HYSTERESIS = (1.03, 1.40)
"""Opening distance by closing distance, over all boards: a field falls with the third power of the
distance, and reed switches release at 0.4 to 0.9 of what operates them."""


MOST_FIELD = 0.5
"""Largest share of the field that closes a switch that comes from pieces around its square: with
much more they would close the switch of an empty square, and the board could not be played on."""


class Point(NamedTuple):
    """Where a piece is at a time."""

    t_us: int
    x: float
    y: float
    z: float


class Reach(NamedTuple):
    """How near a magnet must come to close a switch, and how far it must go to open it."""

    closing: float
    opening: float


class Crossing(NamedTuple):
    """A magnet comes into the reach of a switch, or leaves it."""

    t_us: int
    square: Switch
    closed: bool


def reach_of(closing: float, strength: float, hysteresis: float) -> Reach:
    """The reach of a magnet of this strength at a switch that a usual one closes at ``closing``."""
    most = FARTHEST / hysteresis
    near = max(min(closing * strength, most), NEAREST)
    return Reach(near, min(near * hysteresis, FARTHEST))


def beside_others(reach: Reach, others: Iterable[tuple[float, float]]) -> Reach:
    """The reach of a magnet at a switch which others are too far away to close.

    ``others``: of each, its closing distance and how far it is from the switch. Fields fall with
    the third power of the distance and add up, so the switch closes, and opens, farther away.
    """
    field = sum((closing / away) ** 3 for closing, away in others)
    if not field:
        return reach
    hysteresis = reach.opening / reach.closing
    return reach_of(reach.closing, (1 - min(field, MOST_FIELD)) ** (-1 / 3), hysteresis)


def hysteresis_of(random: Random, limits: tuple[float, float]) -> float:
    """One switch's ratio of opening to closing distance."""
    return random.uniform(*limits)


def strength_of(random: Random, spread: float) -> float:
    """One piece's or one switch's strength; 1 is usual."""
    return max(random.gauss(1.0, spread), 0.5)


def off_centre(point: Point, square: Switch) -> float:
    """How far a piece's foot is from the middle of a square, along the board."""
    return sqrt((point.x - file_of(square)) ** 2 + (point.y - rank_of(square)) ** 2)


def square_under(point: Point) -> Switch | None:
    """The square on which a piece stands; None if it is in the air or beside the board."""
    file, rank = round(point.x), round(point.y)
    if point.z > 0 or not (0 <= file < 8 and 0 <= rank < 8):
        return None
    return switch_at(file, rank)


def crossings(
    path: Sequence[Point], reaches: list[Reach], held: Collection[Switch]
) -> list[Crossing]:
    """What the 64 switches notice of a piece on its path, in order of time.

    ``reaches``: of this piece's magnet at each switch; ``held``: the switches that it keeps closed
    when it sets out. Between two points it goes straight and evenly, so the times are exact.
    """
    found: list[Crossing] = []
    holds = set(held)
    for start, end in pairwise(path):
        passed = [
            Crossing(start.t_us + round(share * (end.t_us - start.t_us)), square, closed)
            for square in sorted(holds.union(_near(start, end)))
            for share, closed in _shares(start, end, square, reaches[square], square in holds)
        ]
        for crossing in sorted(passed, key=lambda crossing: crossing.t_us):
            (holds.add if crossing.closed else holds.discard)(crossing.square)
            found.append(crossing)
    return found


def _near(start: Point, end: Point) -> Iterable[Switch]:
    """Squares whose switch a piece could reach between two points."""
    if min(start.z, end.z) > FARTHEST:
        return ()
    files = range(*_span(start.x, end.x))
    return [switch_at(file, rank) for rank in range(*_span(start.y, end.y)) for file in files]


def _span(one: float, other: float) -> tuple[int, int]:
    low, high = min(one, other) - FARTHEST, max(one, other) + FARTHEST
    return max(ceil(low), 0), min(floor(high), 7) + 1


def _shares(
    start: Point, end: Point, square: Switch, reach: Reach, holds: bool
) -> list[tuple[float, bool]]:
    """Shares of the path from start to end at which a switch closes or opens."""
    shares: list[tuple[float, bool]] = []
    at = 0.0
    if not holds:
        inside = _inside(start, end, square, reach.closing)
        if inside is None or inside[1] < 0 or inside[0] > 1:
            return []
        at = max(inside[0], 0.0)
        shares.append((at, True))
    inside = _inside(start, end, square, reach.opening)
    leaves = at if inside is None or inside[0] > 1 else inside[1]
    if leaves < 1:
        shares.append((max(leaves, at), False))
    return shares


def _inside(start: Point, end: Point, square: Switch, radius: float) -> tuple[float, float] | None:
    """Between which shares of the path a piece is within a radius of a switch; None: never."""
    x, y, z = start.x - file_of(square), start.y - rank_of(square), start.z + DEPTH
    dx, dy, dz = end.x - start.x, end.y - start.y, end.z - start.z
    length, along = dx * dx + dy * dy + dz * dz, x * dx + y * dy + z * dz
    beyond = x * x + y * y + z * z - radius * radius
    if length == 0:
        return (0.0, 2.0) if beyond <= 0 else None
    under = along * along - length * beyond
    if under < 0:
        return None
    root = sqrt(under)
    return (-along - root) / length, (-along + root) / length


# ------------------------------------------------------------------------------------------ paths

KNOTS = 14
"""Straight segments of one reach; finer ones move no crossing by a millisecond."""
RISE = 0.35
"""Share of a reach in which a carried piece goes up, and in which it comes down."""
HIGH = 1.3
"""Higher than any switch feels a magnet."""
SWING_US = (8_000, 22_000)
"""A rocking piece's half swing."""
TREMOR_HZ = (4.0, 10.0)
TREMOR_STEP_US = 15_000
"""Segments of a trembling path, short enough for its swings to be seen."""
STILL = 0.02
"""A swing too small to matter."""


class Place(NamedTuple):
    """Where on the board a piece stands or is held over it."""

    x: float
    y: float

    def towards(self, other: Place, share: float) -> Place:
        """A place on the straight line to another one."""
        return Place(self.x + share * (other.x - self.x), self.y + share * (other.y - self.y))

    def beyond(self, origin: Place, by: float) -> Place:
        """A place this much farther on, coming from ``origin``."""
        length = hypot(self.x - origin.x, self.y - origin.y) or 1.0
        x, y = (self.x - origin.x) / length, (self.y - origin.y) / length
        return Place(self.x + by * x, self.y + by * y)

    def to(self, other: Place) -> float:
        """The distance between two places."""
        return hypot(self.x - other.x, self.y - other.y)


def middle(square: Switch) -> Place:
    """The centre of a square."""
    return Place(file_of(square), rank_of(square))


def landing(square: Switch, random: Random, aim: float) -> Place:
    """Where on a square a piece is put by a hand that misses its middle by ``aim``, one sigma.

    No piece is left half off its square.
    """
    return around(middle(square), random, min(abs(random.gauss(0.0, aim)), 0.98 * STANDS))


def around(place: Place, random: Random, by: float) -> Place:
    """A place at this distance, in any direction."""
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
    """Over the board; each stop: (where to, how long it takes, how long the piece rests there)."""
    points: list[Point] = []
    for place, duration_us, rest_us in stops:
        points += reach(start, place, 0.0, 0.0, duration_us)
        points.append(points[-1]._replace(t_us=points[-1].t_us + rest_us))
        start = points[-1]
    return points


def rocking(stands: Point, random: Random, swing: float) -> list[Point]:
    """A piece set down crookedly: its foot swings about where it comes to rest, less and less."""
    angle, t_us = random.uniform(0, 2 * pi), stands.t_us
    points: list[Point] = []
    while abs(swing) > STILL:
        t_us += random.randint(*SWING_US)
        x, y = stands.x + swing * cos(angle), stands.y + swing * sin(angle)
        points.append(Point(t_us, x, y, abs(swing) / 2))
        swing *= -random.uniform(0.3, 0.7)
    return [*points, stands._replace(t_us=t_us + random.randint(*SWING_US))] if points else []
