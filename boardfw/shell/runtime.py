"""The live loop: one asyncio task that thinks, between the scan, light and write threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from boardfw.game.events import (
    Action,
    Amended,
    Ended,
    Event,
    Moved,
    NewGame,
    TakenBack,
    Tick,
)
from boardfw.ports import Board, Clock
from boardfw.shell.desk import Desk, pgn_of
from boardfw.shell.lamp import Lamp
from boardfw.shell.pgn_file import PgnFile
from boardfw.shell.scanner import Scanner
from boardfw.shell.systemd import Notifier

Listener = Callable[[Action], None]

RECORDED = (Moved, Amended, TakenBack, Ended, NewGame)
"""Actions after which the PGN is another one."""
LONGEST_S = 1.0
"""The loop looks at the clock at least this often, whatever it was told to wait for."""


class Runtime:
    """A board at work, until ``stop``."""

    def __init__(
        self,
        board: Board,
        clock: Clock,
        desk: Desk,
        *,
        pgn: PgnFile | None = None,
        speed: float = 1.0,
        listeners: Iterable[Listener] = (),
        notifier: Notifier | None = None,
    ) -> None:
        self.board = board
        self.desk = desk
        self._clock = clock
        self._pgn = pgn
        self._speed = speed
        self._listeners = list(listeners)
        self._notifier = notifier or Notifier()
        self._queue: asyncio.Queue[Event | None] = asyncio.Queue()
        self._date = datetime.now(UTC).astimezone().strftime("%Y.%m.%d")

    def listen(self, listener: Listener) -> None:
        """Tell this listener, too, whatever the session says from now on."""
        self._listeners.append(listener)

    def stop(self) -> None:
        """Let ``run`` return; to be called in the loop's thread."""
        self._queue.put_nowait(None)

    async def run(self) -> None:
        """Play until stopped; the PGN is whole when this returns, however it returns."""
        loop = asyncio.get_running_loop()
        lamp = Lamp(self.board.lights)

        def post(event: Event) -> None:
            loop.call_soon_threadsafe(self._queue.put_nowait, event)

        scanner = Scanner(
            self.board,
            self._clock,
            post,
            period_us=round(self.desk.settings.scan.period_us / max(1.0, self._speed)),
            notifier=self._notifier,
        )
        lamp.start()
        if self._pgn:
            self._pgn.start()
        scanner.start()
        self._notifier.ready("playing")
        try:
            await self._think(lamp)
        finally:
            self._notifier.stopping("stopping")
            scanner.stop()
            self._perform(self.desk.finish())
            self._write()
            lamp.stop()
            if self._pgn:
                self._pgn.stop()

    async def _think(self, lamp: Lamp) -> None:
        self._write()
        while True:
            event = await self._next_event()
            if event is None:
                return
            self._perform(self.desk.take(event))
            lamp.show(self.desk.frame(event.t_us))

    async def _next_event(self) -> Event | None:
        """What comes next: something from the board, the passing of time, or None: the end."""
        try:
            async with asyncio.timeout(self._patience_s()):
                return await self._queue.get()
        except TimeoutError:
            return Tick(self._clock.now_us())

    def _patience_s(self) -> float:
        now_us = self._clock.now_us()
        due = (self.desk.deadline_us, self.desk.next_frame_us(now_us))
        waits = [max(t - now_us, 0) / 1_000_000 / self._speed for t in due if t is not None]
        return min([*waits, LONGEST_S])

    def _perform(self, said: list[Action]) -> None:
        for action in said:
            for listener in self._listeners:
                listener(action)
        if any(isinstance(action, RECORDED) for action in said):
            self._write()

    def _write(self) -> None:
        if self._pgn:
            self._pgn.put(pgn_of(self.desk.session.games, self.desk.settings, self._date))
