"""64 reed switches: magnets come and go, contacts follow with bounce and faults, in time.

Nothing runs by itself. Every edge that a magnet will cause is put on a heap with its time, and
reading applies the edges whose time has come; so what is read does not depend on how often.
"""

from __future__ import annotations

import heapq
from random import Random

from boardfw.ports import earliest
from boardfw.squares import NO_SWITCHES, Occupancy, Switch

from .faults import Faults, Glitches, contact_edges, lost_contact


class Switches:
    """Times must not decrease from call to call."""

    def __init__(self, faults: Faults, seed: int, t_us: int = 0) -> None:
        self._faults = faults
        self._random = Random(f"{seed} contacts")
        # A source of its own: when a glitch happens must not depend on what the hands do.
        self._glitches = Glitches(faults, Random(f"{seed} glitches"), t_us)
        self._now_us = t_us
        self._magnets = NO_SWITCHES
        self._closed = NO_SWITCHES
        self._edges: list[tuple[int, int, Switch, bool, int]] = []
        self._order = 0
        # An edge counts only while nothing new has happened to its square since it was planned.
        self._generation = [0] * 64

    def arrange(self, magnets: Occupancy) -> None:
        """These squares have magnets, and all their contacts have long come to rest."""
        self._magnets = self._closed = magnets
        self._edges.clear()

    def contact(self, t_us: int, square: Switch, magnet: bool, slack: float = 0.0) -> None:
        """A switch has a magnet in its reach from now on, or no magnet; often nothing changes.

        ``slack``: how near the edge of its reach the magnet will stand, 0 in the middle to 1.
        """
        self._run_to(t_us)
        if bool(self._magnets >> square & 1) == magnet:
            return
        self._magnets ^= 1 << square
        self._generation[square] += 1
        self._plan(square, contact_edges(self._faults, self._random, magnet))
        if magnet:
            self._plan(square, lost_contact(self._faults, self._random, slack))

    def read(self, t_us: int) -> Occupancy:
        """The switches that read closed at this time."""
        self._run_to(t_us)
        closed = self._closed ^ self._glitches.mask(self._now_us)
        return closed & ~self._faults.stuck_open | self._faults.stuck_closed

    def next_change_us(self) -> int | None:
        """When a reading may next differ from one made now; None: never."""
        self._forget_stale()
        edge_us = self._edges[0][0] if self._edges else None
        return earliest(edge_us, self._glitches.next_change_us(self._now_us))

    def _plan(self, square: Switch, edges: list[tuple[int, bool]]) -> None:
        for offset_us, closed in edges:
            self._order += 1  # edges of one instant happen in the order they were planned
            edge = (self._now_us + offset_us, self._order, square, closed, self._generation[square])
            heapq.heappush(self._edges, edge)

    def _run_to(self, t_us: int) -> None:
        self._now_us = max(self._now_us, t_us)
        while self._edges and self._edges[0][0] <= self._now_us:
            _, _, square, closed, generation = heapq.heappop(self._edges)
            if generation == self._generation[square]:
                self._closed = (
                    self._closed | 1 << square if closed else self._closed & ~(1 << square)
                )

    def _forget_stale(self) -> None:
        while self._edges and self._edges[0][4] != self._generation[self._edges[0][2]]:
            heapq.heappop(self._edges)
