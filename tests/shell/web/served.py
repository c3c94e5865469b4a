"""A simulated board at work whose pages are served, and a page that asks.

They are served by the board's process, or by a door that asks the board through its socket, as the
process apart from it does.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import aiohttp

from boardfw.cli.web_pages import SeatHands
from boardfw.game.events import Action
from boardfw.game.session import Session
from boardfw.players.game_player import Player
from boardfw.recording import Press
from boardfw.services.web.core_socket import CoreLink
from boardfw.services.web.fold import fold
from boardfw.services.web.roles import Role
from boardfw.services.web.sessions import InMemory
from boardfw.shell.away_seat import AwaySeat
from boardfw.shell.config import Settings
from boardfw.shell.pgn_file import Names
from boardfw.shell.runtime import Runtime
from boardfw.shell.taught_desk import TaughtDesk
from boardfw.shell.web.address import bound_to, listen
from boardfw.shell.web.apart import Place, serving
from boardfw.shell.web.lessons import Lessons
from boardfw.shell.web.new_game import Controls
from boardfw.shell.web.page_server import PageServer
from boardfw.squares import SWITCH_BY_NAME
from boardfw.terminal.talk import Beside, Talk
from hardware.clock import MonotonicClock
from hardware.sim.board import SimBoard
from hardware.sim.faults import PRESETS
from tests.patience import PATIENCE_S

NAME = "b7"


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Page:
    """What a browser is to the board: it has a cookie, and an origin."""

    def __init__(self, base: str, session: aiohttp.ClientSession) -> None:
        self.base = base
        self._session = session
        self.cookies: dict[str, str] = {}

    @property
    def headers(self) -> dict[str, str]:
        """Those of a page of the board that changes something."""
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        own = {"Origin": self.base, "X-Boardfw": "1", "Content-Type": "application/json"}
        return own | ({"Cookie": cookie} if cookie else {})

    async def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        """Headers that are empty are left out; in their names stands _ for -."""
        return await self.send(method, path, json.dumps(body).encode(), **headers)

    async def send(self, method: str, path: str, data: bytes, **headers: str) -> Reply:
        """The same with a body that need be no JSON."""
        sent = self.headers | {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {name: value for name, value in sent.items() if value}
        asked = self._session.request(
            method,
            self.base + path,
            data=data if method != "GET" else None,
            headers=sent,
            skip_auto_headers=("Content-Type",),
            allow_redirects=False,
        )
        async with asked as answer:
            for name, morsel in answer.cookies.items():
                self.cookies[name] = morsel.value
                if not morsel.value:
                    del self.cookies[name]
            return Reply(answer.status, dict(answer.headers), await answer.read())

    async def get(self, path: str, **headers: str) -> Reply:
        return await self.ask("GET", path, **headers)

    async def post(self, path: str, body: Any = None, **headers: str) -> Reply:
        return await self.ask("POST", path, {} if body is None else body, **headers)

    async def seq(self) -> int:
        """The number of the state that it sees now."""
        seq: int = (await self.get("/api/v1/state")).json["seq"]
        return seq

    async def pair(self, code: str) -> None:
        reply = await self.post("/api/v1/pair", {"code": code, "name": "a page"})
        assert reply.status == 200, reply.body

    @asynccontextmanager
    async def watch(self, since: str = "", **headers: str) -> AsyncIterator[Watching]:
        sent = {**self.headers, **headers}
        url = f"{self.base}/api/v1/stream?since={since}"
        async with self._session.ws_connect(url, headers=sent) as stream:
            yield Watching(stream)


class Watching:
    """An open stream, folded."""

    def __init__(self, stream: aiohttp.ClientWebSocketResponse) -> None:
        self.stream = stream
        self.state: dict[str, Any] = {}
        self.events: list[dict[str, Any]] = []
        self.snapshots = 0

    async def read(self) -> bool:
        """Take in the next message; False: the stream was closed."""
        async with asyncio.timeout(PATIENCE_S):
            message = await self.stream.receive()
        if message.type is not aiohttp.WSMsgType.TEXT:
            return False
        told = json.loads(message.data)
        if "snapshot" in told:
            self.state, self.snapshots = told["snapshot"], self.snapshots + 1
        for delta in told.get("deltas", ()):
            self.state = fold(self.state, delta)
            self.events += delta["e"]
        return True

    async def until(self, event: str) -> dict[str, Any]:
        """Read until an event of this kind has come; it is taken away."""
        while True:
            for one in self.events:
                if one["event"] == event:
                    self.events.remove(one)
                    return one
            assert await self.read(), "the stream was closed"

    @property
    def tag(self) -> str:
        return f"{self.state['boot']}:{self.state['seq']}"


class Served:
    """The board, in the loop of the test, and its pages."""

    def __init__(
        self,
        *,
        simulated: bool = True,
        settings: Settings | None = None,
        lessons: Lessons | None = None,
        apart: Path | None = None,
    ) -> None:
        """``apart``: where the board is asked by another door; None: it has its own."""
        clock = MonotonicClock()
        self.board = SimBoard(clock, faults=PRESETS["none"])
        names, settings = Names(), settings or Settings()
        desk = TaughtDesk(Session(clock=settings.clock.use()), settings)
        self.keeper = InMemory()
        place = Place(listen("127.0.0.1:0"), NAME, frozenset({"board.example"}))
        self.base = place.listening.url
        self._apart = None
        if apart is not None:
            self._apart = serving(place, CoreLink(apart))
            place = Place(bound_to(apart, "a test"), NAME, frozenset())
        self.pages = PageServer(place, clock, self.keeper, lambda: names.last)
        self.runtime = Runtime(self.board, clock, desk, followers=[self.pages])
        self.away = self.runtime.away = AwaySeat(clock, names=names)
        talk = Talk(self.runtime, clock, Player(self.board, "careful", 1), Beside(names))
        self.seat = talk.seat
        self.pages.controls = Controls(
            self.runtime.tell,
            lambda button: self.runtime.tell(Press(clock.now_us(), button)),
            names,
            self.away,
            when_lit=self.runtime.when_lit,
        )
        if simulated:
            self.pages.controls.follow = talk.seat.follow
            self.pages.controls.is_demo = lambda: talk.seat.is_demo
            self.pages.hands, self.pages.drives_hands = SeatHands(talk.seat, desk), True
        self.pages.lessons = lessons
        self.desk = desk
        self._said: asyncio.Queue[Action] = asyncio.Queue()
        self.runtime.listen(self._said.put_nowait)

    async def __aenter__(self) -> Served:
        self._running = asyncio.create_task(self.runtime.run())
        if self._apart:
            await self._apart.__aenter__()
        self._client = aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar())
        page = self.page()
        async with asyncio.timeout(PATIENCE_S):
            # The socket listens already, so this waits until it is served.
            while (await page.get("/api/v1/session")).status != 200:
                pass
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._client.close()
        if self._apart:
            await self._apart.__aexit__(None, None, None)
        self.runtime.stop()
        await self._running

    def link(self) -> str:
        """A new address that makes who opens it an owner."""
        return f"{self.base}/pair#{self.pages.link().partition('#')[2]}"

    def page(self) -> Page:
        """A page that nobody knows yet."""
        return Page(self.base, self._client)

    async def known(self, role: Role) -> Page:
        """A page with a role."""
        page = self.page()
        await page.pair(self.pages.sessions.offer(role))
        return page

    async def hear(self, kind: type[Action]) -> Action:
        """The next action of a kind."""
        async with asyncio.timeout(PATIENCE_S):
            while not isinstance(action := await self._said.get(), kind):
                pass
        return action

    def lift(self, square: str) -> None:
        self.board.lift(SWITCH_BY_NAME[square])

    def drop(self, square: str, letter: str) -> None:
        self.board.drop(SWITCH_BY_NAME[square], letter)
