"""Figures for `make bench`: hostile requests to the board's page, and what becomes of it."""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from statistics import median

import pytest

from boardfw.services.web.roles import Role
from tests.bench.hostile import Known, Sent, frames, request
from tests.bench.page_load import Helper, page_board
from tests.bench.page_viewers import upgrade

pytestmark = pytest.mark.bench

REQUESTS, REQUESTS_FULL = 5_000, 1_000_000
LINES = 16
"""Connections at a time."""
ROUNDS = 20
STREAMS = 0.05
"""Share of requests that open a stream, and send frames."""
PATIENCE_S, SHORT_S = 20.0, 0.05
"""How long an answer is waited for: to what is a request, and to what perhaps is none."""
FLAT_KB = 5_000
LOOKS = 3
"""Of which the median is taken: what is asked for just then may be large."""
MOST_LINES = 40
"""Of the board's log that are printed."""


class Attack:
    """One connection after the other, and what was answered."""

    def __init__(self, known: Known, chance: Random, statuses: Counter[str]) -> None:
        self._known = known
        self._chance = chance
        self._statuses = statuses
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def send(self, count: int) -> None:
        """Send so many requests."""
        for _ in range(count):
            is_stream = self._chance.random() < STREAMS
            try:
                status = await (self._stream() if is_stream else self._request())
            except (OSError, EOFError, asyncio.LimitOverrunError, ValueError):
                status = "cut off"
                self._close()
            self._statuses[status] += 1
        self._close()

    async def _request(self) -> str:
        sent = request(self._chance, self._known)
        reader, writer = await self._open()
        writer.write(sent.data)
        try:
            async with asyncio.timeout(PATIENCE_S if sent.is_whole else SHORT_S):
                return await self._answer(reader, sent)
        except TimeoutError:
            self._close()
            return "unanswered" if sent.is_whole else "more was waited for"

    async def _answer(self, reader: asyncio.StreamReader, sent: Sent) -> str:
        status, head = "100", ""
        while status == "100":
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            status = head.split(" ", 2)[1]
        length = head.partition("content-length: ")[2].partition("\r\n")[0]
        has_body = sent.method != "HEAD" and status not in ("204", "304", "101")
        if has_body and length:
            await reader.readexactly(int(length))
        if not sent.is_whole or status == "101" or "connection: close" in head:
            self._close()
        return status

    async def _stream(self) -> str:
        """A stream that is asked for as it should be, and frames that are not expected there."""
        self._close()
        reader, writer = await self._open()
        headers = {
            "Cookie": self._chance.choice(self._known.cookies),
            "Origin": f"http://localhost:{self._known.port}",
        }
        writer.write(upgrade(self._known.port, headers))
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        writer.write(frames(self._chance))
        with suppress(TimeoutError):
            async with asyncio.timeout(SHORT_S):
                await reader.read(100_000)
        self._close()
        return "stream " + head.split(" ", 2)[1]

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._reader is None or self._writer is None:
            where = "127.0.0.1", self._known.port
            self._reader, self._writer = await asyncio.open_connection(*where)
        return self._reader, self._writer

    def _close(self) -> None:
        if self._writer is not None:
            self._writer.transport.abort()
        self._reader = self._writer = None


def known_at(board: Helper) -> Known:
    """Sessions of every role: what was ended by one request is begun again."""
    begun = [board.ask("begin", role=role.value, count=2) for role in Role]
    tokens = [f"{one['cookie']}={token}" for one in begun for token in one["tokens"]]
    return Known(int(begun[0]["url"].rpartition(":")[2]), tokens)


async def attack(known: Known, count: int, seed: int, statuses: Counter[str]) -> None:
    attacks = [Attack(known, Random(f"{seed} {line}"), statuses) for line in range(LINES)]
    await asyncio.gather(*(one.send(count // LINES) for one in attacks))


def test_bench_hostile_requests(tmp_path: Path, full: bool) -> None:
    usual = REQUESTS_FULL if full else REQUESTS
    count = int(os.environ.get("BOARDFW_REQUESTS", usual))
    statuses, memory = Counter[str](), list[int]()
    began_s = time.monotonic()
    with page_board(tmp_path, "board", "hand") as board:
        for number in range(ROUNDS):
            known = known_at(board)
            asyncio.run(attack(known, count // ROUNDS, number, statuses))
            memory.append(board.ask("look")["rss_kb"])
            if full:
                broken = sum(many for status, many in statuses.items() if status[0] == "5")
                traces = (tmp_path / "board.log").read_text(encoding="utf-8").count("Traceback")
                told = f"tracebacks {traces}, from 500 on {broken}, memory {memory[-1]} kB"
                print(f"{sum(statuses.values())} requests: {told}", flush=True)
        passed_s = time.monotonic() - began_s
        health = asyncio.run(ask_health(known_at(board)))
    log = (tmp_path / "board.log").read_text(encoding="utf-8")
    broken = sum(many for status, many in statuses.items() if status[0] == "5")
    print(
        f"\n{sum(statuses.values())} hostile requests in {passed_s:.0f} s: "
        f"tracebacks {log.count('Traceback')}, answers from 500 on {broken}; then the page "
        f"answers {health}\n"
        f"  memory: {_growth(memory)}\n"
        f"  {', '.join(f'{status} {many}' for status, many in sorted(statuses.items()))}"
    )
    for line in [line for line in log.splitlines() if "was not read" not in line][:MOST_LINES]:
        print(f"  log: {line}")


def _growth(kb: list[int]) -> str:
    """From a tenth to the end, by medians."""
    first, last = (round(median(some)) for some in (kb[ROUNDS // 10 :][:LOOKS], kb[-LOOKS:]))
    mark = "*" if abs(last - first) > FLAT_KB else ""
    return f"{first} to {last} kB, {last - first:+}{mark} (largest {max(kb)})"


async def ask_health(known: Known) -> str:
    """The status that an owner gets who asks for the state."""
    reader, writer = await asyncio.open_connection("127.0.0.1", known.port)
    lines = f"Host: localhost:{known.port}\r\nCookie: {known.cookies[-1]}\r\nConnection: close"
    writer.write(f"GET /api/v1/state HTTP/1.1\r\n{lines}\r\n\r\n".encode())
    status = (await reader.read()).split(b" ", 2)[1].decode()
    writer.close()
    return status
