"""What the routes do by which somebody becomes known, or is known no longer, and what is asked."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from boardfw.phrase import Phrase
from boardfw.services.web.api import (
    CodeAgain,
    KnockAnswer,
    KnockProgress,
    LinkInfo,
    LinkList,
    LinkWish,
    Naming,
    NewLink,
    PairCode,
    Said,
    SessionAnswer,
    SessionInfo,
)
from boardfw.services.web.board_side import BoardSide
from boardfw.services.web.core import Answered, Request
from boardfw.services.web.hub import Hub
from boardfw.services.web.knock import KnockState
from boardfw.services.web.pairing import Pairing
from boardfw.services.web.refusals import RefusedError
from boardfw.services.web.roles import RIGHTS, Right, Role, may
from boardfw.services.web.routes import Route
from boardfw.services.web.sessions import ABSOLUTE_MS, CODE_MS, Holder, Link, Sessions, Way
from boardfw.services.web.static_files import language_of

MOST_LINKS, MOST_OF_ONE_LINK = 32, 256
"""Links for spectators, and sessions that came by one of them."""
KNOCK_COOKIE_S = 300
MOST_HELD = 32
"""Answers to wrong codes that are held back at a time: each keeps a connection from others."""


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


class SessionHandlers:
    """Sessions, pairing and links, by the names that ``routes.py`` gives them."""

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
        self._held = 0
        """Answers that are held back."""

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
        way = await self._redeem(asked, wanted.code)
        if way.link is not None:
            return self._watch_by(asked, way.link, wanted.name)
        return self._begin(asked, way.role, wanted.name)

    async def _redeem(self, asked: Asked, code: str) -> Way:
        """Return what a code gives. Raises RefusedError, late where many codes were wrong."""
        try:
            return self._pairing.redeem(code, asked.request.address)
        except RefusedError:
            hold_s = self._pairing.hold_s()
            if hold_s and self._held < MOST_HELD:
                self._held += 1
                try:
                    await asyncio.sleep(hold_s)
                finally:
                    self._held -= 1
            raise

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
            raise RefusedError(
                409, Phrase("there are {0} links", str(MOST_LINKS)), remedy="end one first"
            )
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
        if not may((await self._redeem(asked, again.code)).role, Right.OWN):
            raise RefusedError(403, "this is no owner's code", where="code")
        self.sessions.prove(asked.known.id)
        return Answered.of(Said(text="", seq=0))

    async def knock(self, asked: Asked) -> Answered:
        """Ask for squares to be touched."""
        wanted: Naming = asked.body
        state = self.hub.channel(Role.OWNER).state
        knock, secret = self._pairing.ask(state, wanted.name, asked.request.address)
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
        role, name = self._pairing.conclude(asked.request.knock or "")
        cookies = {"knock": ("", 0)}
        if asked.holder is not None and RIGHTS[asked.holder.role] > RIGHTS[role]:
            self.sessions.prove(asked.holder.id)  # nobody becomes less by a knock
        else:
            cookies |= self._begin(asked, role, name).cookies
        return Answered.of(progress, cookies=cookies)

    def _begin(self, asked: Asked, role: Role, name: str, link: Link | None = None) -> Answered:
        if asked.holder is not None:
            self._end(asked.holder.id)  # a page is one person
        token, holder = self.sessions.begin(role, name, link)
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
                last=one.last.unix_ms,
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
