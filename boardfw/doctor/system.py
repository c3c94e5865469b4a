"""Checks of the machine: memory, time of day, room on the disk, and access to the devices."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from boardfw.doctor.diagnosis import Diagnosis, failed, not_applicable, passed, warned
from boardfw.doctor.examined_board import Patient
from boardfw.doctor.machine import Machine
from boardfw.errors import BoardError
from boardfw.shell.config import Settings
from boardfw.shell.places import of_a_record
from boardfw.shell.store.rescue import is_ours
from boardfw.shell.systemd import state_directory
from hardware.bus import SWITCHED_ON
from hardware.leds0 import DEVICE as LEDS_DEVICE
from hardware.leds0 import overlay
from hardware.spi import DEVICE as SPI_DEVICE
from hardware.wiring import SPI_GPIO, LedDriver, Wiring

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
    """Check that the time of day may be right; games are named and dated by it."""
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
    return passed(name, f"{found}; it is not known whether it is synchronised")


def disk(machine: Machine, settings: Settings) -> Diagnosis:
    """Check that games can be written where the settings want them."""
    name = "disk"
    try:
        folder = state_directory(machine.environment) / settings.record.pgn
    except OSError:  # the working directory has been removed
        return failed(name, "this directory no longer exists", "change to another one")
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
    """Check that the database of games is one, or can become one."""
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


NOT_REAL = "a simulated board has none"
GPIO_DEVICES = {
    **dict.fromkeys(("gpiod", "lgpio"), "gpiochip*"),
    **dict.fromkeys(("rpigpio", "native"), "gpiomem*"),
}
"""What each pin factory opens in /dev; pigpio's daemon does it for its clients."""


def groups(machine: Machine, patient: Patient) -> Diagnosis:
    """Check that the user is in the groups to which Raspberry Pi OS gives the devices."""
    name = "groups"
    if not patient.is_real or patient.wiring is None:
        return not_applicable(name, NOT_REAL)
    user, wanted = machine.user, _wanted_groups(patient.wiring)
    if user.is_root:
        return passed(name, "root needs none")
    known = _groups_of(machine)
    there = [group for group in wanted if group in known]
    if not there:
        return not_applicable(name, f"this machine has no groups {_listed(wanted)}")
    missing = [group for group in there if known[group][0] not in user.gids]
    if not missing:
        return passed(name, f"{user.name} is in {_listed(there)}")
    found = f"{user.name} is not in {_listed(missing)}"
    if all(user.name in known[group][1] for group in missing):
        return warned(name, f"{found} yet, though /etc/group says so", "log out and in again")
    command = f"sudo usermod -aG {','.join(missing)} {user.name}"
    return warned(name, found, f"{command}; then log out and in again")


def _wanted_groups(wiring: Wiring) -> list[str]:
    wanted = {
        "i2c": True,
        "spi": wiring.leds.driver.uses_spi(wiring.leds.gpio),
        "gpio": bool(wiring.lines.wired),
    }
    return [group for group, is_wanted in wanted.items() if is_wanted]


def _groups_of(machine: Machine) -> dict[str, tuple[int, list[str]]]:
    """Number and members of each group."""
    lines = (machine.text("/etc/group") or "").splitlines()
    fields = [line.split(":") for line in lines]
    return {
        each[0]: (int(each[2]), each[3].split(","))
        for each in fields
        if len(each) == 4 and each[2].isdecimal()
    }


def devices(machine: Machine, patient: Patient) -> Iterator[Diagnosis]:
    """Check that each device is there and may be used."""
    if not patient.is_real or patient.wiring is None:
        yield not_applicable("devices", NOT_REAL)
        return
    yield _i2c(machine, patient.wiring.bus.device, patient.no_bus)
    yield _leds(machine, patient.wiring)
    yield _gpio(machine, patient.wiring)


def _i2c(machine: Machine, device: str, no_bus: str) -> Diagnosis:
    diagnosis = _device(machine, "I2C device", device, "i2c", f"switch I2C on ({SWITCHED_ON})")
    if diagnosis.remedy or not no_bus:
        return diagnosis
    found, _, remedy = no_bus.partition("; ")
    return failed("I2C device", found, remedy or "look at the log of the kernel (dmesg)")


def _leds(machine: Machine, wiring: Wiring) -> Diagnosis:
    leds, name = wiring.leds, "LED device"
    if leds.driver is LedDriver.NONE:
        return not_applicable(name, "the board file says that there are no lights")
    if leds.driver is LedDriver.KERNEL:
        device = leds.device or LEDS_DEVICE
        return _device(machine, name, device, "gpio", f"write {overlay(leds)} in config.txt")
    if wiring.leds.driver.uses_spi(wiring.leds.gpio):
        on = "switch SPI on (dtparam=spi=on in config.txt)"
        return _device(machine, name, leds.device or SPI_DEVICE, "spi", on)
    if machine.user.is_root:
        return passed(name, f"GPIO {leds.gpio}, PWM or PCM, which root may have")
    found = f"GPIO {leds.gpio} is PWM or PCM, which only root may have"
    return failed(name, found, f"run as root, or put the data line on GPIO {SPI_GPIO} (SPI)")


def _gpio(machine: Machine, wiring: Wiring) -> Diagnosis:
    name, factory = "GPIO device", wiring.lines.pin_factory
    if not wiring.lines.wired:
        return not_applicable(name, "the board file names no single lines")
    if factory not in GPIO_DEVICES:
        return not_applicable(name, f"{factory} opens none itself")
    there = machine.found("/dev", GPIO_DEVICES[factory])
    usable = [device for device in there if _may_use(machine, device)]
    if usable:
        return passed(name, f"{_listed(usable)} may be used")
    remedy = "this kernel has none: bring Raspberry Pi OS up to date"
    first = there[0] if there else f"/dev/{GPIO_DEVICES[factory]}"
    return _device(machine, name, first, "gpio", remedy)


def _device(machine: Machine, name: str, device: str, group: str, remedy: str) -> Diagnosis:
    if not machine.exists(device):
        return failed(name, f"{device}: no such device", f"{remedy} and restart")
    if not _may_use(machine, device):
        found = f"{device}: {machine.user.name} may not read and write it"
        command = f"sudo usermod -aG {group} {machine.user.name}"
        return failed(name, found, f"join the group {group} ({command}), log out and in again")
    return passed(name, f"{device} may be used")


def _may_use(machine: Machine, device: str) -> bool:
    return machine.may(machine.path(device), os.R_OK | os.W_OK)


def _listed(words: list[str]) -> str:
    return ", ".join(words)
