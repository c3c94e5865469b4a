"""Machines and boards that exist in a temporary directory and in memory, for the doctor."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from boardfw.doctor.diagnosis import Diagnosis, State
from boardfw.doctor.examination import examined
from boardfw.doctor.machine import Machine, User
from hardware.boards.board_file import find_wiring
from hardware.clock import VirtualClock
from hardware.sim.i2c.bus import SimI2cBus
from hardware.sim.i2c.chip import SimChip
from hardware.sim.i2c.faults import BusFaults
from hardware.sim.i2c.ioctl import connector
from hardware.sim.i2c_board import model_of, wired_factory

PI = User("pi", 1000, frozenset({1000, 20, 21, 22}))
ROOT = User("root", 0, frozenset({0}))
PI_4 = "Raspberry Pi 4 Model B Rev 1.4"
PI_5 = "Raspberry Pi 5 Model B Rev 1.0"
CONFIG_TXT = """\
# for the board
dtparam=spi=on
dtparam=i2c_arm=on,i2c_arm_baudrate=400000
[pi4]
core_freq=500
core_freq_min=500
[all]
"""
GOOD = {
    "/proc/device-tree/model": f"{PI_4}\0",
    "/proc/meminfo": "MemTotal: 4000000 kB\nMemAvailable:    2000000 kB\n",
    "/boot/firmware/config.txt": CONFIG_TXT,
    "/etc/group": "pi:x:1000:\ni2c:x:20:pi\nspi:x:21:pi\ngpio:x:22:pi\n",
    "/run/systemd/timesync/synchronized": "",
    "/dev/i2c-1": "",
    "/dev/spidev0.0": "",
    "/dev/gpiochip0": "",
}
"""Files of a machine on which there is nothing to be said."""


def chips_of(name: str = "reference") -> list[SimChip]:
    """Simulated chips as a shipped board has them."""
    return [model_of(chip) for chip in find_wiring(name).chips]


def machine_of(
    root: Path,
    *,
    files: dict[str, str | bytes | None] | None = None,
    chips: Iterable[SimChip] | None = None,
    faults: BusFaults | None = None,
    locked: tuple[str, ...] = (),
    missing: tuple[str, ...] = (),
    low: int | None = None,
    **options: Any,
) -> Machine:
    """A good Raspberry Pi with a good board, but for what is said to be otherwise.

    ``files``: other texts, None where there is no such file; ``locked``: files that may not be
    used; ``missing``: Python modules; ``low``: a GPIO that something holds low.
    """
    for name, text in {**GOOD, **(files or {})}.items():
        path = root / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is not None:
            path.write_bytes(text.encode() if isinstance(text, str) else text)
    games = root / "games"
    games.mkdir(exist_ok=True)
    clock = VirtualClock()
    bus = SimI2cBus(chips_of() if chips is None else chips, clock=clock, faults=faults)
    factory = wired_factory()
    if low is not None:
        factory.pin(low).drive_low()
        factory.pin(low)._change_state = lambda level: False  # no pull-up gets it high
    given: dict[str, Any] = {
        "environment": {"STATE_DIRECTORY": str(games), "LG_WD": str(games)},
        "kernel": "6.6.51+rpt-rpi-v8",
        "user": PI,
        "now": lambda: datetime(2026, 1, 2, 3, 4, tzinfo=UTC),
        "may": allowing(root, locked),
        "free_bytes": lambda path: 5 << 30,
        "why_not_imported": lambda module: f"No module named {module!r}" * (module in missing),
        "factory_for": lambda name: "gpiod" if name in missing else name,
        "connect": connector(bus),
        "pin_factory": lambda name: factory,
        "clock": clock,
        "wait_us": lambda us: clock.advance_to(clock.now_us() + us),
    }
    return Machine(root, **given | options)


def allowing(root: Path, locked: tuple[str, ...]) -> Callable[[Path, int], bool]:
    shut = {root / name.lstrip("/") for name in locked}
    return lambda path, mode: path not in shut and os.access(path, os.F_OK)


def hertz(number: int) -> bytes:
    """As the device tree has it."""
    return struct.pack(">I", number)


def found(machine: Machine, url: str = "i2c:reference") -> list[Diagnosis]:
    """The whole examination."""
    return list(examined(machine, url, None))


def first(machine: Machine, name: str, url: str = "i2c:reference") -> Diagnosis:
    """An examination that ends with this check."""
    return next(each for each in examined(machine, url, None) if each.name == name)


def the(diagnoses: Iterable[Diagnosis], name: str) -> Diagnosis:
    """The only one of this name."""
    (one,) = [diagnosis for diagnosis in diagnoses if diagnosis.name == name]
    return one


def ill(diagnoses: Iterable[Diagnosis]) -> dict[str, State]:
    """What is not as it should be."""
    bad = (State.WARNED, State.FAILED)
    return {each.name: each.state for each in diagnoses if each.state in bad}
