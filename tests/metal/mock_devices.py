"""Runs a command on a machine that has a Pi's devices, by umockdev, and keeps what it sends them.

    /usr/bin/python3 mock_devices.py JOURNAL DEVICES COMMAND...

DEVICES is a list like ``spidev0.0,i2c-1``; JOURNAL gets a JSON line for each transfer. The command
runs in a process of its own: drivers written in C hold Python's lock while they wait for an ioctl.
umockdev also puts its own ``/proc/cpuinfo`` and ``/dev/gpiomem`` before the real ones, for that
command alone; no root is needed. Runs on the system's Python, for which Debian packages gi.

Where MEANWHILE is set, it becomes the descriptor of a socket: a transfer says "?" there and lasts
until the command answers, or a second; so it is seen whether another of its threads runs in that
time.
"""

from __future__ import annotations

import errno
import json
import os
import select
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gi

gi.require_version("UMockdev", "1.0")
from gi.repository import GLib, UMockdev  # noqa: E402  # after its version is known

PI_3B = "Revision : a02082\n"
GPIOMEM_BYTES = 1_100 << 20
"""rpi_ws281x maps its registers at a Pi 3's peripheral base; the file is sparse."""

# linux/spi/spidev.h
SPI_IOC_MESSAGE, SPI_IOC_MAX_SPEED_HZ = 0, 4
SPI_IOC_TRANSFER = struct.Struct("<QQIIHBBBBBB")
POWER_ON = {1: 0, 2: 0, 3: 8, SPI_IOC_MAX_SPEED_HZ: 125_000_000}  # mode, LSB first, bits, clock

# linux/i2c-dev.h and linux/i2c.h
I2C_FUNCS, I2C_RDWR = 0x0705, 0x0707
I2C_FUNC_I2C = 0x0EFF0001  # plain transfers, and SMBus made of them
I2C_MSG = struct.Struct("<HHH2xQ")
I2C_M_RD = 1
PRESENT = (0x20, 0x21)

ASK = "MEANWHILE"
OURS, THEIRS = socket.socketpair()
PATIENCE_S = 10
"""A driver that lets nothing else run takes all of it."""

Note = Callable[[dict[str, Any]], None]


def bytes_at(data: Any, offset: int, count: int) -> bytes:
    """Bytes behind a pointer of the client's, itself somewhere in its memory."""
    return bytes(data.resolve(offset, count).retrieve()) if count else b""


def meanwhile() -> bool | None:
    """Whether another thread of the command's answers during a transfer; None: not asked."""
    if ASK not in os.environ:
        return None
    OURS.send(b"?")
    return bool(select.select([OURS], [], [], PATIENCE_S)[0])


class Spidev(UMockdev.IoctlBase):  # type: ignore[misc]  # no type hints
    """spidev with nothing behind it."""

    def __init__(self, note: Note) -> None:
        super().__init__()
        self._note = note
        self._settings = dict(POWER_ON)

    def do_handle_ioctl(self, client: Any) -> bool:
        """Serve a SPI_IOC_*: settings are kept, messages noted."""
        request, arg = client.get_request(), client.get_arg()
        number, size, writes = request & 0xFF, request >> 16 & 0x3FFF, request >> 30 & 1
        memory = arg.resolve(0, size)
        if number == SPI_IOC_MESSAGE:
            client.complete(self._message(memory, size), 0)
            return True
        if writes:
            self._settings[number] = int.from_bytes(bytes(memory.retrieve()), "little")
        else:
            memory.update(0, list(self._settings[number].to_bytes(size, "little")))
        client.complete(0, 0)
        return True

    def do_handle_write(self, client: Any) -> bool:
        """Serve a plain write: one transfer at the clock that was set."""
        data = bytes(client.get_arg().retrieve())
        self._sent(data, self._settings[SPI_IOC_MAX_SPEED_HZ])
        client.complete(len(data), 0)
        return True

    def _message(self, memory: Any, size: int) -> int:
        total = 0
        for at in range(0, size, SPI_IOC_TRANSFER.size):
            raw = bytes(memory.retrieve())
            _, _, count, hz, *_ = SPI_IOC_TRANSFER.unpack_from(raw, at)
            self._sent(bytes_at(memory, at, count), hz or self._settings[SPI_IOC_MAX_SPEED_HZ])
            total += count
        return total

    def _sent(self, data: bytes, hz: int) -> None:
        self._note({"hz": hz, "bytes": data.hex(), "meanwhile": meanwhile()})


class I2cDev(UMockdev.IoctlBase):  # type: ignore[misc]  # no type hints
    """A bus with memory chips: 256 registers, a pointer that moves on, no acknowledgement beside.

    A chip is read from where it was written to last, as one without registers would be.
    """

    def __init__(self, note: Note) -> None:
        super().__init__()
        self._note = note
        self._memory = {address: bytearray(range(256)) for address in PRESENT}
        self._pointer = dict.fromkeys(PRESENT, 0)

    def do_handle_ioctl(self, client: Any) -> bool:
        """Serve I2C_FUNCS and I2C_RDWR."""
        request, arg = client.get_request(), client.get_arg()
        if request == I2C_FUNCS:
            arg.resolve(0, 8).update(0, list(I2C_FUNC_I2C.to_bytes(8, "little")))
            client.complete(0, 0)
        elif request == I2C_RDWR:
            client.complete(*self._rdwr(arg.resolve(0, 16)))
        else:
            client.complete(-1, errno.ENOTTY)
        return True

    def _rdwr(self, rdwr: Any) -> tuple[int, int]:
        (count,) = struct.unpack_from("<I", bytes(rdwr.retrieve()), 8)
        messages = rdwr.resolve(0, count * I2C_MSG.size)
        raw = bytes(messages.retrieve())
        parts = [I2C_MSG.unpack_from(raw, number * I2C_MSG.size) for number in range(count)]
        self._note({"messages": [["r" if p[1] & I2C_M_RD else "w", p[0], p[2]] for p in parts]})
        for number, (address, flags, length, _) in enumerate(parts):
            if address not in self._memory:
                return -1, errno.EREMOTEIO
            buffer = messages.resolve(number * I2C_MSG.size + 8, length)
            if flags & I2C_M_RD:
                buffer.update(0, [self._next(address) for _ in range(length)])
            else:
                self._write(address, bytes(buffer.retrieve()))
        return count, 0

    def _next(self, address: int) -> int:
        value = self._memory[address][self._pointer[address]]
        self._pointer[address] = (self._pointer[address] + 1) % 256
        return value

    def _write(self, address: int, data: bytes) -> None:
        self._pointer[address] = data[0]
        for value in data[1:]:
            self._memory[address][self._pointer[address]] = value
            self._next(address)


def main(journal: str, devices: str, command: list[str]) -> int:
    """Run the command among the devices; its exit status."""
    if ASK in os.environ:
        os.environ[ASK] = str(THEIRS.fileno())
    testbed = UMockdev.Testbed.new()
    root = Path(testbed.get_root_dir())
    with Path(journal).open("w", encoding="utf-8") as notes:

        def note(what: dict[str, Any]) -> None:
            notes.write(json.dumps(what) + "\n")

        kept = [add(testbed, name, note) for name in devices.split(",") if name]
        (root / "proc").mkdir()
        (root / "proc" / "cpuinfo").write_text(PI_3B)
        (root / "dev").mkdir(exist_ok=True)
        with (root / "dev" / "gpiomem").open("wb") as registers:
            os.truncate(registers.fileno(), GPIOMEM_BYTES)
        status = run(["umockdev-wrapper", *command])
        del kept  # the handlers have to live as long as the command
    return status


def add(testbed: Any, name: str, note: Note) -> Any:
    """Give the machine a device; its handler."""
    kind, handler = ("spidev", Spidev) if name.startswith("spidev") else ("i2c-dev", I2cDev)
    testbed.add_from_string(
        f"P: /devices/{name}\nN: {name}\nE: DEVNAME=/dev/{name}\nE: SUBSYSTEM={kind}\n"
    )
    served = handler(note)
    testbed.attach_ioctl(f"/dev/{name}", served)
    return served


def run(command: list[str]) -> int:
    """Run a command to its end while the main loop serves its calls; its exit status."""
    loop = GLib.MainLoop()
    process = subprocess.Popen(command, pass_fds=[THEIRS.fileno()])

    def wait() -> None:
        process.wait()
        GLib.idle_add(loop.quit)

    threading.Thread(target=wait).start()
    loop.run()
    return process.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
