"""The door: HTTP and WebSocket by aiohttp. What is let in goes to ``handlers.py``."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Collection, Mapping
from typing import Any

import msgspec
from aiohttp import WSCloseCode, WSMsgType, web
from aiohttp.web_protocol import RequestPayloadError

from boardfw.errors import BoardError
from boardfw.services.web.exchange import NO_STORE, Answered, Asked
from boardfw.services.web.gate import ALWAYS, check_change, check_host, check_origin
from boardfw.services.web.handlers import Handlers
from boardfw.services.web.hub import Viewer
from boardfw.services.web.refusals import RefusedError
from boardfw.services.web.roles import may
from boardfw.services.web.routes import Route, find

log = logging.getLogger(__name__)
QUIET = logging.getLogger(f"{__name__}.access")
"""Who asks for what is nobody's business."""
QUIET.disabled = True

BEAT_S = 5.0
"""A page that heard nothing for longer knows that the line is dead."""
SEND_S = 20.0
"""A viewer that takes no byte for so long is let go."""
HEADER_S = BODY_S = 10.0
"""A request has to come within this time."""
KEEP_S = 30.0
GOOD_BYE_S = 0.3
"""At the end viewers are waited for so long."""
MOST_CONNECTIONS = 256
HEADER_BYTES = 8_190
MOST_SENT_BYTES = 4_096
"""Of a WebSocket message that comes in; none is expected."""
WAITING_BYTES = 4_096
"""So much of what a viewer has not taken yet waits in the system, which forgets nothing: what comes
later waits here, where newer replaces older. So who reads slowly sees what is, not what was."""
PROBLEM = "application/problem+json"
SESSION_ENDED = 4401
SCHEME = "http"


class Connection(web.RequestHandler):
    """A connection that answers also what is no HTTP with our headers, and without a trace."""

    patience: asyncio.TimerHandle | None = None
    """Ends it unless a request comes; it holds the connection, and so must end with it."""

    def has_asked(self) -> None:
        """A request has come, or none can come any more."""
        if self.patience is not None:
            self.patience.cancel()
            self.patience = None

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
        problem = RefusedError(status, "this request could not be answered")
        response = _response(_refused(problem))
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
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
            return
        if isinstance(handler, Connection):
            loop = asyncio.get_running_loop()
            handler.patience = loop.call_later(HEADER_S, transport.abort)

    def connection_lost(
        self, handler: web.RequestHandler, exc: BaseException | None = None
    ) -> None:
        """A connection has ended."""
        super().connection_lost(handler, exc)
        if isinstance(handler, Connection):
            handler.has_asked()


class Door:
    """Serves one board. ``names``: how the board is called beside its addresses."""

    def __init__(self, handlers: Handlers, names: Collection[str]) -> None:
        self._handlers = handlers
        self._names = names
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
        if isinstance(request.protocol, Connection):
            request.protocol.has_asked()
        try:
            route, path = self._let_in(request)
            holder = self._handlers.sessions.of(request.cookies.get(self._handlers.cookie))
            role = holder.role if holder else None
            if not may(role, route.right):
                raise _not_allowed(is_known=holder is not None)
            if route.asks_code and not (holder and self._handlers.sessions.is_fresh(holder)):
                raise _too_long_ago()
            body = await _body(request, route)
            asked = Asked(
                holder,
                {**path, "page": route.path},
                request.query,
                request.headers,
                request.cookies,
                request.remote or "",
                body,
            )
            if route.is_stream:
                return await self._stream(request, asked)
            return _response(await self._handlers.named(route.does)(asked))
        except RefusedError as refused:
            return _response(_refused(refused))
        except BoardError as error:  # the disk has trouble with who is known
            log.error("%s", error)
            return _response(_refused(RefusedError(503, "the disk is in trouble", retry_s=10)))

    def _let_in(self, request: web.BaseRequest) -> tuple[Route, dict[str, str]]:
        """The route, if the request may come in at all. Raises RefusedError."""
        transport = request.transport
        local = transport.get_extra_info("sockname") if transport else None
        check_host(request.headers, self._names, local[0] if local else "")
        route, path = find(request.method, request.rel_url.raw_path)
        if route.method != "GET":
            check_change(request.headers, SCHEME)
        elif route.is_stream:
            check_origin(request.headers, SCHEME)
        return route, path

    # --- streams

    async def _stream(self, request: web.BaseRequest, asked: Asked) -> web.StreamResponse:
        hub = self._handlers.hub
        viewer = hub.enter(asked.known, asked.address, asked.query.get("since", ""))
        try:
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
                await self._talk(stream, viewer)
            except TimeoutError:  # else what it does not take would be kept until it does
                if request.transport is not None:
                    request.transport.abort()
            finally:
                self._streams.discard(stream)
            return stream
        finally:
            hub.leave(viewer)

    async def _talk(self, stream: web.WebSocketResponse, viewer: Viewer) -> None:
        """Send what is new until the viewer, or its session, has gone. Raises TimeoutError where
        it takes nothing."""
        listening = asyncio.ensure_future(_until_gone(stream))
        telling = asyncio.ensure_future(self._tell(stream, viewer))
        try:
            await asyncio.wait((listening, telling), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (listening, telling):
                task.cancel()
            _, failure = await asyncio.gather(listening, telling, return_exceptions=True)
        if isinstance(failure, TimeoutError):
            raise failure
        if viewer.is_ended:
            await stream.close(code=SESSION_ENDED)

    async def _tell(self, stream: web.WebSocketResponse, viewer: Viewer) -> None:
        board = self._handlers.board
        while not (viewer.is_ended or stream.closed):
            viewer.news.clear()
            message = viewer.next_message(board.now_ms())
            async with asyncio.timeout(SEND_S):
                await stream.send_frame(message or b'{"beat":%d}' % board.now_ms(), WSMsgType.TEXT)
            await asyncio.sleep(viewer.interval_s)
            try:
                async with asyncio.timeout(BEAT_S - viewer.interval_s):
                    await viewer.news.wait()
            except TimeoutError:
                continue


def _keep_short(transport: asyncio.Transport | None) -> None:
    """Let little wait in the system, and nothing in the loop."""
    line = transport.get_extra_info("socket") if transport else None
    if transport is None or line is None:
        return
    transport.set_write_buffer_limits(high=0)
    if line.family in (socket.AF_INET, socket.AF_INET6) and hasattr(socket, "TCP_NOTSENT_LOWAT"):
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, WAITING_BYTES)


async def _until_gone(stream: web.WebSocketResponse) -> None:
    async for _ in stream:
        pass  # nothing is expected from a viewer


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


async def _body(request: web.BaseRequest, route: Route) -> Any:
    """What was sent, as the route's type. Raises RefusedError."""
    if route.method == "GET":
        return None
    if request.headers.get("Content-Encoding", "identity") != "identity":
        raise RefusedError(415, "the body has to be sent as it is", where="Content-Encoding")
    content = await _read(request, route.most_bytes)
    if route.body is None:
        return None
    try:
        return msgspec.json.decode(content, type=route.body)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at ")
        raise RefusedError(422, what, where=where.strip("`") or "body") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise RefusedError(400, "the body is no JSON", where="body") from None


async def _read(request: web.BaseRequest, most_bytes: int) -> bytes:
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
    except (RequestPayloadError, ConnectionError):
        raise RefusedError(400, "the body was cut off", where="body") from None
    return bytes(content)


def _refused(refused: RefusedError) -> Answered:
    headers: Mapping[str, str] = {}
    if refused.retry_s is not None:
        headers = {"Retry-After": str(refused.retry_s)}
    return Answered(refused.body, refused.status, PROBLEM, headers)


def _response(answered: Answered) -> web.Response:
    headers = {"Cache-Control": NO_STORE, **ALWAYS, **answered.headers}
    headers["Content-Type"] = answered.kind
    response = web.Response(body=answered.body, status=answered.status, headers=headers)
    for name, (value, seconds) in answered.cookies.items():
        response.set_cookie(
            name, value, max_age=seconds, path="/", httponly=True, samesite="Strict"
        )
    return response
