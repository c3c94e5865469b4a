"""SMBus calls as messages, the way the kernel does it for controllers that speak only I2C.

Source: i2c_smbus_xfer_emulated in i2c-core-smbus.c. Blocks whose length the chip tells are left
out: no expander has them.
"""

from __future__ import annotations

import errno
from typing import Any

import smbus2.smbus2 as uapi

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
