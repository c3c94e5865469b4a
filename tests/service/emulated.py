"""The same Debian with a kernel of its own, in an emulated PC with the memory of a Pi Zero 2 W.

A power cut ends the machine as it stands: what its kernel had not yet written to the disk is lost,
which a container cannot show. An agent in there runs the commands. What is missing is named.
"""

from __future__ import annotations

import base64
import json
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.service.container import PACKAGES, PATIENCE_S, ROOM, Shell, debian

WITH_KERNEL = f"{PACKAGES},initramfs-tools,linux-image-cloud-amd64,qemu-guest-agent"
TOOLS = {
    "qemu-system-x86_64": "qemu-system-x86",
    "qemu-img": "qemu-utils",
    "mke2fs": "e2fsprogs",
}
MEMORY_MB = 512
BOOT_S, ANSWER_S, ASK_EVERY_S = 900, 5, 0.2
"""How long to wait for the machine: many times what it takes on a slow one; for its agent's answer
before it is asked again; and how often it is asked whether a command is done."""


class Emulated(Shell):
    """An emulated machine that is running."""

    def __init__(self, disk: Path, kernel: Path) -> None:
        """Make it of a disk, and of the folder that holds the kernel and its first files."""
        (image,), (first,) = kernel.glob("vmlinuz-*"), kernel.glob("initrd.img-*")
        self._agent = disk.parent / "agent"
        self._console = disk.parent / "console"
        self._command = [
            *("setpriv", "--pdeathsig", "KILL"),
            *("qemu-system-x86_64", "-nodefaults", "-display", "none", "-accel", "tcg"),
            *("-machine", "q35", "-cpu", "max", "-m", str(MEMORY_MB), "-no-reboot"),
            *("-kernel", str(image), "-initrd", str(first)),
            *("-append", "root=/dev/vda rw console=ttyS0 panic=-1"),
            *("-drive", f"file={disk},if=virtio"),
            *("-chardev", f"file,id=console,append=on,path={self._console}"),
            *("-serial", "chardev:console"),
            *("-chardev", f"socket,path={self._agent},server=on,wait=off,id=agent"),
            *("-device", "virtio-serial"),
            *("-device", "virtserialport,chardev=agent,name=org.qemu.guest_agent.0"),
            *("-device", "virtio-rng-pci"),
        ]
        self._running: subprocess.Popen[bytes] | None = None

    def boot(self) -> None:
        """Start it, and wait until systemd in there has started what it starts."""
        self._agent.unlink(missing_ok=True)
        self._running = subprocess.Popen(self._command, stdin=subprocess.DEVNULL)
        self._link = self._connected()
        self.tried("systemctl is-system-running --wait", BOOT_S)

    def _connected(self) -> socket.socket:
        """A connection to the agent, once it answers."""
        patience_ends = time.monotonic() + BOOT_S
        for number in count():
            if time.monotonic() > patience_ends or not self._is_running():
                break
            link = socket.socket(socket.AF_UNIX)
            link.settimeout(ANSWER_S)
            with suppress(OSError):
                link.connect(str(self._agent))
                # All that was asked in vain before is answered first.
                sync = {"execute": "guest-sync", "arguments": {"id": number}}
                link.sendall(json.dumps(sync).encode() + b"\n")
                self._answers = link.makefile("rb")
                if any(json.loads(line).get("return") == number for line in self._answers):
                    link.settimeout(PATIENCE_S)
                    return link
            link.close()
            time.sleep(ASK_EVERY_S)
        said_last = self._console.read_text("utf-8", "replace")[-1000:]
        pytest.fail(f"an emulated machine did not start: {said_last}")

    def _is_running(self) -> bool:
        return self._running is not None and self._running.poll() is None

    def lose_power(self) -> None:
        """End the machine as it stands, and start it again."""
        self.end()
        self.boot()

    def end(self) -> None:
        """End the machine as it stands."""
        if self._running is not None:
            self._running.send_signal(signal.SIGKILL)
            self._running.wait()
            self._link.close()

    def tried(
        self, command: str, patience_s: float = PATIENCE_S
    ) -> subprocess.CompletedProcess[str]:
        """What a command of the shell in there said and left."""
        started = self._asked(
            "guest-exec", path="/bin/sh", arg=["-c", command], **{"capture-output": True}
        )
        patience_ends = time.monotonic() + patience_s
        while not (told := self._asked("guest-exec-status", pid=started["pid"]))["exited"]:
            if time.monotonic() > patience_ends:
                raise subprocess.TimeoutExpired(command, patience_s)
            time.sleep(ASK_EVERY_S)
        said = (
            base64.b64decode(told.get(name, "")).decode(errors="replace")
            for name in ("out-data", "err-data")
        )
        return subprocess.CompletedProcess(command, told.get("exitcode", -1), *said)

    def _asked(self, command: str, **arguments: object) -> dict[str, Any]:
        """What the agent answers."""
        asked = json.dumps({"execute": command, "arguments": arguments})
        self._link.sendall(asked.encode() + b"\n")
        answer: dict[str, dict[str, Any]] = json.loads(self._answers.readline())
        assert "return" in answer, f"{command}: {answer}"
        return answer["return"]


@contextmanager
def disk_of(over: Sequence[Path], binds: Mapping[Path, str]) -> Iterator[Path]:
    """A disk with what containers of these layers see, directories out here included."""
    for program, package in TOOLS.items():
        if shutil.which(program) is None:
            pytest.skip(f"needs {program} (Debian package {package})")
    layers = [*map(str, over), str(kernel_root())]
    with tempfile.TemporaryDirectory(prefix="emulated-", dir=memory()) as folder:
        disk, seen = Path(folder, "disk"), Path(folder, "seen")
        seen.mkdir()
        subprocess.run(
            ["unshare", "--mount", "sh", "-euc", _drawing(disk, seen, layers, binds)], check=True
        )
        yield disk


def _drawing(disk: Path, seen: Path, layers: Sequence[str], binds: Mapping[Path, str]) -> str:
    """The commands that write what the layers hold to a disk."""
    steps = [f"mount -t overlay overlay -o lowerdir={':'.join(layers)} {seen}"]
    steps += [f"mount --bind {here} {seen}{there}" for here, there in binds.items()]
    return "\n".join([*steps, f"mke2fs -q -t ext4 -d {seen} {disk} {ROOM}"])


def kernel_root() -> Path:
    """The directory of a Debian with a kernel. Skips where it cannot be had."""
    return debian(WITH_KERNEL)


def memory() -> Path | None:
    """Where files lie in memory, if there is such a place."""
    return there if (there := Path("/dev/shm")).is_dir() else None


@contextmanager
def emulated(disk: Path) -> Iterator[Emulated]:
    """An emulated machine that begins with this disk, from its boot until its end."""
    with tempfile.TemporaryDirectory(prefix="emulated-", dir=memory()) as folder:
        own = Path(folder, "disk")
        drawing = ("qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b")
        subprocess.run([*drawing, disk, own], check=True)
        machine = Emulated(own, kernel_root() / "boot")
        try:
            machine.boot()
            yield machine
        finally:
            machine.end()
