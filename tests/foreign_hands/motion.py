"""How one thing moves over the board: a path in millimetres and seconds.

Between two knots of a path, speed follows the minimum-jerk law (Flash and Hogan 1985), which
describes the reaching of healthy arms: it starts and ends at rest and is fastest half way.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from tests.foreign_hands.switches import Pose

Knots: TypeAlias = tuple[tuple[float, ...], ...]
"""Rows of a time in seconds and the values at that time, times growing."""
LYING_RADIUS_MM = 16.0
"""Radius of a base about whose edge a piece falls: of a bishop's, for all."""


def _minimum_jerk(share: float) -> float:
    return share**3 * (10 - 15 * share + 6 * share * share)


def _values(knots: Knots, t_s: float) -> tuple[float, ...]:
    """Return the values of a path at a time; before and after it, those of its ends."""
    if t_s <= knots[0][0]:
        return knots[0][1:]
    for before, after in pairwise(knots):
        if t_s < after[0]:
            share = _minimum_jerk((t_s - before[0]) / (after[0] - before[0]))
            return tuple(a + share * (b - a) for a, b in zip(before[1:], after[1:], strict=True))
    return knots[-1][1:]


@dataclass(frozen=True, slots=True)
class Motion:
    """One thing on its way. Hands round off their corners, so plane and height are independent."""

    thing: int
    plane: Knots
    """Rows of time, x and y."""
    height: Knots
    """Rows of time and z."""
    tilt: Knots = ((0.0, 0.0),)
    """Rows of time and the angle from upright, radians."""
    heading: float = 0.0
    """Direction in which a tilted piece falls, radians from the x axis."""
    tremor_mm: float = 0.0
    """How far a hand that holds the piece trembles."""
    tremor_hz: float = 9.0
    """Healthy hands tremble with 8 to 12 Hz, ill ones with 4 to 6 Hz."""

    @property
    def start(self) -> float:
        """Time at which it begins, seconds."""
        return min(self.plane[0][0], self.height[0][0])

    @property
    def end(self) -> float:
        """Time from which it rests, seconds."""
        tilted = self.tilt[-1][0] if len(self.tilt) > 1 else 0.0
        return max(self.plane[-1][0], self.height[-1][0], tilted)

    def pose(self, t_s: float) -> Pose:
        """Return where its magnet is. A falling piece turns about the edge of its base."""
        x, y = _values(self.plane, t_s)
        (z,) = _values(self.height, t_s)
        (angle,) = _values(self.tilt, t_s)
        if self.tremor_mm and self.start < t_s < self.end:
            shake = self.tremor_mm * math.sin(2 * math.pi * self.tremor_hz * t_s)
            x, y, z = x + 0.5 * shake, y - 0.3 * shake, max(0.0, z + shake)
        if not angle:
            return Pose(x, y, z)
        ahead = LYING_RADIUS_MM * (1 - math.cos(angle))
        cos, sin = math.cos(self.heading), math.sin(self.heading)
        return Pose(
            x + ahead * cos,
            y + ahead * sin,
            z + LYING_RADIUS_MM * math.sin(angle),
            math.sin(angle) * cos,
            math.sin(angle) * sin,
            math.cos(angle),
        )
