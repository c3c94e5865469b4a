"""How well each switch follows the pieces: bounce, closing time, lost contact, neighbours.

Samples of all inputs become touches: what the inputs settled to, and how they came there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from statistics import median

from boardfw.squares import NAMES, Switch
from hardware.calibration.inputs import Inputs, inputs_in

STABLE_US = 100_000
"""How long all inputs must keep still. A contact is at rest after 10 ms, but the piece still moves
in its square; and no hand takes it to the next square as quickly."""


@dataclass(frozen=True, slots=True)
class Touch:
    """The inputs have come to rest."""

    before: Inputs
    """What was closed when they last rested."""
    closed: Inputs
    changes: tuple[tuple[int, Inputs], ...]
    """(us, what was closed from then on), oldest first; never empty."""

    @property
    def new(self) -> Inputs:
        """What closed and was open before."""
        return self.closed & ~self.before


class Settling:
    """Times must not decrease. The first sample counts as a change."""

    def __init__(self) -> None:
        self._rested: Inputs = 0
        self._now: Inputs | None = None
        self._changes: list[tuple[int, Inputs]] = []

    @property
    def deadline_us(self) -> int | None:
        """When the inputs will have come to rest if nothing changes; None: they are at rest."""
        return self._changes[-1][0] + STABLE_US if self._changes else None

    def feed(self, t_us: int, closed: Inputs) -> Touch | None:
        """One sample."""
        if closed != self._now:
            self._now = closed
            self._changes.append((t_us, closed))
        if self.deadline_us is None or t_us < self.deadline_us:
            return None
        touch = Touch(self._rested, closed, tuple(self._changes))
        self._rested = closed
        self._changes.clear()
        return touch


WORN_US = 5_000
"""How long the firmware waits for a contact to come to rest; good reeds bounce for 0.5-1 ms."""
GLITCH_US = 3_000
"""A shorter opening is a disturbance on the wire, or a scan that read wrong."""


@dataclass(slots=True)
class Measured:
    """What is known of one switch."""

    bounces_us: list[int] = field(default_factory=list)
    """Of each closing, the time from its first contact until it stayed closed."""
    lost: int = 0
    """How often it opened by itself under a piece that stood."""


@dataclass(slots=True)
class Measures:
    """By input, and by pairs of inputs that one piece closed together."""

    switches: dict[int, Measured] = field(default_factory=dict)
    together: Counter[tuple[int, int]] = field(default_factory=Counter)

    def feed(self, touch: Touch) -> None:
        """Take what the pieces did next."""
        for number in inputs_in(touch.new):
            switch = self.switches.setdefault(number, Measured())
            switch.bounces_us.append(_bounce_us(touch, number))
        self.together.update(combinations(inputs_in(touch.new), 2))
        for number in inputs_in(touch.before & touch.closed):
            self.switches.setdefault(number, Measured()).lost += _openings(touch, number)

    def troubles(self, owner: Mapping[int, Switch]) -> Iterator[tuple[Switch, str]]:
        """Switches that will make trouble, each with a line that says why and what to do."""
        for number, square in sorted(owner.items(), key=lambda item: item[1]):
            yield from _troubles(square, self.switches.get(number, Measured()))
        for pair, times in sorted(self.together.items()):
            if pair[0] in owner and pair[1] in owner:
                yield _neighbours(owner[pair[0]], owner[pair[1]], times)


def _troubles(square: Switch, switch: Measured) -> Iterator[tuple[Switch, str]]:
    name = NAMES[square]
    usual_us = median(switch.bounces_us or [0])
    if usual_us > WORN_US:
        what = f"{name} bounces for {usual_us / 1000:.1f} ms as a rule until it stays closed"
        yield square, f"{what}; try a stronger magnet, or exchange the reed"
    if switch.lost:
        what = f"{name} let go of a standing piece, {_times(switch.lost)}"
        yield (
            square,
            f"{what}; the magnet is weak or lies off the middle, or the reed lies too deep",
        )


def _neighbours(one: Switch, other: Switch, times: int) -> tuple[Switch, str]:
    one, other = sorted((one, other))
    what = f"{NAMES[one]} and {NAMES[other]} closed together, {_times(times)}"
    return (
        one,
        f"{what}; if that was one piece, its magnet is too strong, or the reeds lie off the middle",
    )


def _times(count: int) -> str:
    return f"{count} times" if count > 1 else "once"


def _bounce_us(touch: Touch, number: int) -> int:
    edges = _edges(touch, number)
    return edges[-1][0] - edges[0][0]


def _edges(touch: Touch, number: int) -> list[tuple[int, bool]]:
    """(us, closed) of one input whenever it changed."""
    edges: list[tuple[int, bool]] = []
    level = bool(touch.before >> number & 1)
    for t_us, closed in touch.changes:
        if bool(closed >> number & 1) != level:
            level = not level
            edges.append((t_us, level))
    return edges


def _openings(touch: Touch, number: int) -> int:
    """How often it opened for longer than a glitch, and closed again."""
    edges = _edges(touch, number)
    pairs = zip(edges[::2], edges[1::2], strict=False)
    return sum(closes[0] - opens[0] > GLITCH_US for opens, closes in pairs)
