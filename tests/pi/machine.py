"""An emulated Raspberry Pi 3: a shell at its serial console, and QEMU's monitor beside it.

Its clock counts instructions, and leaps while nothing is to be done: however busy this machine is,
nothing in there comes late for it. So nothing here says how fast anything is, and the limits below
only end what hangs.
"""

from __future__ import annotations

import json
import select
import shlex
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from signal import SIGKILL
from typing import Any, BinaryIO

from tests.pi.archive import Entry, archive
from tests.pi.card import Card, compile_python

ROOT = Path(__file__).parents[2]
SOURCES = "/srv/boardfw"
PROJECT = (
    *("LICENSE", "Makefile", "README.md", "boardfw", "docs/boardfw.toml", "hardware"),
    *("pyproject.toml", "requirements", "systemd"),
)
BOOT_S, PATIENCE_S = 3600, 3600
"""Many times what it takes on a slow machine."""
PACE = "shift=1,sleep=off"
"""Two nanoseconds an instruction, and no waiting: the clock leaps to what comes next."""
WORDS = "console=ttyAMA0,115200 rdinit=/init loglevel=4 panic=-1"

INIT = """#!/busybox sh
set -e
/busybox mkdir -p /proc /sys /dev /card
/busybox mount -t proc proc /proc
/busybox mount -t sysfs sysfs /sys
/busybox mount -t devtmpfs devtmpfs /dev
for module in /modules/*; do /busybox insmod $module; done
until [ -b /dev/mmcblk0 ]; do /busybox sleep 0.1; done
/busybox mount -t ext4 /dev/mmcblk0 /card
/busybox mkdir -p /card/srv/bin /card/srv/boardfw
/busybox mount -t tmpfs tmpfs /card/srv/boardfw
/busybox cp -a /srv /card
for place in proc sys dev; do /busybox mount --move /$place /card/$place; done
exec /busybox switch_root /card /bin/bash /srv/console
"""
CONSOLE = """mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /tmp
ln -sf /proc/self/fd /dev/fd
mkdir -p /dev/pts && mount -t devpts devpts /dev/pts
ip link set lo up 2>/dev/null
exec bash /srv/shell
"""
SHELL = """export PATH=/srv/bin:/usr/local/bin:/usr/bin:/usr/sbin
export HOME=/root TERM=dumb LANG=C.UTF-8
cd /root
stty raw -echo </dev/ttyAMA0
exec bash --norc --noprofile < <(echo 'echo; echo ==0== 0'; cat /dev/ttyAMA0) >/dev/ttyAMA0 2>&1
"""
OURS = f"""#!/bin/sh
PYTHONPATH={SOURCES}:/srv/libraries exec python3 -m boardfw "$@"
"""


@dataclass(frozen=True)
class Told:
    """What a command at the console said and left."""

    said: str
    status: int


class Machine:
    """A machine that is running."""

    def __init__(self, console: socket.socket, monitor: socket.socket, log: BinaryIO) -> None:
        self._log = log
        self._console, self._monitor = console, monitor.makefile("rwb")
        self._number = 0
        self._heard = b""
        json.loads(self._monitor.readline())  # its greeting
        self.ask("qmp_capabilities")

    def tried(self, command: str, patience_s: int = PATIENCE_S) -> Told:
        """What a command of the shell in there says and leaves."""
        self._number += 1
        mark = f"=={self._number}=="
        line = f"bash -c {shlex.quote(command)} </dev/null 2>&1; left=$?; echo; echo {mark} $left\n"
        self._console.sendall(line.encode())
        said, _, rest = self._until(f"\n{mark} ".encode(), patience_s).partition(mark)
        return Told(said.replace("\r\n", "\n").rstrip("\n"), int(rest))

    def run(self, command: str, patience_s: int = PATIENCE_S) -> str:
        """What a command says that has to succeed."""
        told = self.tried(command, patience_s)
        assert told.status == 0, f"{command}:\n{told.said}"
        return told.said

    def write(self, path: str, text: str) -> None:
        """Write a file in there."""
        self.run(f"printf %s {shlex.quote(text)} > {path}")

    def start(self, command: str) -> Program:
        """Start a program in there, which goes on until it is ended."""
        self._number += 1
        program = Program(self, f"/tmp/program-{self._number}")
        own = shlex.quote(f"echo $$ > {program.log}.pid; exec {command}")
        self.run(f'(bash -c {own}; echo "ended: $?") > {program.log} 2>&1 &')
        return program

    def awaits_start(self) -> str:
        """What is said until there is a shell.

        Nothing is sent before: what an emulated serial line hears too early, it chokes on.
        """
        return self._until(b"\n==0== ", BOOT_S)

    def become_systemd(self) -> None:
        """Let systemd take the shell's place as the first process, and begin another shell."""
        units = "/etc/systemd/system"
        self.write(f"{units}/console.service", "[Service]\nExecStart=/bin/bash /srv/shell\n")
        self.run(
            f"mkdir -p {units}/multi-user.target.wants; cd {units}; ln -s /dev/null"
            " serial-getty@ttyAMA0.service; ln -s ../console.service multi-user.target.wants"
        )
        self._console.sendall(b"kill $(pidof cat); exec /lib/systemd/systemd --show-status=0\n")
        self.awaits_start()

    # --- the monitor

    def ask(self, command: str, **arguments: Any) -> Any:
        """What the monitor answers."""
        words = {"execute": command, "arguments": arguments}
        self._monitor.write(json.dumps(words).encode() + b"\n")
        self._monitor.flush()
        while True:
            answer = json.loads(self._monitor.readline())
            assert "error" not in answer, answer
            if "return" in answer:
                return answer["return"]

    def set(self, part: str, name: str, value: object) -> None:
        """Change a part of the machine from outside."""
        self.ask("qom-set", path=f"/machine/peripheral/{part}", property=name, value=value)

    def get(self, part: str, name: str) -> Any:
        """What a part of the machine is like."""
        return self.ask("qom-get", path=f"/machine/peripheral/{part}", property=name)

    def wait(self, what: str, holds: Callable[[], bool]) -> None:
        """Ask until something holds."""
        end = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < end, what
            select.select([], [], [], 0.2)

    def _until(self, mark: bytes, patience_s: int) -> str:
        end = time.monotonic() + patience_s
        while True:
            before, found, after = self._heard.partition(mark)
            if found and b"\n" in after:
                status, _, self._heard = after.partition(b"\n")
                return (before + b"\n" + mark.strip() + b" " + status).decode(errors="replace")
            self._console.settimeout(max(0.1, end - time.monotonic()))
            try:
                more = self._console.recv(65536)
            except TimeoutError:
                more = b""
            is_over = not more or b"Kernel panic" in self._heard
            assert not is_over, f"it fell silent after: {self._heard.decode(errors='replace')}"
            self._heard += more
            self._log.write(more)
            self._log.flush()


@dataclass(frozen=True)
class Program:
    """A program that was started in a machine."""

    machine: Machine
    log: str
    """The file in there that has what it says."""

    def heard(self, wanted: str) -> str:
        """All that it has said, as soon as it has said this."""
        waiting = f"until grep -qF -e {shlex.quote(wanted)} {self.log}; do sleep 0.2; done"
        in_time = f"timeout {PATIENCE_S} bash -c {shlex.quote(waiting)}"
        told = self.machine.tried(in_time)
        said = self.machine.run(f"cat {self.log}")
        assert told.status == 0, f"{wanted!r} was not said, but:\n{said}"
        return said

    def ended(self, signal: int) -> int:
        """The exit status after this signal, as a shell tells it; sent once it is listened to."""
        caught = f"sed -n 's/^SigCgt:\\t//p' /proc/$(cat {self.log}.pid)/status"

        def listens() -> bool:
            return bool(int(self.machine.run(caught), 16) >> signal - 1 & 1)

        if signal != SIGKILL:
            self.machine.wait("it does not listen to the signal", listens)
        self.machine.run(f"kill -{signal:d} $(cat {self.log}.pid)")
        *_, last = self.heard("ended: ").splitlines()
        return int(last.removeprefix("ended: "))


@contextmanager
def machine(
    qemu: Sequence[str], card: Card, folder: Path, parts: Sequence[str] = ()
) -> Iterator[Machine]:
    """A machine from its start to its end, with these parts wired to it.

    What it writes to its card goes with it.
    """
    initrd = folder / "init.cpio"
    initrd.write_bytes(archive(_entries(card, folder / "project")))
    sockets = [folder / "console", folder / "monitor"]
    listening = [socket.socket(socket.AF_UNIX) for _ in sockets]
    for ear, path in zip(listening, sockets, strict=True):
        ear.bind(str(path))
        ear.listen()
        ear.settimeout(60)
    command = [
        *("setpriv", "--pdeathsig", "KILL"),  # it goes with us, however we end
        *(*qemu, "-M", "raspi3b", "-display", "none", "-no-reboot", "-icount", PACE),
        *("-kernel", str(card.kernel), "-dtb", str(card.tree), "-initrd", str(initrd)),
        *("-append", WORDS, "-drive", f"file={card.image},if=sd,format=raw,snapshot=on"),
        *("-chardev", f"socket,id=console,path={sockets[0]}", "-serial", "chardev:console"),
        *("-chardev", f"socket,id=monitor,path={sockets[1]}"),
        *("-mon", "chardev=monitor,mode=control"),
        *(word for part in parts for word in ("-device", part)),
    ]
    log = folder / "qemu.log"
    with log.open("wb") as said:
        running = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT
        )
    try:
        console, monitor = (_connected(ear, running, log) for ear in listening)
        with console, monitor, (folder / "console.log").open("wb") as said:
            there = Machine(console, monitor, said)
            there.awaits_start()
            yield there
    finally:
        running.kill()
        running.wait()
        for ear in listening:
            ear.close()


def _connected(ear: socket.socket, running: subprocess.Popen[bytes], log: Path) -> socket.socket:
    while True:
        try:
            return ear.accept()[0]
        except TimeoutError:
            assert running.poll() is None, log.read_text()


def _entries(card: Card, folder: Path) -> Iterator[Entry]:
    """What the first files of the machine are: those that find the card, and the project."""
    yield Entry("busybox", card.busybox.read_bytes(), is_program=True)
    yield Entry("init", INIT.encode(), is_program=True)
    for module in card.modules:
        yield Entry(f"modules/{module.name}", module.read_bytes())
    yield Entry("srv/console", CONSOLE.encode())
    yield Entry("srv/shell", SHELL.encode())
    yield Entry("srv/bin/boardfw", OURS.encode(), is_program=True)
    listing = ["git", "ls-files", "-z", "--", *PROJECT]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    for package in ("boardfw", "hardware"):
        compile_python(folder / package, f"{SOURCES}/{package}")
    for file in filter(Path.is_file, folder.rglob("*")):
        yield Entry(f"{SOURCES}/{file.relative_to(folder)}".strip("/"), file.read_bytes())
