"""A hand: how it lifts, carries, slides, holds and drops one thing.

Each gesture begins when asked, or later if the thing is still on its way, and returns its end.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from tests.foreign_hands.motion import Motion
from tests.foreign_hands.table import Table, on_board

NUDGE_MM = 4.0
"""Below this height a piece is shoved, not lifted."""
OVER_OTHERS_MM = 60.0
"""Pieces that leave the board or come to it are carried over others, which are 50 to 95 mm high."""
Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Manner:
    """How a hand moves."""

    slowness: float = 1.0
    """Factor on the times of Fitts's law."""
    height_mm: float = 50.0
    """How high it carries; a pawn is 50 mm high, a king 95 (FIDE Handbook C.02)."""
    aim_mm: float = 2.5
    """Standard deviation of where it puts a piece (guess: a few mm, a tenth of a base)."""
    slides: float = 0.1
    """How often it slides a piece along a free line instead of lifting it."""
    tremor_mm: float = 0.3
    tremor_hz: float = 9.0


class Hand:
    """One player's hand, or two: gestures may overlap if they are asked to."""

    def __init__(self, table: Table, manner: Manner, chance: random.Random) -> None:
        self.table = table
        self.manner = manner
        self._chance = chance

    def seconds(self, distance_mm: float) -> float:
        """Return how long a carry takes by Fitts's law (1954), its constants guessed for 2 cm."""
        bits = math.log2(distance_mm / 20 + 1)
        return self.manner.slowness * (0.12 + 0.11 * bits) * self._chance.uniform(0.85, 1.25)

    def aimed(self, spot: Spot, share: float = 1.0) -> Spot:
        """Return where a piece ends that is meant for a spot; what is too far off, people see."""
        spread = self.manner.aim_mm * share
        angle = self._chance.uniform(0, 2 * math.pi)
        off = min(
            spread * math.hypot(self._chance.gauss(0, 1), self._chance.gauss(0, 1)), 2.5 * spread
        )
        return spot[0] + off * math.cos(angle), spot[1] + off * math.sin(angle)

    def carry(
        self,
        thing: int,
        spot: Spot,
        start: float,
        *,
        height_mm: float | None = None,
        end_mm: float = 0.0,
        seconds: float | None = None,
    ) -> float:
        """Lift a thing, carry it to a spot and put it down, or hold it there at ``end_mm``."""
        table, chance = self.table, self._chance
        start = max(start, table.free_s[thing])
        x, y = table.at[thing]
        before = table.z[thing]
        usual = self.manner.height_mm if height_mm is None else height_mm
        if not on_board((x, y)) or not on_board(spot):
            usual = max(usual, OVER_OTHERS_MM)
        high = max(3.0, chance.gauss(usual, 0.2 * usual), end_mm)
        lasts = self.seconds(math.dist((x, y), spot)) if seconds is None else seconds
        end = start + lasts
        return table.move(
            Motion(
                thing,
                plane=((start + 0.15 * lasts, x, y), (end - 0.15 * lasts, *spot)),
                height=(
                    (start, before),
                    (start + 0.4 * lasts, high),
                    (end - 0.4 * lasts, high),
                    (end, end_mm),
                ),
                tremor_mm=self.manner.tremor_mm,
                tremor_hz=self.manner.tremor_hz,
            )
        )

    def lift(self, thing: int, start: float, height_mm: float | None = None) -> float:
        """Lift a thing and hold it in the air about where it was."""
        high = self.manner.height_mm if height_mm is None else height_mm
        spot = self.aimed(self.table.at[thing], 2.0)
        lasts = 0.18 * self.manner.slowness
        return self.carry(thing, spot, start, height_mm=high, end_mm=high, seconds=lasts)

    def hold(self, thing: int, start: float, lasts_s: float) -> float:
        """Hold a lifted thing for so long; every few seconds the hand moves a little."""
        end = start + lasts_s
        now = start
        while now + 4 < end:
            now += self._chance.uniform(1.5, 12)
            spot, high = self.aimed(self.table.at[thing], 3.0), self.table.z[thing]
            now = self.carry(thing, spot, now, height_mm=high, end_mm=high, seconds=0.5)
        return max(now, end)

    def slide(self, thing: int, spot: Spot, start: float, *, slowness: float = 1.3) -> float:
        """Drag a thing over the board in a straight line, hardly lifted."""
        table = self.table
        start = max(start, table.free_s[thing])
        x, y = table.at[thing]
        lasts = slowness * self.seconds(math.dist((x, y), spot))
        scrape = self._chance.uniform(0, 3)
        end = start + lasts
        return table.move(
            Motion(
                thing,
                plane=((start, x, y), (end, *spot)),
                height=(
                    (start, table.z[thing]),
                    (start + 0.2 * lasts, scrape),
                    (end - 0.2 * lasts, scrape),
                    (end, 0.0),
                ),
            )
        )

    def take_off(self, thing: int, start: float) -> float:
        """Take a piece beside the board, to the side of whoever takes it."""
        piece = self.table.things[thing].piece
        spot = self.table.place_beside(piece is not None and not piece.color)
        return self.carry(thing, spot, start)

    def push(self, thing: int, by: Motion, direction: Spot) -> float:
        """Let a thing be pushed along ``direction`` (of length 1) by another that slides in."""
        table = self.table
        x, y = table.at[thing]
        contact = table.contact(thing, by.thing)
        rows: list[tuple[float, ...]] = []
        for step in range(41):
            t_s = by.start + (by.end - by.start) * step / 40
            pose = by.pose(t_s)
            ahead = (pose.x - x) * direction[0] + (pose.y - y) * direction[1] + contact
            if ahead > 0 and math.dist((pose.x, pose.y), (x, y)) < 2 * contact:
                rows.append((t_s, x + ahead * direction[0], y + ahead * direction[1]))
        if not rows:
            return by.end
        first = max(table.free_s[thing], rows[0][0] - 0.01)
        plane = ((first, x, y), *(row for row in rows if row[0] > first))
        return table.move(Motion(thing, plane=plane, height=((first, 0.0),)))

    def adjust(self, thing: int, spot: Spot, start: float, height_mm: float) -> float:
        """Lift a piece a little and put it down in the middle of its square, or shove it there."""
        target = self.aimed(spot, 0.5)
        if height_mm < NUDGE_MM:
            return self.slide(thing, target, start)
        lasts = self.manner.slowness * self._chance.uniform(0.25, 0.8)
        return self.carry(thing, target, start, height_mm=height_mm, seconds=lasts)
