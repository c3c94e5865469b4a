"""A trace played back as a board: its scans are the sensor, its button presses the panel."""

from __future__ import annotations

from boardfw.frame import DARK
from boardfw.ports import Clock, LedMatrix, Panel, Signal, SquareSensor
from boardfw.recording import Button, Recording, Scan
from boardfw.squares import Occupancy
from hardware.parts import MemoryMatrix


class _ReplaySensor:
    def __init__(self, scans: list[Scan], clock: Clock) -> None:
        self._scans = scans
        self._clock = clock
        self._origin_us = clock.now_us()
        self._next = 0
        self._occupancy: Occupancy = scans[0].occupancy if scans else 0

    def read(self) -> Occupancy:
        """What the recorded scan at the clock's time read."""
        now_us = self._clock.now_us() - self._origin_us
        while self._next < len(self._scans) and self._scans[self._next].t_us <= now_us:
            self._occupancy = self._scans[self._next].occupancy
            self._next += 1
        return self._occupancy


class _ReplayPanel:
    def __init__(self, buttons: list[Button], clock: Clock) -> None:
        self._buttons = buttons
        self._clock = clock
        self._origin_us = clock.now_us()
        self._next = 0

    def presses(self) -> list[str]:
        """Names of the recorded presses since the last call, oldest first."""
        now_us = self._clock.now_us() - self._origin_us
        first = self._next
        while self._next < len(self._buttons) and self._buttons[self._next].t_us <= now_us:
            self._next += 1
        return [button.name for button in self._buttons[first : self._next]]

    def held(self) -> frozenset[str]:
        """None: a recording says what was meant, not how long it took to say it."""
        return frozenset()

    def buzz(self, *, on: bool) -> None:
        """Nothing to hear."""


class ReplayBoard:
    """A Board that repeats a recording, from the moment it is made."""

    def __init__(self, recording: Recording, clock: Clock) -> None:
        entries = recording.entries
        self.start_fen = recording.start_fen
        self.sensor: SquareSensor = _ReplaySensor(
            [e for e in entries if isinstance(e, Scan)], clock
        )
        self.panel: Panel = _ReplayPanel([e for e in entries if isinstance(e, Button)], clock)
        self.lights: LedMatrix = MemoryMatrix()
        self.wake: Signal | None = None
        self._clock = clock
        self._times_us = [clock.now_us() + entry.t_us for entry in entries]
        self._next = 0

    @property
    def busy(self) -> bool:
        """Whether lines of the recording are still to come."""
        return self.next_change_us() is not None

    def next_change_us(self) -> int | None:
        """When the next line of the recording is due, its end included; None after it."""
        now_us = self._clock.now_us()
        while self._next < len(self._times_us) and self._times_us[self._next] <= now_us:
            self._next += 1
        return self._times_us[self._next] if self._next < len(self._times_us) else None

    def close(self) -> None:
        """The lights go dark."""
        self.lights.show(DARK)
