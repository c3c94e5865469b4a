"""The board's socket: whoever asks there, whatever they say and however slowly they read.

What is answered there is tested with the pages, in ``tests/shell/web``.
"""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from boardfw.services.web import core_socket, hub
from boardfw.services.web.core import Request
from boardfw.services.web.core_socket import MOST_CONNECTIONS, CoreLink, CoreSocket
from boardfw.services.web.fold import fold
from boardfw.services.web.refusals import RefusedError
from boardfw.services.web.roles import Role
from boardfw.services.web.routes import PGN_BODY, PREFIX, ROUTES
from boardfw.services.web.sessions import digest_of
from tests.patience import PATIENCE_S
from tests.services.web.still_board import still_core
from tests.services.web.watched import game

LARGE = "x" * 200_000
"""Far more than a socket buffers, once it was sent a few times."""
LINES, ALL_LINES = 10_000, 1_000_000
A_ROUND = 500


class Asked:
    """A core that is asked at a file, in the loop of the test."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.core = still_core()
        self.may_ask = {os.geteuid()}
        self.link = CoreLink(file)
        (self.state, _), *_ = game(3, "careful", 12)
        self.open_sockets: list[socket.socket] = []

    async def open(self) -> None:
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(str(self.file))
        listening.listen()
        self.end = CoreSocket(self.core, lambda user: user in self.may_ask)
        await self.end.open(listening)

    async def close(self) -> None:
        await self.end.close()
        self.file.unlink(missing_ok=True)

    def show(self, box: str, text: str = "") -> None:
        state = {**self.state, "box": box, "unwritten": text}
        self.core.hub.show(lambda: state, [])

    def request(self, method: str, path: str, role: Role | None = None, **more: Any) -> Request:
        token = self.core.sessions.begin(role, "a page")[0] if role else None
        session = digest_of(token).hex() if token else None
        return Request(method=method, path=PREFIX + path, session=session, **more)

    async def ask(
        self, method: str, path: str, role: Role | None = None, body: bytes = b"{}"
    ) -> Any:
        async def sent() -> bytes:
            return body

        answered = await self.link.answer(self.request(method, path, role), sent)
        return json.loads(answered.body)

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_unix_connection(self.file)


@pytest.fixture
async def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Asked]:
    for name in ("PUBLISH_S", "SPECTATOR_S"):
        monkeypatch.setattr(hub, name, 0.0)
    one = Asked(tmp_path / "core.sock")
    one.show("first")
    await one.open()
    async with asyncio.timeout(PATIENCE_S * 60):
        yield one
    await one.close()


# ------------------------------------------------------------------------------------ who asks


async def test_only_the_users_that_are_named_are_answered(asked: Asked) -> None:
    assert (await asked.ask("GET", "/session"))["board"] == "b7"
    asked.may_ask.clear()
    reader, writer = await asked.connect()
    told = json.loads(await reader.readline())
    assert told["refused"]["status"] == 403
    assert await reader.read() == b""
    writer.close()
    with pytest.raises(RefusedError) as refused:
        await asked.ask("GET", "/session")
    assert refused.value.refusal.status == 403


async def test_nobody_is_more_than_their_session_says(asked: Asked) -> None:
    """Also a process of the pages that was taken over: it can say no role, and guess no session."""
    player = asked.request("GET", "/settings", Role.PLAYER)
    forged: list[dict[str, Any]] = [
        {"role": "owner"},
        {"holder": {"id": 1, "role": "owner"}},
        {"session": "0" * 64},
    ]
    for extra in forged:
        said: dict[str, Any] = {**msgspec.to_builtins(player), **extra}
        reader, writer = await asked.connect()
        writer.write(json.dumps({"ask": said}).encode() + b"\n")
        assert b"hello" in await reader.readline()
        assert json.loads(await reader.readline())["refused"]["status"] in (400, 401)
        writer.close()
    for route in ROUTES:
        if route.right.value == "own" and "{" not in route.path:
            with pytest.raises(RefusedError) as refused:
                await asked.ask(route.method, route.path.removeprefix(PREFIX), Role.PLAYER)
            assert refused.value.refusal.status == 403, route


async def test_what_nobody_may_send_is_not_even_read(asked: Asked) -> None:
    wanted = asked.request("POST", "/games", Role.PLAYER)

    async def read() -> bytes:
        raise AssertionError("it was asked for")

    with pytest.raises(RefusedError) as refused:
        await asked.link.answer(wanted, read)
    assert refused.value.refusal.status == 403
    reader, writer = await asked.connect()
    owner = asked.request("POST", "/games", Role.OWNER)
    writer.write(json.dumps({"ask": msgspec.to_builtins(owner)}).encode() + b"\n")
    assert b"hello" in await reader.readline()
    assert json.loads(await reader.readline()) == {"go": True}
    for _ in range(PGN_BODY // len(LARGE) + 2):  # an owner's line has an end, too
        writer.write(LARGE.encode())
    assert json.loads(await reader.readline())["refused"]["status"] == 413
    writer.close()


async def test_so_many_questions_are_open_at_once_and_no_more(asked: Asked) -> None:
    quiet = [await asked.connect() for _ in range(MOST_CONNECTIONS)]
    for reader, _ in quiet:
        assert b"hello" in await reader.readline()
    with pytest.raises(RefusedError) as refused:
        await asked.ask("GET", "/session")
    assert refused.value.refusal.status == 429
    quiet[0][1].close()
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                await asked.ask("GET", "/session")
            except RefusedError:
                continue
            break
    for _, writer in quiet:
        writer.close()


async def test_who_says_nothing_is_let_go(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core_socket, "HEAD_S", 0.0)
    reader, writer = await asked.connect()
    writer.write(b'{"ask":')
    assert (await reader.read()).count(b"\n") == 1  # hello
    writer.close()


# ----------------------------------------------------------------------------- what is said


def odd_line(chance: Random, good: list[bytes]) -> bytes:
    """Anything, from noise to what is nearly right."""
    match chance.randrange(4):
        case 0:
            return chance.randbytes(chance.randrange(120))
        case 1:
            return b"[" * chance.randrange(2000)
        case 2:
            line = bytearray(chance.choice(good))
            for _ in range(chance.randrange(1, 4)):
                line[chance.randrange(len(line))] = chance.randrange(256)
            return bytes(line)
    words: tuple[Any, ...] = (
        None,
        True,
        -1,
        2**70,
        1e308,
        "",
        "GET",
        "\ud800",
        "/api/v1/state",
        "../..",
        {},
        [],
    )
    keys = ("method", "path", "query", "headers", "session", "knock", "address", "body")
    inner = {chance.choice(keys): chance.choice(words) for _ in range(chance.randrange(6))}
    return json.dumps({chance.choice(("ask", "watch", "hello", "go")): inner}).encode()


@pytest.mark.slow
async def test_no_line_breaks_it(
    asked: Asked, caplog: pytest.LogCaptureFixture, *, full: bool
) -> None:
    """Each is answered or refused, and nothing goes wrong in here."""
    chance = Random(1)
    requests = [asked.request(route.method, "/state", Role.OWNER) for route in ROUTES]
    requests += [
        Request(method=route.method, path=route.path.replace("{", "").replace("}", ""), session=s)
        for route in ROUTES
        for s in (requests[0].session, None)
    ]
    good = [
        json.dumps({way: msgspec.to_builtins(request)}).encode()
        for request in requests
        for way in ("ask", "watch")
    ]

    async def say(line: bytes) -> bool:
        """Whether it was answered at all; a change of a byte may make it a good line."""
        reader, writer = await asked.connect()
        writer.write(line.replace(b"\n", b" ") + b"\n")
        told = [await reader.readline() for _ in range(2)]
        writer.close()
        return b"hello" in told[0] and told[1].startswith(b"{")

    with caplog.at_level(logging.WARNING):
        for _ in range((ALL_LINES if full else LINES) // A_ROUND):
            lines = [odd_line(chance, good) for _ in range(A_ROUND)]
            at_once = MOST_CONNECTIONS // 2
            for first in range(0, A_ROUND, at_once):
                told = await asyncio.gather(*map(say, lines[first : first + at_once]))
                assert all(told)
    assert [record.getMessage() for record in caplog.records] == []
    assert (await asked.ask("GET", "/session"))["board"] == "b7"


async def test_of_a_question_nothing_is_kept_until_cycles_are_looked_for(asked: Asked) -> None:
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            await asked.ask("GET", "/session")
            with pytest.raises(RefusedError):
                await asked.ask("GET", "/nowhere")
        async with asked.link.watch(asked.request("GET", "/stream", Role.PLAYER)) as messages:
            await anext(messages)
        del messages  # it holds its connection
        async with asyncio.timeout(PATIENCE_S):
            while connections(asked.file):  # noqa: ASYNC110  # sockets set no event
                await asyncio.sleep(0)
    finally:
        gc.enable()


def connections(file: Path) -> list[asyncio.Transport]:
    """Both ends of the connections at a file that are still in memory."""
    transports = [one for one in gc.get_objects() if isinstance(one, asyncio.Transport)]
    ends = ("sockname", "peername")
    return [one for one in transports if str(file) in map(one.get_extra_info, ends)]


# ------------------------------------------------------------------------------- what is read


async def test_what_is_too_long_to_be_passed_on_is_refused(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked.show("long", LARGE)
    monkeypatch.setattr(core_socket, "ANSWER_BYTES", len(LARGE))
    with pytest.raises(RefusedError) as refused:
        await asked.ask("GET", "/state", Role.PLAYER)
    assert (refused.value.refusal.status, bool(refused.value.refusal.remedy)) == (413, True)
    monkeypatch.setattr(core_socket, "ANSWER_BYTES", 2 * len(LARGE))
    assert (await asked.ask("GET", "/state", Role.PLAYER))["box"] == "long"


async def test_who_ceases_to_read_holds_nobody_up_and_gets_a_snapshot_later(asked: Asked) -> None:
    player = asked.request("GET", "/stream", Role.PLAYER)
    async with asked.link.watch(player) as slow, asked.link.watch(player) as quick:
        state = json.loads(await anext(slow))["snapshot"]
        await anext(quick)
        for number in range(60):
            asked.show(str(number), LARGE + str(number))
            deltas = json.loads(await anext(quick))["deltas"]
            assert deltas[-1]["set"]["box"] == str(number)
        messages: list[dict[str, Any]] = []
        while state["box"] != "59":
            told = json.loads(await anext(slow))
            messages.append(told)
            state = told.get("snapshot", state)
            for delta in told.get("deltas", ()):
                state = fold(state, delta)
        assert "snapshot" in messages[-1]  # what was missed was too much to be told by itself
        assert len(messages) < 30


async def test_who_reads_slowly_is_told_what_is_and_not_what_was(asked: Asked) -> None:
    """Also where all that was missed would fit into what a socket buffers."""
    player = asked.request("GET", "/stream", Role.PLAYER)
    async with asked.link.watch(player) as slow, asked.link.watch(player) as quick:
        for one in (slow, quick):
            await anext(one)
        for number in range(200):
            asked.show(str(number))
            await anext(quick)
        told = json.loads(await anext(slow))
        state = told["snapshot"] if "snapshot" in told else told["deltas"][-1]["set"]
        assert state["box"] == "199"


async def test_who_has_gone_is_not_counted_as_a_viewer(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "BEAT_S", 1000.0)  # nothing is sent that would tell
    async with asked.link.watch(asked.request("GET", "/stream", Role.PLAYER)) as messages:
        await anext(messages)
        assert len(asked.core.hub.viewers) == 1
    async with asyncio.timeout(PATIENCE_S):
        while asked.core.hub.viewers:  # noqa: ASYNC110  # sockets set no event
            await asyncio.sleep(0)


# --------------------------------------------------------------------------- a board that goes


async def test_a_board_that_is_away_is_missed_and_found_again(asked: Asked) -> None:
    player = asked.request("GET", "/stream", Role.PLAYER)
    async with asked.link.watch(player) as messages:
        assert b"snapshot" in await anext(messages)
        await asked.close()
        with pytest.raises(RefusedError) as refused:
            await anext(messages)
    assert refused.value.refusal.status == 503
    for _ in range(2):
        with pytest.raises(RefusedError) as refused:
            await asked.ask("GET", "/session")
        assert refused.value.refusal.status == 503
        assert refused.value.refusal.remedy
    await asked.open()
    assert (await asked.ask("GET", "/session"))["board"] == "b7"
    async with asked.link.watch(player) as messages:
        assert b"snapshot" in await anext(messages)


async def test_a_board_that_ends_in_the_middle_of_an_answer_is_away(asked: Asked) -> None:
    await asked.close()

    async def end(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'{"hello":{"v":1}}\n{"answer":{"sta')
        writer.close()

    async with await asyncio.start_unix_server(end, asked.file):
        for asking in (asked.ask("GET", "/session"), asked.ask("POST", "/hand", Role.OWNER)):
            with pytest.raises(RefusedError) as refused:
                await asking
            assert refused.value.refusal.status == 503


async def test_a_board_of_another_version_is_not_misunderstood(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core_socket, "VERSION", 0)
    monkeypatch.setattr(core_socket, "_heard", _of_next_version(core_socket._heard))
    with pytest.raises(RefusedError, match="version"):
        await asked.ask("GET", "/session")


def _of_next_version(heard: Any) -> Any:
    async def later(lines: Any) -> Any:
        told = await heard(lines)
        return (
            told
            if told.hello is None
            else msgspec.structs.replace(told, hello=core_socket.Hello(1))
        )

    return later
