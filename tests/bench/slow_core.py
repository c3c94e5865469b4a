"""A processor ten times slower, for a program beside ours: a control group with a tenth of one."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SLOWER = 10
"""So many times as slow as this machine is a Pi Zero 2 W, as a rule of thumb."""
GROUPS = Path("/sys/fs/cgroup/cpu")
PERIOD_US = 10_000
WHY_NOT = f"needs {GROUPS} (control groups, version 1) and root"


def can_be_slow() -> bool:
    """Whether this machine lets us make such a group."""
    return (GROUPS / "cpu.cfs_quota_us").exists() and os.access(GROUPS, os.W_OK)


@contextmanager
def slow_core() -> Iterator[Path]:
    """A group whose programs together get a tenth of a processor, in turns of 10 ms."""
    group = GROUPS / f"boardfw-bench-{os.getpid()}"
    group.mkdir()
    try:
        (group / "cpu.cfs_period_us").write_text(str(PERIOD_US))
        (group / "cpu.cfs_quota_us").write_text(str(PERIOD_US // SLOWER))
        yield group
    finally:
        for pid in (group / "cgroup.procs").read_text().split():
            (GROUPS / "cgroup.procs").write_text(pid)
        group.rmdir()


def slowed(program: Path, group: Path, folder: Path) -> Path:
    """A program that is this one, within the group."""
    script = folder / program.name
    script.write_text(
        f"#!/bin/sh\necho $$ > {shlex.quote(str(group / 'cgroup.procs'))}\n"
        f"exec {shlex.quote(str(program))}\n"
    )
    script.chmod(0o755)
    return script


def used_s(pid: int) -> float:
    """The processor seconds that a process has used so far, in all of its threads."""
    tasks = Path("/proc", str(pid), "task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1_000_000_000
