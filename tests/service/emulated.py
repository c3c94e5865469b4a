"""The same Debian with a kernel of its own, in a machine with the memory of a Pi Zero 2 W.

A power cut ends the machine as it stands: what its kernel had not yet written to the disk is lost,
which a container cannot show. The machine is a User-Mode Linux, or a PC that QEMU emulates, which
takes some ten times as long. An agent in there runs the commands. What is missing is named.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.service.container import PACKAGES, PATIENCE_S, ROOM, Shell, debian
from tests.user_mode_linux import skip_unless_registers_fit

IS_QEMU = os.environ.get("BOARDFW_EMULATED") == "qemu"
"""True if a whole PC is asked for."""
WITH_AGENT = f"{PACKAGES},qemu-guest-agent"
WITH_KERNEL = f"{WITH_AGENT},initramfs-tools,linux-image-cloud-amd64"
UML_TOOLS = {"linux.uml": "user-mode-linux"}
QEMU_TOOLS = {"qemu-system-x86_64": "qemu-system-x86", "qemu-img": "qemu-utils"}
TOOLS = {"mke2fs": "e2fsprogs", **UML_TOOLS, **QEMU_TOOLS}
"""Programs, and the Debian packages that have them."""
MEMORY_MB = 512
BOOT_S, ANSWER_S, ASK_EVERY_S = 900, 5, 0.2
"""How long to wait for the machine: many times what it takes on a slow one; for its agent's answer
before it is asked again; and how often it is asked whether a command is done."""
SETTLED = "lazy_itable_init=0,lazy_journal_init=0"
"""A disk that is in use has been written all over: nothing is left to do in the background."""
LINE = "/dev/ttyS1"
"""The serial line of the agent in there."""
AGENT = f"""\
[Service]
ExecStart=qemu-ga --method=isa-serial --path={LINE}
[Install]
WantedBy=multi-user.target
"""

Command = Callable[[int], Sequence[str]]
"""A function from the descriptor of the agent's line to the command that starts a machine."""


class Emulated(Shell):
    """An emulated machine that is running."""

    def __init__(self, command: Command, console: Path) -> None:
        """Make it of what starts it, and of the file for what its kernel says."""
        self._command = command
        self._console = console
        self._running: subprocess.Popen[bytes] | None = None

    def boot(self) -> None:
        """Start it, and wait until systemd in there has started what it starts."""
        ours, theirs = socket.socketpair()
        with theirs, self._console.open("ab") as console:
            self._running = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", *self._command(theirs.fileno())],
                env=os.environ | {"TMPDIR": str(self._console.parent)},
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._agent = Agent(ours)
        patience_ends = time.monotonic() + BOOT_S
        while not self._agent.is_there():
            if time.monotonic() > patience_ends or self._running.poll() is not None:
                said = self._console.read_text("utf-8", "replace")
                skip_unless_registers_fit(said)
                pytest.fail(f"an emulated machine did not start: {said[-1000:]}")
        self.tried("systemctl is-system-running --wait", BOOT_S)

    def lose_power(self) -> None:
        """End the machine as it stands, and start it again."""
        self.end()
        self.boot()

    def end(self) -> None:
        """End the machine as it stands: all of its processes at once."""
        if self._running is not None:
            # One of them may still be writing to the disk when the first one is gone.
            with suppress(ProcessLookupError):
                while True:
                    os.killpg(self._running.pid, signal.SIGKILL)
                    self._running.wait()
                    time.sleep(ASK_EVERY_S)
            self._agent.close()

    def tried(
        self, command: str, patience_s: float = PATIENCE_S
    ) -> subprocess.CompletedProcess[str]:
        """Run a command of the shell in there; return its output and exit code."""
        ask = self._agent.ask
        started = ask("guest-exec", path="/bin/sh", arg=["-c", command], **{"capture-output": True})
        patience_ends = time.monotonic() + patience_s
        while not (told := ask("guest-exec-status", pid=started["pid"]))["exited"]:
            if time.monotonic() > patience_ends:
                raise subprocess.TimeoutExpired(command, patience_s)
            time.sleep(ASK_EVERY_S)
        said = (
            base64.b64decode(told.get(name, "")).decode(errors="replace")
            for name in ("out-data", "err-data")
        )
        return subprocess.CompletedProcess(command, told.get("exitcode", -1), *said)


class Agent:
    """The program in a machine that runs commands, at the other end of a serial line."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._said = b""
        self._tries = 0

    def close(self) -> None:
        """Hang up."""
        self._line.close()

    def is_there(self) -> bool:
        """True if it answers soon. All that it was asked in vain before is answered first."""
        self._tries += 1
        until = time.monotonic() + ANSWER_S
        with suppress(ConnectionError):  # the machine has ended
            self._send("guest-sync", {"id": self._tries})
            while (answer := self._answer(until)) is not None:
                if answer == self._tries:
                    return True
        return False

    def ask(self, command: str, **arguments: object) -> dict[str, Any]:
        """Return its answer. Raises TimeoutError if none comes."""
        self._send(command, arguments)
        answer = self._answer(time.monotonic() + PATIENCE_S)
        if answer is None:
            raise TimeoutError(command)
        assert isinstance(answer, dict)
        return answer

    def _send(self, command: str, arguments: Mapping[str, object]) -> None:
        asked = json.dumps({"execute": command, "arguments": arguments})
        self._line.settimeout(PATIENCE_S)
        self._line.sendall(asked.encode() + b"\n")

    def _answer(self, until: float) -> object | None:
        """Return its next answer; None if none came by an instant."""
        while (left_s := until - time.monotonic()) > 0:
            line, ended, rest = self._said.partition(b"\n")
            if not ended:
                self._line.settimeout(left_s)
                with suppress(TimeoutError):
                    self._said += self._line.recv(1 << 16)
                continue
            self._said = rest
            with suppress(ValueError):  # the line echoes, and more, before the agent has it
                answer = json.loads(line)
                assert "error" not in answer, answer
                if "return" in answer:
                    return answer["return"]  # type: ignore[no-any-return]
        return None


@contextmanager
def disk_of(over: Sequence[Path], binds: Mapping[Path, str]) -> Iterator[Path]:
    """A disk with what containers of these layers see, directories out here included."""
    for program in ("mke2fs", *(QEMU_TOOLS if IS_QEMU else UML_TOOLS)):
        if shutil.which(program) is None:
            pytest.skip(f"needs {program} (Debian package {TOOLS[program]})")
    with tempfile.TemporaryDirectory(prefix="emulated-", dir=memory()) as folder:
        disk, seen, agent = (Path(folder, name) for name in ("disk", "seen", "agent"))
        units = agent / "etc/systemd/system"
        wanted = units / "multi-user.target.wants"
        wanted.mkdir(parents=True)
        (units / "agent.service").write_text(AGENT, "utf-8")
        (wanted / "agent.service").symlink_to("../agent.service")
        seen.mkdir()
        layers = [str(agent), *map(str, over), str(root())]
        subprocess.run(
            ["unshare", "--mount", "sh", "-euc", _drawing(disk, seen, layers, binds)], check=True
        )
        yield disk


def _drawing(disk: Path, seen: Path, layers: Sequence[str], binds: Mapping[Path, str]) -> str:
    """The commands that write what the layers hold to a disk."""
    steps = [f"mount -t overlay overlay -o lowerdir={':'.join(layers)} {seen}"]
    steps += [f"mount --bind {here} {seen}{there}" for here, there in binds.items()]
    return "\n".join([*steps, f"mke2fs -q -t ext4 -E {SETTLED} -d {seen} {disk} {ROOM}"])


def root() -> Path:
    """The directory of a Debian with the agent. Skips where it cannot be had."""
    return debian(WITH_KERNEL if IS_QEMU else WITH_AGENT)


def memory() -> Path | None:
    """Where files lie in memory, if there is such a place."""
    return there if (there := Path("/dev/shm")).is_dir() else None


@contextmanager
def emulated(disk: Path) -> Iterator[Emulated]:
    """An emulated machine that begins with this disk, from its boot until its end."""
    with tempfile.TemporaryDirectory(prefix="emulated-", dir=memory()) as folder:
        own = Path(folder, "disk")
        machine = Emulated((_qemu if IS_QEMU else _uml)(own, disk), Path(folder, "console"))
        try:
            machine.boot()
            yield machine
        finally:
            machine.end()


def _uml(own: Path, disk: Path) -> Command:
    """Start a User-Mode Linux with a copy of a disk.

    Its own copies on write do not outlive a power cut: file systems were damaged.
    """
    subprocess.run(["cp", "--sparse=always", disk, own], check=True)
    start = [
        *("linux.uml", f"mem={MEMORY_MB}M", f"ubd0={own}", "root=/dev/ubda", "rw"),
        *("con0=null,fd:1", "con=null", "ssl=null", "panic=-1"),
    ]
    return lambda line: [*start, f"ssl1=fd:{line}"]


def _qemu(own: Path, disk: Path) -> Command:
    """Start a PC that keeps in ``own`` what differs from a disk."""
    boot = root() / "boot"
    (image,), (first,) = boot.glob("vmlinuz-*"), boot.glob("initrd.img-*")
    drawing = ("qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b")
    subprocess.run([*drawing, disk, own], check=True)
    start = [
        *("qemu-system-x86_64", "-nodefaults", "-display", "none", "-accel", "tcg"),
        *("-machine", "q35", "-cpu", "max", "-m", str(MEMORY_MB), "-no-reboot"),
        *("-kernel", str(image), "-initrd", str(first)),
        *("-append", "root=/dev/vda rw console=ttyS0 panic=-1"),
        *("-drive", f"file={own},if=virtio", "-device", "virtio-rng-pci"),
        *("-serial", "stdio", "-serial", "chardev:agent"),
    ]
    return lambda line: [*start, "-chardev", f"socket,id=agent,fd={line}"]
