"""Viewers of a board's page, many in one process: ``python -m tests.bench.page_viewers``.

It is told what to do by lines of JSON and answers each with one, as ``page_board``. Addresses of
this machine are many, ``127.0.0.N``: one alone may open only so many streams.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import sys
import time
import traceback
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

import aiohttp
import msgspec

A_HOME = 8
"""Viewers that come from one address."""
SMALL_BYTES = 2048
"""What the system keeps for a viewer that does not read."""
SIP_BYTES, SIP_S = 1000, 1.0
"""What a slow one reads, and how often."""
EDGES = ("lift", "drop")
ESTABLISHED = b"\x01"
"""The state of a connection, as Linux tells it."""
_TIME = re.compile(rb'"(?:t|beat)":([0-9]+)}')
"""The end of a message: the board's time in ms. Events begin with theirs."""
TAIL = 32
"""Bytes of what came before that may be the beginning of such an end."""


class Event(msgspec.Struct):
    """An event, as far as it is counted."""

    event: str
    t: int
    ply: int = 0


class Delta(msgspec.Struct):
    """A delta, likewise."""

    e: list[Event]


class Message(msgspec.Struct):
    """A message of the stream, likewise. ``t``: the board's time in ms."""

    deltas: list[Delta] = []
    snapshot: msgspec.Raw = msgspec.Raw()
    t: int = 0


class Heard:
    """What one viewer has heard since it was last asked."""

    def __init__(self) -> None:
        self.edges: list[tuple[int, int]] = []
        """When they were by the board's clock, us, and when they came by the machine's, ns."""
        self.finals: list[tuple[int, int]] = []
        """The board's time and the ply."""
        self.snapshot_ms = 0
        """The board's time of the last snapshot, which tells what was missed before it."""
        self.snapshots = 0

    def hear(self, data: str | bytes, at_ns: int) -> None:
        """Take in a message."""
        message = msgspec.json.decode(data, type=Message)
        if bytes(message.snapshot):
            self.snapshot_ms, self.snapshots = message.t, self.snapshots + 1
        for delta in message.deltas:
            for event in delta.e:
                if event.event in EDGES:
                    self.edges.append((event.t, at_ns))
                elif event.event == "final":
                    self.finals.append((event.t, event.ply))


class Viewers:
    """Those of one board."""

    def __init__(self) -> None:
        self._healthy: list[Heard] = []
        self._watching: list[asyncio.Task[None]] = []
        self._begun = 0
        self._slow: list[tuple[int, int]] = []
        """What the slow ones have read: when it was by the board's clock, ms, and when it came."""
        self.again = 0
        """How often one that did not read was let go, and came again."""

    async def do_watch(self, url: str, cookie: str, tokens: list[str], reads: str) -> Any:
        """Open a stream for each session; the answer comes when each has got its snapshot.
        ``reads``: ``all``, ``nothing``, or ``slowly``."""
        ready = []
        for token in tokens:
            headers = {"Cookie": f"{cookie}={token}", "Origin": url}
            home = f"127.0.1.{1 + self._begun // A_HOME}"
            self._begun += 1
            if reads == "all":
                heard, opened = Heard(), asyncio.Event()
                self._healthy.append(heard)
                ready.append(opened.wait())
                watching = self._watch(url, headers, home, heard, opened)
            else:
                watching = self._linger(url, headers, home, is_slow=reads == "slowly")
            task = asyncio.create_task(watching)
            task.add_done_callback(end_if_failed)
            self._watching.append(task)
        await asyncio.gather(*ready)
        return {}

    async def do_heard(self) -> Any:
        """What each healthy viewer has heard since the last time."""
        told = [[one.edges, one.finals, one.snapshot_ms, one.snapshots] for one in self._healthy]
        for one in self._healthy:
            one.edges, one.finals = [], []
        slow, self._slow = self._slow, []
        return {"heard": told, "slow": slow, "again": self.again}

    async def do_leave(self) -> Any:
        """Let all of them go."""
        for task in self._watching:
            task.cancel()
        await asyncio.gather(*self._watching, return_exceptions=True)
        self._healthy, self._watching, self._slow = [], [], []
        self._begun = self.again = 0
        return {}

    async def _watch(
        self, url: str, headers: dict[str, str], home: str, heard: Heard, opened: asyncio.Event
    ) -> None:
        connector = aiohttp.TCPConnector(local_addr=(home, 0), family=socket.AF_INET)
        async with (
            aiohttp.ClientSession(connector=connector) as client,
            client.ws_connect(f"{url}/api/v1/stream", headers=headers, max_msg_size=0) as stream,
        ):
            async for message in stream:
                heard.hear(message.data, time.monotonic_ns())
                opened.set()
        raise ConnectionError(f"a healthy viewer was let go: {stream.close_code}")

    async def _linger(self, url: str, headers: dict[str, str], home: str, *, is_slow: bool) -> None:
        """Ask for the stream and read nothing, or little; once let go, ask again."""
        loop = asyncio.get_running_loop()
        port = int(url.rpartition(":")[2])
        while True:
            with socket.socket() as line:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BYTES)
                line.setblocking(False)
                line.bind((home, 0))
                await loop.sock_connect(line, ("127.0.0.1", port))
                await loop.sock_sendall(line, upgrade(port, headers))
                with suppress(OSError):
                    await self._sip(line) if is_slow else await self._stall(line)
            self.again += 1
            await asyncio.sleep(SIP_S)

    async def _sip(self, line: socket.socket) -> None:
        loop, tail = asyncio.get_running_loop(), b""
        while part := await loop.sock_recv(line, SIP_BYTES):
            times = _TIME.findall(tail + part)
            if times:
                self._slow.append((int(times[-1]), time.monotonic_ns()))
            tail = part[-TAIL:]
            await asyncio.sleep(SIP_S)

    async def _stall(self, line: socket.socket) -> None:
        info = socket.IPPROTO_TCP, socket.TCP_INFO, 1
        while line.getsockopt(*info) == ESTABLISHED:  # noqa: ASYNC110  # no event tells it
            await asyncio.sleep(SIP_S)

    async def serve(self) -> None:
        """Do what the lines say until there are no more."""
        while line := await asyncio.to_thread(sys.stdin.readline):
            asked = json.loads(line)
            do: Callable[..., Coroutine[Any, Any, Any]] = getattr(self, f"do_{asked.pop('do')}")
            print(json.dumps(await do(**asked)), flush=True)
        await self.do_leave()


def end_if_failed(task: asyncio.Task[None]) -> None:
    """A viewer that fails ends the measurement, whatever is being waited for."""
    if not task.cancelled() and (error := task.exception()) is not None:
        traceback.print_exception(error)
        os._exit(1)


def upgrade(port: int, headers: dict[str, str]) -> bytes:
    """The request that opens a stream."""
    asking = headers | {
        "Host": f"localhost:{port}",
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in asking.items())
    return f"GET /api/v1/stream HTTP/1.1\r\n{lines}\r\n".encode()


if __name__ == "__main__":
    asyncio.run(Viewers().serve())
