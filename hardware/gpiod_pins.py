"""A pin factory for gpiozero over gpiod, the kernel developers' library for GPIO lines.

gpiozero has none of its own. This one can do what a board needs: inputs with a pull, with edges and
their time, and outputs; no PWM and no SPI. It wants a kernel from 5.10 on.
"""

from __future__ import annotations

import errno
import logging
import os
import select
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from gpiod import Chip, EdgeEvent, LineRequest, LineSettings, is_gpiochip_device
from gpiod.line import Bias, Direction, Edge, Value
from gpiozero import (
    GPIOPinInUse,
    PinInvalidBounce,
    PinInvalidEdges,
    PinInvalidFunction,
    PinInvalidPull,
    PinSetInput,
)
from gpiozero.pins.local import get_pi_revision
from gpiozero.pins.pi import PiFactory, PiPin

from boardfw.errors import WiringError, why

log = logging.getLogger(__name__)

HEADERS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Labels of the GPIO chip behind the header: of a Pi 5, a Pi 4, and the older ones.

Its number says nothing: on a Pi 5 it has been 4, 0 and 11 (raspberrypi/linux#6144,
adafruit/Adafruit_Blinka#1119).
"""
USED_BY = "boardfw"
"""The name that the kernel shows for our lines, as in ``gpioinfo``."""
KEPT_EDGES = 1024
"""Edges of a line that the kernel keeps until they are read, at most; then it drops the oldest.

A stopped program wants to know the oldest one. A chip whose INT follows its switches makes many.
"""

FUNCTIONS = {"input": Direction.INPUT, "output": Direction.OUTPUT}
PULLS = {"up": Bias.PULL_UP, "down": Bias.PULL_DOWN, "floating": Bias.DISABLED}
EDGES = {"both": Edge.BOTH, "rising": Edge.RISING, "falling": Edge.FALLING}

Tell = Callable[[float, bool], None]
"""Called with the time of an edge, in seconds of the monotonic clock, and the level after it."""


class GpiodFactory(PiFactory):  # type: ignore[misc]  # gpiozero has no type hints
    """gpiozero's factory of pins on the header. Raises WiringError where it cannot be had."""

    def __init__(self, folder: Path = Path("/dev")) -> None:
        super().__init__()
        self.chip = _open_header(folder)
        self.listener = EdgeListener()
        self.pin_class = GpiodPin

    def close(self) -> None:
        """Release all lines and the chip."""
        super().close()
        self.chip.close()

    def _get_revision(self) -> int:
        revision: int = get_pi_revision()
        return revision

    def ticks(self) -> float:
        """Return the time now in seconds; the kernel takes that of edges from the same clock."""
        return time.monotonic()

    def ticks_diff(self, later: float, earlier: float) -> float:
        """Return the seconds between two times."""
        return later - earlier


def _open_header(folder: Path) -> Chip:
    others = []
    for path in sorted(folder.glob("gpiochip*")):
        try:
            if not is_gpiochip_device(str(path)):
                continue
            chip = Chip(str(path))
        except PermissionError:
            others.append(f"{path.name}: no permission")
            continue
        with ExitStack() as unused:
            unused.callback(chip.close)
            label = chip.get_info().label
            if label in HEADERS:
                unused.pop_all()
                return chip
        others.append(f"{path.name} is {label}")
    found = f"no GPIO chip of a Raspberry Pi in {folder}"
    found += f" ({', '.join(others)})" if others else ""
    remedy = "use a Raspberry Pi with a kernel from 5.10 on"
    if any(other.endswith("permission") for other in others):
        remedy = "add the user to the group gpio (sudo usermod -aG gpio USER)"
    raise WiringError(f"GPIO by gpiod cannot be used: {found}; {remedy}")


class GpiodPin(PiPin):  # type: ignore[misc]  # gpiozero has no type hints
    """One line. It is requested from the kernel at its first use, and again after each change."""

    def __init__(self, factory: GpiodFactory, info: Any) -> None:
        super().__init__(factory, info)
        self._settings = LineSettings(direction=Direction.INPUT)
        self._edges = "both"
        self._lock = factory.listener.lock
        self._request: LineRequest | None = None

    def close(self) -> None:
        """Release the line; the next use requests it as an input without a pull."""
        self.when_changed = None
        self._renew(LineSettings(direction=Direction.INPUT))

    def output_with_state(self, state: bool) -> None:
        """Make it an output that has this level from its beginning on."""
        level = Value.ACTIVE if state else Value.INACTIVE
        self._change(LineSettings(direction=Direction.OUTPUT, output_value=level))
        with self._lock:
            self._line()

    def _line(self) -> LineRequest:
        """Return the request for the line, made at its first use; call it with the lock held."""
        if self._request is None:
            try:
                wanted = {self._number: self._settings}
                self._request = self._factory.chip.request_lines(
                    wanted, consumer=USED_BY, event_buffer_size=KEPT_EDGES
                )
            except OSError as error:
                if error.errno != errno.EBUSY:
                    raise
                raise GPIOPinInUse(
                    f"{self._info.name} is already in use by {self._user()}"
                ) from error
        return self._request

    def _user(self) -> str:
        """Return who has the line, as the kernel says."""
        try:
            name = self._factory.chip.get_line_info(self._number).consumer
        except OSError:
            name = ""
        return repr(name) if name else "a program that gives no name (gpioinfo lists the lines)"

    def _change(self, settings: LineSettings) -> None:
        tell, self.when_changed = self.when_changed, None
        self._renew(replace(settings, edge_detection=Edge.NONE))
        self.when_changed = tell

    def _renew(self, settings: LineSettings) -> None:
        with self._lock:
            self._settings = settings
            if self._request is not None:
                self._request.release()
                self._request = None

    def _get_function(self) -> str:
        return _name_in(FUNCTIONS, self._settings.direction)

    def _set_function(self, value: str) -> None:
        if value not in FUNCTIONS:
            raise PinInvalidFunction(f"invalid function {value!r} for pin {self!r}")
        self._change(LineSettings(direction=FUNCTIONS[value]))

    def _get_state(self) -> bool:
        with self._lock:
            return self._line().get_value(self._number) is Value.ACTIVE

    def _set_state(self, value: bool) -> None:
        with self._lock:
            if self._settings.direction is not Direction.OUTPUT:
                raise PinSetInput(f"cannot set state of pin {self!r}")
            self._line().set_value(self._number, Value.ACTIVE if value else Value.INACTIVE)

    def _get_pull(self) -> str:
        bias = self._settings.bias
        return "floating" if bias is Bias.AS_IS else _name_in(PULLS, bias)

    def _set_pull(self, value: str) -> None:
        if value not in PULLS:
            raise PinInvalidPull(f"invalid pull {value!r} for pin {self!r}")
        self._change(replace(self._settings, bias=PULLS[value]))

    def _get_bounce(self) -> float | None:
        return self._settings.debounce_period.total_seconds() or None

    def _set_bounce(self, value: float | None) -> None:
        if value is not None and value < 0:
            raise PinInvalidBounce("bounce must be 0 or greater")
        self._change(replace(self._settings, debounce_period=timedelta(seconds=value or 0)))

    def _get_edges(self) -> str:
        return self._edges

    def _set_edges(self, value: str) -> None:
        if value not in EDGES:
            raise PinInvalidEdges(f"invalid edges {value!r} for pin {self!r}")
        self._edges = value
        self._change(self._settings)

    def _enable_event_detect(self) -> None:
        with self._lock:
            self._renew(replace(self._settings, edge_detection=EDGES[self._edges]))
            self._factory.listener.watch(self._line(), self._call_when_changed)

    def _disable_event_detect(self) -> None:
        with self._lock:
            if self._request is not None:
                self._factory.listener.release(self._request)
                self._request = None
            self._settings = replace(self._settings, edge_detection=Edge.NONE)

    def _call_when_changed(self, at_s: float, is_high: bool) -> None:
        """Pass on an edge. Another thread may have ended its watch just before."""
        changed = self._when_changed
        if changed is not None and (call := changed()) is not None:
            call(at_s, is_high)


def _name_in(names: dict[str, Any], value: object) -> str:
    return next(name for name, each in names.items() if each is value)


class EdgeListener:
    """One thread that waits for the edges of all lines; there is none while no line is watched."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        """Held by a thread that uses, requests or releases a line: gpiod has no lock."""
        self._watched: dict[int, tuple[LineRequest, Tell]] = {}
        """By file descriptor."""
        self._poll: select.epoll | None = None
        self._end = -1

    def watch(self, request: LineRequest, tell: Tell) -> None:
        """Call ``tell`` for each edge of this request, in the listener's thread."""
        with self.lock:
            if self._poll is None:
                self._poll, self._end = select.epoll(), os.eventfd(0)
                self._poll.register(self._end, select.EPOLLIN)
                given = (self._poll, self._end)
                threading.Thread(target=self._listen, args=given, name="gpio", daemon=True).start()
            self._watched[request.fd] = request, tell
            self._poll.register(request.fd, select.EPOLLIN)

    def release(self, request: LineRequest) -> None:
        """Release a request that is watched; none of its edges is told after that."""
        with self.lock:
            del self._watched[request.fd]
            if self._poll is not None:
                with suppress(FileNotFoundError):  # it has failed
                    self._poll.unregister(request.fd)
            request.release()
            if not self._watched:
                os.eventfd_write(self._end, 1)
                self._poll = None

    def _listen(self, poll: select.epoll, end: int) -> None:
        while True:
            for fd, _ in poll.poll():
                if fd == end:
                    poll.close()
                    os.close(end)
                    return
                tell, edges = self._edges_of(poll, fd)
                for edge in edges:
                    is_high = edge.event_type is EdgeEvent.Type.RISING_EDGE
                    tell(edge.timestamp_ns / 1_000_000_000, is_high)

    def _edges_of(self, poll: select.epoll, fd: int) -> tuple[Tell, Iterable[EdgeEvent]]:
        with self.lock:
            if fd in self._watched:
                request, tell = self._watched[fd]
                try:
                    # Another may have got the number of one that was released.
                    if request.wait_edge_events(0):
                        return tell, request.read_edge_events()
                except OSError as error:  # the kernel would report it again and again
                    log.error("the edges of a GPIO line are no longer heard: %s", why(error))
                    poll.unregister(fd)
            return _ignore, ()


def _ignore(_at_s: float, _is_high: bool) -> None:
    """Do nothing."""
