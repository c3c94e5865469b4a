"""Which Raspberry Pi this is, and what that means for the lights."""

from __future__ import annotations

from pathlib import Path

MODEL_FILE = Path("/proc/device-tree/model")

PI_5 = ("Raspberry Pi 5", "Raspberry Pi Compute Module 5")
"""How the models with an RP1 are named; the first takes in the Raspberry Pi 500."""

CORE_CLOCK: dict[str, tuple[str, ...]] = {
    "Raspberry Pi 3": ("core_freq=250",),
    "Raspberry Pi Compute Module 3": ("core_freq=250",),
    "Raspberry Pi Zero 2": ("core_freq=250",),  # by its chip, a Pi 3's; no report on it yet
    "Raspberry Pi 4": ("core_freq=500", "core_freq_min=500"),
    "Raspberry Pi Compute Module 4": ("core_freq=500", "core_freq_min=500"),
}
"""Lines that ``config.txt`` needs where the lights are on SPI, by how the model's name begins.

On these models the SPI clock (and I2C's) is divided from a core clock that changes with the load:
while it is wrong, LEDs light up at random, mostly white. The lines keep it still. The Pi 400 goes
with the Pi 4. Older models have a steady core clock, and a Pi 5's SPI hangs on the RP1, which has
its own. Source: README of jgarff/rpi_ws281x, its issues 194, 381 and 447,
rpi-ws281x/rpi-ws281x-python#35.
"""


def read_model(path: Path = MODEL_FILE) -> str:
    """The model as the kernel names it, like ``Raspberry Pi 4 Model B Rev 1.4``; "": unknown."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").rstrip("\0\n")
    except OSError:
        return ""


def is_pi5(model: str) -> bool:
    """True if it is a Raspberry Pi 5 or one of its kin."""
    return model.startswith(PI_5)


def core_clock_lines(model: str) -> tuple[str, ...]:
    """The lines of ``CORE_CLOCK`` for a model; empty if its SPI clock is steady anyway."""
    for name, lines in CORE_CLOCK.items():
        if model.startswith(name):
            return lines
    return ()
