"""GPIO chips in memory, as the library gpiod is called: who has which line, and how it is set.

``tests/pi`` has the real library on a real kernel.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from gpiod import EdgeEvent, LineSettings
from gpiod.line import Direction, Edge, Value

import hardware.gpiod_pins

REVISION_OF_A_PI_5 = 0xC04170


class Chips:
    """The chips of a machine, by the names of their devices, in place of the kernel's."""

    def __init__(self, patch: pytest.MonkeyPatch, folder: Path, labels: dict[str, str]) -> None:
        self.folder = folder
        self.chips = {name: FakeChip(label) for name, label in labels.items()}
        self.locked: set[str] = set()
        """Devices that this user may not open."""
        for name in labels:
            (folder / name).touch()
        patch.setattr(hardware.gpiod_pins, "is_gpiochip_device", lambda path: True)
        patch.setattr(hardware.gpiod_pins, "Chip", self._opened)
        patch.setattr(hardware.gpiod_pins, "get_pi_revision", lambda: REVISION_OF_A_PI_5)

    def _opened(self, path: str) -> FakeChip:
        name = Path(path).name
        if name in self.locked:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        self.chips[name].is_open = True
        return self.chips[name]


class FakeChip:
    """One chip."""

    def __init__(self, label: str) -> None:
        self._label = label
        self.is_open = False
        self.requests: dict[int, FakeRequest] = {}
        """The lines that are in use, by their numbers."""
        self.others: dict[int, str] = {}
        """Lines that other programs use, and who they are."""
        self.levels: dict[int, bool] = {}
        """Of what is wired to the lines; those that are not wired follow their pull-up."""
        self.was_put_out: list[tuple[int, bool]] = []
        self.requesting: Callable[[], None] = lambda: None
        """Called while a line is being requested."""

    def get_info(self) -> SimpleNamespace:
        return SimpleNamespace(label=self._label)

    def get_line_info(self, line: int) -> SimpleNamespace:
        return SimpleNamespace(consumer=self.others.get(line, ""))

    def close(self) -> None:
        self.is_open = False

    def request_lines(
        self, config: dict[int, LineSettings], consumer: str, event_buffer_size: int
    ) -> FakeRequest:
        ((line, settings),) = config.items()
        if line in self.requests or line in self.others:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        self.requesting()
        self.requests[line] = FakeRequest(self, line, settings)
        return self.requests[line]

    def wire(self, line: int, *, high: bool, age_s: float = 0.0) -> None:
        """Give a line a level, so long ago."""
        self.levels[line] = high
        if line in self.requests:
            self.requests[line].see_edge(high, age_s)


class FakeRequest:
    """One line in use."""

    def __init__(self, chip: FakeChip, line: int, settings: LineSettings) -> None:
        self._chip, self._line, self.settings = chip, line, settings
        self._edges: list[EdgeEvent] = []
        self.fd = os.eventfd(0)
        self.is_broken = False
        if settings.direction is Direction.OUTPUT:
            chip.was_put_out.append((line, settings.output_value is Value.ACTIVE))

    def see_edge(self, high: bool, age_s: float) -> None:
        kind = EdgeEvent.Type.RISING_EDGE if high else EdgeEvent.Type.FALLING_EDGE
        wanted = {Edge.BOTH: (True, False), Edge.RISING: (True,), Edge.FALLING: (False,)}
        if high in wanted.get(self.settings.edge_detection, ()):
            at_ns = time.monotonic_ns() - round(age_s * 1e9)
            self._edges.append(EdgeEvent(kind.value, at_ns, self._line, 1, 1))
            os.eventfd_write(self.fd, 1)

    def wait_edge_events(self, timeout: float) -> bool:
        return bool(self._edges)

    def read_edge_events(self) -> list[EdgeEvent]:
        if self.is_broken:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        os.eventfd_read(self.fd)
        edges, self._edges = self._edges, []
        return edges

    def get_value(self, line: int) -> Value:
        return Value.ACTIVE if self._chip.levels.get(line, True) else Value.INACTIVE

    def set_value(self, line: int, value: Value) -> None:
        self._chip.was_put_out.append((line, value is Value.ACTIVE))

    def release(self) -> None:
        del self._chip.requests[self._line]
        os.close(self.fd)
