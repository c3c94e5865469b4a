"""Faults of the bus, as a driver meets them."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.errors import BusError
from hardware.sim.i2c.bus import SimI2cBus
from hardware.sim.i2c.controller import BCM2835, CONTROLLERS, DESIGNWARE, Controller
from hardware.sim.i2c.faults import BusFaults, Fault, FaultKind, drawn
from hardware.wiring import ChipKind
from tests.i2c import Rig, power_cycle, rig_of, set_inputs

MCP, TCA = ChipKind.MCP23017, ChipKind.TCA9555


def rig_with(
    *faults: Fault, kind: ChipKind = MCP, controller: Controller = BCM2835
) -> tuple[Rig, BusFaults]:
    """A configured chip and faults whose transfers count from now."""
    rig = rig_of(kind, controller)
    rig.driver.configure()
    rig.sim.faults = BusFaults(faults)
    return rig, rig.sim.faults


def outcomes(rig: Rig, reads: int, pause_us: int = 0) -> list[str]:
    """The results of this many reads: "" or the reason of the failure."""
    said = []
    for _ in range(reads):
        try:
            rig.driver.read()
            said.append("")
        except BusError as error:
            said.append(str(error).rsplit(": ", 1)[1])
        rig.clock.advance_to(rig.clock.now_us() + pause_us)
    return said


@pytest.mark.parametrize(
    ("kind", "why"),
    [(FaultKind.NACK, "no acknowledgement"), (FaultKind.TIMEOUT, "time-out")],
)
def test_the_nth_transfer_fails_once(kind: FaultKind, why: str) -> None:
    rig, faults = rig_with(Fault(kind, transfer=3))
    said = outcomes(rig, 5)
    assert [bool(reason) for reason in said] == [False, False, True, False, False]
    assert said[2].startswith(why)
    assert faults.counts == {kind: 1}
    assert rig.bus.failures == {(0x20, why): 1}


def test_transfers_fail_for_a_span_of_time() -> None:
    rig, _ = rig_with(Fault(FaultKind.NACK, at_us=5_000, span_us=2_500))
    picture = "".join("x" if said else "." for said in outcomes(rig, 10, pause_us=1_000))
    assert picture.strip(".") == "xxx"
    assert picture.startswith("...")
    assert rig.driver.is_configured()


def test_a_time_out_costs_what_the_kernel_waits() -> None:
    rig, _ = rig_with(Fault(FaultKind.TIMEOUT))
    before_us = rig.clock.now_us()
    outcomes(rig, 1)
    assert rig.clock.now_us() - before_us == 1_000_000


@pytest.mark.parametrize(
    ("controller", "why", "wait_us"),
    [(BCM2835, "broken transfer", 35_000), (DESIGNWARE, "time-out", 1_000_000)],
)
def test_scl_held_low_ends_with_a_reset(controller: Controller, why: str, wait_us: int) -> None:
    rig, _ = rig_with(Fault(FaultKind.STUCK_SCL), controller=controller)
    assert all(said.startswith(why) for said in outcomes(rig, 3))
    assert rig.sim.history[-1].wire_us == wait_us
    rig.sim.faults.pulse(9)
    assert all(outcomes(rig, 1))
    rig.sim.reset(low=True)
    rig.sim.reset(low=False)
    assert not rig.driver.is_configured()


def freed_by_pulses(sim: SimI2cBus) -> None:
    sim.faults.pulse(9)


def freed_by_reset(sim: SimI2cBus) -> None:
    sim.reset(low=True)
    sim.reset(low=False)


def freed_by_supply(sim: SimI2cBus) -> None:
    power_cycle(sim)


@pytest.mark.parametrize("free", [freed_by_pulses, freed_by_reset, freed_by_supply])
@pytest.mark.parametrize("kind", [MCP, TCA])
def test_sda_held_low_reads_zeros_on_a_pi_4_until_it_is_freed(kind: ChipKind, free: object) -> None:
    assert callable(free)
    rig, faults = rig_with(Fault(FaultKind.STUCK_SDA), kind=kind)
    assert [rig.driver.read() for _ in range(3)] == [0, 0, 0]
    rig.sim.faults.pulse(8 if free is not freed_by_pulses else 0)
    assert rig.driver.read() == 0
    free(rig.sim)
    has_no_reset_pin = kind is TCA and free is freed_by_reset
    assert (rig.driver.read() == 0) is has_no_reset_pin
    assert faults.counts[FaultKind.STUCK_SDA] == 1


def test_a_pi_5_frees_sda_by_itself_after_one_failure() -> None:
    rig, _ = rig_with(Fault(FaultKind.STUCK_SDA), controller=DESIGNWARE)
    assert [bool(said) for said in outcomes(rig, 3)] == [True, False, False]


def test_a_chip_that_was_gone_comes_back_with_the_registers_of_power_on() -> None:
    rig, _ = rig_with(Fault(FaultKind.GONE, at_us=2_000, span_us=1_500, address=0x20))
    said = outcomes(rig, 8, pause_us=1_000)
    assert 1 <= sum(map(bool, said)) <= 2
    assert not rig.driver.is_configured()


def test_a_brown_out_acknowledges_all_the_time() -> None:
    rig, faults = rig_with(Fault(FaultKind.BROWN_OUT, transfer=2))
    assert outcomes(rig, 4) == ["", "", "", ""]
    assert not rig.driver.is_configured()
    assert faults.counts == {FaultKind.BROWN_OUT: 1}


def test_wrong_data_come_in_once() -> None:
    rig, _ = rig_with(Fault(FaultKind.WRONG_DATA, transfer=2, bits=0x11))
    assert [rig.driver.read() for _ in range(3)] == [0x7F7F, 0x6E6E, 0x7F7F]


def test_only_the_named_chip_is_befallen() -> None:
    rig, faults = rig_with(*(Fault(kind, address=0x21) for kind in FaultKind))
    faults.pending = [fault for fault in faults.pending if "STUCK" not in fault.kind.name]
    assert outcomes(rig, 3) == ["", "", ""]
    assert rig.driver.is_configured()


def test_an_edge_of_int_is_lost_but_its_level_stays() -> None:
    rig, faults = rig_with(Fault(FaultKind.LOST_EDGE))
    heard: list[tuple[bool, bool]] = []
    rig.sim.on_interrupt = lambda low, seen: heard.append((low, seen))
    for level in (0x7F7E, 0x7F7F):
        set_inputs(rig.pins, level)
        rig.sim.look()
        assert rig.sim.int_low
        rig.driver.read()
    assert heard == [(True, False), (False, True), (True, True), (False, True)]
    assert faults.counts == {FaultKind.LOST_EDGE: 1}


@pytest.mark.slow
@settings(max_examples=10)
@given(seed=st.integers(0, 1000), controller=st.sampled_from(list(CONTROLLERS.values())))
def test_drawn_faults_come_again_by_their_seed_and_all_of_them_strike(
    seed: int, controller: Controller
) -> None:
    kinds = [kind for kind in FaultKind if "STUCK" not in kind.name]
    faults = drawn(Random(seed), kinds, 20, (0, 100_000), (0x20, 0x21), longest_us=5_000)
    assert faults == drawn(Random(seed), kinds, 20, (0, 100_000), (0x20, 0x21), longest_us=5_000)
    assert len(faults) == 20
    ours = [fault for fault in faults if fault.address == 0x20]
    rig, struck = rig_with(*ours, controller=controller)
    for n in range(150):
        with suppress(BusError):
            rig.driver.configure()
        set_inputs(rig.pins, n)
        rig.sim.look()
        outcomes(rig, 1, pause_us=1_000)
    assert struck.counts == Counter(fault.kind for fault in ours)
    assert struck.pending == []
