"""A tap: shows the screen what the scan thread reads, without another read."""

from __future__ import annotations

from boardfw.ports import Board, LedMatrix, Panel, Signal, SquareSensor
from boardfw.sight import Informed, News
from boardfw.squares import Occupancy


class Tap:
    """A Board around another one; remembers the last reading of its switches."""

    def __init__(self, inner: Board) -> None:
        self.inner = inner
        self.sensor: SquareSensor = self
        self.lights: LedMatrix = inner.lights
        self.panel: Panel = inner.panel
        self.wake: Signal | None = inner.wake
        self.occupancy: Occupancy | None = None
        """The last reading, before debouncing; None before the first scan."""

    def close(self) -> None:
        """Let go of the board inside."""
        self.inner.close()

    def read(self) -> Occupancy:
        """One scan of the board inside. Raises BusError."""
        occupancy = self.occupancy = self.inner.sensor.read()
        return occupancy

    def hear(self, news: News) -> None:
        """Pass the news on to the recorder of the board inside, if it has one."""
        if isinstance(self.inner.sensor, Informed):
            self.inner.sensor.hear(news)
