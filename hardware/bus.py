"""The I2C bus: the few transfers that our chips need, over smbus2; every failure named and counted.

One transfer a call. No Raspberry Pi reads two chips in one transfer: up to the Pi 4 only the last
message may be a read, and on a Pi 5 all messages of a transfer must name the same chip.
"""

from __future__ import annotations

import ctypes
import errno
import os
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import smbus2.smbus2 as uapi
from smbus2 import SMBus, i2c_msg

from boardfw.errors import BusError, why_not_opened

WHY = {
    errno.EREMOTEIO: "no acknowledgement",
    errno.ENXIO: "no acknowledgement",  # what some other controllers say
    errno.ENODEV: "no acknowledgement",
    errno.ETIMEDOUT: "time-out",
    errno.EIO: "broken transfer",
    errno.EAGAIN: "the bus is held by another",
    errno.EOPNOTSUPP: "this bus cannot do such a transfer",  # one that knows SMBus calls only
}
"""What the kernel's drivers say when a transfer fails (i2c-bcm2835, i2c-designware, i2c-stub)."""

REMEDIES = {
    "no acknowledgement": "look at its supply, SDA, SCL, RESET and its address pins",
    "time-out": "look for a short on SDA or SCL; take the board's supply away for a moment",
    "broken transfer": "look for a short on SDA or SCL; take the board's supply away for a moment",
    "the bus is held by another": "end the other program that uses the bus",
}

SWITCHED_ON = "dtparam=i2c_arm=on in config.txt, i2c-dev in /etc/modules"
"""Where a Raspberry Pi is told to have /dev/i2c-1."""
MISSING = f"no such bus; switch I2C on ({SWITCHED_ON}) and restart"
FORBIDDEN = "add the user to the group i2c (sudo usermod -aG i2c USER)"

READY = 64
"""Transfers kept ready: a board repeats some ten of them for as long as it is on."""


class Transfer:
    """Bytes to a chip, and after a repeated start a number from it; made once, done often.

    To make the kernel's structures takes ten times as long as to hand them over.
    """

    __slots__ = ("_answer", "_messages", "request")

    def __init__(self, address: int, data: bytes, count: int) -> None:
        self._answer = ctypes.create_string_buffer(count)
        self._messages: list[Any] = [i2c_msg.write(address, data)] if data else []
        if count:
            answer = i2c_msg(addr=address, flags=uapi.I2C_M_RD, len=count, buf=self._answer)
            self._messages.append(answer)
        self.request = uapi.i2c_rdwr_ioctl_data.create(*self._messages)
        """What the kernel's I2C_RDWR takes."""

    @property
    def answer(self) -> bytes:
        """What was read when it was last done."""
        return self._answer.raw


class I2cBus:
    """A bus, by the path of its device. Opened by the first transfer, or by ``open``.

    One thread at a time may use it.
    """

    def __init__(self, device: str, connect: Callable[[str], SMBus] = SMBus) -> None:
        self.device = device
        self._connect = connect
        self._bus: SMBus | None = None
        self.failures: Counter[tuple[int, str]] = Counter()
        """How often a transfer to an address failed, and why."""
        self.transfers = 0
        """How many were tried."""
        self._ready = lru_cache(READY)(Transfer)

    def open(self) -> None:
        """Open the device. Raises BusError, with the remedy."""
        if self._bus is not None:
            return
        try:
            self._bus = self._connect(self.device)
        except OSError as error:
            raise BusError(f"{self.device}: {why_not_opened(error, MISSING, FORBIDDEN)}") from error

    def close(self) -> None:
        """Release the device; it may be opened again."""
        if self._bus is not None:
            self._bus.close()
            self._bus = None

    def read(self, address: int, count: int) -> bytes:
        """``count`` bytes from a chip that has no registers. Raises BusError."""
        return self.write_read(address, b"", count)

    def write(self, address: int, data: bytes) -> None:
        """Bytes to a chip: a register and its values, or for one without registers values alone.

        Raises BusError.
        """
        self.write_read(address, data, 0)

    def write_read(self, address: int, data: bytes, count: int) -> bytes:
        """Bytes to a chip and, without releasing the bus, ``count`` from it. Raises BusError."""
        if self._bus is None:
            self.open()
        self.transfers += 1
        transfer = self._ready(address, data, count)
        try:
            uapi.ioctl(self._bus.fd, uapi.I2C_RDWR, transfer.request)  # type: ignore[attr-defined, union-attr]
        except OSError as error:
            raise self._failure(address, error) from error
        return transfer.answer

    def _failure(self, address: int, error: OSError) -> BusError:
        """Count what went wrong, and say it with its remedy."""
        why = WHY.get(error.errno or 0, os.strerror(error.errno or errno.EIO))
        self.failures[address, why] += 1
        remedy = REMEDIES.get(why, "look at its wires, and at the log of the kernel (dmesg)")
        return BusError(f"{self.device}: chip {address:#04x}: {why}; {remedy}")
