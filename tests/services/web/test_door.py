"""Streams over real sockets: whoever does not read holds nobody else up."""

from __future__ import annotations

import asyncio
import gc
import json
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from boardfw.services.web import door, hub
from boardfw.services.web.door import Door
from boardfw.services.web.front import Front
from boardfw.services.web.refusals import RefusedError
from boardfw.services.web.roles import Role
from boardfw.services.web.static_files import StaticFiles
from tests.patience import PATIENCE_S
from tests.services.web.still_board import still_core, unable
from tests.services.web.watched import game

LARGE = "x" * 200_000
"""Far more than a socket buffers, once it was sent a few times."""


class Streams:
    """A door in the loop of the test, and its viewers."""

    def __init__(self) -> None:
        self.core = still_core()
        self.hub, self.sessions = self.core.hub, self.core.sessions
        self.door = self.another_door()
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.base = f"http://127.0.0.1:{self.port}"
        (self.state, _), *_ = game(3, "careful", 12)

    def another_door(self) -> Door:
        return Door(self.core, Front(self.core, StaticFiles({})), "b7", frozenset())

    def show(self, box: str, text: str = LARGE) -> None:
        state = {**self.state, "box": box, "unwritten": text}
        self.hub.show(lambda: state, [])

    def lines(self) -> int:
        """How many connections there are."""
        runner = self.door._runner
        assert runner is not None
        assert runner.server is not None
        return len(runner.server.connections)

    def headers(self, role: Role) -> dict[str, str]:
        token, _ = self.sessions.begin(role, "a page")
        return {"Cookie": f"bfw_b7={token}", "Origin": self.base}

    async def watched_by(self, count: int) -> None:
        """Until so many viewers have come over their sockets."""
        async with asyncio.timeout(PATIENCE_S):
            while len(self.hub.viewers) < count:  # noqa: ASYNC110  # sockets set no event
                await asyncio.sleep(0)

    def stall(self) -> socket.socket:
        """A viewer that asks for the stream, and reads nothing of it."""
        asking = self.headers(Role.SPECTATOR) | {
            "Host": f"127.0.0.1:{self.port}",
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in asking.items())
        stalled = socket.socket()
        stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        stalled.connect(("127.0.0.1", self.port))
        stalled.sendall(f"GET /api/v1/stream HTTP/1.1\r\n{lines}\r\n".encode())
        return stalled


@pytest.fixture
async def streams(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Streams]:
    for name in ("PUBLISH_S", "SPECTATOR_S"):
        monkeypatch.setattr(hub, name, 0.0)
    one = Streams()
    one.show("first")
    await one.door.open(one.socket)
    yield one
    await one.door.close()


@asynccontextmanager
async def watching(streams: Streams, role: Role) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    async with (
        aiohttp.ClientSession() as client,
        client.ws_connect(
            f"{streams.base}/api/v1/stream", headers=streams.headers(role), max_msg_size=0
        ) as stream,
    ):
        yield stream


async def told_of(stream: aiohttp.ClientWebSocketResponse) -> Any:
    async with asyncio.timeout(PATIENCE_S):
        return json.loads((await stream.receive()).data)


async def test_viewers_that_read_nothing_hold_nobody_up(streams: Streams) -> None:
    async with watching(streams, Role.PLAYER) as stream:
        await told_of(stream)
        stalled = [streams.stall() for _ in range(5)]
        await streams.watched_by(6)
        for number in range(60):
            streams.show(str(number), LARGE + str(number))
            deltas = (await told_of(stream))["deltas"]
            assert deltas[-1]["set"]["box"] == str(number)
        for one in stalled:
            one.close()


async def test_a_viewer_that_takes_nothing_is_let_go(
    streams: Streams, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "SEND_S", 0.01)
    stalled = streams.stall()
    number = 0
    await streams.watched_by(1)
    async with asyncio.timeout(PATIENCE_S):
        while streams.hub.viewers:
            number += 1
            streams.show(str(number), LARGE + str(number))
            await asyncio.sleep(0)
        # Its connection, too, though it has not taken what was sent.
        while streams.lines():  # noqa: ASYNC110  # no event tells it
            await asyncio.sleep(0)
    stalled.close()


@pytest.mark.slow
async def test_who_reads_slowly_sees_what_is_and_not_what_was(streams: Streams) -> None:
    stalled = streams.stall()
    await streams.watched_by(1)
    told = 2_000
    async with watching(streams, Role.PLAYER) as other:
        await told_of(other)
        for number in range(told):
            streams.show(str(number), f"n{number:06}" + "x" * 1_000)
            await told_of(other)
    loop, read = asyncio.get_running_loop(), b""
    stalled.setblocking(False)
    async with asyncio.timeout(PATIENCE_S):
        while f"n{told - 1:06}".encode() not in read:
            read += await loop.sock_recv(stalled, 65_536)
    assert len(read) < told * 1_000 / 2  # most of it was replaced by newer
    stalled.close()


async def test_a_page_hears_a_beat_when_nothing_happens(
    streams: Streams, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "BEAT_S", 0.0)
    async with watching(streams, Role.SPECTATOR) as stream:
        assert "snapshot" in await told_of(stream)
        assert await told_of(stream) == {"beat": 0}


async def test_what_comes_too_quickly_comes_together(streams: Streams) -> None:
    async with watching(streams, Role.PLAYER) as stream:
        await told_of(stream)
        for number in range(10):
            streams.show(str(number), "")
        assert (await told_of(stream))["deltas"][-1]["set"]["box"] == "0"
        (delta,) = (await told_of(stream))["deltas"]
        assert delta["set"]["box"] == "9"


async def test_a_viewer_that_sends_a_flood_is_let_go(streams: Streams) -> None:
    async with watching(streams, Role.PLAYER) as stream:
        await told_of(stream)
        await stream.send_str("hello")
        await stream.send_str("x" * 5000)
        async with asyncio.timeout(PATIENCE_S):
            while (await stream.receive()).type is aiohttp.WSMsgType.TEXT:
                pass
        assert stream.close_code == aiohttp.WSCloseCode.MESSAGE_TOO_BIG


async def test_at_the_end_pages_are_told(streams: Streams) -> None:
    async with watching(streams, Role.PLAYER) as stream:
        await told_of(stream)
        closing = asyncio.create_task(streams.door.close())
        async with asyncio.timeout(PATIENCE_S):
            closed = await stream.receive()
        assert closed.type is aiohttp.WSMsgType.CLOSE
        assert closed.data == aiohttp.WSCloseCode.GOING_AWAY
        await closing


async def test_a_proxy_is_believed_at_a_file_only(streams: Streams, tmp_path: Path) -> None:
    """What it says of the browser; who the browser is it cannot say."""
    file = socket.socket(socket.AF_UNIX)
    file.bind(str(tmp_path / "page.sock"))
    behind = streams.another_door()
    await behind.open(file)
    code = streams.sessions.offer(Role.OWNER)
    asked = {
        "Host": "localhost",
        "Origin": "https://localhost",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-For": "203.0.113.5, 192.0.2.7",
        "X-Boardfw": "1",
    }
    url, body = "http://localhost/api/v1/pair", {"code": code}
    async with aiohttp.ClientSession() as direct:
        port = f"http://127.0.0.1:{streams.port}/api/v1/pair"
        async with direct.post(port, json=body, headers=asked) as answer:
            assert answer.status == 403
    connector = aiohttp.UnixConnector(str(tmp_path / "page.sock"))
    async with aiohttp.ClientSession(connector=connector) as proxy:
        plain = asked | {"X-Forwarded-Proto": "http"}
        async with proxy.post(url, json=body, headers=plain) as answer:
            assert answer.status == 403
        async with proxy.post(url, json=body, headers=asked) as answer:
            assert answer.status == 200
            assert answer.cookies["bfw_b7"]["secure"]
        headers = streams.headers(Role.PLAYER) | asked
        async with proxy.ws_connect("http://localhost/api/v1/stream", headers=headers) as stream:
            await told_of(stream)
            assert [viewer.address for viewer in streams.hub.viewers] == ["192.0.2.7"]
    await behind.close()


# ------------------------------------------------------------------------- what is left behind

NO_REQUESTS = (
    b"\x16\x03\x01\x02\x00\x01\x00",
    b"BREW / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nX-Long: " + b"y" * 9_000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nContent-Length: 1, 2\r\n\r\n" + b"z" * 50_000,
)
MORE_BEHIND = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\nBREW / 9\r\n\r\n"
)
"""What wants to become something else, and goes on as nothing."""


@pytest.mark.slow
async def test_nothing_is_kept_until_cycles_are_looked_for(streams: Streams) -> None:
    asking = {**streams.headers(Role.PLAYER), "Host": f"127.0.0.1:{streams.port}", "X-Boardfw": "1"}
    command = "".join(
        f"{line}\r\n"
        for line in (
            "POST /api/v1/setup HTTP/1.1",
            *(f"{name}: {value}" for name, value in asking.items()),
            "Content-Type: application/json",
        )
    )
    body = '{"id": "a-command"}'
    refused = f"{command}Content-Length: {len(body)}\r\n\r\n{body}".encode()
    gc.collect()
    gc.disable()
    try:
        answers = {refused: b" 404 ", MORE_BEHIND: b" 421 "}
        for sent in (refused, MORE_BEHIND, *NO_REQUESTS):
            reader, writer = await asyncio.open_connection("127.0.0.1", streams.port)
            writer.write(sent)
            async with asyncio.timeout(PATIENCE_S):
                assert answers.get(sent, b" 400 ") in await reader.readline()
                if sent is refused:
                    assert str(unable()).encode() in await reader.readuntil(b"}")
            writer.close()
        _, writer = await asyncio.open_connection("127.0.0.1", streams.port)
        writer.write(f"{command}Content-Length: 999\r\n\r\n{body}".encode())
        await writer.drain()
        writer.close()  # in the middle of the body
        gone = streams.stall()
        await streams.watched_by(1)
        gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        gone.send(b"\x88\x80")  # a frame that has begun, and no good-bye
        gone.close()
        async with watching(streams, Role.PLAYER) as stream:
            await told_of(stream)
            await stream.send_frame(b"no text: \xff", aiohttp.WSMsgType.TEXT)
            while (await stream.receive()).type is not aiohttp.WSMsgType.CLOSE:
                pass
        async with asyncio.timeout(PATIENCE_S):
            while left_over(streams.port):  # noqa: ASYNC110  # sockets set no event
                await asyncio.sleep(0)
    finally:
        gc.enable()


def left_over(port: int) -> list[object]:
    """What is still in the memory of connections to a port, and of what was refused."""
    return [
        one
        for one in gc.get_objects()
        if isinstance(one, door.Connection | RefusedError)
        or (isinstance(one, asyncio.Transport) and one.get_extra_info("sockname")[1] == port)
    ]
