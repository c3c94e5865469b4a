"""From samples of all inputs to touches: what they settled to, and how they came there."""

from __future__ import annotations

from dataclasses import dataclass

from .inputs import Inputs

SETTLE_US = 100_000
"""So long all inputs must keep still. A contact is at rest after 10 ms, but the piece still moves
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
        """When the inputs will have rested, if nothing changes; None: they do already."""
        return self._changes[-1][0] + SETTLE_US if self._changes else None

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
