"""A disk that loses its power: what may stand on it after any instant of a run.

A run under strace tells each write and each sync of a file. What was written and not yet synced
may be there afterwards, or not, or in part, in any order; what was synced is there.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from signal import SIGKILL
from tempfile import TemporaryFile
from threading import Timer

import pytest

WRITES = "write,pwrite64,fdatasync,fsync,ftruncate,unlink,unlinkat"
CALLS = f"openat,{WRITES}"
SECTOR = 512
"""A disk writes so many bytes whole, or not at all."""
_CALL = re.compile(r"^(\d+) +(\w+)\((.*)\) += (-?\d+)")
_FILE = re.compile(r"^\d+<([^>]*)>")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the run that came back well; ``data`` is what was written at ``offset``."""

    name: str
    path: str
    data: bytes = b""
    offset: int = 0


BOARD = "tests.shell.store.child"
"""The module that plays a game into a record."""


def traced(directory: Path, child: str = BOARD) -> list[Call]:
    """Let a child write a record in this directory; all that was done to the disk meanwhile."""
    log = directory.with_name("calls.log")
    tracing = ["-y", "-xx", "-s", "1000000", "-e", f"trace={CALLS}", "-o", str(log)]
    ran = _run_under(tracing, directory / "games.db", child)
    assert ran.returncode == 0, ran.stderr
    return list(calls_of(log))


def killed_at(number: int, path: Path, child: str = BOARD) -> tuple[str, bool]:
    """Let a child write a record, killed as it begins to write or sync there for the nth time.

    What it said, and whether it was killed: it is not where it is done before.
    """
    files = [argument for end in ("", "-wal", "-shm") for argument in ("-P", f"{path}{end}")]
    killing = f"inject={WRITES}:signal=KILL:when={number}"
    ran = _run_under(
        ["-o", os.devnull, *files, "-e", f"trace={WRITES}", "-e", killing], path, child
    )
    assert ran.returncode in (0, -SIGKILL, 128 + SIGKILL), ran.stderr
    return ran.stdout, ran.returncode != 0


def killed_after(
    for_s: float, path: Path, child: str = BOARD, *, lines: int = 0
) -> tuple[str, bool]:
    """Let a child write a record, killed so many seconds after so many lines of it.

    What it said, and whether it was killed. However slow the machine is, ``lines`` lets it get on.
    """
    with (
        TemporaryFile("w+") as errors,
        subprocess.Popen(
            [sys.executable, "-m", child, str(path)],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        ) as ran,
    ):
        assert ran.stdout is not None
        out = "".join(islice(ran.stdout, lines))
        killing = Timer(for_s, ran.kill)
        killing.start()
        out += ran.stdout.read()
        ran.wait()
        killing.cancel()
        errors.seek(0)
        assert ran.returncode in (0, -SIGKILL), errors.read()
    return out, ran.returncode != 0


def _run_under(options: list[str], path: Path, child: str) -> subprocess.CompletedProcess[str]:
    """Let a child write a record under strace; skips where that is not to be had."""
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("strace is missing: apt install strace")
    command = [sys.executable, "-m", child, str(path)]
    ran = subprocess.run(
        [strace, "-f", *options, *command],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    if "ptrace" in ran.stderr:
        pytest.skip("strace may not look at processes here (ptrace is not permitted)")
    return ran


def calls_of(log: Path) -> Iterator[Call]:
    """The calls in a log of ``strace -f -y -xx``, in the order in which they came back."""
    begun: dict[str, str] = {}
    for line in log.read_text().splitlines():
        thread, _, call = line.partition(" ")
        if call.endswith("<unfinished ...>"):
            begun[thread] = call.removesuffix("<unfinished ...>").rstrip()
            continue
        if "resumed>" in call:
            call = begun.pop(thread, "") + call.partition("resumed>")[2]
        match = _CALL.match(f"{thread} {call}")
        if match and int(match[4]) >= 0:
            yield from _call(match[2], match[3])


def _call(name: str, arguments: str) -> Iterator[Call]:
    file, texts = _FILE.match(arguments), _TEXT.findall(arguments)
    data = bytes.fromhex(texts[-1].replace("\\x", "")) if texts else b""
    if name in ("openat", "unlink", "unlinkat"):
        if name != "openat" or "O_CREAT" in arguments:
            yield Call(name.removesuffix("at"), data.decode())
    elif file is not None and name == "ftruncate":
        yield Call(name, _path(file), offset=int(arguments.rpartition(", ")[2]))
    elif file is not None:
        offset = int(arguments.rpartition(", ")[2]) if name == "pwrite64" else 0
        yield Call(name, _path(file), data, offset)


def _path(file: re.Match[str]) -> str:
    return bytes.fromhex(file[1].replace("\\x", "")).decode() if "\\x" in file[1] else file[1]


@dataclass(slots=True)
class File:
    """What is safe of a file, and what is not yet."""

    safe: bytes = b""
    exists: bool = False
    """Whether its name is safe: it, or its directory, was synced since it was made."""
    pending: list[Call] = field(default_factory=list)

    def sync(self) -> None:
        """All of it is on the disk."""
        for call in self.pending:
            self.safe = _after(self.safe, call, call.data)
        self.pending.clear()
        self.exists = True

    def found(self, random: Random) -> bytes | None:
        """What is found after a power cut; None: no such file."""
        content = self.safe
        for call in random.sample(self.pending, len(self.pending)):
            sectors = -(-len(call.data) // SECTOR)
            kept = random.choice((0, sectors, random.randrange(sectors + 1)))
            if kept or (call.name == "ftruncate" and random.random() < 0.5):
                content = _after(content, call, call.data[: kept * SECTOR])
        return content if self.exists or random.random() < 0.5 else None


def _after(content: bytes, call: Call, data: bytes) -> bytes:
    if call.name == "ftruncate":
        return content[: call.offset].ljust(call.offset, b"\0")
    content = content.ljust(call.offset, b"\0")
    return content[: call.offset] + data + content[call.offset + len(data) :]


class Disk:
    """The files of a directory while a run goes on."""

    def __init__(self, directory: Path) -> None:
        self._directory = str(directory)
        self.files: dict[str, File] = {}

    def take(self, call: Call) -> None:
        """The run has done this."""
        if call.path == self._directory:
            for file in self.files.values():
                file.exists = True
        if not call.path.startswith(f"{self._directory}/") or call.path.endswith("-shm"):
            return  # what is shared through memory is not found after a power cut
        if call.name == "unlink":
            self.files.pop(call.path, None)
            return
        file = self.files.setdefault(call.path, File())
        if call.name in ("write", "pwrite64", "ftruncate"):
            file.pending.append(call)
        elif call.name in ("fsync", "fdatasync"):
            file.sync()

    def cut(self, random: Random, place: Path) -> None:
        """Put down what is found after the power was cut now."""
        place.mkdir()
        for path, file in self.files.items():
            content = file.found(random)
            if content is not None:
                (place / Path(path).name).write_bytes(content)
