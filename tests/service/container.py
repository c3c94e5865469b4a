"""A Debian that runs systemd in a container; what is missing is named.

The root and the wheels are fetched once and kept in the user's cache. So is what `make install`
adds to the root, until a file of the sources changes. What a test does lies in a layer of its own,
in memory, which outlives a power cut and goes with the test. There is no network.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from shlex import join

import pytest

import environment
from release.kept import CACHE, CannotError, kept, made

ROOT = Path(__file__).parents[2]
SUITE, PYTHON = "bookworm", "3.11"
PACKAGES = "dbus,make,python3-venv,systemd,systemd-sysv,udev"
TOOLS = {
    "debootstrap": "debootstrap",
    "systemd-nspawn": "systemd-container",
    "nsenter": "util-linux",
    "setpriv": "util-linux",
    "systemd-analyze": "systemd",
}
"""Programs, and the Debian packages that have them."""
SOURCES, WHEELS = "/srv/boardfw", "/srv/wheels"
"""Where the container sees the checkout, and the libraries that pip would fetch."""
INSTALL = f"make --no-print-directory install PIP_NO_INDEX=1 PIP_FIND_LINKS={WHEELS}"
ROOM = "3G"
"""How large a container's disk is. It lies in memory, and holds what is written there only: on a
disk the install and the end of a container took several times as long."""
KEPT_S = 24 * 3600
"""Keep an installed layer this long after its last use, as another run may be using it."""
BOOT_S, PATIENCE_S = 180, 600
"""Many times what it takes on a slow machine."""
FROZEN = "Freezing execution"
"""What systemd says where the kernel refuses it something that it cannot do without."""


def debian(packages: str = PACKAGES) -> Path:
    """The directory of a Debian with systemd and Python. Skips where there can be none."""
    if os.getuid() != 0:
        pytest.skip("needs root, for containers")
    for program, package in TOOLS.items():
        if shutil.which(program) is None:
            pytest.skip(f"needs {program} (Debian package {package})")
    name = hashlib.sha256(packages.encode()).hexdigest()[:8]
    minimal = ("debootstrap", "--variant=minbase", f"--include={packages}", SUITE)
    return _kept(f"{SUITE}-{name}", lambda part: [*minimal, str(part)])


def wheels() -> Path:
    """The directory of what pip needs to install the service. Skips where it cannot be had."""
    files = [ROOT / f"requirements/{name}.txt" for name in ("build", "run")]
    name = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:8]
    pip = (sys.executable, "-m", "pip", "--quiet", "download", "--only-binary=:all:")
    locked = ("--require-hashes", "--no-deps", *(f"--requirement={file}" for file in files))
    target = (f"--python-version={PYTHON}", *locked)
    return _kept(f"wheels-{PYTHON}-{name}", lambda part: [*pip, f"--dest={part}", *target])


def installed() -> tuple[Path]:
    """Return the layer that `make install` adds to the root, for containers that begin with it."""
    digest = hashlib.sha256(f"{debian()} {wheels()} {environment.name_of_new()}".encode())
    for file in (ROOT / "Makefile", ROOT / "docs/boardfw.toml", *sorted(ROOT.glob("systemd/*.*"))):
        digest.update(f"\n{file.name}\n".encode() + file.read_bytes())
    there = made(f"installed-{digest.hexdigest()[:8]}", _install)
    os.utime(there)
    for other in CACHE.glob("installed-*"):
        with suppress(FileNotFoundError):  # another worker removes it
            if other.stat().st_mtime < time.time() - KEPT_S:
                shutil.rmtree(other, ignore_errors=True)
    return (there,)


def _install(part: Path) -> None:
    with prepared(sources(), lambda board: board.run(f"cd {SOURCES} && {INSTALL}")) as (layer,):
        subprocess.run(["cp", "--archive", layer, part], check=True)


def _kept(name: str, command: Callable[[Path], list[str]]) -> Path:
    """A directory of the cache. Skips where it cannot be had."""
    try:
        return kept(name, command)
    except CannotError as error:
        pytest.skip(str(error))


class Shell(ABC):
    """A machine in which commands are run."""

    @abstractmethod
    def lose_power(self) -> None:
        """End the machine as it stands, and start it again."""

    @abstractmethod
    def tried(
        self, command: str, patience_s: float = PATIENCE_S
    ) -> subprocess.CompletedProcess[str]:
        """What a command of the shell in there said and left."""

    def run(self, command: str, patience_s: float = PATIENCE_S) -> str:
        """What a command said that has to succeed."""
        told = self.tried(command, patience_s)
        assert told.returncode == 0, f"{command}:\n{told.stdout}{told.stderr}"
        return told.stdout

    def write(self, path: str, text: str) -> None:
        """Write a file in there."""
        self.run(f"printf %s {shlex.quote(text)} > {path}")


@dataclass
class Machine(Shell):
    """A container that is running."""

    leader: int
    """The number of its first process, out here."""
    boot: Callable[[], int]
    """Start the container again after all of it was killed; its first process."""

    def lose_power(self) -> None:
        os.kill(self.leader, signal.SIGKILL)
        self.leader = self.boot()

    def tried(
        self, command: str, patience_s: float = PATIENCE_S
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*self._inside(), "sh", "-c", command],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=patience_s,
        )

    def property(self, name: str) -> str:
        """What systemd says of the service."""
        return self.run(f"systemctl show --value --property={name} boardfw").strip()

    def now(self) -> str:
        """This moment, for ``heard``."""
        return self.run("journalctl --lines=0 --show-cursor").split()[-1]

    def heard(self, wanted: str, since: str) -> list[str]:
        """Lines of the service's journal from a moment on, until one holds this."""
        follow = ["journalctl", "--unit=boardfw", "--follow", "--output=cat", "--lines=all"]
        # Without a process between: what is ended here must not live on in there.
        command = [
            *self._inside(),
            "--no-fork",
            "timeout",
            str(PATIENCE_S),
            *follow,
            f"--after-cursor={since}",
        ]
        said: list[str] = []
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as listening:
            assert listening.stdout is not None
            for line in listening.stdout:
                said.append(line.rstrip("\n"))
                if wanted in line:
                    listening.terminate()
                    return said
        raise AssertionError("\n".join([f"nobody said {wanted!r}, but:", *said]))

    def _inside(self) -> list[str]:
        return ["nsenter", f"--target={self.leader}", "--all"]


def sources() -> dict[Path, str]:
    """Return where containers see the checkout and what pip needs. Skips where it cannot be had."""
    return {ROOT: SOURCES, wheels(): WHEELS}


@contextmanager
def machine() -> Iterator[Machine]:
    """A container on which the service is installed and runs. Skips where none can be."""
    with machine_with(sources(), installed()) as there:
        yield there


@contextmanager
def machine_with(binds: Mapping[Path, str], over: Sequence[Path] = ()) -> Iterator[Machine]:
    """A container, from its boot until the end. Skips where none can be.

    ``binds``: directories out here, and where it sees them; ``over``: what `prepared` gave.
    """
    with _layer() as layer:
        yield from _running(layer, binds, over)


@contextmanager
def prepared(
    binds: Mapping[Path, str], prepare: Callable[[Machine], object], over: Sequence[Path] = ()
) -> Iterator[Sequence[Path]]:
    """What a container becomes by ``prepare``, for others that begin as it ends."""
    with _layer() as layer:
        for there in _running(layer, binds, over):
            prepare(there)
        yield (layer / "upper", *over)


def _running(layer: Path, binds: Mapping[Path, str], over: Sequence[Path]) -> Iterator[Machine]:
    container = Container((*over, debian()), layer, binds)
    try:
        yield Machine(container.boot(), container.boot)
    finally:
        container.end()


@contextmanager
def _layer() -> Iterator[Path]:
    debian()  # without it there is no container
    for left in CACHE.glob(".machine-*-*"):  # by a run that was killed
        if not Path("/proc", left.name.split("-")[1]).exists():
            _remove(left)
    layer = Path(tempfile.mkdtemp(prefix=f".machine-{os.getpid()}-", dir=CACHE))
    try:
        mounting = ["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "layer", str(layer)]
        if subprocess.run(mounting, check=False).returncode:
            pytest.skip("needs the right to mount file systems, for containers")
        yield layer
    finally:
        _remove(layer)


def _remove(layer: Path) -> None:
    subprocess.run(["umount", "--lazy", layer], stderr=subprocess.DEVNULL, check=False)
    shutil.rmtree(layer, ignore_errors=True)


class Container:
    """A Debian with layers over it, in which systemd is started."""

    def __init__(self, roots: Sequence[Path], layer: Path, binds: Mapping[Path, str]) -> None:
        for name in ("upper", "work", "seen"):
            (layer / name).mkdir()
        self._name = f"boardfw-{os.getpid()}-{layer.name[-8:].lower().strip('_')}"
        lower = ":".join(map(str, roots))
        over = f"lowerdir={lower},upperdir={layer}/upper,workdir={layer}/work"
        starting = [
            *("systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--boot"),
            *("--notify-ready=yes", "--private-network", "--console=pipe"),
            *(f"--bind-ro={here}:{there}" for here, there in binds.items()),
            *(f"--machine={self._name.replace('_', '-')}", f"--directory={layer}/seen"),
        ]
        mounting = f"mount -t overlay overlay -o {over} {layer}/seen && exec {join(starting)}"
        # What is mounted goes with the last process.
        # It ends with this program, also where that is killed.
        dying = ("setpriv", "--pdeathsig", "TERM")
        self._command = [*dying, "unshare", "--mount", "sh", "-euc", mounting]
        self._running: subprocess.Popen[bytes] | None = None
        self._leader = 0

    def boot(self) -> int:
        """Start it, or start it again once its first process was killed; its first process."""
        if self._running:
            self._running.communicate(timeout=BOOT_S)
        address = f"\0{self._name}"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
            ear.bind(address)
            ear.settimeout(1)
            self._running = subprocess.Popen(
                self._command,
                env=os.environ | {"NOTIFY_SOCKET": address.replace("\0", "@")},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            # Closed at once then: a full queue would hold up the systemd in there.
            self._leader = _booted(self._running, ear)
        return self._leader

    def end(self) -> None:
        """An orderly end, or else one by force: what is inside would outlive what is outside."""
        if self._running is None:
            return
        self._running.terminate()
        try:
            self._running.communicate(timeout=BOOT_S)
        except subprocess.TimeoutExpired:
            self._running.kill()
            self._running.communicate()
        if self._leader:
            with suppress(ProcessLookupError):
                os.kill(self._leader, signal.SIGKILL)


def _booted(container: subprocess.Popen[bytes], ear: socket.socket) -> int:
    """The number of the container's first process, once all is started.

    Skips where systemd gives up, and fails where it is only slow.
    """
    leader = 0
    patience_ends = time.monotonic() + BOOT_S
    while time.monotonic() < patience_ends and container.poll() is None:
        with suppress(TimeoutError):
            for word in ear.recv(4096).decode().split("\n"):
                if word.startswith("X_NSPAWN_LEADER_PID="):
                    leader = int(word.partition("=")[2])
                if word == "READY=1" and leader:
                    return leader
    gave_up = container.poll() is not None
    container.kill()
    said = container.communicate()[0].decode(errors="replace").strip()
    if gave_up or FROZEN in said:
        pytest.skip(f"needs a kernel and rights for systemd in a container ({said[-300:]!r})")
    pytest.fail(f"systemd in a container has not started in {BOOT_S} s: {said[-300:]!r}")
