"""The firmware's threads at work one after the other, on a clock that counts what they cost.

The wires move the clock by their bits, the processor by what it takes here. So a figure is of the
way through the code, and not of what else this machine was doing.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

import pytest
import smbus2.smbus2 as uapi

from boardfw.errors import BoardError
from boardfw.frame import DARK, Frame
from boardfw.game.events import Event
from boardfw.game.session import Session
from boardfw.shell.config import Settings
from boardfw.shell.desk import Desk
from boardfw.shell.outbox import newest
from boardfw.shell.pulse import Watchdog
from boardfw.shell.scanner import Scanner
from boardfw.shell.systemd import Notifier
from boardfw.squares import EVERY_SWITCH, SWITCH_BY_NAME
from hardware.boards.board_file import find_wiring
from hardware.clock import VirtualClock
from hardware.sim.board import SimBoard
from hardware.sim.faults import PRESETS
from hardware.sim.i2c_board import SimI2cBoard
from hardware.spi import SPI_HZ, SpiStrip
from hardware.strip import MemoryMatrix
from tests.hardware.fake_spi_device import Bench as SpiBench

T = TypeVar("T")
KERNEL_US = 40
"""What a transfer costs a Raspberry Pi 3 beside its bits."""
HOPS = 500


class Stopwatch:
    """Processor time of this thread, without what the models of the chips take inside ioctl."""

    def __init__(self, patch: pytest.MonkeyPatch, clock: VirtualClock | None = None) -> None:
        self.inside_ns = 0
        self.transfers = 0
        real = uapi.ioctl  # type: ignore[attr-defined]  # an import of that module

        def ioctl(*arguments: Any) -> int:
            began_ns = time.thread_time_ns()
            try:
                answer: int = real(*arguments)
            finally:
                if clock:
                    clock.advance_to(clock.now_us() + KERNEL_US)
                self.transfers += 1
                self.inside_ns += time.thread_time_ns() - began_ns
            return answer

        patch.setattr(uapi, "ioctl", ioctl)

    @contextmanager
    def timed(self, spent: Callable[[int], None]) -> Iterator[None]:
        """Call ``spent`` with the nanoseconds that the block took."""
        began_ns = time.thread_time_ns() - self.inside_ns
        yield
        spent(time.thread_time_ns() - self.inside_ns - began_ns)


class Workbench:
    """The firmware over a simulated bus, as far as a touch travels: to the bytes of a frame.

    ``slower``: so many times what the processor takes here.
    """

    def __init__(self, name: str, patch: pytest.MonkeyPatch, slower: int = 1) -> None:
        self.clock = VirtualClock()
        self.watch = Stopwatch(patch, self.clock)
        self._slower = slower
        self._hop_ns = hop_ns()
        self._sent = SpiBench(patch).sent
        self.wiring = find_wiring(name)
        self._pieces = SimBoard(self.clock, faults=PRESETS["none"])
        self._board = SimI2cBoard(self.wiring, self.clock, self._pieces)
        self._board.open()
        self._strip = SpiStrip(self.wiring.leds)
        self._events: list[Event | BoardError] = []
        settings = Settings()
        self.settle_us, self.period_us = settings.settle.square_us, settings.scan.period_us
        self._desk = Desk(Session(settle_us=self.settle_us), settings)
        post, period_us = self._events.append, self.period_us
        self._scanner = Scanner(
            self._board, self.clock, post, period_us=period_us, watchdog=Watchdog(Notifier())
        )
        self._lit = DARK
        self.pass_time(1_000_000)

    def pass_time(self, for_us: int) -> None:
        """Nothing is touched; the switches are read now and then."""
        until_us = self.clock.now_us() + for_us
        while self.clock.now_us() < until_us:
            self._wait(20_000)  # more, and it were a gap
            self._scan()
            self._think()

    def touch(self, square: str, wait_us: int) -> int:
        """Lift the piece of a square, or put it back: microseconds until the new frame is latched.

        ``wait_us``: until the first scan after the switch has changed.
        """
        began_us = self.clock.now_us()
        if not self._pieces.lift(SWITCH_BY_NAME[square]):
            self._pieces.drop(SWITCH_BY_NAME[square], "P")
        self._wait(wait_us)
        next_us = self.clock.now_us()
        while True:
            self._scan()
            if self._think():
                return self.clock.now_us() - began_us
            next_us = max(next_us + self.period_us, self.clock.now_us())
            self.clock.advance_to(next_us)

    def scan_ns(self, scans: int, patch: pytest.MonkeyPatch) -> float:
        """Processor time of a scan that reads nothing new, above its transfers."""
        with patch.context() as still:
            without_kernel(still)
            began_ns = time.thread_time_ns()
            for _ in range(scans):
                self._wait(self.period_us)
                self._scanner.scan()
            return (time.thread_time_ns() - began_ns) / scans

    def _scan(self) -> None:
        self._timed(self._scanner.scan)

    def _think(self) -> bool:
        """What the loop and the light thread do with what was posted; whether a frame was sent."""
        events, self._events[:] = self._events[:], []
        for event in events:
            assert not isinstance(event, BoardError)
            self._spend(self._hop_ns)
            self._timed(partial(self._desk.take, event))
            self._scanner.due_us = self._desk.deadline_us
        frame = self._timed(lambda: self._desk.frame(self.clock.now_us()))
        if not events or frame == self._lit:
            return False
        self._lit = frame
        self._spend(self._hop_ns)
        self._timed(lambda: self._strip.show(frame))
        self._wait(round(len(self._sent[-1][2]) * 8_000_000 / SPI_HZ))
        return True

    def _timed(self, work: Callable[[], T]) -> T:
        with self.watch.timed(self._spend):
            return work()

    def _spend(self, spent_ns: int) -> None:
        self._wait(spent_ns * self._slower // 1_000)

    def _wait(self, wait_us: int) -> None:
        self.clock.advance_to(self.clock.now_us() + wait_us)


def without_kernel(patch: pytest.MonkeyPatch) -> None:
    """Whatever is asked of a chip from now on, it answers as it did before, in no time."""
    patch.setattr(uapi, "ioctl", lambda *_: 0)


def hop_ns() -> int:
    """Processor time of handing something from one thread to another, and of waking that."""
    return _both_hops_ns() // 2


def _both_hops_ns() -> int:
    """From a thread to the loop, and from the loop to the thread of the lights."""
    frames = [Frame.of({EVERY_SWITCH[n % 64]: (n % 256, 1, 1)}) for n in range(HOPS)]
    matrix = MemoryMatrix()
    lamp = newest("lights", matrix.show)

    async def pass_on() -> None:
        queue: asyncio.Queue[Frame] = asyncio.Queue()
        loop = asyncio.get_running_loop()
        for frame in frames:
            await asyncio.to_thread(loop.call_soon_threadsafe, queue.put_nowait, frame)
            lamp.put(await queue.get())

    lamp.start()
    began_ns = time.process_time_ns()
    asyncio.run(pass_on())
    lamp.stop()
    return (time.process_time_ns() - began_ns) // HOPS
