"""SPI devices in memory: what was sent to them, and what is wrong with them.

The tests in ``tests/metal`` send to the real ``SpiDevice`` in the same way.
"""

from __future__ import annotations

import errno
import os

import pytest

import hardware.spi


class Bench:
    """Devices that take the place of the kernel's, all of them alike."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.sent: list[tuple[str, int, bytes]] = []
        """Device, clock and bytes of each transfer."""
        self.opened = 0
        self.open_fault = 0
        """An errno, or 0."""
        self.send_fault = 0
        patch.setattr(hardware.spi, "SpiDevice", self._opened)

    def _opened(self, path: str, hz: int) -> FakeSpiDevice:
        raise_for(self.open_fault)
        self.opened += 1
        return FakeSpiDevice(self, path, hz)


class FakeSpiDevice:
    """One of them, as ``SpiDevice``."""

    def __init__(self, bench: Bench, path: str, hz: int) -> None:
        self._bench, self._path, self._hz = bench, path, hz
        self._is_open = True

    def write(self, data: bytes) -> None:
        raise_for(self._bench.send_fault if self._is_open else errno.EBADF)
        self._bench.sent.append((self._path, self._hz, data))

    def close(self) -> None:
        raise_for(0 if self._is_open else errno.EBADF)
        self._is_open = False


def raise_for(code: int) -> None:
    """Raise what the kernel's driver makes of an errno; nothing for 0."""
    if code:
        raise OSError(code, os.strerror(code))
