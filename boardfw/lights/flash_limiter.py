"""Limits flashing: no light flashes more than three times in a second.

Each rhythm keeps to this limit by itself (``patterns.py``). But a piece with a poor contact, or
fidgeting hands, can change the scene faster than any rhythm. Therefore every frame for the strip
passes through here, and a light that would rise once too often stays low until it may rise.
"""

from __future__ import annotations

from boardfw.frame import BYTES, DARK, Frame
from boardfw.lights.patterns import MAX_FLASHES_PER_S

SECOND_US = 1_000_000
NOTICED = 0.1
"""Share of a light's greatest brightness; WCAG 2.3.1 counts no smaller change as a flash."""
CHANNELS = 3


class FlashLimiter:
    """Remembers what was shown. Times are microseconds and do not decrease."""

    def __init__(self) -> None:
        self.due_us: int | None = None
        """When a light that is held low may rise; None: no light is held low."""
        self._shown = self._planned = DARK
        self._brightest = [0] * BYTES
        self._turning = [0] * BYTES
        """For each channel the lowest level since it fell, or the highest since it rose."""
        self._is_rising = [False] * BYTES
        self._rose_us: dict[int, list[int]] = {}
        """The last few times at which each channel rose."""

    def show(self, t_us: int, planned: Frame) -> Frame:
        """The frame that may be shown now: nearly always the planned one."""
        is_due = self.due_us is not None and t_us >= self.due_us
        if planned.pixels == self._planned.pixels and not is_due:
            return self._shown
        self._planned, self.due_us = planned, None
        before, pixels = self._shown.pixels, bytearray(planned.pixels)
        for light in range(0, BYTES, CHANNELS):
            end = light + CHANNELS
            if pixels[light:end] != before[light:end]:
                pixels[light:end] = self._light(t_us, light, before, pixels)
        self._shown = Frame(bytes(pixels))
        return self._shown

    def _light(self, t_us: int, light: int, before: bytes, planned: bytearray) -> bytes:
        """One light's colour: as planned, or no brighter than before."""
        channels = range(light, light + CHANNELS)
        waits = [self._may_rise_us(t_us, n) for n in channels if self._rises(n, planned[n])]
        until_us = max(waits, default=t_us)
        colour = bytes(planned[n] for n in channels)
        if until_us > t_us:
            self.due_us = until_us if self.due_us is None else min(self.due_us, until_us)
            colour = bytes(min(before[n], planned[n]) for n in channels)
        for n, level in zip(channels, colour, strict=True):
            self._note(t_us, n, level)
        return colour

    def _rises(self, n: int, level: int) -> bool:
        return not self._is_rising[n] and level > self._turning[n] + NOTICED * self._brightest[n]

    def _may_rise_us(self, t_us: int, n: int) -> int:
        """The first time from ``t_us`` on at which this channel may rise."""
        rose_us = self._rose_us.get(n, [])
        if len(rose_us) < MAX_FLASHES_PER_S:
            return t_us
        return rose_us[-MAX_FLASHES_PER_S] + SECOND_US

    def _note(self, t_us: int, n: int, level: int) -> None:
        self._brightest[n] = max(self._brightest[n], level)
        if self._is_rising[n]:
            has_fallen = level < self._turning[n] - NOTICED * self._brightest[n]
            self._is_rising[n] = not has_fallen
            self._turning[n] = level if has_fallen else max(self._turning[n], level)
        elif self._rises(n, level):
            self._is_rising[n], self._turning[n] = True, level
            self._rose_us[n] = [*self._rose_us.get(n, [])[1 - MAX_FLASHES_PER_S :], t_us]
        else:
            self._turning[n] = min(self._turning[n], level)
