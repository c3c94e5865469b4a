"""The virtual loop: a board that can tell when it next changes, played as fast as it goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from boardfw.errors import BusError
from boardfw.game.events import Action, Event, Outage, Restored, Tick
from boardfw.ports import Board, Clock
from boardfw.recording import Press
from boardfw.shell.desk import Desk
from boardfw.shell.store.record_writer import RunRecord
from boardfw.sight import News, Sight

RETRY_US = 100_000
"""A scan that failed is tried again after that."""
PATIENCE_US = 600_000_000
"""Switches that cannot be read for so long stay so."""
AFTERWARDS_US = 10_000_000
"""Watched after the last change, so that everything that waits for time has happened."""


class Foreseeable(Board, Protocol):
    """A board whose next change is known: a simulated or a recorded one."""

    @property
    def busy(self) -> bool:
        """Whether something planned (hands, lines of a recording) is still to come."""

    def next_change_us(self) -> int | None:
        """When a reading may next differ; None: never."""


class MovableClock(Clock, Protocol):
    """A clock that stands until it is moved."""

    def advance_to(self, t_us: int) -> None:
        """Move to a later time."""


class VirtualLoop:
    """Reads ``board`` at every scan at which ``source`` inside it may have changed."""

    def __init__(
        self,
        board: Board,
        source: Foreseeable,
        clock: MovableClock,
        desk: Desk,
        listeners: Sequence[Callable[[Action], None]],
        books: RunRecord | None = None,
    ) -> None:
        self._board = board
        self._source = source
        self._clock = clock
        self._sight = Sight(board.sensor, clock)
        self._desk = desk
        self._listeners = listeners
        self._books = books
        self._period_us = desk.settings.scan.period_us
        self._out_us = 0
        """Since when they have failed."""
        self._retry_us: int | None = None
        """When a scan that failed is tried again; None: all is well."""

    def run(self) -> None:
        """Play the source to its end.

        Raises BusError where the switches cannot be read for ten minutes of its time, BoardError
        where ``books`` are kept and cannot be.
        """
        self._scan()
        while self._source.busy:
            self._go_on(until_us=None)
        end_us = self._clock.now_us() + AFTERWARDS_US
        while self._go_on(until_us=end_us):
            pass
        self._wait(end_us)
        self._clock.advance_to(end_us)
        self._take(Tick(end_us))
        self._say(self._desk.finish())

    def _go_on(self, until_us: int | None) -> bool:
        """Jump to the next scan that may read something new; False: there is none by then."""
        change_us = self._retry_us or self._source.next_change_us()
        if change_us is None or (until_us is not None and change_us > until_us):
            return False
        now_us = self._clock.now_us()
        due_us = max(-(-change_us // self._period_us) * self._period_us, now_us + self._period_us)
        self._wait(due_us)
        self._clock.advance_to(due_us)
        self._scan()
        return True

    def _wait(self, until_us: int) -> None:
        """Let the session see every instant that it waits for."""
        while (due_us := self._desk.deadline_us) is not None and due_us < until_us:
            self._take(Tick(due_us))

    def _scan(self) -> None:
        """One scan, and the buttons."""
        self._sight.hear(News.FORESEEN)  # a jump over time in which nothing happens is no gap
        try:
            scan = self._sight.read()
        except BusError as error:
            self._fail(error)
            return
        now_us = scan.t_us  # a scan takes time
        if self._retry_us is not None:
            self._retry_us = None
            self._take(Restored(now_us))
        self._take(scan)
        for button in self._board.panel.presses():
            self._take(Press(now_us, button))

    def _fail(self, error: BusError) -> None:
        now_us = self._clock.now_us()
        if self._retry_us is None:
            self._out_us = now_us
            self._take(Outage(now_us, error.switches, str(error)))
        elif now_us - self._out_us > PATIENCE_US:
            raise error  # nothing could mend it
        self._retry_us = now_us + RETRY_US

    def _take(self, event: Event) -> None:
        """Handle an event and light what follows from it."""
        said = self._desk.take(event)
        if self._books:
            self._books.hear(event, self._desk.session)
        self._say(said)
        self._board.lights.show(self._desk.frame(event.t_us))

    def _say(self, said: list[Action]) -> None:
        """Write it down, then pass on what was said."""
        if self._books:
            self._books.take(self._desk.session, said)
        for action in said:
            for listener in self._listeners:
                listener(action)
