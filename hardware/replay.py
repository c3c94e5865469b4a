"""A trace played back as a board: its scans are the sensor, its button presses the panel."""

from __future__ import annotations

from boardfw.frame import DARK
from boardfw.ports import Clock, LedMatrix, Panel, Pressed, Signal, SquareSensor
from boardfw.recording import Press, Recording, Scan
from boardfw.squares import NO_SWITCHES, Occupancy
from hardware.strip import MemoryMatrix


class _Time:
    """Time of the recording; it begins when it is first read.

    Between opening a board and looking at it files are opened, which may take a while.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._origin_us: int | None = None

    def now_us(self) -> int:
        """Since the first line of the recording."""
        return self._clock.now_us() - self.origin_us

    @property
    def origin_us(self) -> int:
        """When that was, by the clock."""
        if self._origin_us is None:
            self._origin_us = self._clock.now_us()
        return self._origin_us


class _ReplaySensor:
    def __init__(self, scans: list[Scan], time: _Time) -> None:
        self._scans = scans
        self._time = time
        self._next = 0
        self._occupancy: Occupancy = scans[0].occupancy if scans else NO_SWITCHES

    def read(self) -> Occupancy:
        """What the recorded scan at the clock's time read."""
        now_us = self._time.now_us()
        while self._next < len(self._scans) and self._scans[self._next].t_us <= now_us:
            self._occupancy = self._scans[self._next].occupancy
            self._next += 1
        return self._occupancy


class _ReplayPanel:
    def __init__(self, buttons: list[Press], time: _Time) -> None:
        self._buttons = buttons
        self._time = time
        self._next = 0

    def presses(self) -> list[Pressed]:
        """The recorded presses since the last call, oldest first."""
        now_us = self._time.now_us()
        first = self._next
        while self._next < len(self._buttons) and self._buttons[self._next].t_us <= now_us:
            self._next += 1
        return [press.button for press in self._buttons[first : self._next]]

    def held(self) -> frozenset[str]:
        """Always None: a recording says what a button meant, not how long it was held."""
        return frozenset()

    def buzz(self, *, on: bool) -> None:
        """Nothing to hear."""


class ReplayBoard:
    """A Board that repeats a recording, from the moment at which it is first looked at."""

    def __init__(self, recording: Recording, clock: Clock) -> None:
        entries, self._time = recording.entries, _Time(clock)
        self.start_fen = recording.start_fen
        scans = [entry for entry in entries if isinstance(entry, Scan)]
        self.sensor: SquareSensor = _ReplaySensor(scans, self._time)
        buttons = [entry for entry in entries if isinstance(entry, Press)]
        self.panel: Panel = _ReplayPanel(buttons, self._time)
        self.lights: LedMatrix = MemoryMatrix()
        self.wake: Signal | None = None
        self._times_us = [entry.t_us for entry in entries]
        self._next = 0

    @property
    def busy(self) -> bool:
        """Whether lines of the recording are still to come."""
        return self.next_change_us() is not None

    def next_change_us(self) -> int | None:
        """When the next line of the recording is due, its end included; None after the end."""
        now_us = self._time.now_us()
        while self._next < len(self._times_us) and self._times_us[self._next] <= now_us:
            self._next += 1
        if self._next == len(self._times_us):
            return None
        return self._time.origin_us + self._times_us[self._next]

    def close(self) -> None:
        """The lights go dark."""
        self.lights.show(DARK)
