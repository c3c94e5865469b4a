"""A simulated I2C bus: chips, the wire, a controller, and what goes wrong."""

from __future__ import annotations

import errno
import threading
from collections.abc import Callable, Iterable, Sequence

from boardfw.ports import Clock
from hardware.clock import VirtualClock
from hardware.sim.i2c.controller import BYTE, START, STOP, Wire

from .chip import SimChip
from .controller import BCM2835, NO_ACKNOWLEDGEMENT, Controller, Message, failure, legal
from .faults import BusFaults, Trouble


class SimI2cBus:
    """A bus with its chips; any thread may use it.

    ``hz`` is the clock on the wire. A virtual clock is moved on by each transfer; with a real one,
    ``pass_us`` is called with microseconds to sleep.
    """

    def __init__(
        self,
        chips: Iterable[SimChip],
        *,
        controller: Controller = BCM2835,
        hz: int = 400_000,
        clock: Clock | None = None,
        pass_us: Callable[[int], None] | None = None,
        faults: BusFaults | None = None,
        device: str = "/dev/i2c-1",
    ) -> None:
        clock = clock or VirtualClock()
        self.device = device
        self.controller = controller
        self.chips = list(chips)
        self.faults = faults or BusFaults()
        self.wire = Wire(hz, clock, pass_us or _mover(clock))
        self.on_interrupt: Callable[[bool, bool], None] | None = None
        """Called when the common INT line changes: (it is low, the edge is seen).

        By the thread that caused it and with the bus in its hand: it must not wait for a thread
        that uses the bus.
        """
        self._int_low = False
        self._lock = threading.RLock()

    @property
    def int_low(self) -> bool:
        """The level of the common INT line, now."""
        self.look()
        return self._int_low

    def look(self) -> None:
        """Let the chips feel their pins and their faults, at the clock's time.

        For a caller that knows that a switch has changed: chips feel that without being asked, and
        pull INT.
        """
        with self._lock:
            self.wire.begin()
            self.faults.befall(self.chips, self.wire.now_us)
            for chip in self.chips:
                chip.look(self.wire.now_us)
            self._join()

    def reset(self, low: bool) -> None:
        """Set the common RESET line: low holds the chips that have that pin in their reset."""
        with self._lock:
            for chip in self.chips:
                if chip.has_reset:
                    chip.held = low
                    chip.power_on()
            if low:
                self.faults.free(self.chips)
            self.look()

    def transfer(self, messages: Sequence[Message]) -> None:
        """One transfer of at least one message, as the kernel's driver does it.

        Raises OSError as its ioctl does.
        """
        with self._lock:
            self.wire.begin()
            try:
                self._run(messages)
            finally:
                self.wire.end()
                self._join()

    def _run(self, messages: Sequence[Message]) -> None:
        on_wire = legal(self.controller, messages)
        address, reading = messages[0].address, any(message.reading for message in messages)
        trouble = self.faults.next(self.chips, address, reading, self.wire.now_us)
        self._refuse(trouble)
        for message in on_wire:
            self._message(message, trouble)
        self.wire.count(STOP)
        if len(on_wire) < len(messages):
            raise failure(errno.EINVAL)

    def _refuse(self, trouble: Trouble) -> None:
        """Raise what the driver says where the transfer fails as a whole."""
        if trouble.stuck_scl:
            self._give_up(self.controller.stuck_scl_errno, self.controller.stuck_scl_us)
        if trouble.timeout_us:
            self._give_up(errno.ETIMEDOUT, trouble.timeout_us)
        if trouble.stuck_sda and self.controller.sees_stuck_sda:
            self.faults.pulse(9)
            self._give_up(NO_ACKNOWLEDGEMENT, self.controller.stuck_sda_us)

    def _give_up(self, number: int, wait_us: int) -> None:
        self.wire.wait(wait_us)
        raise failure(number)

    def _message(self, message: Message, trouble: Trouble) -> None:
        self.wire.count(START + BYTE)
        chips = [chip for chip in self.chips if chip.address == message.address and chip.answers]
        if trouble.stuck_sda:
            self._read_zeros(message)
            return
        if trouble.nack or not chips:
            self.wire.count(STOP)
            raise failure(NO_ACKNOWLEDGEMENT)
        for chip in self.chips:
            if chip not in chips:
                chip.overhear(message.reading)
        for chip in chips:
            chip.begin(message.reading)
        if message.reading:
            self._read(message, chips)
            trouble.spoil(message.data)
        else:
            self._write(message, chips)

    def _read(self, message: Message, chips: list[SimChip]) -> None:
        for at in range(len(message.data)):
            value = 0xFF
            for chip in chips:  # two at one address: the one that pulls SDA down wins
                value &= chip.read(self.wire.now_us)
            message.data[at] = value
            self.wire.count(BYTE)

    def _write(self, message: Message, chips: list[SimChip]) -> None:
        for value in message.data:
            self.wire.count(BYTE)
            for chip in chips:
                chip.write(value, self.wire.now_us)

    def _read_zeros(self, message: Message) -> None:
        self.wire.count(BYTE * len(message.data))
        if message.reading:
            message.data[:] = bytes(len(message.data))

    def _join(self) -> None:
        """All INT outputs are one line; a single chip holds it low."""
        low = any(chip.int_low for chip in self.chips)
        if low == self._int_low:
            return
        self._int_low = low
        seen = not (low and self.faults.loses_edge(self.wire.now_us))
        if self.on_interrupt is not None:
            self.on_interrupt(low, seen)


def _mover(clock: Clock) -> Callable[[int], None]:
    if not isinstance(clock, VirtualClock):
        raise TypeError("a bus with a clock that moves by itself needs pass_us to wait with")
    return lambda wait_us: clock.advance_to(clock.now_us() + wait_us)
