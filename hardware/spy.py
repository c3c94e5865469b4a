"""Record any board to a trace while it is used, changing nothing of what it says."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress

from boardfw.errors import TraceError
from boardfw.ports import BUTTONS, Board, Clock, LedMatrix, Panel, Pressed, Signal, SquareSensor
from boardfw.recording import Scan, TraceWriter
from boardfw.sight import News, Sight
from boardfw.squares import Occupancy

log = logging.getLogger(__name__)


class _Tape:
    """A TraceWriter for two threads: one scans, the other asks for button presses.

    A disk that is full ends the recording and nothing else: the board is played on.
    """

    def __init__(self, writer: TraceWriter, clock: Clock) -> None:
        self._writer: TraceWriter | None = writer
        self._clock = clock
        self._lock = threading.Lock()

    def scan(self, scan: Scan) -> None:
        """Note what a scan read."""
        self._write(lambda writer, _: writer.scan(scan.t_us, scan.occupancy, scan.since_us))

    def press(self, name: str) -> None:
        """Note a button pressed just now."""
        self._write(lambda writer, now_us: writer.button(now_us, name))

    def end(self) -> None:
        """Write the end line and let go of the file."""
        self._write(lambda writer, now_us: writer.end(now_us))

    def _write(self, line: Callable[[TraceWriter, int], None]) -> None:
        with self._lock:
            if self._writer is None:
                return
            try:
                line(self._writer, self._clock.now_us())
            except TraceError as error:
                log.error("%s; the recording ends here, the game goes on", error)
                with suppress(OSError):  # what could not be written cannot be flushed either
                    self._writer.close()
                self._writer = None


class SpyBoard:
    """A Board that is another one, ``inner``, with a recording running."""

    def __init__(self, inner: Board, writer: TraceWriter, clock: Clock) -> None:
        self.inner = inner
        self._tape = _Tape(writer, clock)
        self._sight = Sight(inner.sensor, clock)
        self.sensor: SquareSensor = self
        self.lights: LedMatrix = inner.lights
        self.panel: Panel = self
        self.wake: Signal | None = inner.wake

    def close(self) -> None:
        """End the recording and close the board within."""
        self._tape.end()
        self.inner.close()

    def read(self) -> Occupancy:
        """One scan of the board within, recorded."""
        scan = self._sight.read()
        self._tape.scan(scan)
        return scan.occupancy

    def hear(self, news: News, quiet_us: int | None = None) -> None:
        """What is known of the time between two scans goes into the recording as well."""
        self._sight.hear(news, quiet_us)

    def presses(self) -> Sequence[Pressed]:
        """The presses of the board within, recorded as far as traces have a name for them."""
        names = self.inner.panel.presses()
        for name in names:
            if name in BUTTONS:
                self._tape.press(name)
        return names

    def held(self) -> frozenset[str]:
        """As the board within."""
        return self.inner.panel.held()

    def buzz(self, *, on: bool) -> None:
        """As the board within."""
        self.inner.panel.buzz(on=on)
