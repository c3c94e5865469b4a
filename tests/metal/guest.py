"""The only program of a User-Mode Linux: tries a real /dev/i2c-0, says what it found, halts.

The host's files are the root, read-only; i2c-stub plays two chips that know SMBus calls only.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from smbus2 import SMBus

from boardfw.errors import BusError
from hardware.bus import I2cBus

LIBC = ctypes.CDLL(None, use_errno=True)
SYS_FINIT_MODULE = 313  # x86_64
POWER_OFF = 0x4321FEDC
NOBODY = 65534
I2C_GROUP = 998
DEVICE = "/dev/i2c-0"
MODULES = {"i2c-core": b"", "i2c-dev": b"", "i2c-stub": b"chip_addr=0x20,0x21"}


def main() -> None:
    """Try everything and say it in one line."""
    try:
        mount("proc", "/proc")
        mount("sysfs", "/sys")
        for name, options in MODULES.items():
            load(name, options)
        print("\nFOUND " + json.dumps(found()))
    except Exception:  # whatever it is, the host has to hear of it
        traceback.print_exc(file=sys.stdout)
    finally:
        sys.stdout.flush()
        LIBC.reboot(POWER_OFF)


def found() -> dict[str, object]:
    """What a real kernel says to our bus and to smbus2."""
    Path(DEVICE).chmod(0o660)
    os.chown(DEVICE, 0, I2C_GROUP)  # as Raspberry Pi OS does it
    return {
        "nobody": as_nobody([], opening),
        "in the group": as_nobody([I2C_GROUP], opening),
        "root": opening(),
        "no bus": opening("/dev/i2c-7"),
        "no bus at all": opening("/proc/version"),
        "smbus": smbus(),
        "register": telling(lambda bus: bus.write_read(0x20, bytes((0x12,)), 2)),
        "bare": telling(lambda bus: bus.read(0x20, 2)),
        "write": telling(lambda bus: bus.write(0x20, b"\x00\xff\xff")),
    }


def opening(device: str = DEVICE) -> str:
    """What our bus says when it is opened."""
    bus = I2cBus(device)
    try:
        bus.open()
    except BusError as error:
        return str(error)
    bus.close()
    return "opened"


def telling(transfer: Callable[[I2cBus], object]) -> str:
    """What our bus says of a transfer."""
    bus = I2cBus(DEVICE)
    try:
        return repr(transfer(bus))
    except BusError as error:
        return str(error)
    finally:
        bus.close()


def smbus() -> dict[str, object]:
    """Calls that i2c-stub knows, by smbus2 as it is."""
    with SMBus(DEVICE) as bus:
        bus.write_byte_data(0x20, 5, 77)
        bus.write_word_data(0x21, 6, 0xBEEF)
        bus.write_i2c_block_data(0x20, 16, [1, 2, 3])
        calls: dict[str, object] = {
            "byte": bus.read_byte_data(0x20, 5),
            "word": bus.read_word_data(0x21, 6),
            "block": bus.read_i2c_block_data(0x20, 16, 3),
        }
        try:
            bus.read_byte_data(0x27, 0)
        except OSError as error:
            calls["absent"] = error.errno
    return calls


def as_nobody(groups: list[int], ask: Callable[[], str]) -> str:
    """An answer given by a process of a user without rights."""
    answer, writing = os.pipe()
    if os.fork() == 0:
        os.setgroups(groups)
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        os.write(writing, ask().encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(answer) as reader:
        return reader.read()


def mount(kind: str, where: str) -> None:
    """Mount a file system of the kernel's. Raises OSError."""
    check(LIBC.mount(kind.encode(), where.encode(), kind.encode(), 0, None))


def load(name: str, options: bytes) -> None:
    """Load one of the kernel's modules; kmod may be missing here. Raises OSError."""
    (file,) = Path("/usr/lib/uml/modules", os.uname().release).rglob(f"{name}.ko")
    with file.open("rb") as module:
        check(LIBC.syscall(SYS_FINIT_MODULE, module.fileno(), options, 0))


def check(result: int) -> None:
    """Raise OSError where a call of the C library failed."""
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


if __name__ == "__main__":
    main()
