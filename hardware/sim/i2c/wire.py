"""Bits on the wire, and the time that they take."""

from __future__ import annotations

from collections.abc import Callable

from boardfw.ports import Clock

MEASURED_HZ = {100_000: 62_500, 400_000: 300_000}
"""What is on the wire of a Pi 3B that is told the nominal clock (ronny-mueller.com, 2020)."""

START = 1
"""Periods of SCL for S and for Sr."""
BYTE = 9
"""Eight bits and the acknowledgement."""
STOP = 2
"""P, and one period for which the bus must be free."""


class Wire:
    """Counts periods of SCL; the clock is moved on by them when a transfer is over."""

    def __init__(self, hz: int, clock: Clock, pass_us: Callable[[int], None]) -> None:
        self.hz = hz
        self.periods = 0
        """Since it was made."""
        self._waited_us = 0
        self._clock = clock
        self._pass_us = pass_us
        self._start_us = clock.now_us()
        self._told_us = 0

    @property
    def busy_us(self) -> int:
        """How long the bus was in use since it was made, waits of the controller included."""
        return self.periods * 1_000_000 // self.hz + self._waited_us

    @property
    def now_us(self) -> int:
        """The clock's time, moved on by what is on the wire already; never decreasing."""
        return self._start_us + self.busy_us - self._told_us

    def count(self, periods: int) -> None:
        """So many periods of SCL."""
        self.periods += periods

    def wait(self, wait_us: int) -> None:
        """The controller waits, the bus in its hand."""
        self._waited_us += wait_us

    def begin(self) -> None:
        """What follows begins at the clock's time."""
        self._start_us = max(self._clock.now_us(), self.now_us)
        self._told_us = self.busy_us

    def end(self) -> None:
        """Let the clock know how long it took."""
        self._pass_us(self.busy_us - self._told_us)
