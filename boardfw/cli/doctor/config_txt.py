"""``config.txt``, by which a Raspberry Pi is told at its start what it is to be.

Source: "Conditional filters" in raspberrypi/documentation, and overlays/README of the firmware.
Files that it includes are not followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from boardfw.cli.doctor.machine import Machine

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
        """Whether it asks for what a line ``key=value`` would."""
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
            applies = _applies(line.strip("[]").lower(), model)
        elif applies and not line.startswith("#"):
            key, _, value = line.partition("=")
            yield from _parameters(value) if key == "dtparam" else ((key, value),)


def _applies(name: str, model: str) -> bool:
    """Whether a filter lets lines pass; one by monitor, serial number or GPIO is taken to."""
    return name not in FILTERS or model.startswith(FILTERS[name])


def _parameters(text: str) -> Iterator[tuple[str, str]]:
    for word in text.split(","):
        key, _, value = word.partition("=")
        yield key, value or "on"
