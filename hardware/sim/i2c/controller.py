"""What the Raspberry Pi's I2C controllers and their kernel drivers make of a transfer.

Also the bits of a transfer on the wire, and the time that they take.

Sources: i2c-bcm2835.c, i2c-designware-master.c and i2c-designware-common.c of raspberrypi/linux.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from smbus2 import I2cFunc

from boardfw.ports import Clock

NO_ACKNOWLEDGEMENT = errno.EREMOTEIO
"""Of both drivers."""
TIMEOUT_US = 1_000_000
"""After which both drivers give up waiting for a transfer: adapter.timeout, HZ."""


@dataclass(slots=True)
class Message:
    """One part of a transfer, from S or Sr to the next or to P."""

    address: int
    reading: bool
    data: bytearray
    """What is written, or room for what is read."""


@dataclass(frozen=True, slots=True)
class Controller:
    """A controller with its driver."""

    name: str
    functions: int
    """What I2C_FUNCS answers."""
    last_read_only: bool
    """Only the last message may be a read."""
    one_address: bool
    """All messages must have one address."""
    sees_stuck_sda: bool
    """Notices that SDA is held low, and frees it by clock pulses after the transfer failed.

    The other takes the low for acknowledgements and zeros: i2cdetect shows a chip everywhere
    (raspberrypi.stackexchange.com 32719, 113402, 122564).
    """
    stuck_sda_us: int
    """How long it waits for an SDA that a chip holds low, if it sees it."""
    stuck_scl_errno: int
    stuck_scl_us: int
    """How long it waits for SCL that a chip holds low."""


BCM2835 = Controller(
    name="bcm2835",
    functions=I2cFunc.I2C | I2cFunc.SMBUS_EMUL,
    last_read_only=True,
    one_address=False,
    sees_stuck_sda=False,
    stuck_sda_us=0,
    stuck_scl_errno=errno.EIO,
    stuck_scl_us=35_000,  # clk_tout_ms
)
"""Raspberry Pi 0 to 4."""

DESIGNWARE = Controller(
    name="designware",
    functions=I2cFunc.I2C
    | I2cFunc.ADDR_10BIT
    | I2cFunc.SMBUS_QUICK
    | I2cFunc.SMBUS_BYTE
    | I2cFunc.SMBUS_BYTE_DATA
    | I2cFunc.SMBUS_WORD_DATA
    | I2cFunc.SMBUS_BLOCK_DATA
    | I2cFunc.SMBUS_I2C_BLOCK,
    last_read_only=False,
    one_address=True,
    sees_stuck_sda=True,
    stuck_sda_us=35_000,  # of SMBus; the driver's own figure was not found
    stuck_scl_errno=errno.ETIMEDOUT,
    stuck_scl_us=TIMEOUT_US,
)
"""Raspberry Pi 5."""

CONTROLLERS = {controller.name: controller for controller in (BCM2835, DESIGNWARE)}


def failure(number: int) -> OSError:
    """As ioctl raises it."""
    return OSError(number, os.strerror(number))


def legal(controller: Controller, messages: Sequence[Message]) -> Sequence[Message]:
    """The messages that reach the wire. Raises OSError where none does."""
    if controller.last_read_only and any(message.reading for message in messages[:-1]):
        raise failure(errno.EOPNOTSUPP)
    if not controller.one_address:
        return messages
    count = 0
    while count < len(messages) and messages[count].address == messages[0].address:
        count += 1
    return messages[:count]


START = 1
"""Periods of SCL for S and for Sr."""
BYTE = 9
"""Eight bits and the acknowledgement."""
STOP = 2
"""P, and one period for which the bus must be free."""


class Wire:
    """Counts periods of SCL; the clock is moved on by them when a transfer is over."""

    def __init__(self, hz: int, clock: Clock, pass_us: Callable[[int], None]) -> None:
        self.hz = hz
        self.periods = 0
        """Since it was made."""
        self._waited_us = 0
        self._clock = clock
        self._pass_us = pass_us
        self._start_us = clock.now_us()
        self._told_us = 0

    @property
    def busy_us(self) -> int:
        """How long the bus was in use since it was made, waits of the controller included."""
        return self.periods * 1_000_000 // self.hz + self._waited_us

    @property
    def now_us(self) -> int:
        """The clock's time, moved on by what is on the wire already; never decreasing."""
        return self._start_us + self.busy_us - self._told_us

    def count(self, periods: int) -> None:
        """Add periods of SCL."""
        self.periods += periods

    def wait(self, wait_us: int) -> None:
        """The controller waits, the bus in its hand."""
        self._waited_us += wait_us

    def begin(self) -> None:
        """What follows begins at the clock's time."""
        self._start_us = max(self._clock.now_us(), self.now_us)
        self._told_us = self.busy_us

    def end(self) -> None:
        """Let the clock know how long it took."""
        self._pass_us(self.busy_us - self._told_us)
