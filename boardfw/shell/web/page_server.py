"""The pages of a run: the board's loop on one side, a thread that answers for it on the other.

That thread serves the pages, or the process that does (``apart.py``).

The board's loop hands over what it has seen, values that never change, and goes on. What a page
asks for is done in that loop, between two events. Nothing here waits for anything there.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from boardfw.errors import BoardError
from boardfw.game.events import Action, Tick
from boardfw.game.view import View
from boardfw.languages import table_of
from boardfw.phrase import LANGUAGES
from boardfw.ports import Button, Clock
from boardfw.services.web.api import (
    BoardHealth,
    Calling,
    Examined,
    GameChoices,
    GameWish,
    HandAct,
    RulingList,
    RulingWish,
    SettingList,
)
from boardfw.services.web.board_side import Learning, Library
from boardfw.services.web.refusals import RefusedError
from boardfw.services.web.roles import Role
from boardfw.services.web.sessions import TOUCH_MS, Keeper, Sessions
from boardfw.services.web.state import as_json
from boardfw.shell.desk import Desk
from boardfw.shell.taught_desk import TaughtDesk
from boardfw.shell.web.apart import Place, answering, serving
from boardfw.shell.web.arbiter import Arbiter
from boardfw.shell.web.heap import giving_back, share_one_heap
from boardfw.shell.web.library import KeptGames
from boardfw.shell.web.new_game import Controls, NewGames
from boardfw.shell.web.picture import Painter, Seen, Table, events_of, health_of, see
from boardfw.shell.web.settings_shown import ShownSettings

if TYPE_CHECKING:
    from boardfw.shell.web.lessons import Lessons

log = logging.getLogger(__name__)

KEEP_UP_S = 0.05
"""Simulated hands plan their next touch this often."""
GRACE_S = 0.1
"""So much later than it has run out of time a knock is looked at."""
PATIENCE_S = 5.0
"""The thread ends within this time, or is left behind."""

T = TypeVar("T")


class Hands(Table, Protocol):
    """A simulated board that a page may touch; all in the thread of the board's loop."""

    def act(self, act: HandAct) -> str:
        """Do this; why it could not be done, or empty."""

    def keep_up(self) -> None:
        """Let the simulated hands go on."""


class PageServer:
    """Follows the games of a run, and serves their pages."""

    def __init__(
        self,
        place: Place,
        clock: Clock,
        keeper: Keeper,
        tags: Callable[[], Mapping[str, str]],
    ) -> None:
        """``tags``: how the players are called now."""
        share_one_heap()
        self.hands: Hands | None = None
        """A simulated board, to be set before the run; None: a real one."""
        self.controls = Controls()
        """What can be done in this run, likewise to be set before it."""
        self.library: KeptGames | None = None
        """The collection of games, likewise; None: none are kept."""
        self.lessons: Lessons | None = None
        """What can be learnt, likewise; None: nothing is taught, or nobody has asked yet."""
        self.make_lessons: Callable[[], Lessons] | None = None
        """Makes ``lessons`` when a page first asks for them, so that the start need not import all
        that teaching takes; None: answers are not kept, and nothing is taught."""
        self._making = threading.Lock()
        self.troubles: Callable[[], Mapping[str, int]] = dict
        """Failures of the board's bus, by what they were, likewise."""
        self.examine: Callable[[], Examined] | None = None
        """Lets the doctor look at the board, likewise, in a thread; None: there is none."""
        self.drives_hands = False
        """Whether nobody else lets the simulated hands go on."""
        self.sessions = Sessions(keeper)
        self._place = place
        self.clock = clock
        self._tags = tags
        self._seen_view: View | None = None
        self._called: Mapping[str, str] = {}
        self._seen: Seen | None = None
        self._said: list[Action] = []
        """What was said and has not been handed over yet."""
        self._will_look = False
        """Whether the loop is to look by itself."""
        self._desk: Desk | None = None
        self._games: NewGames | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._driving: asyncio.Task[None] | None = None
        self._thread: _Thread | None = None

    @property
    def url(self) -> str:
        """The address of the pages."""
        return self._place.listening.url

    @property
    def is_apart(self) -> bool:
        """Whether another process serves the pages; where, it knows."""
        return self._place.listening.file is not None

    def link(self) -> str:
        """A new address that makes who opens it an owner, once."""
        return f"{self.url}/pair#{self.sessions.offer(Role.OWNER, lasts_ms=None)}"

    # --- as of Follower, in the board's loop

    def start(self, desk: Desk) -> None:
        """The run begins."""
        self._desk = desk
        self._loop = asyncio.get_running_loop()
        self._games = NewGames(desk, self.clock, self.controls)
        if self.lessons is not None:
            self.lessons.follow(desk, self.clock, self.controls)
        shown = ShownSettings(desk, self.clock, self.controls)
        arbiter = Arbiter(desk, self.clock, self.controls)
        board = _Board(self, desk, self._games, shown, arbiter, self._loop)
        self._thread = _Thread(self._place, board, self.sessions, desk)
        self._thread.start()
        self._look()
        if self.hands is not None:
            self._driving = self._loop.create_task(self._drive(self.hands))

    def take(self, said: list[Action]) -> None:
        """The session has taken an event, and said this.

        What it means is looked at when the lights show it: 110 viewers who were told before made
        them come a tenth later.
        """
        if self._games is not None and said:
            self._games.hear(said)
        self._said += said
        if self._loop is not None and not self._will_look:
            self._will_look = True
            self.controls.when_lit(self._look)

    def stop(self) -> None:
        """The run is over."""
        if self._driving is not None:
            self._driving.cancel()
        if self._thread is not None:
            self._look()
            self._thread.end()
        if self._desk is not None:
            self._desk.show_knock(is_knocked=False)
        if self.lessons is not None:
            self.lessons.close()

    # --- how it is done

    def made_lessons(self) -> Lessons | None:
        """What can be learnt, made at the first call; in any thread."""
        with self._making:
            if self.lessons is None and self.make_lessons is not None:
                self.lessons = self.make_lessons()
                if self._desk is not None:
                    self.lessons.follow(self._desk, self.clock, self.controls)
        return self.lessons

    def act(self, act: HandAct) -> str:
        """Let a page's hand do something; in the board's loop."""
        if self.hands is None:
            return ""
        told = self.hands.act(act)
        self._look(anew=True)  # what is in the hand no switch tells
        return told

    def show_knock(self, is_knocked: bool) -> None:  # another loop calls it so
        """Let the board show whether somebody knocks; in its loop."""
        if self._desk is not None:
            self._desk.show_knock(is_knocked=is_knocked)
            self.controls.tell(Tick(self.clock.now_us()))  # else its lights would wait for a touch
            self._look(anew=True)

    def _look(self, *, anew: bool = False) -> None:
        """Hand over what the board shows now and has said, if it is anything new."""
        desk, thread = self._desk, self._thread
        if desk is None or thread is None:
            return
        said, self._said, self._will_look = self._said, [], False
        tags = self._tags()
        is_known = desk.view is self._seen_view and tags == self._called
        if is_known and not (said or anew):
            return  # nearly always
        self._seen_view, self._called = desk.view, tags
        is_taught = isinstance(desk, TaughtDesk) and desk.is_taught
        lessons = self.made_lessons() if is_taught else None
        lesson = lessons.now() if lessons else None
        number = self.controls.game_number() if lesson is None else None
        seen = see(desk, tags, self.hands, lesson, number)
        if said or seen != self._seen:
            self._seen = seen
            thread.show(seen, said)

    async def _drive(self, hands: Hands) -> None:
        """Follow what is in the hands, which no switch tells, and let them go on."""
        while True:
            if self.drives_hands:
                hands.keep_up()
            self._look(anew=True)
            await asyncio.sleep(KEEP_UP_S)

    @property
    def name(self) -> str:
        """The board's name."""
        return self._place.name


class _Board:
    """The board as the pages ask for things of it: each is done in the board's loop."""

    def __init__(
        self,
        server: PageServer,
        desk: Desk,
        games: NewGames,
        shown: ShownSettings,
        arbiter: Arbiter,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self._server = server
        self._desk = desk
        self._games = games
        self._shown = shown
        self._arbiter = arbiter
        self._loop = loop

    @property
    def name(self) -> str:
        return self._server.name

    @property
    def is_simulated(self) -> bool:
        return self._server.hands is not None

    def now_ms(self) -> int:
        return self._server.clock.now_us() // 1000

    async def press(self, button: Button) -> str:
        await self._there(partial(self._server.controls.press, button))
        return ""

    async def hand(self, act: HandAct) -> str:
        return await self._there(partial(self._server.act, act))

    async def choices(self) -> GameChoices:
        return await self._there(self._games.choices)

    async def set_up(self, wish: GameWish) -> str:
        return await self._there(partial(self._games.begin, wish))

    async def rule(self, wish: RulingWish, session: str) -> str:
        return await self._there(partial(self._arbiter.rule, wish, session))

    async def rulings(self) -> RulingList:
        return await self._there(self._arbiter.rulings)

    async def call(self, calling: Calling, session: str) -> None:
        await self._there(partial(self._arbiter.call, calling, session))

    async def health(self) -> BoardHealth:
        return await self._there(partial(health_of, self._desk, self._server.troubles))

    async def examine(self) -> Examined:
        examine = self._server.examine
        if examine is None:
            raise RefusedError(404, "there is no doctor for this board")
        return await asyncio.to_thread(examine)

    async def settings(self) -> SettingList:
        return await self._there(self._shown.all)

    async def change(self, key: str, value: object) -> None:
        await self._there(partial(self._shown.change, key, value))

    @property
    def learning(self) -> Learning | None:
        lessons = self._server.made_lessons()
        if lessons is None:
            return None
        from boardfw.shell.web.lessons import LessonsFromAfar

        return LessonsFromAfar(lessons, self._there)

    @property
    def library(self) -> Library | None:
        return self._server.library

    def show_knock(self, is_knocked: bool) -> None:
        """Let the board show whether somebody knocks; in the loop of the pages."""
        with suppress(RuntimeError):  # the run has ended
            self._loop.call_soon_threadsafe(self._server.show_knock, is_knocked)

    async def _there(self, do: Callable[[], T]) -> T:
        """Do it in the board's loop; its answer, or what it raises."""

        async def done() -> T:
            return do()

        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(done(), self._loop))


class _Thread:
    """The thread of the pages, with a loop of its own."""

    def __init__(self, place: Place, board: _Board, sessions: Sessions, desk: Desk) -> None:
        self._place = place
        self._board = board
        self._sessions = sessions
        self._painter = Painter(place.name, desk.settings.lights.palette())
        self._thread = threading.Thread(target=self._work, name="web", daemon=True)
        self._lock = threading.Lock()
        self._waiting: list[tuple[Seen, list[Action]]] = []
        """What was seen and is not shown yet; while nobody watches, only the newest."""
        self._is_woken = False
        """Whether the loop will look there by itself."""
        self._is_watched: Callable[[], bool] = lambda: False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._show: Callable[[Seen, list[Action]], None] | None = None

    def start(self) -> None:
        self._thread.start()

    def show(self, seen: Seen, said: list[Action]) -> None:
        """The board is like this now. The loop is woken only where somebody watches."""
        with self._lock:
            if not self._is_watched():
                self._waiting.clear()  # a state tells enough to whoever comes later
            self._waiting.append((seen, said))
            loop = self._loop
            if loop is None or self._is_woken or not self._is_watched():
                return
            self._is_woken = True
        try:
            loop.call_soon_threadsafe(self._show_all)
        except RuntimeError:
            return  # the thread has ended

    def _show_all(self) -> None:
        """Show what was seen; in the loop of the pages."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
            self._is_woken = False
        if self._show is not None:
            for seen, said in waiting:
                self._show(seen, said)

    def end(self) -> None:
        """Stop serving."""
        with self._lock:
            loop, stop = self._loop, self._stop
        if loop is not None and stop is not None:
            try:
                loop.call_soon_threadsafe(stop.set)
            except RuntimeError:
                return
        self._thread.join(PATIENCE_S)
        self._place.listening.close()

    def _work(self) -> None:
        try:
            asyncio.run(self._serve())
        except OSError as error:
            log.error("the pages are not served any more: %s", error)

    async def _serve(self) -> None:
        # Only here, and in this thread: they take long to import, and the lights do not wait.
        from boardfw.services.web.handlers import Handlers
        from boardfw.services.web.hub import Hub
        from boardfw.services.web.pairing import Pairing

        for language in LANGUAGES:
            table_of(language)  # now, since a sentence is wanted in the board's loop
        loop = asyncio.get_running_loop()
        hub, pairing = Hub(), Pairing(self._sessions, loop.time)
        handlers = Handlers(self._board, hub, self._sessions, pairing, loop.time)

        def show(seen: Seen, said: list[Action]) -> None:
            pairing.see(seen.view.standing)
            hub.show(partial(self._state, seen), events_of(said, seen.ply_times))

        def look_later() -> None:
            pairing.look()
            if left_s := pairing.left_s:
                loop.call_later(left_s + GRACE_S, look_later)

        def show_knock(is_knocked: bool) -> None:
            self._board.show_knock(is_knocked)
            if is_knocked:
                loop.call_later(GRACE_S, look_later)

        pairing.show = show_knock
        hub.refresh = self._show_all
        with self._lock:
            self._show, self._loop, self._stop = show, loop, asyncio.Event()
            self._is_watched = lambda: bool(hub.viewers) or pairing.is_asked
        self._show_all()
        opening = serving if self._place.listening.file is None else answering
        async with opening(self._place, handlers), giving_back():
            await self._until_stopped(self._stop)

    async def _until_stopped(self, stop: asyncio.Event) -> None:
        """Wait for the end, and keep meanwhile how long the board has run: sessions age by it."""
        while not stop.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(TOUCH_MS / 1000):
                    await stop.wait()
            try:
                await asyncio.to_thread(self._sessions.keep_time)
            except BoardError as error:
                log.warning("sessions of the web app do not age now: %s", error)

    def _state(self, seen: Seen) -> dict[str, Any]:
        return as_json(self._painter.paint(seen))
