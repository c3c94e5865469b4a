"""One text file for whoever is asked for help: machine, settings, findings, switches, log.

What is private is left out: players and further names of the machine among the settings, and all of
an address behind the name of its machine, where the page's keys stand.
"""

from __future__ import annotations

import platform
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import msgspec

from boardfw import __version__
from boardfw.doctor.diagnosis import Diagnosis, as_table, plain
from boardfw.doctor.machine import PLACES, Machine
from boardfw.errors import BoardError, ConfigError
from boardfw.shell.config import Settings, load_config
from boardfw.shell.files import FOREIGN, is_own, place_for

FIRST = "boardfw doctor: a report\n"
"""So a report begins; a file that begins otherwise is not replaced by one."""
LIBRARIES = (
    *("aiohttp", "gpiod", "gpiozero", "lgpio", "msgspec", "rpi-ws281x", "RPi.GPIO", "smbus2"),
    *("rich", "textual"),
)
PRIVATE = ("tags", "web.names")
"""Settings, or groups of them, that say who plays and where."""
LINES = 60
"""Of the log."""
LOG_S = 10.0
"""How long a journal on a slow card may take, seconds."""
LOG = ("journalctl", "--unit=boardfw", "--no-pager", "--output=short-iso", f"--lines={LINES}")
ADDRESS = re.compile(r"(\w+://[^/\s]+)/[^\s]+")
UNDERVOLTAGE = "in0_lcrit_alarm"
"""Where the kernel of a Raspberry Pi says whether its supply was too weak (driver rpi_volt)."""

Log = Callable[[], Sequence[str] | str]
"""The newest lines of the service's log; a text: why there are none."""


def journal() -> list[str] | str:
    """Those of this machine."""
    try:
        told = subprocess.run(
            LOG, stdin=subprocess.DEVNULL, capture_output=True, timeout=LOG_S, check=False
        )
    except FileNotFoundError:
        return "this machine has no journalctl"
    except (OSError, subprocess.SubprocessError):
        return "the journal did not answer"
    if told.returncode:
        return "the journal may not be read: run the doctor by sudo"
    return told.stdout.decode(errors="replace").splitlines()


def place_of_report(path: Path) -> Path:
    """The whole path, if a report may be written there; an older one gives way. Raises BoardError.

    lgpio goes to a directory of its own at its import, and a short name would go with it.
    """
    place_for(path)
    if not is_own(path, lambda text: text.startswith(FIRST)):
        raise BoardError(f"{path}: {FOREIGN}")
    return path.absolute()


def report(
    machine: Machine, config: Path | None, diagnoses: Sequence[Diagnosis], log: Log = journal
) -> str:
    """All of it. Whatever cannot be had is said in its place."""
    parts = {
        "machine": _machine(machine),
        "versions": _versions(),
        "settings that differ from the usual": _settings(config),
        "config.txt": _config_txt(machine),
        "findings": as_table(diagnoses),
        "switches": _sample(diagnoses),
        "log": _log(log),
    }
    lines = [FIRST]
    for title, part in parts.items():
        lines += [f"== {title}", "", *(_public(line) for line in part), ""]
    return "\n".join(lines)


def _public(line: str) -> str:
    return ADDRESS.sub(r"\1/...", plain(line))


def _machine(machine: Machine) -> Iterator[str]:
    yield machine.model or "no Raspberry Pi, or one that does not say so"
    yield f"kernel {machine.kernel}"
    named = re.search(
        r'^PRETTY_NAME="?([^"\n]*)', machine.text("/etc/os-release") or "", re.MULTILINE
    )
    yield named[1] if named else "a system that does not say its name"
    yield f"time {machine.now():%Y-%m-%d %H:%M} UTC, user {machine.user.name}"
    yield f"supply: {_supply(machine)}"


def _supply(machine: Machine) -> str:
    for driver in machine.found("/sys/class/hwmon", "hwmon*"):
        if (machine.text(f"{driver}/name") or "").strip() == "rpi_volt":
            alarm = (machine.text(f"{driver}/{UNDERVOLTAGE}") or "").strip()
            return "was too weak since the start" if alarm == "1" else "was never too weak"
    return "this kernel does not say whether it was ever too weak"


def _versions() -> Iterator[str]:
    yield f"boardfw {__version__}, Python {platform.python_version()} on {platform.machine()}"
    for name in LIBRARIES:
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:
            yield f"{name} is not there"


def _settings(config: Path | None) -> Iterator[str]:
    if config is None:
        yield "no file was given: --config FILE"
        return
    try:
        settings = load_config(config)
    except ConfigError as error:
        yield str(error)
        return
    usual = dict(_flat(msgspec.to_builtins(Settings())))
    changed = {k: v for k, v in _flat(msgspec.to_builtins(settings)) if usual.get(k) != v}
    for name, value in changed.items():
        is_private = any(f"{name}.".startswith(f"{private}.") for private in PRIVATE)
        yield f"{name} = {'(not shown)' if is_private else repr(value)}"
    if not changed:
        yield "none"


def _flat(tree: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value


def _config_txt(machine: Machine) -> Iterable[str]:
    for path in PLACES:
        if (text := machine.text(path)) is not None:
            lines = map(str.strip, text.splitlines())
            return [path, *(line for line in lines if line and not line.startswith("#"))]
    return ["there is none: no Raspberry Pi"]


def _sample(diagnoses: Sequence[Diagnosis]) -> Iterable[str]:
    lines = [line for diagnosis in diagnoses for line in diagnosis.sample]
    return lines or ["they were not read; the findings say why"]


def _log(log: Log) -> Iterable[str]:
    lines = log()
    return [lines] if isinstance(lines, str) else list(lines) or ["there is nothing in it"]
