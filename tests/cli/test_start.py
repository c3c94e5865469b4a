"""A start without a screen imports what it needs: a slow Pi takes a tenth of a second for 10 ms."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.bench.slow_core import used_s
from tests.cli.tapes import MATE, save
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]
MOST_KIB = 40 * 1024
"""Resident memory of a board that has begun to play, its web app served by another process."""
UNNEEDED = {
    *("textual", "rich", "aiohttp", "statistics", "csv", "email", "boardfw.terminal.seat"),
    *("boardfw.learning.tutor", "boardfw.learning.judge", "boardfw.learning.lesson"),
    *("boardfw.players", "boardfw.doctor", "boardfw.accuracy", "hardware.sim"),
    *("boardfw.services.uci.engine", "boardfw.services.uci.conversation"),
    *("boardfw.services.analysis", "boardfw.shell.web.lessons", "boardfw.shell.learning"),
}
"""Of the board of a service."""
WITHOUT_WEB = {"http", "secrets", "boardfw.services.web", "boardfw.cli.web_pages"}
"""Where the web app is switched off, these, too."""


class Start(NamedTuple):
    """A board that is ready: the modules it has imported, its memory, and its processor time."""

    names: set[str]
    kib: int
    cpu_s: float


def started(folder: Path, web: str) -> Start:
    """Start a board and end it once it is ready."""
    (folder / "run").mkdir()
    tape = save(folder, "mate", MATE)
    environment = os.environ | {
        "NOTIFY_SOCKET": str(folder / "notify"),
        "STATE_DIRECTORY": str(folder),
        "RUNTIME_DIRECTORY": str(folder / "run"),
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-X", "importtime", "-m", "boardfw", "run"]
    with (
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear,
        (folder / "imports").open("w+") as imports,
    ):
        ear.bind(str(folder / "notify"))
        ear.settimeout(PATIENCE_S)
        process = subprocess.Popen(
            [*command, "--board", f"replay:{tape}", "--web", web],
            env=environment,
            cwd=folder,
            stderr=imports,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        try:
            while not ear.recv(1000).startswith(b"READY=1"):
                pass
            cpu_s = used_s(process.pid)
            status = Path("/proc", str(process.pid), "status").read_text().splitlines()
        finally:
            process.kill()
            process.wait()
        imports.seek(0)
        names = {line.rpartition("|")[2].strip() for line in imports if "|" in line}
    resident = next(line.split()[1] for line in status if line.startswith("VmRSS"))
    return Start(names, int(resident), cpu_s)


@pytest.mark.skipif(sys.platform != "linux", reason="the memory is read from /proc")
@pytest.mark.parametrize(
    ("web", "unneeded"), [("apart", UNNEEDED), ("off", UNNEEDED | WITHOUT_WEB)]
)
def test_a_start_without_a_screen_imports_what_it_needs(
    tmp_path: Path, web: str, unneeded: set[str]
) -> None:
    names, kib, _ = started(tmp_path, web)
    assert "boardfw.shell.runtime" in names, "they are those of the board"
    assert sorted(name for name in names for one in unneeded if within(name, one)) == []
    assert kib <= MOST_KIB


def within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")
