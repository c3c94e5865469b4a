"""Where the pages are served: an address that a person writes, and a socket that listens there.

Where a process of its own serves them, the board listens at a file instead.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from boardfw.errors import ConfigError
from boardfw.shell.status.status_report import USUAL as SERVICE
from boardfw.shell.systemd import runtime_directory

OFF, AUTO, SYSTEMD, APART = "off", "auto", "systemd", "apart"
CORE = "core.sock"
NO_LIBRARY = "the library aiohttp is missing; install boardfw again"
INHERITED = 3
"""The number of the first file that systemd passes on."""
LOOPBACK = "127.0.0.1"
USUAL_PORT = 8080
PORTS = 20
"""So many ports from the usual one on are tried where no port is named."""
BACKLOG = 64
AVAHI = Path("/run/avahi-daemon/socket")
ELSEWHERE = ("192.0.2.1", 9)
"""An address of documents alone, beyond each local network."""
_PLACE = re.compile(r"(?:(?P<host>[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):)?(?P<port>[0-9]{1,5})")
_NEAR = frozenset({LOOPBACK, "localhost", "::1"})
_EVERYWHERE = frozenset({"0.0.0.0", "::"})  # they are compared, not bound


class Listening(NamedTuple):
    """A socket that listens, and the address that a person opens."""

    socket: socket.socket
    url: str
    is_near: bool
    """Whether only this machine reaches it."""
    file: Path | None = None
    """Where it listens for the process that serves the pages; then without url. None: browsers
    come to it."""

    def close(self) -> None:
        """Listen no more."""
        self.socket.close()
        if self.file is not None:
            self.file.unlink(missing_ok=True)


def core_place(environment: Mapping[str, str] = os.environ) -> Path:
    """The file at which a board is asked by the process of its pages."""
    return (runtime_directory(environment) or SERVICE) / CORE


def listen(text: str, place: str = "--web") -> Listening:
    """Listen where a text says: ``8080``, ``HOST:8080``, ``auto`` for this machine and a free port,
    ``systemd`` for the socket that systemd has opened, or ``apart`` for the process of the pages.

    ``place``: the option or setting. Raises ConfigError.
    """
    if text == AUTO:
        return _near(_first_free(place))
    if text == SYSTEMD:
        bound = _inherited(place)
        return Listening(bound, _url_of(bound), is_near=False)
    if text == APART:
        return bound_to(core_place(), place)
    found = _PLACE.fullmatch(text)
    if found is None or int(found["port"]) > 65_535:
        raise ConfigError(
            f"{place}: {text[:40]!a} is no address; "
            "write HOST:PORT, a PORT, 'auto', 'apart' or 'off'"
        )
    host = (found["host"] or LOOPBACK).strip("[]")
    try:
        bound = _bound(host, int(found["port"]))
    except OSError as error:
        reason = error.strerror or error
        raise ConfigError(
            f"{place}: {text} cannot be listened on: {reason}; name another address or port"
        ) from error
    if host in _NEAR:
        return _near(bound)
    return Listening(bound, _url(host, bound.getsockname()[1]), is_near=False)


def bound_to(path: Path, place: str) -> Listening:
    """Listen at a file, which may be left of an earlier run. Raises ConfigError."""
    bound = socket.socket(socket.AF_UNIX)
    try:
        if bound.connect_ex(str(path)) == 0:
            raise ConfigError(f"{place}: another board listens at {path}; stop it first")
        path.unlink(missing_ok=True)
        bound.bind(str(path))
        path.chmod(0o666)  # who connects is told by the kernel, and most are sent away
        bound.listen(BACKLOG)
    except OSError as error:
        bound.close()
        reason = error.strerror or error
        raise ConfigError(
            f"{place}: {path} cannot be listened at: {reason}; "
            "let RUNTIME_DIRECTORY name a directory of yours"
        ) from error
    except ConfigError:
        bound.close()
        raise
    return Listening(bound, "", is_near=True, file=path)


def address_of(text: str) -> str:
    """What a person opens where pages are served at ``HOST:PORT``; empty: that is not known."""
    found = _PLACE.fullmatch(text)
    if found is None or int(found["port"]) == 0:
        return ""
    return _url((found["host"] or LOOPBACK).strip("[]"), int(found["port"]))


def names_here() -> frozenset[str]:
    """How this machine is called in its network."""
    name = socket.gethostname().partition(".")[0].lower()
    return frozenset({name, f"{name}.local"}) if name else frozenset()


def board_name() -> str:
    """The machine's name in letters that a cookie's name may hold."""
    name = re.sub(r"[^a-z0-9-]", "", socket.gethostname().partition(".")[0].lower())
    return name[:32] or "board"


def _url(host: str, port: int) -> str:
    if host in _NEAR:
        return f"http://localhost:{port}"
    shown = name_in_network() if host in _EVERYWHERE else host
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"


def name_in_network(avahi: Path = AVAHI) -> str:
    """What another device of the network can open: a name, where something answers to it, else the
    number of this machine, which may be another one after a while.

    ``avahi``: is there while it answers.
    """
    name = f"{socket.gethostname()}.local"
    if avahi.exists():
        return name
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
            asked.connect(ELSEWHERE)  # which sends nothing, and chooses a way
            number: str = asked.getsockname()[0]
    except OSError:
        return name  # there is no network now
    return number


def _inherited(place: str) -> socket.socket:
    """The socket that systemd has opened for this process."""
    is_ours = os.environ.get("LISTEN_PID") == str(os.getpid())
    if not is_ours or os.environ.get("LISTEN_FDS") != "1":
        raise ConfigError(
            f"{place}: systemd has opened no socket for this program; name an address, HOST:PORT"
        )
    bound = socket.socket(fileno=INHERITED)
    bound.set_inheritable(False)
    return bound


def _url_of(bound: socket.socket) -> str:
    """Empty: a proxy in front of it has the address."""
    return "" if bound.family == socket.AF_UNIX else _url(*bound.getsockname()[:2])


def _near(bound: socket.socket) -> Listening:
    return Listening(bound, _url(LOOPBACK, bound.getsockname()[1]), is_near=True)


def _first_free(place: str) -> socket.socket:
    for port in range(USUAL_PORT, USUAL_PORT + PORTS):
        try:
            return _bound(LOOPBACK, port)
        except OSError:
            continue
    raise ConfigError(f"{place}: no port from {USUAL_PORT} on is free; name one, as HOST:PORT")


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=BACKLOG)
