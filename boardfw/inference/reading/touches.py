"""Settled changes in, touches out: what each switch did, and the bursts they came in."""

from __future__ import annotations

from collections import deque
from enum import Enum
from itertools import pairwise

from boardfw.inference.reading import constants
from boardfw.inference.reading.constants import cost
from boardfw.sensing.debounce import Blip, Edge
from boardfw.squares import Orientation, Square

NEVER_US = -(10**12)
LONG_EMPTY_US = 1_000_000
"""Where a shaken piece stands, the switch was closed a shorter time ago."""


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

    __slots__ = ("in_burst", "kind", "length_us", "price", "square", "t_us")

    def __init__(self, t_us: int, square: Square, kind: Kind, length_us: int = 0) -> None:
        self.t_us = t_us
        self.square = square
        self.kind = kind
        self.length_us = length_us
        """How long the moment lasted; 0 for what settled."""
        self.in_burst = False
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
    """Turns what switches did into touches, in the order in which it becomes known."""

    def __init__(self, orientation: Orientation) -> None:
        self._orientation = orientation
        self._changes: deque[Touch] = deque()
        self._left_us: dict[Square, int] = {}
        """When each square last opened."""
        self._came_us: dict[Square, int] = {}
        """When squares last closed that had been empty for long."""
        self._latest: deque[Touch] = deque()
        self._burst: Burst | None = None
        self.burst_us: int | None = None
        """When the last change of a burst was; None before the first."""

    def touch(self, known: Edge | Blip) -> Touch | None:
        """Return the touch that a switch has felt; None for noise on its wire."""
        square = self._orientation.square(known.switch)
        if isinstance(known, Edge):
            touch = Touch(known.t_us, square, Kind.LAND if known.closed else Kind.LIFT)
        elif known.length_us < constants.GLITCH_US:
            return None
        else:
            kind = Kind.GRAZE if known.closed else Kind.BLINK
            touch = Touch(known.t_us, square, kind, known.length_us)
        self._note_change(touch)
        self._remember(touch)
        return touch

    def _note_change(self, touch: Touch) -> None:
        changes = self._changes
        while changes and changes[0].t_us < touch.t_us - constants.BURST_US:
            changes.popleft()
        if self._is_passed(touch):  # a slide touches many squares, but none on which pieces stand
            self._changes = deque(one for one in changes if one.square != touch.square)
            return
        changes.append(touch)
        if len(changes) < constants.BURST_SWITCHES:
            return
        squares = {one.square for one in changes}
        if len(squares) < constants.BURST_SWITCHES:
            return
        since_us = changes[0].t_us
        if self._burst and self.burst_us is not None and self.burst_us >= since_us:
            self._burst.spread_to(touch.square)
        else:
            self._burst = Burst(squares)
            for one in self._latest:
                if one.t_us >= since_us:
                    self._burst.take(one)
        self.burst_us = touch.t_us

    def _is_passed(self, touch: Touch) -> bool:
        """True if a square that had long been empty has closed and opened again."""
        square, t_us = touch.square, touch.t_us
        was_empty = t_us - self._left_us.get(square, NEVER_US) > LONG_EMPTY_US
        if touch.kind is Kind.LIFT:
            self._left_us[square] = t_us
            return t_us - self._came_us.pop(square, NEVER_US) < constants.BURST_US
        if touch.kind is Kind.LAND and was_empty:
            self._came_us[square] = t_us
        return touch.kind is Kind.GRAZE and was_empty

    def _remember(self, touch: Touch) -> None:
        latest = self._latest
        while latest and latest[0].t_us < touch.t_us - 2 * constants.BURST_US:
            latest.popleft()
        times_us = [one.t_us for one in latest if one.square == touch.square][-2:]
        gaps_us = [after - before for before, after in pairwise([*times_us, touch.t_us])]
        if len(gaps_us) == 2 and max(gaps_us) < constants.REACTION_US:
            # A contact that trembles goes on to do so: what began it has been paid for.
            touch.price = min(touch.price, cost(constants.P_BURST_TOUCH))
        latest.append(touch)
        if self._burst and self.burst_us is not None and touch.t_us <= self.burst_us:
            self._burst.take(touch)
