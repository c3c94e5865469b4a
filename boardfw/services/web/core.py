"""The core: what only the board can answer, whether it is asked in this process or from another.

``Handlers`` is the core itself. ``core_socket.py`` has one that asks it through a socket, for the
process of the pages that has no device and no way out; who asks need not know which of them it is.
Who is known, and who may do what, is decided behind this line.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgspec

from boardfw.errors import shortened
from boardfw.services.web.gate import JSON
from boardfw.services.web.refusals import RefusedError
from boardfw.services.web.routes import Route

PASSED_ON = ("Accept-Language", "If-None-Match")
"""The headers of a request that answers depend on."""
Body = Callable[[], Awaitable[bytes]]
"""Reads what was sent; called once it is known that the asking may do what they ask for."""


class Request(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is asked for. ``path``: as in the address, without what follows a question mark."""

    method: str
    path: str
    query: dict[str, str] = {}
    headers: dict[str, str] = {}
    session: str | None = None
    """SHA-256 of the session's token, in hexadecimal digits; None: there is none."""
    knock: str | None = None
    """The secret of a page that knocks; None: it does not."""
    address: str = ""
    """Of who asks, as far as it is known."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What is sent back. ``cookies``: "session" or "knock" -> value and seconds; 0 s: it goes."""

    body: bytes = b""
    status: int = 200
    kind: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)
    cookies: Mapping[str, tuple[str, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, answer: object, **more: Any) -> Answered:
        """An answer of the API."""
        return cls(msgspec.json.encode(answer), **more)


class Core(Protocol):
    """All in the loop of the pages. What cannot be done raises RefusedError."""

    async def answer(self, request: Request, body: Body) -> Answered:
        """Answer a request, or do what it asks for."""

    def watch(self, request: Request) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        """What a viewer is sent: JSON, the next when it has taken the last. It ends where the
        session ends, and raises RefusedError where the board does."""


_PLACE = re.compile(r" - at `([^`\n]*)`\Z")
"""The end of a message of msgspec: the place in the body that is wrong."""
_UNKNOWN = re.compile(r"(?<=unknown field )`(.*)`\Z", re.DOTALL)
"""A key of the body, which may be of any length and hold line breaks."""


def body_of(route: Route, content: bytes) -> Any:
    """What was sent, as the route's type; None where it has none. Raises RefusedError."""
    if route.body is None:
        return None
    try:
        return msgspec.json.decode(content, type=route.body)
    except msgspec.ValidationError as error:
        place = _PLACE.search(text := str(error))
        what = _UNKNOWN.sub(lambda found: repr(found[1]), _PLACE.sub("", text))
        raise RefusedError(422, shortened(what), where=place[1] if place else "body") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise RefusedError(400, "the body is no JSON", where="body") from None


async def until_either(
    gone: Coroutine[Any, Any, None], telling: Coroutine[Any, Any, None]
) -> asyncio.Task[None]:
    """Tell a viewer what is new until it has gone, or nothing more is told; ``telling``, ended."""
    tasks = (asyncio.ensure_future(gone), asyncio.ensure_future(telling))
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return tasks[1]


def let_go(transport: asyncio.BaseTransport | None) -> None:
    """Break the cycle that asyncio leaves of a closed connection: the transport has a method of its
    own as an attribute. A board that plays searches for cycles seldom.

    Python 3.12 does it by itself, and other loops than asyncio's own leave no cycle.
    """
    getattr(transport, "__dict__", {}).pop("_read_ready_cb", None)
