"""The core through a socket: both ends, for a process of the pages that is apart from the board.

One connection is one question. Lines of JSON go both ways: the core says ``hello``, is asked
``{"ask": Request}`` or ``{"watch": Request}``, and says ``answer``, ``refused``, or ``go`` where it
wants to have what was sent; a viewer gets the messages of a WebSocket, each when it has said that
it took the last (``taken``), and ``ended`` with its session. Whoever asks is known by the kernel's
word for it, and may be anything but trusted.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path

import msgspec

from boardfw.services.web.core import Answered, Body, Core, Request, body_of, let_go, until_either
from boardfw.services.web.refusals import ANSWER_BYTES, Refusal, RefusedError, too_often
from boardfw.services.web.routes import USUAL_BODY, find

VERSION = 1
MOST_CONNECTIONS = 256
HEAD_S, BODY_S, SEND_S = 10.0, 20.0, 20.0
"""A question has to come within this time, what was sent within that, and somebody who takes
nothing for so long is let go."""
LINE_BYTES = 2 * ANSWER_BYTES
"""An answer as JSON has it."""
CHUNK = 16_384
PEER = struct.Struct("3i")
"""Process, user and group, as SO_PEERCRED tells them."""

GO = b'{"go":true}\n'
TAKEN = b'{"taken":true}\n'
"""Without it a viewer's messages would wait in the system, where nothing newer replaces them."""
ENDED = b'{"ended":true}\n'
REFUSED = b'{"refused":'


class Asking(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The line that asks; exactly one of both is there."""

    ask: Request | None = None
    watch: Request | None = None


class Hello(msgspec.Struct, frozen=True):
    """Who answers. ``v``: counts the changes that the other end has to know of."""

    v: int


class WholeAnswer(msgspec.Struct, frozen=True):
    """``Answered``, as JSON has it."""

    status: int
    kind: str
    headers: dict[str, str]
    cookies: dict[str, tuple[str, int]]
    body: str


class Told(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the core, beside the messages of a stream; exactly one of its keys is there."""

    hello: Hello | None = None
    go: bool | None = None
    answer: WholeAnswer | None = None
    refused: Refusal | None = None


class GoneError(Exception):
    """The other end has gone, or says or takes nothing."""


@contextmanager
def _there() -> Iterator[None]:
    try:
        yield
    except OSError as error:  # too slow is one of them
        raise GoneError from error


class Lines:
    """Reads lines, and no more ahead than ``CHUNK``: whoever is not read is held up."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader
        self._rest = bytearray()

    async def next(self, most: int) -> bytes:
        """The next without its end. Raises GoneError, or RefusedError if it has too many bytes."""
        seen = 0
        while (end := self._rest.find(b"\n", seen)) < 0:
            seen = len(self._rest)
            if seen > most:
                raise RefusedError(413, f"a line has at most {most} bytes")
            with _there():
                chunk = await self._reader.read(CHUNK)
            if not chunk:
                raise GoneError
            self._rest += chunk
        line = bytes(self._rest[:end])
        del self._rest[: end + 1]
        return line


# ---------------------------------------------------------------------------- the core's end


class CoreSocket:
    """Answers for a core at a socket. ``may_ask``: which users are listened to at all."""

    def __init__(self, core: Core, may_ask: Callable[[int], bool]) -> None:
        self._core = core
        self._may_ask = may_ask
        self._server: asyncio.Server | None = None
        self._answering: set[asyncio.Task[None]] = set()

    async def open(self, listening: socket.socket) -> None:
        """Answer at this socket until ``close``."""
        self._server = await asyncio.start_unix_server(
            self._begin, sock=listening, limit=CHUNK, backlog=2 * MOST_CONNECTIONS
        )

    async def close(self) -> None:
        """Let everybody go."""
        if self._server is not None:
            self._server.close()
        for task in self._answering:
            task.cancel()
        await asyncio.gather(*self._answering, return_exceptions=True)

    def _begin(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # A task of ours: of one that asyncio makes, the end of the loop is reported as a failure.
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.set_write_buffer_limits(high=0)  # nothing waits here for a slow reader
        try:
            await self._answer(reader, writer)
        except GoneError:
            pass
        finally:
            writer.close()
            let_go(writer.transport)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines = Lines(reader)
        try:
            self._check(writer)
            await _say(writer, _line(Told(hello=Hello(VERSION))))
            with _there():
                async with asyncio.timeout(HEAD_S):
                    asking = _decoded(await lines.next(USUAL_BODY))
            if asking.watch is not None:
                await self._show(asking.watch, lines, writer)
            elif asking.ask is not None:
                body = partial(_sent, asking.ask, lines, writer)
                answered = await self._core.answer(asking.ask, body)
                await _say(writer, _line(Told(answer=_as_line(answered))))
        except RefusedError as refused:
            await _say(writer, _line(Told(refused=refused.refusal)))

    def _check(self, writer: asyncio.StreamWriter) -> None:
        """Raises RefusedError unless this is somebody who is listened to."""
        told = writer.get_extra_info("socket").getsockopt(
            socket.SOL_SOCKET, socket.SO_PEERCRED, PEER.size
        )
        _, user, _ = PEER.unpack(told)
        if not self._may_ask(user):
            raise RefusedError(403, "this socket is for the process of the pages")
        if len(self._answering) > MOST_CONNECTIONS:
            raise too_often("too many questions at once", 1)

    async def _show(self, request: Request, lines: Lines, writer: asyncio.StreamWriter) -> None:
        taken = asyncio.Event()
        async with self._core.watch(request) as messages:
            told = await until_either(_until_gone(lines, taken), _tell(writer, messages, taken))
        if told.cancelled():
            return
        if told.exception() is None:
            await _say(writer, ENDED)
        told.result()  # it raises what went wrong


async def _sent(request: Request, lines: Lines, writer: asyncio.StreamWriter) -> bytes:
    """What was sent with a question; it is asked for only when it is wanted."""
    route, _ = find(request.method, request.path)
    await _say(writer, GO)
    with _there():
        async with asyncio.timeout(BODY_S):
            return await lines.next(route.most_bytes)


async def _tell(
    writer: asyncio.StreamWriter, messages: AsyncIterator[bytes], taken: asyncio.Event
) -> None:
    async for message in messages:
        taken.clear()
        await _say(writer, message + b"\n")
        with _there():
            async with asyncio.timeout(SEND_S):
                await taken.wait()


async def _until_gone(lines: Lines, taken: asyncio.Event) -> None:
    while True:
        await lines.next(CHUNK)  # whatever it says
        taken.set()


async def _say(writer: asyncio.StreamWriter, line: bytes) -> None:
    with _there():
        writer.write(line)
        async with asyncio.timeout(SEND_S):
            await writer.drain()


def _line(told: Told | Asking) -> bytes:
    return msgspec.json.encode(told) + b"\n"


def _decoded(line: bytes) -> Asking:
    try:
        asking = msgspec.json.decode(line, type=Asking)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise RefusedError(400, "this line asks for nothing") from None
    if (asking.ask is None) is (asking.watch is None):
        raise RefusedError(400, "a line has either ask or watch")
    return asking


def _as_line(answered: Answered) -> WholeAnswer:
    if len(answered.body) > ANSWER_BYTES:
        raise RefusedError(
            413, f"this is more than {ANSWER_BYTES} bytes", remedy="ask for less of it at once"
        )
    return WholeAnswer(
        answered.status,
        answered.kind,
        dict(answered.headers),
        dict(answered.cookies),
        answered.body.decode(),
    )


# ------------------------------------------------------------------------- the pages' end


class CoreLink:
    """The core that answers at a socket, which may be away and come back."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def answer(self, request: Request, body: Body) -> Answered:
        """As of ``Core``."""
        route, _ = find(request.method, request.path)
        async with self._asking(Asking(ask=request)) as (lines, writer):
            told = await _heard(lines)
            if told.go:
                sent = msgspec.json.encode(body_of(route, await body()))  # in one line
                if len(sent) > route.most_bytes:
                    raise RefusedError(413, f"at most {route.most_bytes} bytes may be sent here")
                writer.write(sent + b"\n")
                told = await _heard(lines)
        whole = told.answer
        if whole is None:
            raise _away("has not answered")
        return Answered(whole.body.encode(), whole.status, whole.kind, whole.headers, whole.cookies)

    @asynccontextmanager
    async def watch(self, request: Request) -> AsyncIterator[AsyncIterator[bytes]]:
        """As of ``Core``."""
        async with self._asking(Asking(watch=request)) as (lines, writer):
            first = await lines.next(LINE_BYTES)
            if first.startswith(REFUSED):
                raise _refused(first)
            yield _messages(first, lines, writer)

    @asynccontextmanager
    async def _asking(self, asking: Asking) -> AsyncIterator[tuple[Lines, asyncio.StreamWriter]]:
        """A connection at which this is asked. Raises RefusedError where there is no board."""
        try:
            reader, writer = await asyncio.open_unix_connection(self._path, limit=CHUNK)
        except OSError:
            raise _away("is not running") from None
        try:
            lines = Lines(reader)
            writer.write(_line(asking))
            with _there():
                async with asyncio.timeout(HEAD_S):
                    hello = (await _heard(lines)).hello
            if hello is None or hello.v != VERSION:
                raise _away("is of another version than its pages")
            yield lines, writer
        except GoneError:
            raise _away("is not running") from None
        finally:
            writer.close()
            let_go(writer.transport)


async def _heard(lines: Lines) -> Told:
    """A line of the core. Raises RefusedError where that is what it says."""
    line = await lines.next(LINE_BYTES)
    if line.startswith(REFUSED):
        raise _refused(line)
    return msgspec.json.decode(line, type=Told)


def _refused(line: bytes) -> RefusedError:
    refusal = msgspec.json.decode(line, type=dict[str, Refusal])["refused"]
    return RefusedError.of(refusal)


async def _messages(
    first: bytes, lines: Lines, writer: asyncio.StreamWriter
) -> AsyncIterator[bytes]:
    message = first
    while message != ENDED.strip():
        yield message
        writer.write(TAKEN)
        try:
            message = await lines.next(LINE_BYTES)
        except GoneError:
            raise _away("is not running") from None


def _away(how: str) -> RefusedError:
    return RefusedError(
        503,
        f"the board {how}",
        remedy="look at 'systemctl status boardfw', or begin it with 'boardfw run --web apart'",
        retry_s=2,
    )
