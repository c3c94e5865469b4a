"""Scans in, touches out: what each switch did once it had settled, and the bursts they came in."""

from __future__ import annotations

from collections import deque
from enum import Enum

from boardfw.inference.reading import constants
from boardfw.inference.reading.constants import cost
from boardfw.inference.reading.faults import LINES
from boardfw.sensing.debounce import Blip, Debounce, Edge
from boardfw.squares import Bitboard, Occupancy, Orientation, Square, Switch, switches_in

MOST_AT_ONCE = 3
"""Hands never open or close so many switches of a line within one scan."""


class Kind(Enum):
    """What a switch did."""

    __hash__ = object.__hash__  # an Enum's own is slow

    LIFT = "opened, and stayed open"
    LAND = "closed, and stayed closed"
    BLINK = "opened for a moment"
    GRAZE = "closed for a moment"


class Touch:
    """One thing that a switch did. It costs ``price`` nats unless something explains it.

    The price falls when the touch turns out to be part of a burst, so it can change.
    """

    __slots__ = ("in_burst", "is_vague", "kind", "length_us", "price", "square", "t_us")

    def __init__(self, t_us: int, square: Square, kind: Kind, length_us: int = 0) -> None:
        self.t_us = t_us
        self.square = square
        self.kind = kind
        self.length_us = length_us
        """How long the moment lasted; 0 for what settled."""
        self.in_burst = self.is_vague = False
        """``is_vague``: it was not seen, in a gap between two scans that ended at ``t_us``."""
        self.price = cost(constants.P_ADJUST) / 2 if self.is_settled else cost(constants.P_BLINK)

    @property
    def is_settled(self) -> bool:
        """True if the switch kept its new level."""
        return self.kind is Kind.LIFT or self.kind is Kind.LAND

    def __repr__(self) -> str:
        return f"<{self.kind.name} {self.square} at {self.t_us / 1e6:.3f} s>"


class Burst:
    """Many switches that changed at about the same time: all their touches share one price."""

    def __init__(self, squares: set[Square]) -> None:
        self._squares = squares
        self._touches: list[Touch] = []

    def spread_to(self, square: Square) -> None:
        """Count one more switch to the burst."""
        if square not in self._squares:
            self._squares.add(square)
            self._share_price()

    def take(self, touch: Touch) -> None:
        """Count a touch to the burst and lower its price."""
        self._touches.append(touch)
        touch.in_burst = True
        self._share_price()

    def _share_price(self) -> None:
        share = cost(constants.P_BURST) / len(self._squares) + cost(constants.P_BURST_TOUCH)
        for touch in self._touches:
            touch.price = min(touch.price, share)


class Touches:
    """Turns scans of a board into touches, in the order in which they become known."""

    def __init__(self, occupancy: Occupancy, orientation: Orientation) -> None:
        self._orientation = orientation
        self._debounce = Debounce(occupancy, constants.SETTLE_US)
        self._raw = occupancy
        self._changes: deque[tuple[int, Square]] = deque()
        self._latest: deque[Touch] = deque()
        self._burst: Burst | None = None
        self._after_gap: dict[Switch, int] = {}
        """The switches that had changed when they were read again, and when that was."""
        self.burst_us: int | None = None
        """When the last change of a burst was; None before the first."""

    @property
    def shown(self) -> Bitboard:
        """The squares whose switch has settled closed."""
        return self._orientation.squares(self._debounce.settled)

    @property
    def deadline_us(self) -> int | None:
        """When a switch will have settled if nothing changes before."""
        return self._debounce.deadline_us

    def read(self, t_us: int, occupancy: Occupancy, since_us: int | None) -> list[Touch]:
        """Take a scan; return what is known by now. ``since_us``: not read since then."""
        known = self._debounce.feed(t_us, occupancy, since_us)
        for switch in switches_in(occupancy ^ self._raw):
            if since_us is not None:
                self._after_gap[switch] = t_us
            else:
                self._note_change(t_us, self._orientation.square(switch))
        self._raw = occupancy
        return self._touches(known)

    def wait(self, t_us: int) -> list[Touch]:
        """Let time pass without a change; return what has become known."""
        return self._touches(self._debounce.advance(t_us))

    def _note_change(self, t_us: int, square: Square) -> None:
        changes = self._changes
        while changes and changes[0][0] < t_us - constants.BURST_US:
            changes.popleft()
        changes.append((t_us, square))
        if len(changes) < constants.BURST_SWITCHES:
            return
        squares = {one for _, one in changes}
        if len(squares) < constants.BURST_SWITCHES:
            return
        if self._burst and self.burst_us is not None and self.burst_us >= changes[0][0]:
            self._burst.spread_to(square)
        else:
            self._burst = Burst(squares)
            for touch in self._latest:
                if touch.t_us >= changes[0][0]:
                    self._burst.take(touch)
        self.burst_us = t_us

    def _touches(self, known: list[Edge | Blip]) -> list[Touch]:
        touches = []
        for one in known:
            square = self._orientation.square(one.switch)
            if isinstance(one, Edge):
                touch = Touch(one.t_us, square, Kind.LAND if one.closed else Kind.LIFT)
            elif one.length_us < constants.GLITCH_US:
                continue
            else:
                kind = Kind.GRAZE if one.closed else Kind.BLINK
                touch = Touch(one.t_us, square, kind, one.length_us)
            if one.switch in self._after_gap:
                self._date_after_gap(touch, self._after_gap.pop(one.switch))
            touches.append(touch)
            self._remember(touch)
        if len(touches) >= MOST_AT_ONCE:
            self._date_after_freeze(touches)
        return touches

    def _date_after_freeze(self, touches: list[Touch]) -> None:
        """Switches of one line that change in one scan were not read before: it was frozen.

        A line that reads all alike after that has failed just then.
        """
        frozen: list[Touch] = []
        for line in LINES:
            changed = [touch for touch in touches if line >> touch.square & 1 and touch.is_settled]
            if len(changed) < MOST_AT_ONCE or len({touch.t_us for touch in changed}) > 1:
                continue
            if self.shown & line in (0, line):
                return
            frozen += changed
        for touch in frozen:
            touch.is_vague = True

    def _date_after_gap(self, touch: Touch, t_us: int) -> None:
        """What happened in a gap may have done so at any time of it, in any order."""
        if touch.t_us <= t_us:
            touch.t_us = t_us
            touch.is_vague = True

    def _remember(self, touch: Touch) -> None:
        latest = self._latest
        while latest and latest[0].t_us < touch.t_us - 2 * constants.BURST_US:
            latest.popleft()
        latest.append(touch)
        if self._burst and self.burst_us is not None and touch.t_us <= self.burst_us:
            self._burst.take(touch)
