"""The gate: which requests are let in at all, whoever asks. Plain functions of headers.

A web page anywhere may let a browser in this network send requests here, also under a name of its
own that it lets point at the board (DNS rebinding). So the Host must be a name of ours, and what
changes something, or opens a stream, must come from a page of ours.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection, Mapping

from boardfw.services.web.refusals import RefusedError

LOOPBACK_NAMES = frozenset({"localhost"})
OUR_HEADER, OUR_VALUE = "X-Boardfw", "1"
"""A header that no form and no plain cross-site request can carry."""
JSON = "application/json"

_NAME = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?")
_PORT = re.compile(r":[0-9]{1,5}")

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
    )
)
ALWAYS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Server": "boardfw",
}
"""Headers of every answer."""


def host_of(header: str) -> str | None:
    """The name or address in a Host header, without its port; None: it is no such header."""
    text = header.lower()
    if text.startswith("["):
        inner, bracket, port = text[1:].partition("]")
        host: str | None = inner if bracket and _address(inner) else None
    else:
        name, colon, number = text.partition(":")
        host, port = (name if _NAME.fullmatch(name) else None), colon + number
    return host if not port or _PORT.fullmatch(port) else None


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def is_ours(host: str, names: Collection[str], local: str) -> bool:
    """Whether a host is this board. ``local``: the address that the request came in on."""
    if host in LOOPBACK_NAMES or host in names:
        return True
    address = _address(host)
    if address is None:
        return False
    return address.is_loopback or address == _plain(_address(local.partition("%")[0]))


def _plain(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address | None,
) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """One socket for both kinds, as systemd opens it, has the old kind as a part of the new."""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def check_host(headers: Mapping[str, str], names: Collection[str], local: str) -> None:
    """Raises RefusedError unless the request is for a name of ours."""
    host = host_of(headers.get("Host", ""))
    if host is None or not is_ours(host, names, local):
        raise RefusedError(
            421,
            "this board is not called that",
            where="Host",
            remedy="open the address that the board shows, or add the name to web.names",
        )


def check_origin(headers: Mapping[str, str], scheme: str) -> None:
    """Raises RefusedError unless a page of ours asks."""
    site = headers.get("Sec-Fetch-Site")
    is_near = site in (None, "same-origin")  # browsers leave it out on http://board.local
    if headers.get("Origin") != f"{scheme}://{headers.get('Host', '')}" or not is_near:
        raise RefusedError(
            403,
            "only a page of this board may ask for that",
            where="Origin",
            remedy="open the board's own page",
        )


def check_change(headers: Mapping[str, str], scheme: str) -> None:
    """Raises RefusedError unless a page of ours means to change something."""
    check_origin(headers, scheme)
    kind = headers.get("Content-Type", "")
    if kind.partition(";")[0].strip().lower() != JSON:
        raise RefusedError(415, f"the body has to be {JSON}", where="Content-Type")
    if headers.get(OUR_HEADER) != OUR_VALUE:
        raise RefusedError(
            403, f"the header {OUR_HEADER}: {OUR_VALUE} is missing", where=OUR_HEADER
        )
