"""What an attacker may send to the board's page: bytes of requests and frames, by chance.

Most of a request is right, so that it comes far; some parts of it are not.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

from boardfw.services.web.routes import NUMBERS, ROUTES, Route

ODD_METHODS = ("PATCH", "OPTIONS", "HEAD", "TRACE", "CONNECT", "get", "BREW", "G\tT", "")
DOTS = (
    "..",
    "%2e%2e",
    "..%2f",
    "%2e%2e%2f",
    "....//",
    "..%5c",
    "..\\",
    "%252e%252e",
    "%c0%ae%c0%ae",
)
ENDS = ("etc/passwd", "state.py", "games.db", "%00", "", "page.html%00.js", "con", "~root")
ODD_TEXTS = (
    "",
    "0",
    "-1",
    "00",
    "1e9",
    "999999999",
    "4294967296",
    "%",
    "%zz",
    "%00",
    "%0d%0aSet-Cookie:%20a=b",
    "'\"><script>alert(1)</script>",
    "' OR 1=1--",
    "${7*7}",
    "{{7*7}}",
    "\u00e9\u202e",
    "a" * 300,
    "$(id)",
    "() { :; }",
)
PGN = '[Event "x"]\n[White "{}"]\n\n1. e4 {} e5 2. Nf3 $999 (2. f4 {}) Nc6 {{{}}} *\n\n'
VALID: dict[str, tuple[Any, ...]] = {
    "press": ({"id": "a", "seq": 1},),
    "hand": ({"lift": "e2"}, {"drop": "e4"}, {"touch": "d7"}, {"back": True}, {"take": "Q"}),
    "set_up": (
        {"start": "usual"},
        {"start": "960", "number": 5},
        {"start": "fen", "fen": "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"},
        {"clock": "5+3", "help": [0, 4], "white": "Ann", "black": "B"},
    ),
    "keep": ({"pgn": PGN},),
    "change": ({"help.white.level": 2}, {"tags.white": "Ann"}),
    "pair": ({"code": "x", "name": "y"},),
    "knock": ({"name": "y"},),
}
"""Bodies that are understood, by what answers them."""
ODD_HEADERS: tuple[tuple[str, Sequence[str]], ...] = (
    ("Host", ("evil.example", "localhost.evil.example", "[::1", "localhost:99999", "", "a b")),
    ("Origin", ("null", "http://evil.example", "file://", "http://localhost")),
    ("Content-Type", ("text/plain", "multipart/form-data; boundary=x", "application/json; q", "")),
    ("X-Boardfw", ("0", "", "1, 1")),
    ("Sec-Fetch-Site", ("cross-site", "same-site", "none", "x")),
    ("Cookie", ("bfw_bench=x", "=", "bfw_bench=" + "x" * 4000, "a=b; " * 500, "bfw_bench=\x80")),
    ("If-None-Match", ("*", '"', '"x:1"', "W/" * 100)),
    ("Accept-Language", ("de;q=x", "de" * 1000, ",;q=" * 300, "de;q=1e999", "*;q=nan")),
    ("Accept-Encoding", ("gzip", "br;q=1", "\x7f", "gzip" * 500)),
    ("Range", ("bytes=0-0", "bytes=-1", "bytes=0-,0-,0-")),
    ("Expect", ("100-continue", "200-ok")),
    ("Upgrade", ("h2c", "websocket", "x" * 50)),
    ("Connection", ("close", "upgrade", "keep-alive, Upgrade")),
    ("Transfer-Encoding", ("chunked", "gzip, chunked", "identity", "xchunked", "chunked, chunked")),
    ("Content-Length", ("0", "-1", "99999999999", "1, 2", "0x10", "٣")),
    ("Content-Encoding", ("gzip", "br", "deflate", "x")),
    ("X-Forwarded-For", ("127.0.0.1", "evil.example")),
    ("X-Forwarded-Host", ("evil.example",)),
    ("Forwarded", ("for=127.0.0.1;host=evil.example",)),
    ("X-HTTP-Method-Override", ("DELETE",)),
    ("Sec-WebSocket-Version", ("0", "12", "x")),
    ("Sec-WebSocket-Key", ("", "x", "=" * 24)),
    ("Sec-WebSocket-Extensions", ("permessage-deflate; server_max_window_bits=99", ";;;")),
    ("X-Long", ("y" * 9000,)),
)


class Sent(NamedTuple):
    """A request. ``is_whole``: whether it can be answered before anything more has come."""

    data: bytes
    method: str
    is_whole: bool


class Known(NamedTuple):
    """What an attacker knows: where the board is, and the cookies of sessions."""

    port: int
    cookies: Sequence[str]


def request(chance: Random, known: Known) -> Sent:
    """One request."""
    route = chance.choice(ROUTES)
    method = route.method if chance.random() < 0.9 else chance.choice(ODD_METHODS)
    target = _path(chance, route)
    body = _body(chance, route) if route.method != "GET" or chance.random() < 0.02 else b""
    cookie = chance.choice(known.cookies) if chance.random() < 0.7 else ""
    if route.does == "log_out":
        cookie = ""  # it would end what the others go on with
    headers = {
        "Host": f"localhost:{known.port}",
        "Origin": f"http://localhost:{known.port}",
        "Cookie": cookie,
        "Content-Type": "application/json",
        "X-Boardfw": "1",
        "Content-Length": str(len(body)),
    }
    for _ in range(chance.choice((0, 0, 0, 1, 1, 2))):
        name, values = chance.choice(ODD_HEADERS)
        if not (name == "Cookie" and route.does == "log_out"):
            headers[name] = chance.choice(values)
    is_whole = headers["Content-Length"] == str(len(body)) and "Transfer-Encoding" not in headers
    lines = [
        f"{method} {target} HTTP/1.1",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    data = "\r\n".join(lines).encode("utf-8", "surrogatepass") + b"\r\n\r\n" + body
    if chance.random() < 0.03:
        data, is_whole = _broken(chance, data), False
    return Sent(data, method, is_whole)


def _broken(chance: Random, data: bytes) -> bytes:
    """Bytes of a request that are none any more."""
    broken = bytearray(data)
    match chance.randrange(4):
        case 0:
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        case 1:
            del broken[chance.randrange(len(broken)) :]
        case 2:
            at = chance.randrange(len(broken))
            broken[at:at] = chance.choice((b"\r\n", b"\n", b"\0", b"\r", b" ", b"\xff"))
        case _:
            broken[:] = chance.randbytes(chance.randrange(1, 400))
    return bytes(broken)


def _path(chance: Random, route: Route) -> str:
    path = route.path
    while "{" in path:
        before, _, rest = path.partition("{")
        name, _, after = rest.partition("}")
        usual = str(chance.randrange(40)) if name in NUMBERS else chance.choice(("pause", "app.js"))
        path = before + (usual if chance.random() < 0.6 else chance.choice(ODD_TEXTS)) + after
    if chance.random() < 0.1:
        path += "/" + "/".join([chance.choice(DOTS)] * chance.randrange(1, 9))
        path += "/" + chance.choice(ENDS)
    if chance.random() < 0.02:
        path = chance.choice(("*", "//", "http://evil.example/", "/" * 2000, "/%", "x", "/a b"))
    if chance.random() < 0.2:
        names = ("since", "q", "fen", "offset", "limit", "")
        path += "?" + "&".join(
            f"{chance.choice(names)}={chance.choice(ODD_TEXTS)}" for _ in range(3)
        )
    return path.replace(" ", "%20") if chance.random() < 0.95 else path


def _body(chance: Random, route: Route) -> bytes:
    whole = chance.choice(VALID.get(route.does, ({},)))
    kind = chance.random()
    if kind < 0.2:
        return json.dumps(whole).encode()
    if kind < 0.7:
        return json.dumps(_mutated(chance, whole)).encode("utf-8", "surrogatepass")
    if kind < 0.9:
        body = bytearray(json.dumps(_mutated(chance, whole)).encode())
        for _ in range(chance.randrange(1, 4)):
            body[chance.randrange(len(body))] = chance.randrange(256)
        return bytes(body)
    return chance.choice(HUGE)(chance)


HUGE: tuple[Callable[[Random], bytes], ...] = (
    lambda chance: b"[" * chance.randrange(60_000),
    lambda chance: b'{"a":' * chance.randrange(10_000),
    lambda chance: b"9" * chance.randrange(5_000),
    lambda chance: b'{"id":"' + b"\\ud800" * chance.randrange(3_000) + b'"}',
    lambda chance: b" " * chance.randrange(70_000),
    lambda chance: chance.randbytes(chance.randrange(2_000)),
    lambda _: b"\xef\xbb\xbf{}",
    lambda _: b"",
)


def _mutated(chance: Random, value: Any) -> Any:
    """The same with something else in it."""
    if isinstance(value, dict) and value and chance.random() < 0.8:
        key = chance.choice(list(value))
        return {**value, key: _mutated(chance, value[key])}
    if isinstance(value, dict) and chance.random() < 0.5:
        return {**value, chance.choice(("jump", "", "__class__", "id", "opponent")): odd(chance)}
    if isinstance(value, str) and "{}" in value:
        return value.replace("{}", str(odd(chance))) * chance.choice((1, 1, 1, 20))
    return odd(chance)


def odd(chance: Random, depth: int = 0) -> Any:
    """Something that JSON can hold, and nobody expects."""
    if depth < 3 and chance.random() < 0.2:
        return {chance.choice(ODD_TEXTS): odd(chance, depth + 1)}
    if depth < 3 and chance.random() < 0.2:
        return [odd(chance, depth + 1)] * chance.randrange(4)
    return chance.choice((None, True, -1, 2**70, 1e308, 0.5, float("nan"), *ODD_TEXTS))


def frames(chance: Random) -> bytes:
    """Frames of a WebSocket, some of which are none."""
    return b"".join(_frame(chance) for _ in range(chance.randrange(1, 5)))


def _frame(chance: Random) -> bytes:
    if chance.random() < 0.2:
        return chance.randbytes(chance.randrange(1, 200))
    final, reserved = chance.choice((0x80, 0x80, 0)), chance.choice((0, 0, 0, 0x40, 0x70))
    opcode = chance.choice((0, 1, 1, 2, 8, 9, 9, 10, 3, 15))
    content = chance.choice(
        (b"", b"hello", b"\xff\xfe", b"\x03", b"\x03\xe8bye", b"\x00\x00", b"x" * 126, b"x" * 5000)
    )
    length = len(content) if chance.random() < 0.9 else chance.choice((0, 2**16, 2**40, 2**63))
    masked = 0x80 if chance.random() < 0.9 else 0
    head = bytes([final | reserved | opcode])
    if length < 126:
        head += bytes([masked | length])
    elif length < 2**16:
        head += bytes([masked | 126]) + length.to_bytes(2, "big")
    else:
        head += bytes([masked | 127]) + (length % 2**64).to_bytes(8, "big")
    return head + (bytes(4) if masked else b"") + content
