"""The machine as the doctor sees it: files, the user, modules, time; each can be another in tests.

Whatever a machine looks like, a look at it raises nothing: what cannot be read is not there.
"""

from __future__ import annotations

import os
import platform
import pwd
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import Any

from boardfw.errors import WiringError
from boardfw.ports import Clock
from hardware.clock import MonotonicClock
from hardware.gpio import factory_for, pin_factory
from hardware.model import MODEL_FILE, read_model


@dataclass(frozen=True, slots=True)
class User:
    """The user who runs the doctor."""

    name: str
    uid: int
    gids: frozenset[int]
    """Of the groups that this process has, which may be fewer than those the user was given."""

    @property
    def is_root(self) -> bool:
        """True if rights do not matter."""
        return self.uid == 0


def this_user() -> User:
    """The one of this process; a service's user may have no name but a number."""
    name = str(os.geteuid())
    with suppress(KeyError):
        name = pwd.getpwuid(os.geteuid()).pw_name
    return User(name, os.geteuid(), frozenset((*os.getgroups(), os.getegid())))


def why_not_imported(module: str) -> str:
    """Why a module cannot be used, in a few words; empty where it can."""
    try:
        import_module(module)
    except (ImportError, OSError, RuntimeError) as error:  # what is compiled looks for its machine
        return str(error)
    return ""


def passing_pin_factory(name: str) -> Any:
    """gpiozero's factory of this name; nothing stays behind. Raises WiringError.

    At its import lgpio makes a FIFO in the directory LG_WD and goes there for good, or in the
    working directory; one that root left there would keep others from importing it.
    """
    try:
        with TemporaryDirectory() as folder, chdir("."), _environment("LG_WD", folder):
            return pin_factory(name)
    except OSError as error:
        told = f"GPIO by {name} cannot be tried: {error.strerror}"
        raise WiringError(f"{told}; make room in /tmp, or start in another directory") from error


@contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        del os.environ[name]
        if before is not None:
            os.environ[name] = before


@dataclass(frozen=True)
class Machine:
    """Everything that checks look at beside the board itself."""

    root: Path = Path("/")
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    kernel: str = field(default_factory=platform.release)
    user: User = field(default_factory=this_user)
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    may: Callable[[Path, int], bool] = os.access
    """True if this user may use a file so: ``os.R_OK``, ``os.W_OK``."""
    free_bytes: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free
    """On the disk of a directory. May raise OSError."""
    why_not_imported: Callable[[str], str] = why_not_imported
    connect: Callable[[str], Any] | None = None
    """What opens an I2C bus by the path of its device; None: smbus2."""
    factory_for: Callable[[str], str] = factory_for
    """The pin factory to use where a board file names this one."""
    pin_factory: Callable[[str], Any] = passing_pin_factory
    """Raises WiringError."""
    clock: Clock = field(default_factory=MonotonicClock)
    wait_us: Callable[[int], None] = lambda us: time.sleep(us / 1_000_000)

    def path(self, name: str) -> Path:
        """A file of this machine by its absolute name."""
        return self.root / name.lstrip("/")

    def text(self, name: str) -> str | None:
        """What a file holds; None where it cannot be read."""
        data = self.data(name)
        return None if data is None else data.decode(errors="replace")

    def data(self, name: str) -> bytes | None:
        """The same in bytes."""
        try:
            return self.path(name).read_bytes()
        except OSError:
            return None

    def exists(self, name: str) -> bool:
        """True if the file exists, as far as this user can see."""
        return os.access(self.path(name), os.F_OK)

    def found(self, folder: str, pattern: str) -> list[str]:
        """Names of the files in a folder that are like the pattern, in order."""
        with suppress(OSError):
            paths = sorted(self.path(folder).glob(pattern))
            return [f"{folder}/{path.name}" for path in paths]
        return []

    @property
    def model(self) -> str:
        """The Raspberry Pi's, as the kernel names it; empty where it is none."""
        return read_model(self.path(str(MODEL_FILE)))

    @property
    def players(self) -> list[int]:
        """Processes that play on a board with this firmware."""
        playing = []
        for name in self.found("/proc", "[0-9]*"):
            words = (self.text(f"{name}/cmdline") or "").split("\0")
            called = [PurePath(word).name for word in words]
            if ("boardfw", "run") in zip(called, words[1:], strict=False):
                playing.append(int(PurePath(name).name))
        return playing


# ``config.txt`` configures a Raspberry Pi when it starts.
#
#   Source: "Conditional filters" in raspberrypi/documentation, and overlays/README of the firmware.
#   Files that it includes are not followed.

PLACES = ("/boot/firmware/config.txt", "/boot/config.txt")
"""Where it is, since Raspberry Pi OS 12 and before; the first one that is there counts."""

FILTERS: dict[str, tuple[str, ...]] = {
    "pi1": ("Raspberry Pi Model", "Raspberry Pi Compute Module Rev"),
    "pi2": ("Raspberry Pi 2",),
    "pi3": ("Raspberry Pi 3", "Raspberry Pi Compute Module 3"),
    "pi3+": ("Raspberry Pi 3 Model A Plus", "Raspberry Pi 3 Model B Plus"),
    "pi4": ("Raspberry Pi 4", "Raspberry Pi Compute Module 4"),
    "pi400": ("Raspberry Pi 400",),
    "cm4": ("Raspberry Pi Compute Module 4 Rev",),
    "cm4s": ("Raspberry Pi Compute Module 4S",),
    "pi5": ("Raspberry Pi 5", "Raspberry Pi Compute Module 5"),
    "pi500": ("Raspberry Pi 500",),
    "cm5": ("Raspberry Pi Compute Module 5",),
    "pi0": ("Raspberry Pi Zero",),
    "pi0w": ("Raspberry Pi Zero W", "Raspberry Pi Zero 2"),
    "pi02": ("Raspberry Pi Zero 2",),
    "none": (),
    "tryboot": (),
}
"""How the names of the models begin for which the lines below a filter count."""


@dataclass(frozen=True, slots=True)
class ConfigTxt:
    """The file as one machine reads it."""

    path: str
    settings: dict[str, str]
    """Keys and their last values; parameters of the device tree (``dtparam=``) like keys."""

    def holds(self, line: str) -> bool:
        """True if it asks for what a line ``key=value`` would."""
        key, _, value = line.partition("=")
        return self.settings.get(key) == value


def config_txt(machine: Machine) -> ConfigTxt | None:
    """The machine's, or None where there is none that can be read."""
    for path in PLACES:
        if (text := machine.text(path)) is not None:
            return ConfigTxt(path, dict(_settings(text, machine.model)))
    return None


def _settings(text: str, model: str) -> Iterator[tuple[str, str]]:
    applies = True
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            # A filter by monitor, serial number or GPIO is taken to let lines pass.
            name = line.strip("[]").lower()
            applies = name not in FILTERS or model.startswith(FILTERS[name])
        elif applies and not line.startswith("#"):
            key, _, value = line.partition("=")
            yield from _parameters(value) if key == "dtparam" else ((key, value),)


def _parameters(text: str) -> Iterator[tuple[str, str]]:
    for word in text.split(","):
        key, _, value = word.partition("=")
        yield key, value or "on"
