"""The health of each switch: how it has moved, bounced and let go, and what to make of that.

It counts what the debounce has told apart and keeps little of it: a board is watched for years.
A stuck switch cannot be recognised here, because one that never moves may have had no reason to.
The game knows.
"""

from __future__ import annotations

from collections import deque
from enum import Enum

from boardfw.sensing.debounce import Blip, Edge
from boardfw.sensing.trace import BLINK_US
from boardfw.squares import EVERY_SWITCH, Switch

BOUNCES_KEPT = 32
"""Bounces by which a switch is judged: its present state, not that of last year."""
LONG_BOUNCE_US = 3_000
"""A good reed bounces for 0.5-1 ms; most bounces longer than this come near the time to settle."""
LET_GO_US = 40_000
"""An opening shorter than this is hardly by hand: only the quickest swap of two pieces is."""
FEWEST = 6
"""Bounces, and losses of contact, below which nothing is said: they may be chance."""
SELDOM = 3
"""A switch that loses contact once in more movements than this is good: hands may be quick."""


class Verdict(Enum):
    """What is to be said of a switch, in plain words."""

    GOOD = "good"
    UNTRIED = "never moved yet"
    BOUNCES = "bounces long"
    LOSES_CONTACT = "loses contact"


class SwitchHealth:
    """What one switch has done so far."""

    __slots__ = ("_bounces", "_opened_us", "longest_bounce_us", "lost", "moved")

    def __init__(self) -> None:
        self.moved = 0
        """Settled changes, openings and closings."""
        self.longest_bounce_us = 0
        """The longest bounce ever seen, microseconds."""
        self.lost = 0
        """Openings too short for a hand: the contact was lost under a piece that stood there."""
        self._bounces: deque[int] = deque(maxlen=BOUNCES_KEPT)
        self._opened_us: int | None = None

    @property
    def bounce_us(self) -> int:
        """The usual bounce of late, microseconds: half of them were no longer; 0 if none."""
        return sorted(self._bounces)[len(self._bounces) // 2] if self._bounces else 0

    @property
    def verdict(self) -> Verdict:
        """What the switch itself shows; only the game knows whether it is stuck."""
        if not self.moved:
            return Verdict.UNTRIED
        if self.lost >= max(FEWEST, self.moved / SELDOM):
            return Verdict.LOSES_CONTACT
        if len(self._bounces) >= FEWEST and self.bounce_us >= LONG_BOUNCE_US:
            return Verdict.BOUNCES
        return Verdict.GOOD

    def feed(self, known: Edge | Blip) -> None:
        """Take in what the switch did next."""
        if isinstance(known, Blip):
            self._blip(known)
        elif known.closed:
            self._close(known)
        else:
            self._open(known)

    def _blip(self, blip: Blip) -> None:
        if blip.length_us >= BLINK_US and not blip.closed:
            self.lost += 1

    def _open(self, edge: Edge) -> None:
        self._opened_us = edge.t_us
        self._move(edge)

    def _close(self, edge: Edge) -> None:
        opened_us, self._opened_us = self._opened_us, None
        if opened_us is not None and edge.t_us - opened_us < LET_GO_US:
            self.lost += 1
            self.moved -= 1  # it lost contact: no piece moved
        else:
            self._move(edge)

    def _move(self, edge: Edge) -> None:
        self.moved += 1
        self._bounces.append(edge.bounce_us)
        self.longest_bounce_us = max(self.longest_bounce_us, edge.bounce_us)


class Health:
    """The health of all 64 switches, as the board is wired."""

    def __init__(self) -> None:
        self._switches = tuple(SwitchHealth() for _ in range(64))

    def __getitem__(self, switch: Switch) -> SwitchHealth:
        return self._switches[switch]

    def feed(self, known: Edge | Blip) -> None:
        """Take in what a switch did next; for each switch in the order of time."""
        self._switches[known.switch].feed(known)

    def ailing(self) -> list[Switch]:
        """The switches that move and are not good, in their order."""
        fine = (Verdict.GOOD, Verdict.UNTRIED)
        return [switch for switch in EVERY_SWITCH if self._switches[switch].verdict not in fine]
