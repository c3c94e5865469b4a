"""A device of the kernel's SPI driver, such as /dev/spidev0.0: set its clock, send bytes.

Each setting is one ioctl and each transfer one plain write, so no library is needed. Source:
include/uapi/linux/spi/spidev.h of the kernel.
"""

from __future__ import annotations

import errno
import fcntl
import os

WRITE, MAGIC = 1, ord("k")


def _setting(number: int, size: int) -> int:
    """Return the ioctl that sets a value of so many bytes (_IOW of asm-generic/ioctl.h)."""
    return WRITE << 30 | size << 16 | MAGIC << 8 | number


SET_MODE, SET_BITS_PER_WORD, SET_MAX_HZ = _setting(1, 1), _setting(3, 1), _setting(4, 4)
MODE = b"\0"
"""The clock is low at rest, and data are taken at its rising edge; bits go highest first."""
BITS_PER_WORD = bytes([8])


class SpiDevice:
    """An open device. Raises OSError where it cannot be opened, or refuses a setting."""

    def __init__(self, path: str, hz: int) -> None:
        self._fd = os.open(path, os.O_RDWR)
        try:
            fcntl.ioctl(self._fd, SET_MODE, MODE)
            fcntl.ioctl(self._fd, SET_BITS_PER_WORD, BITS_PER_WORD)
            fcntl.ioctl(self._fd, SET_MAX_HZ, hz.to_bytes(4, "little"))
        except OSError:
            os.close(self._fd)
            raise

    def write(self, data: bytes) -> None:
        """Send bytes in one transfer. Other threads run meanwhile. Raises OSError."""
        if os.write(self._fd, data) != len(data):
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    def close(self) -> None:
        """Close the device. Call it once."""
        os.close(self._fd)
