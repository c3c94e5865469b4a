"""Checks: the clock of the I2C bus, and the chips on it."""

from __future__ import annotations

from collections.abc import Iterator

from boardfw.doctor.diagnosis import (
    Diagnosis,
    State,
    failed,
    not_applicable,
    parted,
    passed,
    told,
    warned,
)
from boardfw.doctor.examined_board import Patient
from boardfw.doctor.machine import ConfigTxt, Machine, config_txt
from boardfw.errors import BusError
from hardware.bus import I2cBus
from hardware.datasheets import ADDRESSES, DATASHEETS
from hardware.expander import Expander, open_chip
from hardware.wiring import Chip, ChipKind, Wiring

USUAL_HZ = 100_000
"""Where config.txt says nothing."""
BAUDRATES = {
    "i2c-1": ("i2c_arm_baudrate", "i2c_baudrate", "i2c1_baudrate"),
    "i2c-0": ("i2c_vc_baudrate", "i2c0_baudrate"),
}
"""Parameters of ``dtparam=`` that set the clock of a bus (overlays/README)."""
WELL = "its registers read back"
TRIES = 3
"""A chip that answers now and then is another trouble than one that never does."""


# --- the bus


def bus_speed(machine: Machine, patient: Patient) -> Diagnosis:
    """What clock the kernel gives the bus, or else config.txt asks for, and what is wanted."""
    name = "bus speed"
    if not patient.is_real or patient.wiring is None:
        return not_applicable(name, "a simulated bus runs as its board file says")
    wiring = patient.wiring
    bus, wanted_hz = wiring.bus.device.removeprefix("/dev/"), wiring.bus.hz
    config = config_txt(machine)
    asked_hz, kernel_hz = _asked_hz(config, bus), _kernel_hz(machine, bus)
    hz = asked_hz if kernel_hz is None else kernel_hz
    remedy = f"write {_line(bus, wanted_hz)} in {config.path if config else 'config.txt'}"
    if hz is None:
        return warned(name, "neither the kernel nor a config.txt says it", remedy)
    if hz == wanted_hz:
        return passed(name, f"{hz} Hz, as bus.hz of the board file")
    if asked_hz == wanted_hz:
        return warned(name, f"{hz} Hz; config.txt asks for {asked_hz}", "restart the Pi")
    found = f"{hz} Hz, and bus.hz of the board file is {wanted_hz}"
    most_hz = min(DATASHEETS[chip.kind].hz_most for chip in wiring.chips)
    if hz > most_hz:
        return failed(name, f"{found}; its chips can follow {most_hz}", f"{remedy}, restart")
    return warned(name, found, f"{remedy} and restart, or set bus.hz to {hz}")


def _line(bus: str, hz: int) -> str:
    if bus not in BAUDRATES:
        return f"{hz} as the baudrate of {bus}"
    key = BAUDRATES[bus][0]
    return f"dtparam={key.removesuffix('_baudrate')}=on,{key}={hz}"


def _asked_hz(config: ConfigTxt | None, bus: str) -> int | None:
    if config is None or bus not in BAUDRATES:
        return None
    said = [config.settings[key] for key in BAUDRATES[bus] if key in config.settings]
    numbers = [int(text) for text in said if text.isascii() and text.isdecimal()]
    return numbers[0] if numbers else USUAL_HZ


def _kernel_hz(machine: Machine, bus: str) -> int | None:
    """A cell of the device tree: four bytes, the highest first."""
    data = machine.data(f"/sys/bus/i2c/devices/{bus}/of_node/clock-frequency")
    return int.from_bytes(data, "big") if data is not None and len(data) == 4 else None


# --- the chips


def chips(patient: Patient) -> Iterator[Diagnosis]:
    """Each chip of the wiring, and what else answers at their addresses."""
    wiring, bus = patient.wiring, patient.bus
    if wiring is None:
        yield not_applicable("chips", "this board has none")
    elif bus is None:
        yield not_applicable("chips", "not examined: the bus cannot be opened")
    else:
        strangers = _strangers(wiring, bus)
        free = [address for address in ADDRESSES if address not in _addresses(wiring)]
        everywhere = bool(free) and strangers == free
        others, is_played = [] if everywhere else strangers, bool(patient.players)
        examined = [_chip(chip, bus, others, is_played) for chip in wiring.chips]
        yield from examined
        # With SDA held low everything is acknowledged, and no register reads what was written.
        is_free = any(
            one.state is State.PASSED and chip.kind is not ChipKind.PCF8575
            for one, chip in zip(examined, wiring.chips, strict=True)
        )
        yield _others(strangers, everywhere and not is_free, wiring)


def _addresses(wiring: Wiring) -> set[int]:
    return {chip.address for chip in wiring.chips}


def _chip(chip: Chip, bus: I2cBus, strangers: list[int], is_played: bool) -> Diagnosis:
    name, title = f"chip {chip.address:#04x}", DATASHEETS[chip.kind].title
    expander = open_chip(chip, bus)
    errors: list[BusError] = []
    for _ in range(TRIES):
        try:
            configured = _looked_at(expander, is_played)
        except BusError as error:
            errors.append(error)
        else:
            return _answered(name, title, chip, configured, errors)
    return _misplaced(told(name, errors[-1], "look at its wires"), strangers)


def _answered(
    name: str, title: str, chip: Chip, configured: bool, errors: list[BusError]
) -> Diagnosis:
    if not configured:
        found = f"{title} answers, but does not keep its configuration"
        return warned(name, found, "look at its supply, and whether a running game uses this board")
    if errors:
        why, remedy = parted(str(errors[0]))
        return warned(name, f"{title} answers at last; at first {why}", remedy)
    read_back = "has no registers to read back" if chip.kind is ChipKind.PCF8575 else WELL
    return passed(name, f"{title} answers, and {read_back}")


def _misplaced(diagnosis: Diagnosis, strangers: list[int]) -> Diagnosis:
    """Where a chip is missing and another one answers, they may be one."""
    if not strangers:
        return diagnosis
    others = ", ".join(f"{address:#04x}" for address in strangers)
    hint = f"{others} answers instead: are pins A2, A1, A0 set so?"
    return failed(diagnosis.name, diagnosis.found, f"{diagnosis.remedy}; {hint}")


def _looked_at(expander: Expander, is_played: bool) -> bool:
    """True if a chip is configured; it was just now, unless a game is running."""
    if not is_played:
        expander.configure()
    configured = expander.is_configured()
    expander.read()
    return configured


def _strangers(wiring: Wiring, bus: I2cBus) -> list[int]:
    """Addresses of chips that answer and are not in the wiring. A byte is read of each."""
    found = []
    for address in ADDRESSES:
        if address in _addresses(wiring):
            continue
        try:
            bus.read(address, 1)
        except BusError:
            if not bus.failures[address, "no acknowledgement"]:
                break  # a bus that hangs does so for a second a time
        else:
            found.append(address)
    return found


def _others(strangers: list[int], is_held: bool, wiring: Wiring) -> Diagnosis:
    name = "other chips"
    if is_held:
        found = f"every address from {ADDRESSES[0]:#04x} to {ADDRESSES[-1]:#04x} answers"
        remedy = "look for a short on SDA; take the board's supply away for a moment"
        return failed(name, f"{found}: SDA is held low", remedy)
    if strangers:
        listed = ", ".join(f"{address:#04x}" for address in strangers)
        found = f"{listed} answers, and is not in the board file ({wiring.name})"
        return warned(name, found, "add it there, set its address, or take it off the bus")
    return passed(name, f"none answers from {ADDRESSES[0]:#04x} to {ADDRESSES[-1]:#04x}")
