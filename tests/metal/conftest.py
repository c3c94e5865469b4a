"""Machines that this one can pretend to be; a test says by name what is missing for that.

What only a Raspberry Pi can show: the signal's real timing, DMA and PWM, the RP1, /dev/leds0.
"""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.user_mode_linux import skip_unless_registers_fit

ROOT = Path(__file__).parents[2]
MOCK_DEVICES = ROOT / "tests/metal/mock_devices.py"
GUEST = ROOT / "tests/metal/guest.py"
SYSTEM_PYTHON = "/usr/bin/python3"
"""The one for which Debian packages gi."""
IMPORT_UMOCKDEV = (
    "import gi; gi.require_version('UMockdev', '1.0'); from gi.repository import UMockdev"
)
TIMEOUT = ("timeout", "60")
"""In seconds, many times what any of them takes; unlike Python's, it ends the children too."""

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}


@dataclass(frozen=True)
class Ran:
    """What a command among mocked devices left."""

    status: int
    said: str
    journal: list[dict[str, Any]]
    """What it sent to the devices, as ``mock_devices.py`` noted it."""

    @property
    def sent(self) -> list[bytes]:
        """The bytes of each transfer over SPI."""
        return [bytes.fromhex(note["bytes"]) for note in self.journal]


Mocked = Callable[..., Ran]


def need_module(name: str, package: str) -> None:
    """Skip where a Python module of the extra ``hwtest`` is missing."""
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"needs the Python package {package} (pip install -e '.[hwtest]')")


def need_umockdev() -> None:
    """Skip where umockdev cannot be had."""
    if shutil.which("umockdev-wrapper") is None:
        pytest.skip("needs umockdev (Debian package umockdev)")
    if not Path(SYSTEM_PYTHON).exists():
        pytest.skip(f"needs the system's Python, {SYSTEM_PYTHON}")
    told = subprocess.run(
        [SYSTEM_PYTHON, "-c", IMPORT_UMOCKDEV], capture_output=True, check=False, text=True
    )
    if told.returncode:
        why = told.stderr.strip().splitlines()[-1]
        pytest.skip(f"needs Debian packages gir1.2-umockdev-1.0 and python3-gi ({why})")


@pytest.fixture
def mocked(tmp_path: Path) -> Mocked:
    """Run ``tests.metal.client`` among mocked devices: names of them, words, lines of input."""
    need_umockdev()

    def run(devices: str, *words: str, lines: Iterable[str] = (), meanwhile: bool = False) -> Ran:
        journal = tmp_path / "journal"
        client = [sys.executable, "-m", "tests.metal.client", *words]
        told = subprocess.run(
            [*TIMEOUT, SYSTEM_PYTHON, str(MOCK_DEVICES), str(journal), devices, *client],
            input="\n".join(lines),
            cwd=ROOT,
            env=ENVIRONMENT | ({"MEANWHILE": "asked"} if meanwhile else {}),
            capture_output=True,
            check=False,
            text=True,
        )
        notes = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
        return Ran(told.returncode, told.stdout + told.stderr, notes)

    return run


@pytest.fixture(scope="session")
def guest(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What ``guest.py`` found on a kernel of its own, a User-Mode Linux with the host's files."""
    if platform.machine() != "x86_64":
        pytest.skip(f"needs a machine for which there is User-Mode Linux, not {platform.machine()}")
    kernel = shutil.which("linux.uml")
    if kernel is None:
        pytest.skip("needs User-Mode Linux (Debian package user-mode-linux)")
    said = boot(kernel, tmp_path_factory.mktemp("uml"))
    for line in said.splitlines():
        if line.startswith("FOUND "):
            found: dict[str, Any] = json.loads(line.removeprefix("FOUND "))
            return found
    skip_unless_registers_fit(said)
    if "Traceback" not in said and "Attempted to kill init" not in said:
        pytest.skip(f"needs a machine on which User-Mode Linux starts ({said.strip()[-200:]!r})")
    raise AssertionError(said)


def boot(kernel: str, folder: Path) -> str:
    """Start a kernel whose only program is ``guest.py``; all that it said until it halted."""
    machine = ["mem=192M", "quiet", "panic=-1", f"uml_dir={folder}", "umid=board"]
    files = ["rootfstype=hostfs", "rootflags=/", "ro"]
    consoles = ["con=null", "con0=null,fd:1"]
    program = [f"PYTHONPATH={ROOT}", "PYTHONDONTWRITEBYTECODE=1", f"init={sys.executable}"]
    told = subprocess.run(
        [*TIMEOUT, kernel, *machine, *files, *consoles, *program, "--", str(GUEST)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        text=True,
    )
    return told.stdout + told.stderr
