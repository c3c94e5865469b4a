"""Checks: may this user have the devices, and are they there at all?"""

from __future__ import annotations

import os
from collections.abc import Iterator

from boardfw.cli.doctor.diagnosis import Diagnosis, failed, not_applicable, passed, warned
from boardfw.cli.doctor.machine import Machine
from boardfw.cli.doctor.patient import Patient, gpios
from hardware.bus import SWITCHED_ON
from hardware.spi import DEVICE as SPI_DEVICE
from hardware.spi import SPI_GPIO
from hardware.wiring import LedDriver, Wiring

NOT_REAL = "a simulated board has none"
GPIO_DEVICES = {"lgpio": "gpiochip*", "rpigpio": "gpiomem*", "native": "gpiomem*"}
"""What each pin factory opens in /dev; pigpio's daemon does it for its clients."""


def groups(machine: Machine, patient: Patient) -> Diagnosis:
    """Whether the user is in the groups to which Raspberry Pi OS gives the devices."""
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
    wanted = {"i2c": True, "spi": _uses_spi(wiring), "gpio": bool(gpios(wiring.lines))}
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
    """Whether each device is there and may be used."""
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
        overlay = f"dtoverlay=ws2812-pio,gpio={leds.gpio},num_leds={len(leds.squares)}"
        device = leds.device or "/dev/leds0"
        return _device(machine, name, device, "gpio", f"write {overlay} in config.txt")
    if _uses_spi(wiring):
        on = "switch SPI on (dtparam=spi=on in config.txt)"
        return _device(machine, name, leds.device or SPI_DEVICE, "spi", on)
    if machine.user.is_root:
        return passed(name, f"GPIO {leds.gpio}, PWM or PCM, which root may have")
    found = f"GPIO {leds.gpio} is PWM or PCM, which only root may have"
    return failed(name, found, f"run as root, or put the data line on GPIO {SPI_GPIO} (SPI)")


def _uses_spi(wiring: Wiring) -> bool:
    leds = wiring.leds
    if leds.driver is LedDriver.WS281X:
        return leds.gpio == SPI_GPIO
    return leds.driver in (LedDriver.AUTO, LedDriver.SPI)


def _gpio(machine: Machine, wiring: Wiring) -> Diagnosis:
    name, factory = "GPIO device", wiring.lines.pin_factory
    if not gpios(wiring.lines):
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
        return failed(name, f"{device}: no such device", f"{remedy} and start anew")
    if not _may_use(machine, device):
        found = f"{device}: {machine.user.name} may not read and write it"
        command = f"sudo usermod -aG {group} {machine.user.name}"
        return failed(name, found, f"join the group {group} ({command}), log out and in again")
    return passed(name, f"{device} may be used")


def _may_use(machine: Machine, device: str) -> bool:
    return machine.may(machine.path(device), os.R_OK | os.W_OK)


def _listed(words: list[str]) -> str:
    return ", ".join(words)
