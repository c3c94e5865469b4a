"""Checks: the way to single lines, and the level of INT."""

from __future__ import annotations

import os
import re
from pathlib import Path

from boardfw.doctor.diagnosis import Diagnosis, failed, not_applicable, passed, warned
from boardfw.doctor.examined_board import Patient
from boardfw.doctor.machine import Machine
from boardfw.errors import BusError
from hardware.expander import open_chip
from hardware.model import is_pi5
from hardware.wiring import Lines

EDGELESS_KERNEL = (6, 6)
"""From this one on RPi.GPIO sees no edges: the sysfs numbers it uses have moved
(raspberrypi/linux#6037, gpiozero/gpiozero#1136)."""
REMEDY = "write pin_factory = 'gpiod' in [lines] of the board file"
LOOKS = 3
"""A piece that is being moved pulls INT low, too."""


def pin_factory(machine: Machine, patient: Patient) -> Diagnosis:
    """Check that the factory of the board file can be used, for what is wired."""
    name = "pin factory"
    if not patient.is_real or patient.wiring is None:
        return not_applicable(name, "the pins of a simulated board are simulated")
    lines = patient.wiring.lines
    if not lines.wired:
        return not_applicable(name, "the board file names no single lines")
    unfit = _unfit(machine, lines)
    if unfit:
        return failed(name, unfit, REMEDY)
    if patient.no_factory:
        found, _, remedy = patient.no_factory.partition("; ")
        return failed(name, found, remedy)
    if lines.pin_factory == "mock":
        return warned(name, "mock: pins in memory, for tests; no line is real", REMEDY)
    used = machine.factory_for(lines.pin_factory)
    if used != lines.pin_factory:
        return warned(name, f"{lines.pin_factory} is not installed; {used} takes its place", REMEDY)
    return _housed(machine, lines) or passed(name, f"{lines.pin_factory} can be used")


def _unfit(machine: Machine, lines: Lines) -> str:
    """Why RPi.GPIO will not do here."""
    if lines.pin_factory != "rpigpio":
        return ""
    if is_pi5(machine.model):
        return f"rpigpio (RPi.GPIO) knows no Raspberry Pi 5, and this is one ({machine.model})"
    if (lines.interrupt is not None or lines.buttons) and _version(machine) >= EDGELESS_KERNEL:
        return f"rpigpio (RPi.GPIO) sees no edges of INT and buttons on kernel {machine.kernel}"
    return ""


def _version(machine: Machine) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", machine.kernel)[:2])


def _housed(machine: Machine, lines: Lines) -> Diagnosis | None:
    """Return a warning if lgpio may not put its FIFO where it wants to."""
    if lines.pin_factory != "lgpio":
        return None
    folder = Path(machine.environment.get("LG_WD") or os.curdir)
    stale = [path for path in _fifos(folder) if not machine.may(path, os.W_OK)]
    if machine.may(folder, os.W_OK | os.X_OK) and not stale:
        return None
    what = f"{stale[0].name} of another user" if stale else "no right to write"
    found = f"lgpio puts a FIFO into {folder.absolute()}, where there is {what}"
    remedy = "set LG_WD to a directory of your own"
    return warned("pin factory", found, remedy)


def _fifos(folder: Path) -> list[Path]:
    try:
        return sorted(folder.glob(".lgd-nfy*"))
    except OSError:
        return []


def interrupt(patient: Patient) -> Diagnosis:
    """Check that INT is high once all chips are read."""
    name, wiring = "INT line", patient.wiring
    if wiring is None or wiring.lines.interrupt is None:
        return not_applicable(name, "INT is not wired: the switches are polled")
    where = f"GPIO {wiring.lines.interrupt}"
    if patient.no_lines:
        found, _, remedy = patient.no_lines.partition("; ")
        return warned(name, f"{where} was not looked at: {found}", remedy or "free the pin")
    if patient.gpio is None or patient.bus is None:
        return not_applicable(name, f"not examined: {_why_not(patient)}")
    for _ in range(LOOKS):
        if not patient.gpio.interrupt_is_low:
            return passed(name, f"{where} is high: no chip holds it")
        if not _served(patient):
            return not_applicable(name, "not examined: not every chip can be read")
    if not patient.gpio.interrupt_is_low:
        return passed(name, f"{where} is high once all chips are read")
    remedy = "look for a short of the line to ground, and for a chip that the file does not name"
    return failed(name, f"{where} stays low though all chips are read", remedy)


def _served(patient: Patient) -> bool:
    """Read all chips, which makes them let go of INT; whether all could be read."""
    if patient.wiring is None or patient.bus is None:
        return False
    try:
        for chip in patient.wiring.chips:
            open_chip(chip, patient.bus).read()
    except BusError:
        return False
    return True


def _why_not(patient: Patient) -> str:
    if patient.players:
        return "a game is running"
    return "there is no pin factory" if patient.no_factory else "the bus cannot be opened"
