"""Who and what is let in to the board's pages, and how much of it: each rule over HTTP."""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import AsyncExitStack, suppress
from itertools import product
from random import Random
from typing import Any

import aiohttp
import pytest

from boardfw.game.events import Tick
from boardfw.services.web import crowd, door, handlers
from boardfw.services.web.gate import ALWAYS
from boardfw.services.web.hub import MOST_OF_ONE_ADDRESS
from boardfw.services.web.limits import Rate
from boardfw.services.web.roles import Right, Role, may
from boardfw.services.web.routes import ROUTES
from tests.patience import PATIENCE_S
from tests.shell.web.served import NAME as BOARD
from tests.shell.web.served import Page, Served

METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD")
KEYS = (
    "id",
    "seq",
    "lift",
    "drop",
    "take",
    "touch",
    "back",
    "start",
    "fen",
    "clock",
    "help",
    "pgn",
    "lesson",
    "profile",
    "what",
    "why",
    "who",
    "white",
)
"""Those of bodies that are read."""
TABLE = "/api/v1/table/pause"
DOORS = ("aiohttp", "boardfw.services.web")
"""Whose log says when a page has failed."""
SAMPLE = {"button": "jump", "hash": "0", "name": "no.js", "id": "0", "number": "0", "ply": "1"}
"""Of each part of a path, one that there is not."""


# ---------------------------------------------------------------------------- who may do what


async def test_each_route_gives_each_role_just_what_the_table_says(served: Served) -> None:
    pages: dict[Role | None, Page] = {role: await served.known(role) for role in Role}
    pages[None] = served.page()
    rights: dict[str, dict[str, Right]] = {}
    for route in ROUTES:
        rights.setdefault(route.path, {})[route.method] = route.right
    for (path, methods), (role, page), method in product(rights.items(), pages.items(), METHODS):
        if path in ("/api/v1/pair", "/api/v1/pair/knock") and method == "POST":
            continue  # a few tries are all that there are: below
        if (method, path) == ("DELETE", "/api/v1/session"):
            continue  # it would end what this test goes on with
        asked = path.format(**SAMPLE)
        status = (await page.ask(method, asked, {"nothing": 1})).status
        right = methods.get(method)
        if right is None:
            assert status == 405, (method, path)
        elif may(role, right):
            assert status not in (401, 403, 405), (method, path, role)
        else:
            assert status == (401 if role is None else 403), (method, path, role)


async def test_an_address_that_is_not_in_the_table_is_nothing(served: Served) -> None:
    page = await served.known(Role.OWNER)
    spellings = ["..", "%2e%2e", "..%2f", "%2e%2e%2f", "....", "..%5c", "%00", "~", "%c0%ae"]
    names = ["etc/passwd", "pyproject.toml", "texts.json", "state.py", "boardfw.db"]
    hash_ = "0" * 12
    for spelling, name, depth in product(spellings, names, (1, 2, 5, 9)):
        path = f"/s/{hash_}/{'/'.join([spelling] * depth)}/{name}"
        for one in (path, path.removeprefix("/s"), f"/api/v1{path}"):
            reply = await page.get(one)
            assert reply.status == 404, one
            assert b"root:" not in reply.body


async def test_every_answer_has_the_headers_that_protect_a_page(served: Served) -> None:
    owner, nobody = await served.known(Role.OWNER), served.page()
    replies = [
        await owner.get("/api/v1/state"),
        await owner.get("/"),
        await owner.get("/pair"),
        await owner.get("/plain"),
        await owner.get("/openapi.json"),
        await owner.get("/nothing"),
        await owner.ask("PUT", "/"),
        await owner.post("/api/v1/hand", {"jump": 1}),
        await owner.get("/", Host="evil.example"),
        await owner.post("/api/v1/hand", Origin="http://evil.example"),
        await nobody.get("/api/v1/state"),
        await nobody.get("/api/v1/stream"),
        await nobody.send("POST", "/api/v1/hand", b"x" * 70_000),
        await owner.send("POST", "/api/v1/hand", b"[" * 60_000),
    ]
    for reply in replies:
        assert ALWAYS.items() <= reply.headers.items(), reply
        assert reply.headers["Cache-Control"] == "no-store"
        if reply.status >= 400:
            assert reply.headers["Content-Type"] == "application/problem+json"
            assert reply.json["status"] == reply.status
    assert {reply.status for reply in replies} >= {200, 401, 403, 404, 405, 421, 422}


async def test_what_is_no_http_is_answered_likewise(served: Served) -> None:
    _, port = served.base.removeprefix("http://").split(":")
    for garbage in (b"\x16\x03\x01\x02\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"y" * 9000):
        reader, writer = await asyncio.open_connection("127.0.0.1", int(port))
        writer.write(garbage + b"\r\n\r\n")
        async with asyncio.timeout(PATIENCE_S):
            answer = await reader.read()
        assert answer.startswith(b"HTTP/1."), answer
        assert b"frame-ancestors 'none'" in answer
        assert b"Traceback" not in answer
        writer.close()


# ------------------------------------------------------------------------------ other sites


async def test_a_request_for_another_host_is_sent_away(served: Served) -> None:
    page = await served.known(Role.OWNER)
    port = served.base.rpartition(":")[2]
    ours = ("localhost", "127.0.0.1", "127.7.7.7", "[::1]", "LOCALHOST", "board.example")
    for host in ours:
        assert (await page.get("/api/v1/session", Host=f"{host}:{port}")).status == 200, host
    stems = (
        "evil.example",
        "localhost.evil.example",
        "evil-localhost",
        "board.example.evil",
        "a@b",
        "192.168.7.7",
        "0.0.0.0",
        "[::2]",
        "[::1",
        "localhost:80:80",
        "localhost/x",
        "x y",
        "127.0.0.1.evil.example",
        "2130706433",
        "0x7f.1",
        "localhost.",
        ".localhost",
        "-",
        "é",
    )
    for stem in stems:
        for method in ("GET", "POST"):
            reply = await page.ask(method, "/api/v1/session", Host=stem)
            assert reply.status in (400, 421), stem


async def test_only_a_page_of_ours_changes_anything(served: Served) -> None:
    page = await served.known(Role.OWNER)
    before = (await page.get("/api/v1/state")).json
    changing = [(route.method, route.path) for route in ROUTES if route.method != "GET"]
    wrong: list[tuple[dict[str, str], int]] = [
        ({"Origin": ""}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": served.base.replace("http", "https")}, 403),
        ({"Origin": served.base.rpartition(":")[0]}, 403),
        ({"Origin": served.base + ".evil.example"}, 403),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Sec_Fetch_Site": "same-site"}, 403),
        ({"X_Boardfw": ""}, 403),
        ({"X_Boardfw": "0"}, 403),
        ({"Content_Type": ""}, 415),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content_Type": "multipart/form-data"}, 415),
    ]
    for (method, path), (headers, status) in product(changing, wrong):
        asked = path.format(**SAMPLE | {"button": "resign_white"})
        body = {"id": "x", "seq": before["seq"]}
        assert (await page.ask(method, asked, body, **headers)).status == status, (path, headers)
    for route in ROUTES:
        if route.method == "GET" and not route.is_stream:
            await page.get(route.path.format(**SAMPLE))
    after = (await page.get("/api/v1/state")).json
    # What a busy machine makes the board say of itself is no change of ours.
    own = {"seq": 0, "late": [], "health": "ok"}
    assert after | own == before | own
    body = {"id": "y", "seq": after["seq"]}
    assert (await page.post(TABLE, body, Sec_Fetch_Site="same-origin")).status == 200


async def test_no_other_site_opens_a_stream(served: Served) -> None:
    page = await served.known(Role.OWNER)
    for origin in ("http://evil.example", "null", served.base.replace("http", "https"), ""):
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            async with page.watch(Origin=origin):
                pass
        assert refused.value.status == 403
    assert (await page.get("/api/v1/stream")).status == 426


# --------------------------------------------------------------------------- how much, how often


async def test_too_large_and_too_odd_bodies_are_refused(served: Served) -> None:
    page = await served.known(Role.OWNER)
    odd: list[tuple[bytes, int]] = [
        (b"", 400),
        (b"{", 400),
        (b"\xff", 400),
        (b"[" * 60_000, 422),
        (b"[]", 422),
        (b'{"lift":"e2","x":1}', 422),
        (b'{"lift":7}', 422),
        (b" " * 64_001, 413),
        (b'{"lift":"' + b"e" * 60_000 + b'"}', 422),
    ]
    for content, status in odd:
        reply = await page.send("POST", "/api/v1/hand", content)
        assert reply.status == status, content[:20]
    in_lines = await page.send("POST", "/api/v1/hand", b'{\n  "lift":\r\n  "e2"\n}\n')
    assert in_lines.status == 200
    huge = await page.get("/api/v1/state", X_Long="y" * 9_000)
    assert huge.status == 400


async def test_a_body_that_is_packed_or_breaks_off_is_refused_without_a_trace(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    page = await served.known(Role.OWNER)
    for kind in ("gzip", "deflate", "br", "x"):
        for path in (TABLE, "/nothing"):
            reply = await page.send("POST", path, b"no such thing", Content_Encoding=kind)
            assert reply.status == (415 if path == TABLE else 404), kind
    _, port = served.base.removeprefix("http://").split(":")
    lines = [f"{name}: {value}" for name, value in page.headers.items()]
    head = "\r\n".join([f"POST {TABLE} HTTP/1.1", f"Host: localhost:{port}", *lines])
    broken = ("Transfer-Encoding: chunked", b"zz\r\n\r\n"), ("Content-Length: 99", b'{"id":')
    for length, body in broken:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(port))
        writer.write(f"{head}\r\n{length}\r\n\r\n".encode() + body)
        writer.write_eof()
        async with asyncio.timeout(PATIENCE_S):
            answer = await reader.read()
        assert not answer or b" 400 " in answer.partition(b"\r\n")[0], answer
        writer.close()
    await page.get("/api/v1/state")
    assert not [record for record in caplog.records if record.name.startswith(DOORS)]


def odd_value(chance: Random, depth: int = 0) -> Any:
    """Something that JSON can hold."""
    if depth < 3 and chance.random() < 0.4:
        return {chance.choice(KEYS): odd_value(chance, depth + 1) for _ in range(3)}
    if depth < 3 and chance.random() < 0.2:
        return [odd_value(chance, depth + 1) for _ in range(3)]
    text = "".join(chr(chance.choice((0, 9, 34, 92, 255, 0x202E, 0x1F600))) for _ in range(5))
    return chance.choice((None, True, -1, 2**70, 1e308, 0.5, "", "e2", "x" * 300, text))


def odd_body(chance: Random) -> bytes:
    """JSON, broken JSON, or no JSON at all."""
    if chance.random() < 0.2:
        return chance.randbytes(chance.randrange(200))
    body = bytearray(json.dumps(odd_value(chance)).encode())
    if chance.random() < 0.3:
        body[chance.randrange(len(body))] = chance.randrange(256)
    return bytes(body)


@pytest.mark.slow
async def test_no_bytes_break_it(served: Served) -> None:
    """Whatever is sent, and wherever to, it is answered, and nothing goes wrong in here."""
    page, chance = await served.known(Role.OWNER), Random(1)
    for route in ROUTES:
        if (route.method, route.does) == ("DELETE", "log_out"):
            continue  # it would end what this test goes on with
        path = route.path.format(**SAMPLE)
        for _ in range(100 if route.body else 3):
            query = "".join(chance.choices("0123456789abcqoff=&%;+/", k=12))
            sent = odd_body(chance) if route.method != "GET" else b""
            reply = await page.send(route.method, f"{path}?{query}", sent)
            assert reply.status < 500, (path, sent, reply.body)


@pytest.fixture
def slow_refill(monkeypatch: pytest.MonkeyPatch) -> int:
    """Let as many commands be asked as ever, but in a day; a slow machine asks few in a second."""
    most = handlers.COMMANDS.most
    monkeypatch.setattr(handlers, "COMMANDS", Rate(most, 86_400))
    return most


async def test_a_flood_of_commands_is_held_up_and_others_are_not(
    slow_refill: int, served: Served
) -> None:
    flood, owner = await served.known(Role.PLAYER), await served.known(Role.OWNER)
    seq = await flood.seq()
    for number in range(slow_refill):
        assert (await flood.post(TABLE, {"id": str(number), "seq": seq})).status == 200
    assert (await flood.post(TABLE, {"id": "more", "seq": seq})).status == 429
    assert (await owner.post(TABLE, {"id": "a", "seq": await owner.seq()})).status == 200


async def test_one_address_opens_only_so_many_streams(served: Served) -> None:
    page = await served.known(Role.PLAYER)
    async with aiohttp.ClientSession() as client:
        url = f"{served.base}/api/v1/stream"
        streams = [
            await client.ws_connect(url, headers=page.headers) for _ in range(MOST_OF_ONE_ADDRESS)
        ]
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await client.ws_connect(url, headers=page.headers)
        assert refused.value.status == 429
        for stream in streams:
            await stream.close()


async def test_idle_connections_keep_nobody_out(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    """More than there may be, from the address of all others, and from many."""
    owner, port = await served.known(Role.OWNER), int(served.base.rpartition(":")[2])
    async with owner.watch() as watching, AsyncExitStack() as held:
        assert await watching.read()
        for number in range(2 * crowd.MOST_CONNECTIONS):
            home = f"127.0.2.{1 + number % 50}" if number % 2 else "127.0.0.1"
            line = held.enter_context(socket.socket())
            line.bind((home, 0))
            line.setblocking(False)
            await asyncio.get_running_loop().sock_connect(line, ("127.0.0.1", port))
        async with aiohttp.ClientSession() as another:
            for page in (owner, served.page(), Page(served.base, another)):
                assert (await page.get("/api/v1/session")).status == 200
        served.lift("e2")
        await watching.until("lift")
    said = [record for record in caplog.records if record.name.startswith(DOORS)]
    assert [record.levelname for record in said] == ["WARNING"]
    assert not any(record.exc_info for record in said)


async def test_who_has_shown_no_session_does_not_keep_a_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with Served() as served:
        owner = await served.known(Role.OWNER)
        host, _, port = served.base.removeprefix("http://").partition(":")
        cookie = f"Cookie: bfw_{BOARD}={owner.cookies[f'bfw_{BOARD}']}\r\n"
        known = await asyncio.open_connection(host, int(port))
        stranger = await asyncio.open_connection(host, int(port))

        async def status(
            line: tuple[asyncio.StreamReader, asyncio.StreamWriter], more: str = ""
        ) -> bytes:
            reader, writer = line
            writer.write(
                f"GET /api/v1/state HTTP/1.1\r\nHost: {host}:{port}\r\n{more}\r\n".encode()
            )
            async with asyncio.timeout(PATIENCE_S):
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(one for one in head.split(b"\r\n") if b"Content-Length" in one)
                await reader.readexactly(int(length.split()[1]))
            return head.split()[1]

        assert await status(known, cookie) == b"200"
        assert await status(stranger) == b"401"
        monkeypatch.setattr(door, "HEADER_S", 0.0)
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            await status(stranger)
            async with asyncio.timeout(PATIENCE_S):
                assert await stranger[0].read() == b""
        assert await status(known, cookie) == b"200"
        assert await status(known, cookie) == b"200"
        for _, writer in (known, stranger):
            writer.close()


async def test_who_says_nothing_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    async with Served() as served:
        monkeypatch.setattr(door, "HEADER_S", 0.0)
        port = int(served.base.rpartition(":")[2])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\n")
        async with asyncio.timeout(PATIENCE_S):
            try:
                answer = await reader.read()
            except ConnectionResetError:
                answer = b""
        assert answer == b""
        writer.close()


async def test_the_page_says_who_plays_to_those_who_belong_here_only() -> None:
    async with Served() as served:
        served.pages.controls.names.say(served.desk.session.record, {"White": "Ann"})
        served.runtime.tell(Tick(0))
        player, spectator = await served.known(Role.PLAYER), await served.known(Role.SPECTATOR)
        async with asyncio.timeout(PATIENCE_S):
            while not (told := (await player.get("/api/v1/state")).json["game"]["tags"]):
                pass
        assert told == {"White": "Ann"}
        assert (await spectator.get("/api/v1/state")).json["game"]["tags"] == {}
