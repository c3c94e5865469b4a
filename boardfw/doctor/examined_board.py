"""The board under examination, opened as far as it can be and no further than it must.

A real board is not opened as a game opens it: its lights are left alone, and while another program
plays on it nothing is taken, configured or reset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from boardfw.doctor.machine import Machine
from boardfw.errors import BusError, WiringError
from boardfw.ports import Clock, SquareSensor
from hardware import open_board
from hardware.board_url import BoardUrl, Scheme, parse_url
from hardware.boards.board_file import find_wiring
from hardware.bus import I2cBus
from hardware.clock import VirtualClock
from hardware.gpio import Gpio
from hardware.reeds import Reeds
from hardware.sim.i2c_board import SimI2cBoard
from hardware.wiring import Wiring


@dataclass(frozen=True)
class Patient:
    """What there is of a board; None: it has no part of this kind, or it could not be opened."""

    what: str
    """In a few words."""
    clock: Clock
    wait_us: Callable[[int], None]
    is_real: bool = False
    players: tuple[int, ...] = ()
    """Processes that are playing, perhaps on this board."""
    wiring: Wiring | None = None
    bus: I2cBus | None = None
    gpio: Gpio | None = None
    sensor: SquareSensor | None = None
    reeds: Reeds | None = None
    no_bus: str = ""
    """Why the bus cannot be opened."""
    no_factory: str = ""
    """Why there is no access to lines."""
    no_lines: str = ""
    """Why the lines cannot be taken."""


@contextmanager
def opened(url: str, machine: Machine) -> Iterator[Patient]:
    """The board that a URL names. Raises WiringError, TraceError where it names none."""
    named = parse_url(url)
    with ExitStack() as stack:
        is_real = named.scheme is Scheme.I2C
        yield _real(named.rest, machine, stack) if is_real else _other(named, stack)


def _other(url: BoardUrl, stack: ExitStack) -> Patient:
    clock = VirtualClock()
    board = open_board(str(url), clock=clock)  # the board alone: a spy would write its file anew
    stack.callback(board.close)
    patient = Patient(f"{url}, simulated", clock, lambda us: clock.advance_to(clock.now_us() + us))
    if url.is_recorded:
        return replace(patient, what=f"{url}, a recording that can be read")
    if isinstance(board, SimI2cBoard):
        patient = replace(patient, wiring=board.wiring, bus=board.bus, gpio=board.gpio)
        return replace(patient, sensor=board.sensor, reeds=board.reeds)
    return replace(patient, sensor=board.sensor)


def _real(name: str, machine: Machine, stack: ExitStack) -> Patient:
    wiring = find_wiring(name)
    device = wiring.bus.device
    bus = I2cBus(device, machine.connect) if machine.connect else I2cBus(device)
    stack.callback(bus.close)
    patient = Patient(
        f"i2c:{name}", machine.clock, machine.wait_us, is_real=True, wiring=wiring, bus=bus
    )
    patient = _with_lines(replace(patient, players=tuple(machine.players)), machine, stack)
    reset = patient.gpio.pulse_reset if patient.gpio else None
    reeds = Reeds(wiring.chips, bus, machine.clock, reset)
    try:
        bus.open()
    except BusError as error:
        return replace(patient, bus=None, no_bus=str(error))
    return patient if patient.players else replace(patient, sensor=reeds, reeds=reeds)


def _with_lines(patient: Patient, machine: Machine, stack: ExitStack) -> Patient:
    lines = patient.wiring.lines if patient.wiring else None
    if lines is None or not lines.wired:
        return patient
    lines = replace(lines, pin_factory=machine.factory_for(lines.pin_factory))
    try:
        factory = machine.pin_factory(lines.pin_factory)
    except WiringError as error:
        return replace(patient, no_factory=str(error))
    if patient.players:
        return patient
    gpio = Gpio(lines, lambda _: factory)
    try:
        gpio.open()
    except WiringError as error:
        return replace(patient, no_lines=str(error))
    stack.callback(gpio.close)
    return replace(patient, gpio=gpio)
