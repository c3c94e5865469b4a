"""The trace: what each switch did lately, in settled edges and short openings.

It only remembers; which hypothesis explains it is decided in ``inference``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from boardfw.sensing.debounce import Blip, Edge
from boardfw.squares import NO_SWITCHES, Occupancy, Switch

EDGES_KEPT = 24
"""Edges remembered for each switch: more than hands make there between two plies."""
REMEMBERED_US = 10_000_000
"""A contact that trembles makes more; what it did before is not forgotten sooner than this."""
BLINK_US = 3_000
"""Shorter openings were seen by one scan only, at the 500 Hz of a usual board."""
STANDINGS_KEPT = 64
"""Edges of the whole board remembered: several plies, and all that goes wrong in between."""


class Trace:
    """Edges and blips of all switches, the newest last; times in microseconds."""

    def __init__(self, t_us: int, occupancy: Occupancy) -> None:
        self.now: Occupancy = occupancy
        """Settled level of every switch."""
        self.t_us = t_us
        """Time of the newest edge."""
        self.moved = NO_SWITCHES
        """Switches that have changed at all."""
        self.unwatched_us = -1
        """Until when the board was last not watched; -1 if it always was."""
        self.clouded_us: int | None = None
        """The start of the first gap in which more than one ply was made, in unknown order and by
        unknown paths; None if there was none."""
        self._stood: deque[tuple[int, Occupancy]] = deque(
            [(t_us, occupancy)], maxlen=STANDINGS_KEPT
        )
        self._edges: tuple[deque[Edge], ...] = tuple(deque(maxlen=EDGES_KEPT) for _ in range(64))
        self._blips: tuple[deque[Blip], ...] = tuple(deque(maxlen=EDGES_KEPT) for _ in range(64))

    def append(self, known: Edge | Blip) -> None:
        """Remember an edge or a blip. Edges of one switch come in the order of time."""
        if isinstance(known, Blip):
            self._blips[known.switch].append(known)
            return
        edges = self._edges[known.switch]
        if len(edges) == EDGES_KEPT and known.t_us - edges[0].t_us < REMEMBERED_US:
            _forget_shortest(edges)
        edges.append(known)
        bit = 1 << known.switch
        self.moved |= bit
        self.now = self.now | bit if known.closed else self.now & ~bit
        self.t_us = max(self.t_us, known.t_us)
        self._stood.append((self.t_us, self.now))

    def stood(self, before_us: int) -> Occupancy:
        """What stood just before an instant, as far back as is remembered."""
        for t_us, standing in reversed(self._stood):
            if t_us < before_us:
                return standing
        return self._stood[0][1]

    def shown(self, since_us: int) -> Occupancy:
        """Every switch that has been closed at some time since an instant, as far as remembered."""
        shown = self.now
        for standing in self._lately(since_us):
            shown |= standing
        return shown

    def changed(self, since_us: int) -> Occupancy:
        """Every switch that has stood otherwise than now since an instant, as far as remembered."""
        changed = NO_SWITCHES
        for standing in self._lately(since_us):
            changed |= standing ^ self.now
        return changed

    def _lately(self, since_us: int) -> Iterator[Occupancy]:
        """What has stood since an instant, the newest first, and what stood then."""
        for t_us, standing in reversed(self._stood):
            yield standing
            if t_us < since_us:
                return

    def edges(self, switch: Switch) -> tuple[Edge, ...]:
        """All edges remembered of a switch, oldest first."""
        return tuple(self._edges[switch])

    def is_closed(self, switch: Switch) -> bool:
        """Whether the switch is closed now, settled."""
        return bool(self.now >> switch & 1)

    def opened(self, switch: Switch, after_us: int, before_us: int) -> int | None:
        """When the switch last opened between two instants; None if it did not."""
        for edge in reversed(self._edges[switch]):
            if edge.t_us <= after_us:
                return None
            if not edge.closed and edge.t_us <= before_us:
                return edge.t_us
        return None

    def openings(self, switch: Switch, after_us: int, least_us: int = 0) -> list[int]:
        """When the switch opened after an instant, the last time first.

        Without the times when it had been closed for less than ``least_us``.
        """
        openings: list[int] = []
        for edge in reversed(self._edges[switch]):
            if edge.closed and openings and openings[-1] - edge.t_us < least_us:
                openings.pop()
            if edge.t_us <= after_us:
                break
            if not edge.closed:
                openings.append(edge.t_us)
        return openings

    def closed(self, switch: Switch, after_us: int) -> int | None:
        """When the switch first closed after an instant, if it did."""
        first_us = None
        for edge in reversed(self._edges[switch]):
            if edge.t_us <= after_us:
                break
            if edge.closed:
                first_us = edge.t_us
        return first_us

    def stayed(self, switch: Switch, after_us: int, least_us: int) -> int | None:
        """When the switch first closed after an instant to stay so for a while, or until now."""
        opened_us = None
        stayed_us = None
        for edge in reversed(self._edges[switch]):
            if edge.t_us <= after_us:
                break
            if not edge.closed:
                opened_us = edge.t_us
            elif opened_us is None or opened_us - edge.t_us >= least_us:
                stayed_us = edge.t_us
        return stayed_us

    def closed_since(self, switch: Switch, t_us: int) -> int | None:
        """Since when the switch had been closed at an instant; None: open, or closed all along."""
        for edge in reversed(self._edges[switch]):
            if edge.t_us <= t_us:
                return edge.t_us if edge.closed else None
        return None

    def opened_next(self, switch: Switch, after_us: int) -> int | None:
        """When the switch first opened after an instant, if it did."""
        opened = self.openings(switch, after_us)
        return opened[-1] if opened else None

    def blinked(self, switch: Switch, after_us: int) -> bool:
        """Whether the closed switch opened for less than it takes to settle, after an instant.

        What lasted for a single scan may as well be a disturbance on the wire.
        """
        return any(
            not blip.closed and blip.t_us > after_us and blip.length_us >= BLINK_US
            for blip in self._blips[switch]
        )

    def left_before(self, switch: Switch, t_us: int) -> bool:
        """Whether the switch last changed before an instant, as far as is remembered."""
        last_us = self.last_edge_us(switch)
        return last_us is None or last_us < t_us

    def last_edge_us(self, switch: Switch) -> int | None:
        """When the switch last changed, if that is remembered."""
        edges = self._edges[switch]
        return edges[-1].t_us if edges else None


def _forget_shortest(edges: deque[Edge]) -> None:
    """Forget the shortest time, but for the first, for which a switch was open or closed."""
    at = min(range(1, len(edges) - 1), key=lambda edge: edges[edge + 1].t_us - edges[edge].t_us)
    del edges[at], edges[at]
