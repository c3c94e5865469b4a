"""The magnets of all pieces, standing and on their way, and which switches they keep closed.

A switch is closed while any magnet is in its reach, so magnets are counted: a piece passing over
an occupied square changes nothing there. Pieces around an empty square help a moving piece close
its switch. Crossings are computed when a piece sets out and happen in time; the board asks for the
next one.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import hypot
from random import Random

from boardfw.squares import EVERY_SWITCH, Switch, distance, file_of, occupancy_of, rank_of
from hardware.sim.gesture import PiecePath

from .faults import Faults
from .magnets import (
    DEPTH,
    Crossing,
    Point,
    Reach,
    beside_others,
    crossings,
    hysteresis_of,
    off_centre,
    reach_of,
    square_under,
    strength_of,
)
from .switches import Switches

AROUND: list[list[tuple[Switch, float]]] = [
    [
        (beside, hypot(file_of(beside) - file_of(square), rank_of(beside) - rank_of(square), DEPTH))
        for beside in EVERY_SWITCH
        if distance(beside, square) == 1
    ]
    for square in EVERY_SWITCH
]
"""The squares around each, and how far a piece that stands there is from its switch."""


@dataclass(eq=False, slots=True)
class Magnet:
    """One piece's magnet; ``holds``: the switches that it is in reach of."""

    reaches: list[Reach]
    holds: set[Switch] = field(default_factory=set)
    bound: Switch | None = None  # where its path ends, if it ends on the board
    slack: float = 0.0  # how far off the middle it stands there, in closing distances
    # Crossings count only while the piece is still on the path for which they were computed.
    journey: int = 0


class Field:
    """Magnets by the square of their piece, and in the air; times must not decrease."""

    def __init__(self, switches: Switches, faults: Faults, seed: int) -> None:
        self._switches = switches
        self._faults = faults
        self._random = Random(f"{seed} magnets")
        self._switch_strengths = [strength_of(self._random, faults.spread) for _ in range(64)]
        self._hystereses = [hysteresis_of(self._random, faults.hysteresis) for _ in range(64)]
        self._standing: dict[Switch, Magnet] = {}
        self._in_the_air: dict[str, list[Magnet]] = {}
        self._counts = [0] * 64
        self._coming: list[tuple[int, int, Magnet, int, Crossing]] = []
        self._order = 0

    def arrange(self, squares: Iterable[Switch]) -> None:
        """Pieces have always stood in the middle of these squares, and nowhere else."""
        self._standing = {square: self._magnet() for square in sorted(squares)}
        for square, magnet in self._standing.items():
            magnet.holds.add(square)
        self._in_the_air.clear()
        self._coming.clear()
        self._counts = [int(square in self._standing) for square in EVERY_SWITCH]
        self._switches.arrange(occupancy_of(self._standing))

    def lift(self, t_us: int, square: Switch, label: str, path: PiecePath | None) -> None:
        """A piece leaves its square on this path; None: its magnet is gone at once."""
        magnet = self._standing.pop(square)
        self._in_the_air.setdefault(label, []).append(magnet)
        self._send(t_us, magnet, path)

    def drop(self, t_us: int, square: Switch, label: str, path: PiecePath | None) -> None:
        """A piece stands on a square: it has come (empty path), comes on this path, or is there
        at once (None).
        """
        pushed_off = self._standing.get(square)
        magnet = self._standing[square] = self._arriving(label, square if path == () else None)
        if path != ():
            self._send(t_us, magnet, path)
        if path is None:
            self._change(magnet, Crossing(t_us, square, closed=True))
        if pushed_off is not None:
            self._send(t_us, pushed_off, None)

    def settle(self, t_us: int) -> None:
        """All hands are gone: standing pieces are in the middle, pieces in the air are away."""
        self._coming.clear()
        for magnets in self._in_the_air.values():
            for magnet in magnets:
                self._send(t_us, magnet, None)
        for square, magnet in self._standing.items():
            self._let_go(t_us, magnet, magnet.holds - {square})
            if square not in magnet.holds:
                self._change(magnet, Crossing(t_us, square, closed=True))

    def next_us(self) -> int | None:
        """When the next crossing happens."""
        return self._coming[0][0] if self._coming else None

    def cross(self) -> None:
        """Let the next crossing happen."""
        _, _, magnet, journey, crossing = heapq.heappop(self._coming)
        if journey == magnet.journey:
            self._change(magnet, crossing, magnet.slack)

    def _arriving(self, label: str, square: Switch | None) -> Magnet:
        """The magnet in the air bound for this square (None: for no square), or a new one."""
        flying = self._in_the_air.setdefault(label, [])
        bound = [magnet for magnet in flying if magnet.bound == square] or [self._magnet()]
        if bound[-1] in flying:
            flying.remove(bound[-1])
        return bound[-1]

    def _send(self, t_us: int, magnet: Magnet, path: PiecePath | None) -> None:
        magnet.journey += 1
        magnet.bound = None
        if path is None:
            self._let_go(t_us, magnet, set(magnet.holds))
            return
        self._direct(magnet, path[-1])
        reaches = [self._beside_others(magnet, square) for square in EVERY_SWITCH]
        for crossing in crossings(path, reaches, magnet.holds):
            self._order += 1
            due = (crossing.t_us, self._order, magnet, magnet.journey, crossing)
            heapq.heappush(self._coming, due)

    def _beside_others(self, magnet: Magnet, square: Switch) -> Reach:
        """The reach of a magnet at a switch, with the pieces around it that do not close it.

        What others do while the piece is on its way changes nothing.
        """
        around = (
            (other.reaches[square].closing, away)
            for beside, away in AROUND[square]
            if (other := self._standing.get(beside))
            and other is not magnet
            and square not in other.holds
        )
        return beside_others(magnet.reaches[square], around)

    def _direct(self, magnet: Magnet, end: Point) -> None:
        """Note where a piece will stand, and how far off its middle."""
        square = square_under(end)
        if square is not None:
            magnet.bound = square
            magnet.slack = off_centre(end, square) / magnet.reaches[square].closing

    def _let_go(self, t_us: int, magnet: Magnet, squares: set[Switch]) -> None:
        for square in sorted(squares):
            self._change(magnet, Crossing(t_us, square, closed=False))

    def _change(self, magnet: Magnet, crossing: Crossing, slack: float = 0.0) -> None:
        t_us, square, closed = crossing
        self._counts[square] += 1 if closed else -1
        (magnet.holds.add if closed else magnet.holds.discard)(square)
        slack = slack if square == magnet.bound else 0.0
        self._switches.contact(t_us, square, magnet=self._counts[square] > 0, slack=slack)

    def _magnet(self) -> Magnet:
        strength = strength_of(self._random, self._faults.spread)
        return Magnet(
            [
                reach_of(self._faults.reach, strength * own, hysteresis)
                for own, hysteresis in zip(self._switch_strengths, self._hystereses, strict=True)
            ]
        )
