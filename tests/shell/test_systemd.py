"""The supervisor hears what it needs to hear, over a real socket."""

from __future__ import annotations

import os
import socket
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardfw.shell.systemd import Notifier, state_directory


@pytest.fixture(params=["path", "abstract"])
def supervisor(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[tuple[str, socket.socket]]:
    """A supervisor's socket, and how NOTIFY_SOCKET spells it."""
    name = f"@boardfw-{uuid.uuid4()}" if request.param == "abstract" else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(name.replace("@", "\0", 1) if name.startswith("@") else name)
        ear.setblocking(False)
        yield name, ear


def test_the_supervisor_hears_ready_watchdog_and_stopping(
    supervisor: tuple[str, socket.socket],
) -> None:
    name, ear = supervisor
    notifier = Notifier.from_environment({"NOTIFY_SOCKET": name})
    assert notifier.ready("waiting for\nthe first move")
    assert notifier.watchdog()
    assert notifier.stopping()
    assert [ear.recv(100) for _ in range(3)] == [
        b"READY=1\nSTATUS=waiting for the first move",
        b"WATCHDOG=1",
        b"STOPPING=1",
    ]


def test_a_supervisor_that_does_not_listen_never_holds_up_the_board(
    supervisor: tuple[str, socket.socket],
) -> None:
    notifier = Notifier(supervisor[0])
    sent = sum(notifier.watchdog() for _ in range(10_000))  # more than any queue holds
    assert 0 < sent < 10_000


def test_a_supervisor_that_went_away_is_no_trouble(tmp_path: Path) -> None:
    assert not Notifier(str(tmp_path / "gone")).ready()


@pytest.mark.parametrize("address", [None, "", "vsock:2:1234", "relative"])
def test_without_a_supervisor_nothing_happens(address: str | None) -> None:
    environment = {"WATCHDOG_USEC": "2000000"} | (
        {} if address is None else {"NOTIFY_SOCKET": address}
    )
    notifier = Notifier.from_environment(environment)
    assert notifier.ping_us is None
    assert not notifier.ready()


@pytest.mark.parametrize(
    ("variables", "ping_us"),
    [
        ({"WATCHDOG_USEC": "10000000"}, 5_000_000),
        ({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": str(os.getpid())}, 5_000_000),
        ({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": str(os.getppid())}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({}, None),
    ],
)
def test_the_watchdog_is_pinged_twice_as_often_as_it_must_be(
    variables: dict[str, str], ping_us: int | None
) -> None:
    assert Notifier.from_environment({"NOTIFY_SOCKET": "/run/x"} | variables).ping_us == ping_us


def test_a_service_keeps_its_games_in_its_state_directory() -> None:
    assert state_directory({"STATE_DIRECTORY": "/var/lib/boardfw"}) == Path("/var/lib/boardfw")
    assert state_directory({"STATE_DIRECTORY": "/var/lib/a:/var/lib/b"}) == Path("/var/lib/a")
    assert state_directory({}) == Path.cwd()
