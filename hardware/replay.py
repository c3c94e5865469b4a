"""A trace played back as a board: its scans are the sensor, its button presses the panel."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TypeVar

from boardfw.frame import DARK
from boardfw.ports import Clock, LedMatrix, Panel, Pressed, Signal, SquareSensor
from boardfw.recording import End, Press, Recording, Scan
from boardfw.squares import NO_SWITCHES, Occupancy
from hardware.strip import MemoryMatrix

T = TypeVar("T", Scan, Press, Scan | Press | End)


class ReplayBoard:
    """A Board that repeats a recording, from the moment at which it is first looked at."""

    def __init__(self, recording: Recording, clock: Clock) -> None:
        entries = recording.entries
        self.start_fen = recording.start_fen
        self.dead = recording.dead
        """Switches that were known to tell nothing."""
        self.sensor: SquareSensor = self
        self.panel: Panel = self
        self.lights: LedMatrix = MemoryMatrix()
        self.wake: Signal | None = None
        self._clock = clock
        self._origin_us: int | None = None
        """When its time began: between opening and looking, files are opened, which takes time."""
        self._entries = deque(entries)
        self._scans = deque(entry for entry in entries if isinstance(entry, Scan))
        self._presses = deque(entry for entry in entries if isinstance(entry, Press))
        self._occupancy = self._scans[0].occupancy if self._scans else NO_SWITCHES

    @property
    def busy(self) -> bool:
        """True if lines of the recording are still to come."""
        return self.next_change_us() is not None

    def next_change_us(self) -> int | None:
        """When the next line of the recording is due, its end included; None after the end."""
        for _ in self._due(self._entries):
            pass
        return self._began_us() + self._entries[0].t_us if self._entries else None

    def read(self) -> Occupancy:
        """What the recorded scan at the clock's time read."""
        for scan in self._due(self._scans):
            self._occupancy = scan.occupancy
        return self._occupancy

    def presses(self) -> list[Pressed]:
        """The recorded presses since the last call, oldest first."""
        return [press.button for press in self._due(self._presses)]

    def held(self) -> frozenset[str]:
        """Always none: a recording says what a button meant, not how long it was held."""
        return frozenset()

    def buzz(self, *, on: bool) -> None:
        """Nothing to hear."""

    def close(self) -> None:
        """The lights go dark."""
        self.lights.show(DARK)

    def _due(self, waiting: deque[T]) -> Iterator[T]:
        """Those that are over by the clock's time; they wait no more."""
        now_us = self._clock.now_us() - self._began_us()
        while waiting and waiting[0].t_us <= now_us:
            yield waiting.popleft()

    def _began_us(self) -> int:
        if self._origin_us is None:
            self._origin_us = self._clock.now_us()
        return self._origin_us
