"""Checks: what else a game needs of the machine: memory, the time of day, room on the disk."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from pathlib import Path

from boardfw.cli.doctor.diagnosis import Diagnosis, failed, not_applicable, passed, warned
from boardfw.cli.doctor.machine import Machine
from boardfw.errors import BoardError
from boardfw.shell.config import Settings
from boardfw.shell.places import of_a_record
from boardfw.shell.store.rescue import is_ours
from boardfw.shell.systemd import state_directory

MIB = 1 << 20
LITTLE_MEMORY, NO_MEMORY = 128 * MIB, 48 * MIB
"""A game in a pipe takes 30 MiB (measured on x86-64, Python 3.11); the rest is a guess."""
LITTLE_DISK, NO_DISK = 100 * MIB, MIB
"""A game takes some kB, its recording some hundred."""
OLDEST = datetime(2025, 1, 1, tzinfo=UTC)
"""This firmware is younger; a Raspberry Pi without a clock of its own begins in the past."""
TIMESYNC = "/run/systemd/timesync"
"""Where systemd-timesyncd says what it does; others say nothing that can be read so easily."""


def memory(machine: Machine) -> Diagnosis:
    """What the kernel could give to one more program."""
    name = "memory"
    given = re.search(
        r"^MemAvailable:\s+(\d+) kB", machine.text("/proc/meminfo") or "", re.MULTILINE
    )
    if given is None:
        return not_applicable(name, "this machine does not say how much is free")
    free = int(given[1]) * 1024
    found = f"{free // MIB} MiB are free"
    if free < NO_MEMORY:
        return failed(name, found, "end other programs; a desktop is not needed")
    if free < LITTLE_MEMORY:
        return warned(name, found, "end other programs; a desktop is not needed")
    return passed(name, found)


def clock(machine: Machine) -> Diagnosis:
    """Whether the time of day may be right; games are named and dated by it."""
    name, now = "clock", machine.now()
    found = f"{now:%Y-%m-%d %H:%M} UTC"
    if now < OLDEST:
        remedy = "connect it to a network, or set it (sudo date -s '2025-12-31 18:30')"
        return warned(name, f"{found} is in the past", remedy)
    if machine.exists(f"{TIMESYNC}/synchronized"):
        return passed(name, f"{found}, synchronised")
    if machine.exists(TIMESYNC):
        remedy = "connect it to a network; 'timedatectl' says what it waits for"
        return warned(name, f"{found}, not synchronised", remedy)
    return passed(name, f"{found}; nobody says whether it is synchronised")


def disk(machine: Machine, settings: Settings) -> Diagnosis:
    """Whether games can be written where the settings want them."""
    name = "disk"
    try:
        folder = state_directory(machine.environment) / settings.record.pgn
    except OSError:  # the working directory has been removed
        return failed(name, "this directory is no more", "go to another one and start anew")
    there = _nearest(folder)
    if not os.path.isdir(there):  # noqa: PTH112  # Path.is_dir raises where nothing may be seen
        return failed(name, f"{there} is no directory", "name another in record.pgn")
    if not machine.may(there, os.W_OK | os.X_OK):
        found = f"{there}: {machine.user.name} may not write there"
        return failed(name, found, "name another directory in record.pgn, or change its owner")
    try:
        free = machine.free_bytes(there)
    except OSError as error:
        return failed(name, f"{there}: {error.strerror}", "name another directory in record.pgn")
    found = f"{_size(free)} free for the games in {folder}"
    if free < NO_DISK:
        return failed(name, found, "make room")
    return warned(name, found, "make room") if free < LITTLE_DISK else passed(name, found)


def record(machine: Machine, settings: Settings) -> Diagnosis:
    """Whether the database of games is one, or can become one."""
    name = "record"
    if not settings.record.database:
        return not_applicable(name, "the settings want none")
    remedy = "name another file in record.database"
    try:
        path = of_a_record(state_directory(machine.environment) / settings.record.database)
        if path.exists() and not is_ours(path):
            return failed(name, f"{path} is no file of boardfw", remedy)
    except (BoardError, OSError) as error:
        return failed(name, str(error), remedy)
    return passed(name, f"games are kept in {path}")


def _nearest(folder: Path) -> Path:
    """The folder, or of those in which it would be made the nearest that is there."""
    while not os.path.lexists(folder) and folder != folder.parent:
        folder = folder.parent
    return folder


def _size(size: int) -> str:
    return f"{size / (MIB << 10):.1f} GiB" if size >= MIB << 10 else f"{size // MIB} MiB"
