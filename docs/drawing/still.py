"""A board whose time stands still until it is moved, for pictures and for tests of the screen."""

from __future__ import annotations

import asyncio

from boardfw.game.events import Action, Event, Tick
from boardfw.ports import earliest
from boardfw.recording import Press, Scan
from boardfw.shell.desk import Desk
from boardfw.shell.runtime import Listener
from boardfw.squares import Occupancy
from hardware.clock import VirtualClock
from hardware.sim.board import SimBoard


class Still:
    """A loop behind the screen without threads and without a clock of its own."""

    def __init__(self, board: SimBoard, clock: VirtualClock, desk: Desk) -> None:
        self.board = board
        self.desk = desk
        self._clock = clock
        self._listeners: list[Listener] = []
        self._last: Occupancy | None = None
        self._stopped = asyncio.Event()
        self._scan()

    def listen(self, listener: Listener) -> None:
        """Pass every action of the session to this listener."""
        self._listeners.append(listener)

    def tell(self, event: Event) -> None:
        """Pass an event from elsewhere to the session."""
        self._take(event)

    async def run(self) -> None:
        """Wait until stopped."""
        await self._stopped.wait()
        self._say(self.desk.finish())

    def stop(self) -> None:
        """Let ``run`` return."""
        self._stopped.set()

    def go_on(self, duration_us: int) -> None:
        """Let time pass, with a scan in each period in which something is due."""
        end_us = self._clock.now_us() + duration_us
        period_us = self.desk.settings.scan.period_us
        while (now_us := self._clock.now_us()) < end_us:
            due_us = earliest(self.board.next_change_us(), self.desk.deadline_us)
            periods = 1 if due_us is None else max(1, -(-(due_us - now_us) // period_us))
            next_us = end_us if due_us is None else now_us + periods * period_us
            self._clock.advance_to(min(next_us, end_us))
            self._scan()

    def _scan(self) -> None:
        now_us = self._clock.now_us()
        for button in self.board.panel.presses():
            self._take(Press(now_us, button))
        occupancy = self.board.sensor.read()
        due_us = self.desk.deadline_us
        if occupancy != self._last:
            self._last = occupancy
            self._take(Scan(now_us, occupancy))
        elif due_us is not None and due_us <= now_us:
            self._take(Tick(now_us))

    def _take(self, event: Event) -> None:
        self._say(self.desk.take(event))
        self.board.lights.show(self.desk.frame(event.t_us))

    def _say(self, said: list[Action]) -> None:
        for action in said:
            for listener in self._listeners:
                listener(action)
