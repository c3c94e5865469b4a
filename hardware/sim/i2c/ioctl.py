"""Simulated buses under the real smbus2: its ioctl call knows which files are ours.

smbus2 opens a device by itself and then talks to it through one function of its module, ``ioctl``.
That one is replaced, once, by a dispatcher that passes every file on but those of ``connect``. It
knows plain transfers (I2C_RDWR), which are all that ``hardware.bus`` makes.
"""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Callable, Sequence
from typing import Any

import smbus2.smbus2 as uapi
from smbus2 import SMBus

from .bus import SimI2cBus
from .controller import Message, failure

MOST_MESSAGES = 42
MOST_BYTES = 8192
"""Limits of I2C_RDWR (i2c-dev.c)."""


class SimSMBus(SMBus):
    """The real SMBus, opened on one of these simulated buses."""

    def __init__(self, buses: Sequence[SimI2cBus], path: str) -> None:
        self._buses = {bus.device: bus for bus in buses}
        super().__init__(path)

    def open(self, bus: int | str) -> None:
        """Take a file of our own; no device is touched. Raises FileNotFoundError."""
        path = f"/dev/i2c-{bus}" if isinstance(bus, int) else bus
        if path not in self._buses:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        self.fd = os.open(os.devnull, os.O_RDWR)  # a number that nothing else has while it is open
        _files[self.fd] = self._buses[path]
        self.funcs = self._get_funcs()  # type: ignore[attr-defined]  # not in its stubs

    def close(self) -> None:
        """Let go of the file. May be called twice."""
        if self.fd is not None:
            _files.pop(self.fd, None)
        super().close()


def _answer(bus: SimI2cBus, request: int, argument: Any) -> int:
    """As i2c-dev answers. Raises OSError."""
    if request == uapi.I2C_FUNCS:
        argument.value = int(bus.controller.functions)
    elif request == uapi.I2C_RDWR:
        _transfer(bus, argument)
    else:
        raise failure(errno.ENOTTY)
    return 0


def _transfer(bus: SimI2cBus, data: Any) -> None:
    if not 0 < data.nmsgs <= MOST_MESSAGES:
        raise failure(errno.EINVAL)
    parts = [data.msgs[at] for at in range(data.nmsgs)]
    if any(part.len > MOST_BYTES for part in parts):
        raise failure(errno.EINVAL)
    messages = [
        Message(part.addr, bool(part.flags & uapi.I2C_M_RD), bytearray(bytes(part)))
        for part in parts
    ]
    bus.transfer(messages)
    for part, message in zip(parts, messages, strict=True):
        if message.reading:
            ctypes.memmove(part.buf, bytes(message.data), part.len)


_real = uapi.ioctl  # type: ignore[attr-defined]  # an import of that module
_files: dict[int, SimI2cBus] = {}
"""Which open files are simulated buses."""


def _ioctl(number: int, request: int, *arguments: Any) -> int:
    """To the simulated bus of this file, or to the kernel."""
    bus = _files.get(number)
    if bus is None:
        return int(_real(number, request, *arguments))
    return _answer(bus, request, *arguments)


uapi.ioctl = _ioctl  # type: ignore[attr-defined]


def connector(*buses: SimI2cBus) -> Callable[[str], SMBus]:
    """What ``I2cBus(device, connect=...)`` wants: the path of one of these to its open bus.

    Any other path raises FileNotFoundError, as a bus does that is not switched on.
    """
    return lambda path: SimSMBus(buses, path)
