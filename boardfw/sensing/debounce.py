"""Debounce: raw scans in, settled edges out, short openings kept as evidence.

A reed chatters for a few milliseconds when a magnet comes or goes, and interference may flip a
single scan. So a switch has *settled* at a level once it has kept it for ``settle_us``; the edge
carries the instant at which the contact really changed, not the later one at which it was believed.
A change that was undone before it settled is a *blip*: no edge, but a piece swapped by a quick hand
may leave no other sign, so the trace keeps it too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import attrgetter

from boardfw.squares import Occupancy, Switch, switches_in

SETTLE_US = 5_000
"""A reed bounces for 0.5-1 ms, old ones up to 5 ms; a hand's quickest swap opens it for 5 ms."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A switch settled: closed (a piece stands) or open, since ``t_us``."""

    t_us: int
    switch: Switch
    closed: bool
    bounce_us: int = field(default=0, compare=False, repr=False)
    """From the first to the last change before it settled; shows how worn a contact is."""


@dataclass(frozen=True, slots=True)
class Blip:
    """A switch left its settled level at ``t_us`` and was back before it could settle."""

    t_us: int
    switch: Switch
    closed: bool
    """The level that it had for this short while."""
    length_us: int


@dataclass(slots=True)
class _Restless:
    """A switch whose raw level has left the settled one."""

    since_us: int
    """When it first left."""
    changed_us: int
    """When its raw level last changed."""
    seen: bool = True
    """Whether the time between is how long it bounced; else the board was not read meanwhile."""


class Debounce:
    """Turns raw scans into settled edges and blips, in the order in which they become known."""

    def __init__(self, occupancy: Occupancy, settle_us: int = SETTLE_US) -> None:
        self.settled: Occupancy = occupancy
        self._raw = occupancy
        self._settle_us = settle_us
        self._restless: dict[Switch, _Restless] = {}

    def feed(
        self, t_us: int, occupancy: Occupancy, since_us: int | None = None
    ) -> list[Edge | Blip]:
        """Take one raw scan; return what has become known by ``t_us``, oldest first.

        ``since_us``: the board could not be read since then. A piece that is away may have left at
        the beginning of that time, and one that stands may have come at its end: the usual order.
        """
        if since_us is not None:
            return self._feed_after(since_us, t_us, occupancy)
        known = self.advance(t_us)
        for switch in switches_in(occupancy ^ self._raw):
            restless = self._restless.get(switch)
            if restless is None:
                self._restless[switch] = _Restless(t_us, t_us)
            else:
                restless.changed_us = t_us
        self._raw = occupancy
        return known

    def _feed_after(self, since_us: int, t_us: int, occupancy: Occupancy) -> list[Edge | Blip]:
        known = self.advance(since_us)
        for switch in switches_in(occupancy ^ self._raw):
            self._restless.pop(switch, None)  # the end of its chatter was not seen
            if (occupancy ^ self.settled) >> switch & 1:
                left_us = t_us if occupancy >> switch & 1 else since_us
                self._restless[switch] = _Restless(left_us, t_us, seen=False)
        self._raw = occupancy
        return known + self.advance(t_us)

    def advance(self, t_us: int) -> list[Edge | Blip]:
        """Let time pass without a change; return what has settled by ``t_us``, oldest first."""
        if not self._restless:
            return []  # nearly always
        known = [
            self._settle(switch)
            for switch, restless in list(self._restless.items())
            if restless.changed_us + self._settle_us <= t_us
        ]
        return sorted(known, key=attrgetter("t_us"))

    @property
    def deadline_us(self) -> int | None:
        """When something will have settled if nothing changes before; None if all is at rest."""
        if not self._restless:
            return None
        return min(r.changed_us for r in self._restless.values()) + self._settle_us

    def _settle(self, switch: Switch) -> Edge | Blip:
        restless = self._restless.pop(switch)
        closed = bool(self._raw >> switch & 1)
        length_us = restless.changed_us - restless.since_us if restless.seen else 0
        if (self._raw ^ self.settled) >> switch & 1:
            self.settled ^= 1 << switch
            # A piece has left when its switch first opened, and arrived when it last closed.
            t_us = restless.changed_us if closed else restless.since_us
            return Edge(t_us, switch, closed, length_us)
        return Blip(restless.since_us, switch, not closed, length_us)
