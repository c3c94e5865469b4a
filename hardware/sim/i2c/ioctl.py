"""Simulated buses under the real smbus2: its ioctl call knows which files are ours.

smbus2 opens a device by itself and then talks to it through one function of its module, ``ioctl``.
That one is replaced, once, by a dispatcher that passes every file on but those of ``connect``.
SMBus calls become messages, the way the kernel does it for controllers that speak only I2C
(i2c_smbus_xfer_emulated in i2c-core-smbus.c), but for blocks whose length the chip tells: no
expander has them.
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

READ_BYTES = {uapi.I2C_SMBUS_BYTE_DATA: 1, uapi.I2C_SMBUS_WORD_DATA: 2}


def perform(bus: SimI2cBus, address: int, call: Any) -> None:
    """One SMBus call; what is read goes into the call's data. Raises OSError."""
    reading = call.read_write == uapi.I2C_SMBUS_READ
    data = call.data.contents
    command = bytes((call.command,))
    if call.size == uapi.I2C_SMBUS_QUICK:
        bus.transfer([Message(address, reading, bytearray())])
    elif call.size == uapi.I2C_SMBUS_BYTE:
        _byte(bus, address, reading, command, data)
    elif call.size in READ_BYTES:
        _data(bus, address, reading, command, data, READ_BYTES[call.size])
    elif call.size == uapi.I2C_SMBUS_PROC_CALL:
        value = data.word.to_bytes(2, "little")
        data.word = int.from_bytes(_write_read(bus, address, command + value, 2), "little")
    elif call.size == uapi.I2C_SMBUS_I2C_BLOCK_DATA:
        _block(bus, address, reading, command, data)
    elif call.size == uapi.I2C_SMBUS_BLOCK_DATA and not reading:
        _write(bus, address, command + bytes(data.block[: data.block[0] + 1]))
    else:
        raise failure(errno.EOPNOTSUPP)


def _byte(bus: SimI2cBus, address: int, reading: bool, command: bytes, data: Any) -> None:
    if not reading:
        _write(bus, address, command)
        return
    message = Message(address, reading=True, data=bytearray(1))
    bus.transfer([message])
    data.byte = message.data[0]


def _data(
    bus: SimI2cBus, address: int, reading: bool, command: bytes, data: Any, count: int
) -> None:
    if not reading:
        _write(bus, address, command + data.word.to_bytes(2, "little")[:count])
        return
    data.word = int.from_bytes(_write_read(bus, address, command, count), "little")


def _block(bus: SimI2cBus, address: int, reading: bool, command: bytes, data: Any) -> None:
    count = data.block[0]
    if not 0 < count <= uapi.I2C_SMBUS_BLOCK_MAX:
        raise failure(errno.EINVAL)
    if not reading:
        _write(bus, address, command + bytes(data.block[1 : count + 1]))
        return
    data.block[1 : count + 1] = list(_write_read(bus, address, command, count))


def _write(bus: SimI2cBus, address: int, values: bytes) -> None:
    bus.transfer([Message(address, reading=False, data=bytearray(values))])


def _write_read(bus: SimI2cBus, address: int, values: bytes, count: int) -> bytes:
    answer = Message(address, reading=True, data=bytearray(count))
    bus.transfer([Message(address, reading=False, data=bytearray(values)), answer])
    return bytes(answer.data)


MOST_MESSAGES = 42
MOST_BYTES = 8192
"""Limits of I2C_RDWR (i2c-dev.c)."""
I2C_SLAVE_ADDRESSES = 0x80


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
        self.fd = DISPATCHER.open(self._buses[path])
        self.funcs = self._get_funcs()  # type: ignore[attr-defined]  # not in its stubs

    def close(self) -> None:
        """Let go of the file. May be called twice."""
        if self.fd is not None:
            DISPATCHER.forget(self.fd)
        super().close()


class Descriptor:
    """One open file of a bus, with the address that was set for it."""

    def __init__(self, bus: SimI2cBus) -> None:
        self.bus = bus
        self.address = 0

    def ioctl(self, request: int, argument: Any) -> int:
        """As i2c-dev answers. Raises OSError."""
        if request == uapi.I2C_FUNCS:
            argument.value = int(self.bus.controller.functions)
        elif request in (uapi.I2C_SLAVE, uapi.I2C_SLAVE_FORCE):
            self._set_address(argument)
        elif request == uapi.I2C_RDWR:
            self._transfer(argument)
        elif request == uapi.I2C_SMBUS:
            perform(self.bus, self.address, argument)
        else:
            raise failure(errno.ENOTTY)
        return 0

    def _set_address(self, address: int) -> None:
        if not 0 <= address < I2C_SLAVE_ADDRESSES:
            raise failure(errno.EINVAL)
        self.address = address

    def _transfer(self, data: Any) -> None:
        if not 0 < data.nmsgs <= MOST_MESSAGES:
            raise failure(errno.EINVAL)
        parts = [data.msgs[at] for at in range(data.nmsgs)]
        if any(part.len > MOST_BYTES for part in parts):
            raise failure(errno.EINVAL)
        messages = [
            Message(part.addr, bool(part.flags & uapi.I2C_M_RD), bytearray(bytes(part)))
            for part in parts
        ]
        self.bus.transfer(messages)
        for part, message in zip(parts, messages, strict=True):
            if message.reading:
                ctypes.memmove(part.buf, bytes(message.data), part.len)


class Dispatcher:
    """Which open files are simulated buses."""

    def __init__(self, real: Callable[..., int]) -> None:
        self._real = real
        self._files: dict[int, Descriptor] = {}

    def open(self, bus: SimI2cBus) -> int:
        """A file that stands for the bus: a number that nothing else has while it is open."""
        number = os.open(os.devnull, os.O_RDWR)
        self._files[number] = Descriptor(bus)
        return number

    def forget(self, number: int) -> None:
        """The file is about to be closed."""
        self._files.pop(number, None)

    def ioctl(self, number: int, request: int, *arguments: Any) -> int:
        """To the simulated bus of this file, or to the kernel."""
        file = self._files.get(number)
        if file is None:
            return self._real(number, request, *arguments)
        return file.ioctl(request, *arguments)


DISPATCHER = Dispatcher(uapi.ioctl)  # type: ignore[attr-defined]  # an import of that module
uapi.ioctl = DISPATCHER.ioctl  # type: ignore[attr-defined]


def connector(*buses: SimI2cBus) -> Callable[[str], SMBus]:
    """What ``I2cBus(device, connect=...)`` wants: the path of one of these to its open bus.

    Any other path raises FileNotFoundError, as a bus does that is not switched on.
    """
    return lambda path: SimSMBus(buses, path)
