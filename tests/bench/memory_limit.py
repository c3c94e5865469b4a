"""The memory that a unit of systemd gets, for programs of a bench: a control group."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

GROUPS = Path("/sys/fs/cgroup/memory")
WHY_NOT = f"needs {GROUPS} (control groups, version 1) and root"
UNITS = Path(__file__).parents[2] / "systemd"
ZERO_2_W_BYTES = 416 * 1024 * 1024
"""What Linux has of the 512 MB of a Pi Zero 2 W; 64 MB of them belong to its graphics."""
UNIT_BYTES = {"M": 1024 * 1024}


def can_limit() -> bool:
    """True if this machine lets us make such a group."""
    return (GROUPS / "memory.limit_in_bytes").exists() and os.access(GROUPS, os.W_OK)


def limit_of(unit: str) -> int:
    """Return the ``MemoryMax=`` of a unit in bytes, on a Pi Zero 2 W."""
    text = (UNITS / unit).read_text(encoding="utf-8")
    found = re.search(r"^MemoryMax=(\d+)([M%])$", text, re.MULTILINE)
    assert found, f"{unit} has no MemoryMax="
    number, size = int(found[1]), found[2]
    return number * ZERO_2_W_BYTES // 100 if size == "%" else number * UNIT_BYTES[size]


@dataclass(frozen=True)
class Group:
    """Programs that share a limit."""

    folder: Path

    @property
    def within(self) -> tuple[str, ...]:
        """The beginning of a command that runs in this group."""
        return "sh", "-c", f'echo $$ > {self.folder}/cgroup.procs; exec "$@"', "sh"

    @property
    def most_bytes(self) -> int:
        """The most that was in use at once."""
        return int((self.folder / "memory.max_usage_in_bytes").read_text())

    @property
    def kills(self) -> int:
        """The number of processes that the kernel has killed for want of memory."""
        counts = dict(
            line.split() for line in (self.folder / "memory.oom_control").read_text().splitlines()
        )
        return int(counts["oom_kill"])


@contextmanager
def limited(name: str, most_bytes: int) -> Iterator[Group]:
    """Make a group of programs that get so much memory and no more."""
    folder = GROUPS / f"boardfw-{name}-{os.getpid()}"
    folder.mkdir()
    try:
        (folder / "memory.limit_in_bytes").write_text(str(most_bytes))
        yield Group(folder)
    finally:
        for pid in (folder / "cgroup.procs").read_text().split():
            (GROUPS / "cgroup.procs").write_text(pid)
        folder.rmdir()
