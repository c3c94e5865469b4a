"""The module spidev without a device: as spidev 3.8 is called, and failing as it fails.

The tests in ``tests/metal`` drive the real one in the same way.
"""

from __future__ import annotations

import errno
import os
from types import ModuleType

CLOCK_HZ = 125_000_000


class Bench(ModuleType):
    """The module, with what its devices were told, and what is wrong with them."""

    def __init__(self) -> None:
        super().__init__("spidev")
        self.sent: list[tuple[str, int, bytes]] = []
        """Device, clock and bytes of each transfer."""
        self.opened = 0
        self.open_fault = 0
        """An errno, or 0."""
        self.send_fault = 0
        bench = self

        class SpiDev:
            """As in spidev; only what drives LEDs."""

            def __init__(self, bus: int = -1, client: int = -1) -> None:
                self._path = ""
                self.mode = 0
                self.max_speed_hz = CLOCK_HZ
                if bus >= 0:
                    self.open(bus, client)

            def open(self, bus: int, device: int, /) -> None:
                self.open_path(f"/dev/spidev{bus}.{device}")

            def open_path(self, spidev_path: str, /) -> None:
                raise_for(bench.open_fault)
                self._path = spidev_path
                bench.opened += 1

            def writebytes2(self, values: bytes | list[int], /) -> None:
                raise_for(bench.send_fault if self._path else errno.EBADF)
                bench.sent.append((self._path, self.max_speed_hz, bytes(values)))

            def close(self) -> None:
                self._path = ""

        self.SpiDev = SpiDev


def raise_for(code: int) -> None:
    """Raise what the real module raises for an errno; nothing for 0."""
    if code:
        raise OSError(code, os.strerror(code))
