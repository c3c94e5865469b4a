"""What each route does: from what was asked to what is answered. It knows no socket."""

from __future__ import annotations

import asyncio
import json
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

import msgspec

from boardfw.ports import button_named
from boardfw.services.web.api import (
    Calling,
    CodeAgain,
    Command,
    GameWish,
    HandAct,
    KnockAnswer,
    KnockProgress,
    LessonWish,
    LinkInfo,
    LinkList,
    LinkWish,
    Naming,
    NewLink,
    PairCode,
    RulingWish,
    Said,
    SessionAnswer,
    SessionInfo,
)
from boardfw.services.web.board_side import BoardSide, Learning, Library
from boardfw.services.web.feed import Channel
from boardfw.services.web.gate import JSON
from boardfw.services.web.hub import Hub
from boardfw.services.web.knock import KnockState
from boardfw.services.web.limits import Limit, Rate
from boardfw.services.web.pairing import Pairing
from boardfw.services.web.plain_page import plain
from boardfw.services.web.refusals import RefusedError, too_often
from boardfw.services.web.roles import RIGHTS, Right, Role, may
from boardfw.services.web.sessions import ABSOLUTE_MS, CODE_MS, Holder, Link, Sessions
from boardfw.services.web.static_files import ANY_HASH, KINDS, StaticFile, StaticFiles, language_of

COMMANDS = Rate(20, 1)
EXAMINATIONS = Rate(1, 20)
"""Of the board, by all together: each takes the bus and the processor for a moment."""
MOST_LISTED = 200
MOST_LINKS, MOST_OF_ONE_LINK = 32, 256
"""Links for spectators, and sessions that came by one of them."""
PGN = "application/x-chess-pgn; charset=utf-8"
REMEMBERED = 512
"""Commands whose answer is given again."""
FOREVER = "public, max-age=31536000, immutable"
NO_STORE = "no-store"
KNOCK_COOKIE_S = 300

RESTS_ON: dict[str, frozenset[str]] = {
    "answer": frozenset({"ask"}),
    "draw": frozenset({"game", "phase"}),
    "claim": frozenset({"game", "phase"}),
    "take_back": frozenset({"game", "phase"}),
    "new_game": frozenset({"phase"}),
    "resign": frozenset({"phase"}),
    "learn": frozenset({"lesson"}),
}
"""The keys of the state that a button is about: when they are others, it was not meant so."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that was let in."""

    holder: Holder | None
    path: Mapping[str, str]
    query: Mapping[str, str]
    headers: Mapping[str, str]
    cookies: Mapping[str, str]
    address: str
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


@dataclass(frozen=True, slots=True)
class Answered:
    """What is sent back. ``cookies``: name -> value and seconds; 0 seconds: it goes."""

    body: bytes = b""
    status: int = 200
    kind: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)
    cookies: Mapping[str, tuple[str, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, answer: object, **more: Any) -> Answered:
        """An answer of the API."""
        return cls(msgspec.json.encode(answer), **more)


Handler = Callable[[Asked], Awaitable[Answered]]


class Handlers:
    """The routes' doings, by the names that ``routes.py`` gives them."""

    def __init__(
        self,
        board: BoardSide,
        hub: Hub,
        sessions: Sessions,
        pairing: Pairing,
        files: StaticFiles,
        now_s: Callable[[], float],
    ) -> None:
        self.board = board
        self.hub = hub
        self.sessions = sessions
        self._pairing = pairing
        self._files = files
        self._now_s = now_s
        self._commands = Limit(COMMANDS)
        self._examinations = Limit(EXAMINATIONS)
        self._done: OrderedDict[tuple[int, str], asyncio.Task[Answered]] = OrderedDict()
        self.cookie = f"bfw_{board.name}"
        self._knock_cookie = f"bfwk_{board.name}"

    def named(self, does: str) -> Handler:
        """What answers a route."""
        return cast("Handler", getattr(self, does))

    # --- pages and files

    async def page(self, asked: Asked) -> Answered:
        """The page; before the board belongs to anybody only that which gives it away."""
        if not self.sessions.is_claimed and asked.path.get("page") != "/pair":
            return Answered(status=303, headers={"Location": "/pair", "Cache-Control": NO_STORE})
        page = self._files.page(language_of(asked.headers.get("Accept-Language", "")))
        if page is None:
            raise RefusedError(404, "the pages are not installed", remedy="install boardfw again")
        return _file(page, asked, NO_STORE)

    async def plain(self, asked: Asked) -> Answered:
        """The board as a page without script."""
        language = language_of(asked.headers.get("Accept-Language", ""))
        text = plain(self._channel(asked).state, language)
        text = text.replace(ANY_HASH.decode(), f"/s/{self._files.hash}/")
        headers = {"Cache-Control": NO_STORE}
        return Answered(text.encode(), kind=KINDS["html"], headers=headers)

    async def static(self, asked: Asked) -> Answered:
        """A file of the pages."""
        found = self._files.find(asked.path["hash"], asked.path["name"])
        if found is None:
            raise RefusedError(404, "there is no such file now", remedy="load the page again")
        return _file(found, asked, FOREVER)

    async def describe(self, asked: Asked) -> Answered:  # noqa: ARG002  # all get the same
        """The description of the API."""
        from boardfw.services.web.openapi import description

        return Answered(json.dumps(description()).encode())

    # --- the board

    def _channel(self, asked: Asked) -> Channel:
        """What who asks may see."""
        return self.hub.channel(asked.role, asked.known.delay_plies)

    async def state(self, asked: Asked) -> Answered:
        """The board now."""
        channel = self._channel(asked)
        tag = f'"{channel.tag}"'
        headers = {"ETag": tag, "X-Boardfw-Time": str(self.board.now_ms())}
        if asked.headers.get("If-None-Match") == tag:
            return Answered(status=304, headers=headers)
        return Answered(channel.snapshot, headers=headers)

    async def press(self, asked: Asked) -> Answered:
        """A button of the table."""
        command: Command = asked.body
        button = button_named(asked.path["button"])
        if button is None:
            raise RefusedError(404, "there is no such button", where="path")

        async def do() -> Answered:
            channel = self._channel(asked)
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
        return Answered.of(Said(text=text, seq=self._channel(asked).seq))

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

    # --- lessons

    async def courses(self, asked: Asked) -> Answered:
        """What can be learnt."""
        return Answered.of(await self._learning.courses(asked.query.get("profile", "guest")[:64]))

    async def teach(self, asked: Asked) -> Answered:
        """Begin a lesson."""
        wish: LessonWish = asked.body

        async def do() -> Answered:
            await self._learning.start(wish)
            return self._said("", asked)

        return await self._once(asked, wish.id, do)

    async def skip_lesson(self, asked: Asked) -> Answered:
        """Go on to the next exercise."""
        return await self._about_exercise(asked, self._learning.skip)

    async def again_lesson(self, asked: Asked) -> Answered:
        """Ask the exercise once more."""
        return await self._about_exercise(asked, self._learning.again)

    async def leave_lesson(self, asked: Asked) -> Answered:
        """End the lesson."""
        return await self._about_exercise(asked, self._learning.leave)

    async def _about_exercise(
        self, asked: Asked, act: Callable[[], Coroutine[Any, Any, None]]
    ) -> Answered:
        """Do something with the exercise that the page has seen."""
        command: Command = asked.body

        async def do() -> Answered:
            _check_fresh(self._channel(asked), command.seq, "learn")
            await act()
            return self._said("", asked)

        return await self._once(asked, command.id, do)

    @property
    def _learning(self) -> Learning:
        if self.board.learning is None:
            raise RefusedError(
                404,
                "no answers are kept here, so no lesson is given",
                remedy="name a file: --record",
            )
        return self.board.learning

    # --- the arbiter

    async def rulings(self, asked: Asked) -> Answered:  # noqa: ARG002  # all get the same
        """What was decided about the game."""
        return Answered.of(await self.board.rulings())

    async def rule(self, asked: Asked) -> Answered:
        """Decide about the game."""
        wish: RulingWish = asked.body

        async def do() -> Answered:
            return self._said(await self.board.rule(wish, asked.known.name), asked)

        return await self._once(asked, wish.id, do)

    async def call(self, asked: Asked) -> Answered:
        """Let the players be called so."""
        calling: Calling = asked.body

        async def do() -> Answered:
            await self.board.call(calling, asked.known.name)
            return self._said("", asked)

        return await self._once(asked, calling.id, do)

    # --- games, health, settings

    async def games(self, asked: Asked) -> Answered:
        """The games that are kept."""
        query = asked.query
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

    async def all_pgn(self, asked: Asked) -> Answered:
        """All games that are asked for as one file."""
        query = asked.query
        text = await self._library.all_pgn(query.get("q", "")[:100], query.get("fen", "")[:100])
        headers = {"Content-Disposition": 'attachment; filename="games.pgn"'}
        return Answered(text.encode(), kind=PGN, headers=headers)

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

    async def examine(self, asked: Asked) -> Answered:  # noqa: ARG002  # all get the same
        """What the doctor says."""
        if wait_s := self._examinations.take(self._now_s()):
            raise too_often("the board was examined just now", wait_s)
        return Answered.of(await self.board.examine())

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
        gone = {self.cookie: ("", 0)}
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
        way = self._pairing.redeem(wanted.code)
        if way.link is not None:
            return self._watch_by(asked, way.link, wanted.name)
        return self._begin(asked, way.role, wanted.name)

    def _watch_by(self, asked: Asked, link: Link, name: str) -> Answered:
        """A link for spectators is opened; who may do more already stays who they are."""
        holder = asked.holder
        if holder is not None and (holder.role is not Role.SPECTATOR or holder.link == link.id):
            return Answered.of(self._session_of(asked, holder))
        if sum(one.link == link.id for one in self.sessions.all()) >= MOST_OF_ONE_LINK:
            raise RefusedError(
                429, "too many look on by this link", remedy="ask for another", retry_s=3600
            )
        return self._begin(asked, Role.SPECTATOR, name, link)

    # --- letting others in

    async def links(self, asked: Asked) -> Answered:  # noqa: ARG002  # all get the same
        """The links for spectators."""
        watching = Counter(one.link for one in self.sessions.all())
        return Answered.of(
            LinkList(
                links=[
                    LinkInfo(
                        id=one.id,
                        name=one.name,
                        delay_plies=one.delay_plies,
                        since=one.since_ms,
                        watching=watching[one.id],
                    )
                    for one in self.sessions.links()
                ]
            )
        )

    async def let_in(self, asked: Asked) -> Answered:
        """A new address for somebody else."""
        wish: LinkWish = asked.body
        role = Role(wish.role)
        if role is not Role.SPECTATOR:
            if wish.delay_plies:
                raise RefusedError(422, "only spectators see the board late", where="delay_plies")
            code = self.sessions.offer(role)
            return Answered.of(NewLink(id=None, path=f"/pair#{code}", ends_ms=CODE_MS))
        if len(self.sessions.links()) >= MOST_LINKS:
            raise RefusedError(409, f"there are {MOST_LINKS} links", remedy="end one first")
        code, link = self.sessions.link(wish.name, wish.delay_plies)
        return Answered.of(NewLink(id=link.id, path=f"/pair#{code}", ends_ms=None))

    async def end_link(self, asked: Asked) -> Answered:
        """End a link, and with it the sessions that came by it."""
        ended = self.sessions.end_link(int(asked.path["id"]))
        if ended is None:
            raise RefusedError(404, "there is no such link", where="id")
        for number in ended:
            self.hub.end(number)
        return Answered.of(Said(text="", seq=0))

    async def prove(self, asked: Asked) -> Answered:
        """Take a code as a sign that an owner is here; nothing else changes."""
        again: CodeAgain = asked.body
        if not may(self._pairing.redeem(again.code).role, Right.OWN):
            raise RefusedError(403, "this is no owner's code", where="code")
        self.sessions.prove(asked.known.id)
        return Answered.of(Said(text="", seq=0))

    async def knock(self, asked: Asked) -> Answered:
        """Ask for squares to be touched."""
        wanted: Naming = asked.body
        state = self.hub.channel(Role.OWNER).state
        knock, secret = self._pairing.ask(state, wanted.name)
        _, left_ms = self._pairing.state_of(knock)
        answer = KnockAnswer(squares=knock.squares, left_ms=left_ms)
        return Answered.of(answer, cookies={self._knock_cookie: (secret, KNOCK_COOKIE_S)})

    async def knocked(self, asked: Asked) -> Answered:
        """How far the knock of the asking page has come; when it is done, a session."""
        knock = self._pairing.knock_of(asked.cookies.get(self._knock_cookie))
        if knock is None:
            return Answered.of(KnockProgress(state="none"))
        state, left_ms = self._pairing.state_of(knock)
        progress = KnockProgress(
            state=state.value, seen=knock.seen, left_ms=left_ms, tries_left=knock.tries_left
        )
        if state is not KnockState.DONE:
            return Answered.of(progress)
        role, name = self._pairing.conclude()
        cookies = {self._knock_cookie: ("", 0)}
        if asked.holder is not None and RIGHTS[asked.holder.role] > RIGHTS[role]:
            self.sessions.prove(asked.holder.id)  # nobody becomes less by a knock
        else:
            cookies |= self._begin(asked, role, name).cookies
        return Answered.of(progress, cookies=cookies)

    def _begin(self, asked: Asked, role: Role, name: str, link: Link | None = None) -> Answered:
        if asked.holder is not None:
            self._end(asked.holder.id)  # a page is one person
        token, holder = self.sessions.begin(role, name, link)
        cookies = {self.cookie: (token, ABSOLUTE_MS // 1000)}
        return Answered.of(self._session_of(asked, holder), cookies=cookies)

    def _session_of(self, asked: Asked, holder: Holder | None) -> SessionAnswer:
        return SessionAnswer(
            role=holder.role.value if holder else None,
            name=holder.name if holder else "",
            board=self.board.name,
            claimed=self.sessions.is_claimed,
            can_knock=self._can_knock(),
            simulated=self.board.is_simulated,
            lang=cast("Literal['en', 'de']", language_of(asked.headers.get("Accept-Language", ""))),
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
            state=channel.snapshot,
        )


def _file(file: StaticFile, asked: Asked, caching: str) -> Answered:
    headers = {"Cache-Control": caching, "Vary": "Accept-Encoding, Accept-Language"}
    if file.packed is not None and "gzip" in asked.headers.get("Accept-Encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Answered(file.packed, kind=file.kind, headers=headers)
    return Answered(file.plain, kind=file.kind, headers=headers)
