"""The bus under the real smbus2: what each controller refuses, and what a transfer costs."""

from __future__ import annotations

import errno
import os
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import smbus2.smbus2 as uapi
from smbus2 import I2cFunc, SMBus, i2c_msg

from boardfw.errors import BusError
from hardware.bus import I2cBus
from hardware.clock import MonotonicClock, VirtualClock
from hardware.sim.i2c.bus import SimI2cBus
from hardware.sim.i2c.chip import Pins
from hardware.sim.i2c.controller import BCM2835, CONTROLLERS, DESIGNWARE, Controller
from hardware.sim.i2c.ioctl import connector
from hardware.sim.i2c.mcp23017 import SimMcp23017
from tests.i2c import RecordedBus, get, put, set_inputs

every_controller = pytest.mark.parametrize(
    "controller", CONTROLLERS.values(), ids=CONTROLLERS.keys()
)


def sim_of(controller: Controller = BCM2835, **options: object) -> tuple[RecordedBus, SMBus]:
    chips = [SimMcp23017(at, Pins(resistors=0xFFFF)) for at in (0x20, 0x21)]
    sim = RecordedBus(chips, controller=controller, **options)
    return sim, connector(sim)("/dev/i2c-1")


def is_refused_by_the_kernel(file: int) -> None:
    with pytest.raises(OSError, match=r"\[Errno") as caught:
        uapi.ioctl(file, uapi.I2C_FUNCS, 0)  # type: ignore[attr-defined]
    # qemu, where it emulates a program alone, passes no ioctl of I2C on to the kernel.
    assert caught.value.errno in (errno.ENOTTY, errno.ENOSYS)


def number_of(bus: SMBus, *messages: i2c_msg) -> int:
    with pytest.raises(OSError, match=r"\[Errno") as caught:
        bus.i2c_rdwr(*messages)
    assert isinstance(caught.value.errno, int)
    return caught.value.errno


def scan(address: int) -> list[i2c_msg]:
    return [i2c_msg.write(address, [0x12]), i2c_msg.read(address, 2)]


def test_two_chips_cannot_be_read_in_one_transfer() -> None:
    for controller, number in ((BCM2835, errno.EOPNOTSUPP), (DESIGNWARE, errno.EINVAL)):
        _, bus = sim_of(controller)
        assert number_of(bus, *scan(0x20), *scan(0x21)) == number


def test_what_one_controller_refuses_the_other_may_do() -> None:
    for controller in (BCM2835, DESIGNWARE):
        _, bus = sim_of(controller)
        twice = [*scan(0x20), *scan(0x20)]
        across = [i2c_msg.write(0x21, [0x00, 0x00]), *scan(0x20)]
        if controller is BCM2835:
            assert number_of(bus, *twice) == errno.EOPNOTSUPP
            bus.i2c_rdwr(*across)
        else:
            bus.i2c_rdwr(*twice)
            assert number_of(bus, *across) == errno.EINVAL


@every_controller
def test_an_empty_address_is_not_acknowledged(controller: Controller) -> None:
    sim, bus = sim_of(controller)
    assert number_of(bus, *scan(0x22)) == errno.EREMOTEIO
    assert sim.history[-1].periods == 12
    bus.i2c_rdwr(*scan(0x20))


def test_the_functions_of_the_controllers() -> None:
    _, pi4 = sim_of(BCM2835)
    _, pi5 = sim_of(DESIGNWARE)
    assert pi4.funcs & I2cFunc.SMBUS_PEC
    assert not pi5.funcs & I2cFunc.SMBUS_PEC
    for bus in (pi4, pi5):
        assert bus.funcs & I2cFunc.I2C


def test_limits_of_the_kernel_s_interface() -> None:
    _, bus = sim_of()
    assert number_of(bus, *[i2c_msg.write(0x20, [0])] * 43) == errno.EINVAL
    assert number_of(bus, i2c_msg.read(0x20, 8193)) == errno.EINVAL


def test_a_read_of_one_chip_takes_49_periods_and_a_bare_one_30() -> None:
    clock = VirtualClock(1_000)
    sim, bus = sim_of(clock=clock, hz=100_000)
    bus.i2c_rdwr(*scan(0x20))
    bus.i2c_rdwr(i2c_msg.read(0x20, 2))
    assert [transfer.periods for transfer in sim.history] == [49, 30]
    assert [transfer.wire_us for transfer in sim.history] == [490, 300]
    assert [transfer.t_us for transfer in sim.history] == [1_000, 1_490]
    assert sim.wire.busy_us == 790
    assert clock.now_us() == 1_790


def test_parts_of_a_microsecond_are_not_lost() -> None:
    clock = VirtualClock()
    sim, bus = sim_of(clock=clock, hz=400_000)
    for _ in range(100):
        bus.i2c_rdwr(*scan(0x20))
    assert clock.now_us() == sim.wire.busy_us == 100 * 49 * 5 // 2


def test_inputs_are_read_when_their_byte_is_on_the_wire() -> None:
    clock, times = VirtualClock(), list[int]()

    def levels(t_us: int) -> int:
        times.append(t_us)
        return 0xFFFF

    sim, bus = sim_of(clock=clock, hz=100_000)
    sim.chips[0].pins.levels = levels
    bus.i2c_rdwr(*scan(0x20))
    assert times == [290, 380]


def test_a_listener_of_the_interrupt_may_look_at_the_line() -> None:
    clock, heard = VirtualClock(), list[tuple[bool, bool]]()
    sim, bus = sim_of(clock=clock, hz=100_000)
    sim.on_interrupt = lambda low, _: heard.append((low, sim.int_low))
    put(bus, 0x20, 0x04, 0xFF)
    set_inputs(sim.chips[0].pins, 0)
    sim.look()
    bus.i2c_rdwr(*scan(0x20))
    assert heard == [(True, True), (False, False)]
    assert clock.now_us() == sim.wire.busy_us == 300 + 490


def test_a_real_clock_wants_to_be_told_how_to_wait() -> None:
    with pytest.raises(TypeError, match="pass_us"):
        sim_of(clock=MonotonicClock())
    waits: list[int] = []
    _, bus = sim_of(clock=MonotonicClock(), pass_us=waits.append)
    bus.i2c_rdwr(*scan(0x20))
    assert waits == [122]


def test_several_buses_live_side_by_side_and_others_reach_the_kernel() -> None:
    first, second = (SimI2cBus([SimMcp23017(0x20)], device=f"/dev/i2c-{n}") for n in (1, 2))
    connect = connector(first, second)
    with connect("/dev/i2c-1") as one, connect("/dev/i2c-2") as two:
        put(one, 0x20, 0x14, 1)
        put(two, 0x20, 0x14, 2)
        assert (get(one, 0x20, 0x14), get(two, 0x20, 0x14)) == ([1], [2])
        with pytest.raises(FileNotFoundError):
            connect("/dev/i2c-7")
    with Path(os.devnull).open("rb") as other:
        is_refused_by_the_kernel(other.fileno())


def test_a_closed_bus_is_a_simulated_file_no_longer() -> None:
    _, bus = sim_of()
    number = bus.fd
    assert number is not None
    bus.close()
    bus.close()
    other = os.open(os.devnull, os.O_RDWR)
    os.dup2(other, number)  # the number goes to another file
    is_refused_by_the_kernel(number)
    for file in {other, number}:
        os.close(file)


def test_our_bus_says_what_is_missing_as_it_would_on_a_board() -> None:
    sim, _ = sim_of()
    with pytest.raises(BusError, match="switch I2C on"):
        I2cBus("/dev/i2c-9", connect=connector(sim)).open()


@pytest.fixture
def restless() -> Iterator[None]:
    """Threads are switched as often as can be."""
    interval_s = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval_s)


@pytest.mark.usefixtures("restless")
def test_threads_take_turns() -> None:
    sim, _ = sim_of()
    answers: list[bool] = []

    def use(address: int) -> None:
        bus = connector(sim)("/dev/i2c-1")
        for value in range(250):
            put(bus, address, 0x14, value)
            answers.append(get(bus, address, 0x14) == [value])

    threads = [threading.Thread(target=use, args=(address,)) for address in (0x20, 0x21)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [True] * 500
    assert Counter(transfer.periods for transfer in sim.history) == {30: 500, 40: 500}


def test_two_chips_at_one_address_answer_together() -> None:
    chips = [SimMcp23017(0x20, Pins(resistors=0xFFFF)) for _ in range(2)]
    bus = connector(SimI2cBus(chips))("/dev/i2c-1")
    for at, chip in enumerate(chips):
        set_inputs(chip.pins, ~(1 << at))
    assert get(bus, 0x20, 0x12, 2) == [0xFC, 0xFF]
