"""What each route of the API does: from what was asked to what is answered. It knows no socket."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from boardfw.errors import BoardError
from boardfw.ports import button_named
from boardfw.services.web.api import (
    Command,
    GameWish,
    HandAct,
    KnockAnswer,
    KnockProgress,
    Naming,
    PairCode,
    Said,
    SessionAnswer,
    SessionInfo,
)
from boardfw.services.web.board_side import BoardSide, Library
from boardfw.services.web.core import Answered, Body, Request, body_of
from boardfw.services.web.feed import Channel
from boardfw.services.web.hub import Hub
from boardfw.services.web.knock import KnockState
from boardfw.services.web.limits import Limit, Rate
from boardfw.services.web.pairing import Pairing
from boardfw.services.web.refusals import RefusedError, too_often
from boardfw.services.web.roles import Right, Role, may
from boardfw.services.web.routes import Route, find
from boardfw.services.web.sessions import ABSOLUTE_MS, Holder, Sessions
from boardfw.services.web.static_files import language_of

log = logging.getLogger(__name__)

COMMANDS = Rate(20, 1)
MOST_LISTED = 200
PGN = "application/x-chess-pgn; charset=utf-8"
REMEMBERED = 512
"""Commands whose answer is given again."""
KNOCK_COOKIE_S = 300

RESTS_ON: dict[str, frozenset[str]] = {
    "answer": frozenset({"ask"}),
    "draw": frozenset({"game", "phase"}),
    "claim": frozenset({"game", "phase"}),
    "take_back": frozenset({"game", "phase"}),
    "new_game": frozenset({"phase"}),
    "resign": frozenset({"phase"}),
}
"""The keys of the state that a button is about: when they are others, it was not meant so."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that was let in. ``holder``: None: nobody yet. ``body``: as the route has it."""

    request: Request
    route: Route
    path: Mapping[str, str]
    """Its parts that differ."""
    holder: Holder | None
    body: Any = None

    @property
    def role(self) -> Role:
        """Of who asks. Raises RefusedError where that is nobody yet."""
        return self.known.role

    @property
    def known(self) -> Holder:
        """Who asks. Raises RefusedError likewise."""
        if self.holder is None:
            raise RefusedError(401, "nobody knows you here yet", remedy="open /pair")
        return self.holder


Handler = Callable[[Asked], Awaitable[Answered]]


class Handlers:
    """The core: answers a request by the method of its name."""

    def __init__(
        self,
        board: BoardSide,
        hub: Hub,
        sessions: Sessions,
        pairing: Pairing,
        now_s: Callable[[], float],
    ) -> None:
        self.board = board
        self.hub = hub
        self.sessions = sessions
        self._pairing = pairing
        self._now_s = now_s
        self._commands = Limit(COMMANDS)
        self._done: OrderedDict[tuple[int, str], asyncio.Task[Answered]] = OrderedDict()

    # --- as of Core

    async def answer(self, request: Request, body: Body) -> Answered:
        """As of ``Core``."""
        with _told():
            asked = self._let_in(request)
            if asked.route.is_stream:
                raise RefusedError(426, "this address is a WebSocket", where="Upgrade")
            if asked.route.method != "GET":
                asked = replace(asked, body=body_of(asked.route, await body()))
            do: Handler = getattr(self, asked.route.does)
            return await do(asked)

    @asynccontextmanager
    async def watch(self, request: Request) -> AsyncIterator[AsyncIterator[bytes]]:
        """As of ``Core``."""
        with _told():
            asked = self._let_in(request)
            if not asked.route.is_stream:
                raise RefusedError(404, "there is nothing to be watched", where="path")
            viewer = self.hub.enter(asked.known, request.address, request.query.get("since", ""))
        try:
            yield viewer.messages(self.board.now_ms)
        finally:
            self.hub.leave(viewer)

    def _let_in(self, request: Request) -> Asked:
        """Who asks. Raises RefusedError where they may not."""
        route, path = find(request.method, request.path)
        if route.is_front:
            raise RefusedError(404, "the board has no pages", where="path")
        holder = self.sessions.of_digest(request.session)
        if may(holder.role if holder else None, route.right):
            return Asked(request, route, path, holder)
        if holder is not None:
            raise RefusedError(403, "your session may not do that", remedy="ask the board's owner")
        raise RefusedError(401, "nobody knows you here yet", remedy="open /pair")

    # --- the board

    async def state(self, asked: Asked) -> Answered:
        """The board now."""
        channel = self.hub.channel(asked.role)
        tag = f'"{channel.tag}"'
        headers = {"ETag": tag, "X-Boardfw-Time": str(self.board.now_ms())}
        if asked.request.headers.get("If-None-Match") == tag:
            return Answered(status=304, headers=headers)
        return Answered(channel.snapshot, headers=headers)

    async def press(self, asked: Asked) -> Answered:
        """A button of the table."""
        command: Command = asked.body
        button = button_named(asked.path["button"])
        if button is None:
            raise RefusedError(404, "there is no such button", where="path")

        async def do() -> Answered:
            channel = self.hub.channel(asked.role)
            _check_fresh(channel, command.seq, button)
            return self._said(await self.board.press(button), asked)

        return await self._once(asked, command.id, do)

    async def hand(self, asked: Asked) -> Answered:
        """A hand on a simulated board."""
        act: HandAct = asked.body
        if not self.board.is_simulated:
            raise RefusedError(404, "this board is moved by real hands")
        given = [key for key in act.__struct_fields__ if key != "id" and getattr(act, key)]
        if len(given) != 1:
            raise RefusedError(422, "write one of lift, drop, take, touch, back", where="body")

        async def do() -> Answered:
            return self._said(await self.board.hand(act), asked)

        return await self._once(asked, act.id, do)

    async def choices(self, asked: Asked) -> Answered:  # noqa: ARG002  # all get the same
        """What a new game may be."""
        return Answered.of(await self.board.choices())

    async def set_up(self, asked: Asked) -> Answered:
        """Another game."""
        wish: GameWish = asked.body

        async def do() -> Answered:
            return self._said(await self.board.set_up(wish), asked)

        return await self._once(asked, wish.id, do)

    def _said(self, text: str, asked: Asked) -> Answered:
        return Answered.of(Said(text=text, seq=self.hub.channel(asked.role).seq))

    async def _once(
        self, asked: Asked, command: str | None, do: Callable[[], Coroutine[Any, Any, Answered]]
    ) -> Answered:
        """Do a command, unless it was done before: then the answer is the same again."""
        key = (asked.known.id, command or "")
        if command is not None and key in self._done:
            return await asyncio.shield(self._done[key])
        if wait_s := self._commands.take(self._now_s(), asked.known.id):
            raise too_often("too many commands", wait_s)
        doing = asyncio.create_task(do())
        if command is not None:
            self._done[key] = doing
            if len(self._done) > REMEMBERED:
                self._done.popitem(last=False)
        try:
            return await asyncio.shield(doing)
        except RefusedError:
            self._done.pop(key, None)  # what was not done may be tried again
            raise

    # --- games, health, settings

    async def games(self, asked: Asked) -> Answered:
        """The games that are kept."""
        query = asked.request.query
        offset, limit = _number(query.get("offset", "0")), _number(query.get("limit", "50"))
        found = await self._library.games(
            query.get("q", "")[:100], query.get("fen", "")[:100], offset, min(limit, MOST_LISTED)
        )
        return Answered.of(found)

    async def game(self, asked: Asked) -> Answered:
        """One of them."""
        return Answered.of(await self._library.game(int(asked.path["number"])))

    async def pgn(self, asked: Asked) -> Answered:
        """The same as a file."""
        number = int(asked.path["number"])
        text = await self._library.pgn(number)
        name = f'attachment; filename="game-{number}.pgn"'
        return Answered(text.encode(), kind=PGN, headers={"Content-Disposition": name})

    async def explain(self, asked: Asked) -> Answered:
        """Why a ply of it was taken for this move."""
        number, ply = int(asked.path["number"]), int(asked.path["ply"])
        return Answered.of(await self._library.explain(number, ply))

    async def keep(self, asked: Asked) -> Answered:
        """Keep games from elsewhere."""
        return Answered.of(await self._library.keep(asked.body.pgn))

    async def delete(self, asked: Asked) -> Answered:
        """Remove a game."""
        await self._library.delete(int(asked.path["number"]))
        return self._said("", asked)

    async def restore(self, asked: Asked) -> Answered:
        """Do not remove it after all."""
        await self._library.restore(int(asked.path["number"]))
        return self._said("", asked)

    @property
    def _library(self) -> Library:
        if self.board.library is None:
            raise RefusedError(404, "no games are kept here", remedy="name a file: --record")
        return self.board.library

    async def health(self, asked: Asked) -> Answered:  # noqa: ARG002  # all get the same
        """How the board is."""
        return Answered.of(await self.board.health())

    async def settings(self, asked: Asked) -> Answered:  # noqa: ARG002  # all get the same
        """The settings."""
        return Answered.of(await self.board.settings())

    async def change(self, asked: Asked) -> Answered:
        """Change settings: all up to the first that cannot be."""
        for key, value in asked.body.items():
            await self.board.change(key, value)
        return Answered.of(await self.board.settings())

    # --- sessions

    async def session(self, asked: Asked) -> Answered:
        """Who asks."""
        return Answered.of(self._session_of(asked, asked.holder))

    async def log_out(self, asked: Asked) -> Answered:
        """End the session of who asks."""
        self._end(asked.known.id)
        gone = {"session": ("", 0)}
        return Answered.of(Said(text="", seq=0), cookies=gone)

    async def revoke(self, asked: Asked) -> Answered:
        """End another session."""
        if not self._end(int(asked.path["id"])):
            raise RefusedError(404, "there is no such session", where="id")
        return Answered.of(Said(text="", seq=0))

    def _end(self, number: int) -> bool:
        self.hub.end(number)
        return self.sessions.end(number)

    async def pair(self, asked: Asked) -> Answered:
        """Swap a code for a session."""
        wanted: PairCode = asked.body
        role = self._pairing.redeem(wanted.code)
        return self._begin(asked, role, wanted.name)

    async def knock(self, asked: Asked) -> Answered:
        """Ask for squares to be touched."""
        wanted: Naming = asked.body
        state = self.hub.channel(Role.OWNER).state
        knock, secret = self._pairing.ask(state, wanted.name)
        _, left_ms = self._pairing.state_of(knock)
        answer = KnockAnswer(squares=knock.squares, left_ms=left_ms)
        return Answered.of(answer, cookies={"knock": (secret, KNOCK_COOKIE_S)})

    async def knocked(self, asked: Asked) -> Answered:
        """How far the knock of the asking page has come; when it is done, a session."""
        knock = self._pairing.knock_of(asked.request.knock)
        if knock is None:
            return Answered.of(KnockProgress(state="none"))
        state, left_ms = self._pairing.state_of(knock)
        progress = KnockProgress(
            state=state.value, seen=knock.seen, left_ms=left_ms, tries_left=knock.tries_left
        )
        if state is not KnockState.DONE:
            return Answered.of(progress)
        role, name = self._pairing.conclude()
        begun = self._begin(asked, role, name)
        cookies = {**begun.cookies, "knock": ("", 0)}
        return Answered.of(progress, cookies=cookies)

    def _begin(self, asked: Asked, role: Role, name: str) -> Answered:
        if asked.holder is not None:
            self._end(asked.holder.id)  # a page is one person
        token, holder = self.sessions.begin(role, name)
        cookies = {"session": (token, ABSOLUTE_MS // 1000)}
        return Answered.of(self._session_of(asked, holder), cookies=cookies)

    def _session_of(self, asked: Asked, holder: Holder | None) -> SessionAnswer:
        return SessionAnswer(
            role=holder.role.value if holder else None,
            name=holder.name if holder else "",
            board=self.board.name,
            claimed=self.sessions.is_claimed,
            can_knock=self._can_knock(),
            simulated=self.board.is_simulated,
            lang=cast(
                "Literal['en', 'de']", language_of(asked.request.headers.get("Accept-Language", ""))
            ),
            sessions=self._listed(holder),
        )

    def _listed(self, holder: Holder | None) -> list[SessionInfo]:
        if holder is None:
            return []
        sees_all = may(holder.role, Right.OWN)
        return [
            SessionInfo(
                id=one.id,
                name=one.name,
                role=one.role.value,
                last=one.last_ms,
                mine=one.id == holder.id,
            )
            for one in self.sessions.all()
            if sees_all or one.id == holder.id
        ]

    def _can_knock(self) -> bool:
        try:
            state = self.hub.channel(Role.OWNER).state
        except RefusedError:
            return False
        return not self._pairing.refusal(state)


def _number(text: str) -> int:
    """A number that is asked for. Raises RefusedError."""
    if text.isascii() and text.isdecimal() and len(text) < 10:
        return int(text)
    raise RefusedError(422, "this is no number", where="offset, limit")


def _check_fresh(channel: Channel, seq: int, button: str) -> None:
    """Raises RefusedError where the page has not seen what the button is about."""
    changed = channel.changed_since(seq)
    rests_on = next((keys for name, keys in RESTS_ON.items() if button.startswith(name)), None)
    is_stale = changed is None or (rests_on is not None and rests_on & changed)
    if is_stale:
        raise RefusedError(
            409,
            "the board is another one than you saw",
            where="seq",
            remedy="look again, then press again",
            state=channel.snapshot.decode(),
        )


@contextmanager
def _told() -> Iterator[None]:
    """Trouble of the disk with who is known, or with games, refuses a request."""
    try:
        yield
    except BoardError as error:
        log.error("%s", error)
        raise RefusedError(503, "the disk is in trouble", retry_s=10) from error
