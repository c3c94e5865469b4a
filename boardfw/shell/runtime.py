"""The live loop: one asyncio task between the threads of the board, and the light thread."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Protocol

from boardfw.errors import BusError
from boardfw.game.events import Action, Event
from boardfw.game.session import Session
from boardfw.lights.patterns import RINGS
from boardfw.ports import Board, Clock
from boardfw.recording import Press
from boardfw.rules.warming import steps
from boardfw.shell.away_seat import RemoteSide
from boardfw.shell.desk import Desk, Follower
from boardfw.shell.outbox import newest
from boardfw.shell.panel.beeps import Beep, Buzzer
from boardfw.shell.panel.buttons import SHUT_DOWN
from boardfw.shell.pulse import Pulse, Watchdog
from boardfw.shell.scanner import Scanner
from boardfw.shell.systemd import Notifier

PATIENCE_S = 2.0
"""How long a frame may take at the end: a thousand times what a strip of 64 needs."""


LOOP_S = 10.0
"""A loop that has not turned for so long hangs: it turns once a second when nothing happens, and
an event takes a slow processor a second at most."""
LIGHTS_S = 30.0
"""A frame that takes so long hangs. A strip may take a while to fail: a bus gives up a transfer
after a second, and a driver may repeat it."""

Listener = Callable[[Action], None]

LONGEST_S = 1.0
"""The loop looks at the lights at least this often, whatever it was told to wait for."""
SHORTEST_S = 0.05
"""And, while nothing happens, not more often: a swell of a second is smooth in 20 steps, and each
frame costs a small processor 4 ms of its time."""

LIT_LOOK_S, LIT_S = 0.002, 0.05
"""What may wait until the newest lights are shown looks so often, and waits no longer than that."""

STEPS, STEP_S = len(RINGS), 0.25
"""Of the good-bye of a board that is shut down: a second in all, long enough to be seen."""

SELDOM = 20_000
"""So many more objects are made than freed before reference cycles are looked for."""


class Kept:
    """More of what was played is on the disk."""


class RunLog(Protocol):
    """What is written down of a run: the ``RunRecord`` of its games, or a learner's log."""

    @property
    def is_kept(self) -> bool:
        """Whether all that was noted is on the disk."""

    @property
    def trouble(self) -> str:
        """Why something waits in memory, and how to mend it; empty: nothing does."""

    @property
    def damage(self) -> str:
        """A line on damaged earlier games, and what to do; empty: none is known to be damaged."""

    def start(self, kept: Callable[[], None]) -> None:
        """The run begins; ``kept`` is called, by any thread, whenever more is on the disk."""

    def hear(self, event: Event, session: Session) -> None:
        """The session has taken an event; to be told before ``take``."""

    def take(self, session: Session, said: list[Action]) -> None:
        """Note what is new; returns at once."""

    def close(self) -> None:
        """Keep what is left, and let go of the file."""


class Runtime:
    """A board at work, until ``stop``."""

    def __init__(
        self,
        board: Board,
        clock: Clock,
        desk: Desk,
        *,
        followers: Sequence[Follower] = (),
        books: RunLog | None = None,
        speed: float = 1.0,
        notifier: Notifier | None = None,
    ) -> None:
        self.away: RemoteSide | None = None
        """The opponent that is not at the board, to be set before ``run``; None: all are."""
        self.coach: RemoteSide | None = None
        """Who answers the coach, likewise; None: nobody does."""
        self.review: RemoteSide | None = None
        """Who finds the turning points of a game that is over, likewise; None: nobody does."""
        self.board = board
        self.desk = desk
        self._clock = clock
        self._followers = followers
        self._books = books
        self._speed = speed
        self._listeners: list[Listener] = []
        self._notifier = notifier or Notifier()
        self._queue: asyncio.Queue[Event | BusError | Kept | None] = asyncio.Queue()
        self._pulse = Pulse("loop", LOOP_S)
        self._lamp = newest("lights", board.lights.show, limit_s=LIGHTS_S)
        self._buzzer = Buzzer(board.panel, desk.settings.panel.beeps)
        self.is_shut_down = False
        """Whether the board was shut down by a button."""

    @property
    def is_kept(self) -> bool:
        """Whether all that was played is on the disk."""
        return self._books is None or self._books.is_kept

    def listen(self, listener: Listener) -> None:
        """Tell this listener, too, whatever the session says from now on."""
        self._listeners.append(listener)

    def tell(self, event: Event) -> None:
        """Let the session hear an event from elsewhere; to be called in the loop's thread."""
        self._queue.put_nowait(event)

    def when_lit(self, then: Callable[[], None]) -> None:
        """Call this, in the loop, when the lights show what this turn of it has brought.

        Whatever computes at once holds the interpreter, for which the lights' thread waits then.
        """
        loop = asyncio.get_running_loop()
        loop.call_soon(self._call_when_lit, then, loop.time() + LIT_S)

    def _call_when_lit(self, then: Callable[[], None], latest_s: float) -> None:
        loop = asyncio.get_running_loop()
        if self._lamp.is_kept or loop.time() > latest_s:  # lights may hang
            then()
        else:
            loop.call_later(LIT_LOOK_S, self._call_when_lit, then, latest_s)

    def stop(self) -> None:
        """Let ``run`` return; to be called in the loop's thread."""
        self._queue.put_nowait(None)

    async def run(self) -> None:
        """Play until stopped; the PGN is whole when this returns, however it returns.

        Raises BusError if scanning has broken down.
        """
        loop = asyncio.get_running_loop()

        def post(event: Event | BusError | Kept) -> None:
            loop.call_soon_threadsafe(self._queue.put_nowait, event)

        scanner = Scanner(
            self.board,
            self._clock,
            post,
            period_us=self.desk.settings.scan.period_us,
            watchdog=Watchdog(self._notifier, self._pulse, self._lamp.pulse),
            late=self.desk.late,
            speed=self._speed,
        )
        with ExitStack() as senses:
            self._lamp.start()
            senses.callback(self._lamp.stop, PATIENCE_S)  # lights that hang are not waited for
            self._buzzer.start()
            senses.callback(self._buzzer.stop)
            with ExitStack() as stack:  # undone in reverse, each whatever became of the others
                for follower in self._followers:
                    follower.start(self.desk)
                    stack.callback(follower.stop)
                if self._books:
                    self._books.start(lambda: post(Kept()))
                    stack.callback(self._books.close)
                stack.callback(lambda: self._perform(self.desk.finish()))
                stack.enter_context(seldom_collecting())
                stack.enter_context(self._pulse).beat()
                scanner.start()
                stack.callback(scanner.stop)
                self._notifier.ready("playing")
                self._buzzer.say(Beep.READY)
                stack.callback(self._notifier.stopping, "stopping")
                warming = asyncio.create_task(_warm())
                stack.callback(warming.cancel)
                try:
                    for side in self._sides:
                        side.sit(self.tell)
                    await self._think(scanner)
                finally:
                    for side in self._sides:
                        await side.leave()
            if self.is_shut_down:
                await self._say_good_bye()

    @property
    def _sides(self) -> list[RemoteSide]:
        return [side for side in (self.away, self.coach, self.review) if side is not None]

    async def _think(self, scanner: Scanner) -> None:
        while True:
            self._pulse.beat()
            try:
                async with asyncio.timeout(self._patience_s()):
                    event = await self._queue.get()
            except TimeoutError:
                pass  # the lights move by themselves
            else:
                if event is None:
                    return
                self._hear(event)
                if self.is_shut_down:
                    return
                scanner.due_us = self.desk.deadline_us
                scanner.is_calm = self.desk.is_calm
            self.desk.heed_late_scans()
            self._show()

    def _hear(self, event: Event | BusError | Kept) -> None:
        if isinstance(event, BusError):
            raise event
        if isinstance(event, Press):
            self._buzzer.say(Beep.HEARD)
            if event.button == SHUT_DOWN:
                self._shut_down()
                return
        if not isinstance(event, Kept):
            said = self.desk.take(event)
            if self._books:
                self._books.hear(event, self.desk.session)
            self._perform(said)
        if self._books:
            books = self._books
            self.desk.confirm(kept=books.is_kept, trouble=books.trouble, damage=books.damage)
        if isinstance(event, Kept):
            for follower in self._followers:
                follower.take([])

    def _show(self) -> None:
        self._lamp.put(self.desk.frame(self._clock.now_us()))

    def _shut_down(self) -> None:
        """Say so at once; what is left to be written may take a while."""
        self.is_shut_down = True
        self._buzzer.say(Beep.GOOD_BYE)
        self.desk.say_good_bye(0)
        self._show()

    async def _say_good_bye(self) -> None:
        """Nothing is left to be done; lights that go out by and by say that all is kept."""
        if not self.is_kept:
            self._buzzer.say(Beep.ILLEGAL)
            return
        for step in range(STEPS):
            self.desk.say_good_bye(step)
            self._show()
            await asyncio.sleep(STEP_S)

    def _patience_s(self) -> float:
        now_us = self._clock.now_us()
        next_us = self.desk.next_frame_us(now_us)
        wait_s = LONGEST_S if next_us is None else (next_us - now_us) / 1_000_000 / self._speed
        return min(max(wait_s, SHORTEST_S), LONGEST_S)

    def _perform(self, said: list[Action]) -> None:
        if self._books:
            self._books.take(self.desk.session, said)
        for follower in self._followers:
            follower.take(said)  # before anybody is told: a listener that fails must not cost a ply
        self._tell(said)

    def _tell(self, said: list[Action]) -> None:
        for side in self._sides:
            side.take(said, self.desk)
        self._buzzer.answer(said)
        for action in said:
            for listener in self._listeners:
                listener(action)


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Look for reference cycles seldom, and never in what is there by now.

    A game leaves none, so looking for them as often as Python does costs a tenth of its time.
    """
    usual = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(SELDOM, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)
        gc.unfreeze()


async def _warm() -> None:
    """Let the tables of the rules fill while the board waits to be touched, a step at a time."""
    for _ in steps():
        await asyncio.sleep(0)  # touches of the board go first
