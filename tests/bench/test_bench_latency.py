"""Figures for `make bench`: from the closure of a switch to the frame sent, and what scans cost.

The wires give their bits' time, this machine its processor's (``workbench``). What physics and the
datasheets impose is the limit beside it: the reed, the interrupt or half a period of
polling, the scan's transfers, the settling time for which the lights of a piece wait by
configuration (they are the answer to a lift, not to a magnet that passes), and the frame on the
strip.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from statistics import median, quantiles

import pytest

from boardfw.game.session import Session
from boardfw.shell import scanner as scanner_module
from boardfw.shell.config import Settings
from boardfw.shell.desk import Desk
from boardfw.shell.runtime import Runtime
from boardfw.squares import BY_NAME, Occupancy, Orientation
from hardware.boards.board_file import find_wiring
from hardware.clock import MonotonicClock
from hardware.sim import i2c_board
from hardware.sim.board import SimBoard
from hardware.sim.faults import PRESETS
from hardware.strip import frame_us
from tests.bench.workbench import KERNEL_US, Workbench, without_kernel

pytestmark = pytest.mark.bench

REED_US = 300
"""A reed closes within this, bounce included (Standex KSK-1A04)."""
INTERRUPT_US = 100
"""From the edge of INT to a thread that runs, on a Raspberry Pi."""
TRANSFERS = {"reference": 5, "tca9555": 4, "pcf8575": 4, "matrix": 8}
PERIODS = {"reference": 5 * 49, "tca9555": 4 * 49, "pcf8575": 4 * 30, "matrix": 392}
"""Of SCL, by the datasheets: address, register, address, two bytes; a row a time in the matrix."""
PI = 10
"""So many times as long a Pi Zero 2 W thinks, as a rule of thumb."""
E2 = Orientation.AS_WIRED.switch(BY_NAME["e2"])
TOUCHES, REST_US = 200, 400_000
SCANS, ROUNDS, SECONDS = 1_000, 5, 6
WANTED_MEDIAN, WANTED_99, WANTED_SCAN_US, WANTED_IDLE_MS = 1.3, 1.5, 40.0, 2.0
WANTED_SHARE = 0.08
"""Of a core of a Pi, while hands are at work: the rest is for engines, pages and the system."""
TOUCHES_A_SECOND = 2


@pytest.mark.parametrize("slower", [1, PI])
def test_bench_from_a_switch_to_the_lights(slower: int, monkeypatch: pytest.MonkeyPatch) -> None:
    print(f"\nswitch to lights, ms; processor x{slower}     limit   median (ratio)    99 % (ratio)")
    for name in TRANSFERS:
        for by_interrupt in (True, False):
            bench = Workbench(name, monkeypatch, slower)
            times = latencies(bench, by_interrupt=by_interrupt)
            limit = limit_us(name, bench, by_interrupt=by_interrupt)
            middle, last = median(times), quantiles(times, n=100)[98]
            print(
                f"{name:12} {'by interrupt' if by_interrupt else 'polled, 2 ms':20}"
                f"{limit / 1000:10.2f} {told(middle, limit, WANTED_MEDIAN)}"
                f" {told(last, limit, WANTED_99)}"
            )


def test_bench_a_scan_that_reads_nothing_new(monkeypatch: pytest.MonkeyPatch) -> None:
    print()
    for name in TRANSFERS:
        bench = Workbench(name, monkeypatch)
        spent = min(bench.scan_ns(SCANS, monkeypatch) for _ in range(ROUNDS)) / 1_000
        mark = "*" if spent > WANTED_SCAN_US else ""
        print(f"{name:12} a scan costs {spent:6.1f} us{mark} above its transfers")


def test_bench_an_idle_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanner_module, "BOUNCE_S", 0.0)
    monkeypatch.setattr(i2c_board, "LOOK_S", 3600.0)  # chips feel their inputs by themselves
    spent_ms = asyncio.run(idle_ms(monkeypatch))
    mark = "*" if spent_ms > WANTED_IDLE_MS else ""
    print(f"\nan idle second by interrupt costs {spent_ms:.2f} ms{mark} above its transfers")


def test_bench_a_second_in_which_hands_are_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(i2c_board, "LOOK_S", 3600.0)
    bench = Workbench("reference", monkeypatch)
    spent_us = min(bench.scan_ns(SCANS, monkeypatch) for _ in range(ROUNDS)) / 1_000
    scans = asyncio.run(scans_a_second(monkeypatch))
    share = PI * scans * spent_us / 1_000_000
    mark = "*" if share > WANTED_SHARE else ""
    print(
        f"\na second with {TOUCHES_A_SECOND} touches, by interrupt: {scans:.0f} scans, "
        f"{share:.1%}{mark} of a core {PI} times slower"
    )


async def scans_a_second(patch: pytest.MonkeyPatch) -> float:
    """How often a board is read while a piece is lifted and put back again and again."""
    async with at_play() as (board, pieces):
        read, reads = board.sensor.read, 0

        def counted() -> Occupancy:
            nonlocal reads
            reads += 1
            return read()

        patch.setattr(board.sensor, "read", counted)
        for _ in range(SECONDS * TOUCHES_A_SECOND // 2):
            label = pieces.lift(E2)
            await asyncio.sleep(1 / TOUCHES_A_SECOND)
            pieces.drop(E2, label or "P")
            await asyncio.sleep(1 / TOUCHES_A_SECOND)
        return reads / SECONDS


async def idle_ms(patch: pytest.MonkeyPatch) -> float:
    """Processor time of a second in which nothing happens, the least of some."""
    spent = []
    async with at_play():
        with patch.context() as still:
            without_kernel(still)
            for _ in range(SECONDS):
                began_ns = time.process_time_ns()
                await asyncio.sleep(1)
                spent.append(time.process_time_ns() - began_ns)
    return min(spent) / 1_000_000


@asynccontextmanager
async def at_play() -> AsyncIterator[tuple[i2c_board.SimI2cBoard, SimBoard]]:
    """A board that has run for a second, and its pieces."""
    clock = MonotonicClock()
    pieces = SimBoard(clock, faults=PRESETS["none"])
    board = i2c_board.SimI2cBoard(find_wiring("reference"), clock, pieces)
    board.open()
    runtime = Runtime(board, clock, Desk(Session(), Settings()))
    playing = asyncio.create_task(runtime.run())
    await asyncio.sleep(1)
    yield board, pieces
    runtime.stop()
    await playing
    board.close()


def latencies(bench: Workbench, *, by_interrupt: bool) -> list[int]:
    """From the magnet to the latched frame, in microseconds; a piece is lifted, then put back."""
    phase, times = Random(1), []
    for _ in range(TOUCHES):
        wait_us = INTERRUPT_US if by_interrupt else phase.randrange(bench.period_us)
        times.append(bench.touch("e2", REED_US + wait_us))
        bench.pass_time(REST_US)
    return times


def limit_us(name: str, bench: Workbench, *, by_interrupt: bool) -> float:
    """The least possible latency, on average."""
    wait_us = INTERRUPT_US if by_interrupt else bench.period_us / 2
    scan_us = PERIODS[name] * 1_000_000 / bench.wiring.bus.hz + TRANSFERS[name] * KERNEL_US
    return REED_US + wait_us + scan_us + bench.settle_us + frame_us(bench.wiring.leds)


def told(figure: float, limit: float, wanted: float) -> str:
    """Milliseconds and the ratio to the limit, with an asterisk if it is more than is wanted."""
    ratio = figure / limit
    return f"{figure / 1000:8.2f} ({ratio:.2f}){'*' if ratio > wanted else ' '}"
