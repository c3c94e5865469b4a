"""A program that plays against who sits at the board, in one run: its lines, and ours."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable
from typing import Protocol

from boardfw.game.events import Action, Answered, Consulted, Event, GameGiven, Given, Released
from boardfw.game.events import Seated as SeatTaken
from boardfw.game.opponent import Chosen
from boardfw.game.session import Session
from boardfw.ports import Clock
from boardfw.services.board_engine import BoardEngine, Effect, Game, Give, Leave, Say
from boardfw.shell.desk import Desk

LOOK_S = 0.02
"""So often simulated hands look whether there is something to do."""


class Guest(Protocol):
    """Simulated hands that play at the board."""

    def hear(self, said: Iterable[Action]) -> Iterable[Event]:
        """Take note of what the session says; the buttons that they press."""

    def keep_up(self, session: Session, *, is_asked: bool) -> None:
        """Do what is to be done next; ``is_asked``: a move of their own is waited for."""


class ProgramSeat:
    """Passes on what a program says and what is played; all in the thread of the loop."""

    def __init__(
        self,
        engine: BoardEngine,
        clock: Clock,
        lines: Iterable[str],
        say: Callable[[str], None],
        stop: Callable[[], None],
        guest: Guest | None = None,
    ) -> None:
        """``lines``: of the program, read in a thread; their end is its good-bye.

        ``say`` writes a line for it; ``stop`` ends the run; ``guest``: None: a person plays.
        """
        self._engine = engine
        self._clock = clock
        self._lines = lines
        self._say = say
        self._stop = stop
        self._guest = guest
        self._tell: Callable[[Event], None] | None = None
        self._desk: Desk | None = None
        self._is_given = True
        """Whether the session has the game that was last given to it."""
        self._keeping: asyncio.Task[None] | None = None

    def sit(self, tell: Callable[[Event], None]) -> None:
        """Listen to the program, in a running loop; ``tell`` brings events to the session."""
        self.listen(tell)
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, args=[loop], name="program", daemon=True).start()
        self._keeping = loop.create_task(self._keep_up())

    def listen(self, tell: Callable[[Event], None]) -> None:
        """From now on ``tell`` brings events to the session."""
        self._tell = tell

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        for line in self._lines:
            if not self._pass_on(loop, line):
                return
        self._pass_on(loop, "quit")

    def _pass_on(self, loop: asyncio.AbstractEventLoop, line: str) -> bool:
        """False: nobody listens any more."""
        try:
            loop.call_soon_threadsafe(self.hear, line)
        except RuntimeError:  # the loop is closed
            return False
        return True

    def hear(self, line: str) -> None:
        """The program has said a line."""
        self._do(self._engine.hear(line))

    def take(self, said: list[Action], desk: Desk) -> None:
        """The session has said this."""
        self._desk = desk
        for action in said:
            if isinstance(action, Given):
                self._is_given = True
            elif isinstance(action, Consulted) and self._is_given:
                self._do(self._engine.consult(action.situation))
            elif isinstance(action, Released):
                self._do(self._engine.consult(None))
        if self._is_given:
            record = desk.session.record
            final = desk.session.course.final
            self._do(self._engine.follow(Game(record.start, record.moves, final, record.outcome)))
        if self._guest and self._tell:
            for event in self._guest.hear(said):
                self._tell(event)

    def _do(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Say):
                self._say(effect.line)
            elif isinstance(effect, Leave):
                self._stop()
            elif self._tell is None:
                continue
            elif isinstance(effect, Give):
                self._is_given = False
                t_us = self._clock.now_us()
                self._tell(GameGiven(t_us, effect.start, effect.moves))
                self._tell(SeatTaken(t_us, Chosen(effect.color)))
            else:
                self._tell(Answered(self._clock.now_us(), effect))

    def look(self, desk: Desk) -> None:
        """Let simulated hands do what is to be done next."""
        if self._guest and self._is_given:
            self._guest.keep_up(desk.session, is_asked=self._engine.is_asked)

    async def _keep_up(self) -> None:
        while True:
            if self._desk:
                self.look(self._desk)
            await asyncio.sleep(LOOK_S)

    async def leave(self) -> None:
        """Listen no longer."""
        self._tell = None
        if self._keeping:
            self._keeping.cancel()
