"""The door: HTTP and WebSocket by aiohttp. What is let in goes to the core or to ``front.py``."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Collection, Mapping
from functools import partial
from typing import Any

from aiohttp import WSCloseCode, WSMsgType, web
from aiohttp.web_protocol import RequestPayloadError

from boardfw.services.web.core import PASSED_ON, Answered, Core, Request, let_go, until_either
from boardfw.services.web.crowd import Crowd
from boardfw.services.web.front import NO_STORE, Front
from boardfw.services.web.gate import ALWAYS, check_change, check_host, check_origin
from boardfw.services.web.refusals import Refusal, RefusedError
from boardfw.services.web.roles import Right
from boardfw.services.web.routes import Route, find
from boardfw.services.web.sessions import digest_of

log = logging.getLogger(__name__)
QUIET = logging.getLogger(f"{__name__}.access")
"""Who asks for what is nobody's business."""
QUIET.disabled = True

SEND_S = 20.0
"""A viewer that takes no byte for so long is let go."""
HEADER_S = BODY_S = 10.0
"""A request has to come within this time; one who is not known has no longer for the next one."""
KEEP_S = 30.0
GOOD_BYE_S = 0.3
"""At the end viewers are waited for so long."""
HEADER_BYTES = 8_190
MOST_SENT_BYTES = 4_096
"""Of a WebSocket message that comes in; none is expected."""
WAITING_BYTES = 4_096
"""So much of what a viewer has not taken yet waits in the system, which forgets nothing: what comes
later waits here, where newer replaces older. So who reads slowly sees what is, not what was."""
PROBLEM = "application/problem+json"
SESSION_ENDED = 4401


class Connection(web.RequestHandler):
    """A connection that answers also what is no HTTP with our headers, and without a trace."""

    address = ""
    is_known = False
    is_busy = False
    _patience: asyncio.TimerHandle | None = None
    """Ends it unless a request comes; it holds the connection, and so must end with it."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody has connected: the line is served, or closed where there is no room for it."""
        line, peer = transport.get_extra_info("socket"), transport.get_extra_info("peername")
        is_proxy = line is not None and line.family == socket.AF_UNIX
        self.is_known, self.address = is_proxy, "" if is_proxy or not peer else str(peer[0])
        server = self._manager
        if isinstance(server, Server) and isinstance(transport, asyncio.Transport):
            if server.crowd.enter(self):
                super().connection_made(transport)
            else:
                transport.abort()
                let_go(transport)

    def drop(self) -> None:
        """End it now."""
        if self.transport is not None:
            self.transport.abort()

    def wait(self) -> None:
        """Wait for a request, and for no longer than a stranger may keep a line."""
        self.has_asked()
        if not self.is_known and self.transport is not None:
            loop = asyncio.get_running_loop()
            self._patience = loop.call_later(HEADER_S, self.transport.abort)

    def has_asked(self) -> None:
        """A request has come, or none can come any more."""
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def data_received(self, data: bytes) -> None:
        """Some bytes have come."""
        super().data_received(data)
        for message, _ in self._messages:
            _forget_frames(getattr(message, "exc", None))

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,  # noqa: ARG002  # it repeats what came in
    ) -> web.StreamResponse:
        """What could not be read, or went wrong in here."""
        if status >= 500:
            log.error("a page of %s failed", request.remote, exc_info=exc)
        _forget_frames(exc)
        problem = RefusedError(status, "this request could not be answered")
        response = _response(_refused(problem.refusal))
        response.force_close()
        return response

    def log_exception(self, *told: Any, **more: Any) -> None:
        """What a client makes of its own body is no trouble of ours."""
        if not isinstance(more.get("exc_info"), RequestPayloadError):
            super().log_exception(*told, **more)


class Server(web.Server):
    """Makes connections, not too many, and none that says nothing."""

    def __init__(self, door: Door) -> None:
        super().__init__(door.serve)
        self.crowd = Crowd(asyncio.get_running_loop().time)

    def __call__(self) -> web.RequestHandler:
        """A new connection."""
        return Connection(
            self,
            loop=asyncio.get_running_loop(),
            access_log=QUIET,
            keepalive_timeout=KEEP_S,
            max_line_size=HEADER_BYTES,
            max_field_size=HEADER_BYTES,
            lingering_time=1.0,
            auto_decompress=False,
        )

    def connection_made(self, handler: web.RequestHandler, transport: asyncio.Transport) -> None:
        """Somebody has connected."""
        super().connection_made(handler, transport)
        if isinstance(handler, Connection):
            handler.wait()

    def connection_lost(
        self, handler: web.RequestHandler, exc: BaseException | None = None
    ) -> None:
        """A connection has ended."""
        super().connection_lost(handler, exc)
        if isinstance(handler, Connection):
            self.crowd.leave(handler)
            handler.has_asked()
            let_go(handler.transport)


class Door:
    """Serves one board. ``names``: how the board is called beside its addresses."""

    def __init__(self, core: Core, front: Front, board: str, names: Collection[str]) -> None:
        """``board``: its name, in letters that a cookie's name may hold."""
        self._core = core
        self._front = front
        self._names = names
        self._cookies = {"session": f"bfw_{board}", "knock": f"bfwk_{board}"}
        self._runner: web.ServerRunner | None = None
        self._streams: set[web.WebSocketResponse] = set()

    async def open(self, *listening: socket.socket) -> None:
        """Serve on these sockets until ``close``."""
        self._runner = web.ServerRunner(Server(self), shutdown_timeout=GOOD_BYE_S)
        await self._runner.setup()
        for one in listening:
            await web.SockSite(self._runner, one).start()

    async def close(self) -> None:
        """Let everybody go."""
        leaving = [
            asyncio.ensure_future(stream.close(code=WSCloseCode.GOING_AWAY))
            for stream in self._streams
        ]
        if leaving:  # who does not answer is not waited for
            await asyncio.wait(leaving, timeout=GOOD_BYE_S)
        if self._runner is not None:
            await self._runner.cleanup()

    async def serve(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer one request."""
        line = request.protocol
        if not isinstance(line, Connection):
            return await self._answer(request)
        line.has_asked()
        line.is_busy = True
        try:
            return await self._answer(request)
        finally:
            line.is_busy = False
            line.wait()

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        try:
            route, path = self._let_in(request)
            asked = self._asked(request)
            if route.is_stream:
                return await self._stream(request, asked)
            if route.is_front:
                encodings = request.headers.get("Accept-Encoding", "")
                answered = await self._front.answer(route, path, asked, encodings)
            else:
                body = partial(_read, request, route.most_bytes)
                answered = await self._core.answer(asked, body)
            if route.right is not Right.NOTHING or answered.cookies.get("session", ("", 0))[1]:
                _is_known(request)
            return self._with_cookies(answered, _scheme(request))
        except RefusedError as refused:
            return _response(_refused(refused.refusal))

    def _asked(self, request: web.BaseRequest) -> Request:
        token = request.cookies.get(self._cookies["session"])
        return Request(
            method=request.method,
            path=request.rel_url.raw_path,
            query=dict(request.query),
            headers={name: request.headers[name] for name in PASSED_ON if name in request.headers},
            session=digest_of(token).hex() if token else None,
            knock=request.cookies.get(self._cookies["knock"]),
            address=_address(request),
        )

    def _with_cookies(self, answered: Answered, scheme: str) -> web.Response:
        response = _response(answered)
        for name, (value, seconds) in answered.cookies.items():
            response.set_cookie(
                self._cookies[name],
                value,
                max_age=seconds,
                path="/",
                secure=scheme == "https",
                httponly=True,
                samesite="Strict",
            )
        return response

    def _let_in(self, request: web.BaseRequest) -> tuple[Route, dict[str, str]]:
        """The route, if the request may come in at all. Raises RefusedError."""
        transport = request.transport
        local = transport.get_extra_info("sockname") if transport else None
        check_host(request.headers, self._names, local[0] if local else "")
        route, path = find(request.method, request.rel_url.raw_path)
        if route.method != "GET":
            check_change(request.headers, _scheme(request))
        elif route.is_stream:
            check_origin(request.headers, _scheme(request))
        return route, path

    # --- streams

    async def _stream(self, request: web.BaseRequest, asked: Request) -> web.StreamResponse:
        async with self._core.watch(asked) as messages:
            _is_known(request)
            stream = web.WebSocketResponse(
                compress=False,
                max_msg_size=MOST_SENT_BYTES,
                writer_limit=0,  # each message waits until the one before is on its way
                timeout=2.0,
            )
            stream.headers.update(ALWAYS)
            if not stream.can_prepare(request):
                raise RefusedError(426, "this address is a WebSocket", where="Upgrade")
            await stream.prepare(request)
            _keep_short(request.transport)
            self._streams.add(stream)
            try:
                await self._talk(stream, messages)
            except TimeoutError:  # else what it does not take would be kept until it does
                if request.transport is not None:
                    request.transport.abort()
            finally:
                self._streams.discard(stream)
                _forget_frames(stream.exception())
            return stream

    async def _talk(self, stream: web.WebSocketResponse, messages: AsyncIterator[bytes]) -> None:
        """Send what is new until the viewer, its session or the board has gone. Raises TimeoutError
        where the viewer takes nothing."""
        told = await until_either(_until_gone(stream), _tell(stream, messages))
        if told.cancelled():
            return
        failure = told.exception()
        if failure is None:
            await stream.close(code=SESSION_ENDED)
        elif isinstance(failure, RefusedError):  # the board has gone
            await stream.close(code=WSCloseCode.GOING_AWAY)
        elif isinstance(failure, TimeoutError):
            raise failure


def _is_known(request: web.BaseRequest) -> None:
    """Note that a request has shown a session, which only the core can tell."""
    if isinstance(request.protocol, Connection):
        request.protocol.is_known = True


async def _tell(stream: web.WebSocketResponse, messages: AsyncIterator[bytes]) -> None:
    async for message in messages:
        async with asyncio.timeout(SEND_S):
            await stream.send_frame(message, WSMsgType.TEXT)


def _keep_short(transport: asyncio.Transport | None) -> None:
    """Let little wait in the system, and nothing in the loop."""
    line = transport.get_extra_info("socket") if transport else None
    if transport is None or line is None:
        return
    transport.set_write_buffer_limits(high=0)
    if line.family in (socket.AF_INET, socket.AF_INET6) and hasattr(socket, "TCP_NOTSENT_LOWAT"):
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, WAITING_BYTES)


async def _until_gone(stream: web.WebSocketResponse) -> None:
    async for message in stream:  # nothing is expected from a viewer
        if message.type is WSMsgType.ERROR:
            _forget_frames(message.data)


def _forget_frames(failure: BaseException | None) -> None:
    """Let go of what was under way when something could not be read.

    These frames hold the failure, the connection, and up to 64 kB that came in; nothing but a
    search for cycles would find them, and a board that plays searches seldom.
    """
    while failure is not None:
        failure.__traceback__ = None
        failure = failure.__context__


async def _read(request: web.BaseRequest, most_bytes: int) -> bytes:
    if request.headers.get("Content-Encoding", "identity") != "identity":
        raise RefusedError(415, "the body has to be sent as it is", where="Content-Encoding")
    content = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            async for part in request.content.iter_any():
                content += part
                if len(content) > most_bytes:
                    raise RefusedError(
                        413, f"at most {most_bytes} bytes may be sent here", where="body"
                    )
    except TimeoutError:
        raise RefusedError(408, "the body came too slowly", where="body") from None
    except (RequestPayloadError, ConnectionError) as failure:
        _forget_frames(failure)
        raise RefusedError(400, "the body was cut off", where="body") from None
    return bytes(content)


def _refused(refusal: Refusal) -> Answered:
    headers: Mapping[str, str] = {}
    if refusal.retry_s is not None:
        headers = {"Retry-After": str(refusal.retry_s)}
    return Answered(refusal.body, refusal.status, PROBLEM, headers)


def _response(answered: Answered) -> web.Response:
    headers = {"Cache-Control": NO_STORE, **ALWAYS, **answered.headers}
    headers["Content-Type"] = answered.kind
    return web.Response(body=answered.body, status=answered.status, headers=headers)


def _is_proxied(request: web.BaseRequest) -> bool:
    """Whether it came through a file, where only a server in front of us is let in."""
    transport = request.transport
    ours = transport.get_extra_info("socket") if transport else None
    return ours is not None and ours.family == socket.AF_UNIX


def _scheme(request: web.BaseRequest) -> str:
    """How the browser asks; a proxy's word for it counts, anybody else's does not."""
    said = request.headers.get("X-Forwarded-Proto") if _is_proxied(request) else None
    return "https" if said == "https" else "http"


def _address(request: web.BaseRequest) -> str:
    """Where the browser is, likewise."""
    if _is_proxied(request):
        return request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()[:64]
    return request.remote or ""
