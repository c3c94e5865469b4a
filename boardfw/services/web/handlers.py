"""What each route of the API does: from what was asked to what is answered. It knows no socket."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from typing import Any

from boardfw.errors import BoardError
from boardfw.languages import also_said
from boardfw.ports import button_named
from boardfw.services.web.api import (
    Calling,
    Command,
    GameWish,
    HandAct,
    LessonWish,
    RulingWish,
    Said,
)
from boardfw.services.web.board_side import BoardSide, Learning, Library
from boardfw.services.web.core import Answered, Body, Request, body_of
from boardfw.services.web.feed import Channel
from boardfw.services.web.hub import Hub
from boardfw.services.web.limits import Limit, Rate
from boardfw.services.web.pairing import Pairing
from boardfw.services.web.refusals import RefusedError, too_often
from boardfw.services.web.roles import may
from boardfw.services.web.routes import find
from boardfw.services.web.session_handlers import Asked, SessionHandlers
from boardfw.services.web.sessions import Sessions

log = logging.getLogger(__name__)

COMMANDS = Rate(20, 1)
EXAMINATIONS = Rate(1, 20)
"""Of the board, by all together: each takes the bus and the processor for a moment."""
MOST_LISTED = 200
PGN = "application/x-chess-pgn; charset=utf-8"
REMEMBERED = 512
"""Commands whose answer is given again."""

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


class Handlers(SessionHandlers):
    """The core: answers a request by the method of its name."""

    def __init__(
        self,
        board: BoardSide,
        hub: Hub,
        sessions: Sessions,
        pairing: Pairing,
        now_s: Callable[[], float],
    ) -> None:
        super().__init__(board, hub, sessions, pairing, now_s)
        self._commands = Limit(COMMANDS)
        self._examinations = Limit(EXAMINATIONS)
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
            do: Callable[[Asked], Awaitable[Answered]] = getattr(self, asked.route.does)
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
        if not may(holder.role if holder else None, route.right):
            raise _not_allowed(is_known=holder is not None)
        if route.asks_code and not (holder and self.sessions.is_fresh(holder)):
            raise _too_long_ago()
        return Asked(request, route, path, holder)

    # --- the board

    def _channel(self, asked: Asked) -> Channel:
        """What who asks may see."""
        return self.hub.channel(asked.role, asked.known.delay_plies)

    async def state(self, asked: Asked) -> Answered:
        """The board now."""
        channel = self._channel(asked)
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
            raise RefusedError(
                422, "write one of lift, drop, take, touch, back, set_up, end_demo", where="body"
            )

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
        seq, also = self._channel(asked).seq, also_said(text=text)
        return Answered.of(Said(text=str(text), seq=seq, also=also))  # JSON knows no phrases

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
        finally:
            del doing  # a refusal's frames would hold it, and it the refusal

    # --- lessons

    async def courses(self, asked: Asked) -> Answered:
        """What can be learnt."""
        return Answered.of(
            await self._learning.courses(asked.request.query.get("profile", "guest")[:64])
        )

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

    async def all_pgn(self, asked: Asked) -> Answered:
        """All games that are asked for as one file."""
        query = asked.request.query
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


def _not_allowed(*, is_known: bool) -> RefusedError:
    if is_known:
        return RefusedError(403, "your session may not do that", remedy="ask the board's owner")
    return RefusedError(401, "nobody knows you here yet", remedy="open /pair")


def _too_long_ago() -> RefusedError:
    return RefusedError(
        403,
        "the board wants to know once more that you are here",
        where="code",
        remedy="knock at it, or enter the code that 'boardfw pair' or the word 'page' shows",
    )


@contextmanager
def _told() -> Iterator[None]:
    """Trouble of the disk with who is known, or with games, refuses a request."""
    try:
        yield
    except BoardError as error:
        log.error("%s", error)
        raise RefusedError(503, "the disk is in trouble", retry_s=10) from error
