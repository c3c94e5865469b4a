"""Single lines over gpiozero: INT and RESET of the chips, buttons, the buzzer.

The pin factory is the one that the board file names: gpiozero by itself would try one after the
other, and a board that is deaf to its INT line looks like one that rests. There is one exception,
which is logged: ``factory_for``.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from boardfw.errors import WiringError
from boardfw.ports import Button
from hardware.wiring import Lines

RESET_S = 0.001
"""MCP23017 wants RESET low for at least 1 us; TCA9555 has no RESET."""
BOUNCE_S = 0.02
"""Of a panel's button."""
TIMED = {"gpiod": 0.0, "lgpio": BOUNCE_S}
"""Pin factories that report when the kernel saw an edge, however late this program runs.

The number is the time in seconds from then until a debounced edge is reported. gpiod gives the time
from the kernel, which is already the end of the bounce.
"""
FACTORIES = {
    "gpiod": "hardware.gpiod_pins.GpiodFactory",
    "lgpio": "gpiozero.pins.lgpio.LGPIOFactory",
    "rpigpio": "gpiozero.pins.rpigpio.RPiGPIOFactory",
    "pigpio": "gpiozero.pins.pigpio.PiGPIOFactory",
    "native": "gpiozero.pins.native.NativeFactory",
    "mock": "gpiozero.pins.mock.MockFactory",
}
"""The classes, by the names that a board file may write."""
REMEDIES = {
    "gpiod": "install it (make run LIBRARIES=pi, or pip install 'gpiod>=2.2')",
    "lgpio": "write pin_factory = 'gpiod' in the board file, or install lgpio (make run "
    "LIBRARIES=lgpio), join the group gpio, and set LG_WD to a directory that you may write to",
    "rpigpio": "install it (make run LIBRARIES=rpigpio); it knows no Raspberry Pi 5",
}

log = logging.getLogger(__name__)


class Wake(threading.Event):
    """A ``Signal`` that keeps when it was first set since it was cleared."""

    def __init__(self, *, is_timed: bool) -> None:
        super().__init__()
        self.is_timed = is_timed
        self._first_s: float | None = None

    def ring(self, age_s: float | None, held_s: float = 0.0) -> None:
        """Set it for an edge so many seconds ago, which was held back for ``held_s`` of them."""
        if age_s is None or age_s < 0:
            self.is_timed = False  # a kernel before 5.7 counts from another beginning
        elif self.is_timed:
            at_s = time.monotonic() - max(0.0, age_s - held_s)
            self._first_s = at_s if self._first_s is None else min(self._first_s, at_s)
        self.set()

    def clear(self) -> None:
        """As the protocol."""
        self._first_s = None
        super().clear()

    def age_s(self) -> float | None:
        """As the protocol."""
        first_s = self._first_s
        return None if first_s is None or not self.is_timed else time.monotonic() - first_s


class Gpio:
    """The lines of a board. ``open`` takes them; until then nothing is touched."""

    def __init__(self, lines: Lines, make: Callable[[str], Any] | None = None) -> None:
        self._lines = lines
        self._make = make or pin_factory
        self._factory = factory_for(lines.pin_factory)
        self._pressed: deque[Button] = deque()
        self._buttons: dict[Button, Any] = {}
        self._down: set[Button] = set()
        """Buttons that were pressed and have not been seen up since."""
        self._open = ExitStack()
        self._interrupt: Any = None
        self._reset: Any = None
        self._buzzer: Any = None
        self.wake = Wake(is_timed=self._factory in TIMED)
        """Set when INT falls or a button is pressed."""

    @property
    def has_interrupt(self) -> bool:
        """True if an INT line is wired."""
        return self._lines.interrupt is not None

    def open(self) -> None:
        """Take the lines. Raises WiringError."""
        lines = self._lines
        if not lines.wired:
            return
        if self._factory != lines.pin_factory:
            log.warning(NOT_INSTALLED, lines.pin_factory, self._factory, self._factory)
        factory = self._make(self._factory)
        self._open.callback(factory.close)
        try:
            self._take(factory)
        except refusals() as error:
            self._open.close()
            told = f"GPIO by {self._factory}: {error}"
            raise WiringError(f"{told}; free the pin, or change the board file") from error

    def _take(self, factory: Any) -> None:
        from gpiozero import Buzzer, DigitalInputDevice, DigitalOutputDevice

        lines, take = self._lines, self._open.enter_context
        if lines.interrupt is not None:
            self._interrupt = take(
                DigitalInputDevice(lines.interrupt, pull_up=True, pin_factory=factory)
            )
            self._interrupt.when_activated = lambda line: self.wake.ring(line.active_time)
        if lines.reset is not None:
            self._reset = take(
                DigitalOutputDevice(lines.reset, active_high=False, pin_factory=factory)
            )
        if lines.buzzer is not None:
            self._buzzer = take(Buzzer(lines.buzzer, pin_factory=factory))
        for name, number in lines.buttons.items():
            # No Button: its thread looks ten times a second whether it is held.
            button = take(
                DigitalInputDevice(number, pull_up=True, bounce_time=BOUNCE_S, pin_factory=factory)
            )
            button.when_activated = lambda line, name=name: self._press(name, line.active_time)
            self._buttons[name] = button

    def close(self) -> None:
        """Let go of the lines. May be called twice."""
        self._open.close()
        self._interrupt = self._reset = self._buzzer = None
        self._buttons.clear()
        self._down.clear()

    def presses(self) -> list[Button]:
        """The buttons pressed since the last call, oldest first."""
        return [self._pressed.popleft() for _ in range(len(self._pressed))]

    def held(self) -> frozenset[str]:
        """Names of the buttons that are down now. Lines are read only of those that were pressed:
        an untouched panel costs nothing.
        """
        for name in list(self._down):
            button = self._buttons.get(name)
            if button is None or not button.is_active:
                self._down.discard(name)
        return frozenset(self._down)

    def buzz(self, *, on: bool) -> None:
        """Let the buzzer sound, or be silent."""
        if self._buzzer is not None:
            self._buzzer.value = on

    def _press(self, name: Button, age_s: float | None) -> None:
        self._down.add(name)
        self._pressed.append(name)
        self.wake.ring(age_s, held_s=TIMED.get(self._factory, 0.0))

    def look_again(self) -> None:
        """Wake the scanner if INT is still low: a chip whose edge was missed gives no other."""
        if self.interrupt_is_low:
            self.wake.set()

    @property
    def interrupt_is_low(self) -> bool:
        """True if a chip holds INT low, or something else; never where no line was taken."""
        return self._interrupt is not None and bool(self._interrupt.is_active)

    @property
    def pulse_reset(self) -> Callable[[], None] | None:
        """Reset all chips; None if no line is wired for it."""
        return self._pulse if self._lines.reset is not None else None

    def _pulse(self) -> None:
        if self._reset is not None:
            self._reset.on()
            time.sleep(RESET_S)
            self._reset.off()


NOT_INSTALLED = (
    "the board file names the pin factory %s, which is not installed; %s drives the same lines "
    "and is used instead; write pin_factory = '%s' in [lines]"
)


def factory_for(name: str) -> str:
    """Return the pin factory to use where a board file names this one.

    It was lgpio by default, and calibrated boards have that name in their files. Where it is not
    installed any more, gpiod takes its place: both use the same devices of the kernel.
    """
    return "gpiod" if name == "lgpio" and find_spec("lgpio") is None else name


def pin_factory(name: str) -> Any:
    """Return gpiozero's factory of this name. Raises WiringError, with the remedy."""
    module, _, factory = FACTORIES[name].rpartition(".")
    try:
        return getattr(import_module(module), factory)()
    except refusals() as error:
        remedy = REMEDIES.get(name, "choose another pin factory in the board file")
        raise WiringError(f"GPIO by {name} cannot be used: {error}; {remedy}") from error


def refusals() -> tuple[type[Exception], ...]:
    """What gpiozero and the libraries below it raise where a line cannot be had.

    The errors of lgpio and pigpio are nothing else but Exceptions, and gpiozero passes them on: no
    permission for the chip, a line that another program holds.
    """
    from gpiozero import GPIOZeroError

    libraries = (sys.modules.get(name) for name in ("lgpio", "pigpio"))
    own = tuple(library.error for library in libraries if library is not None)
    return (GPIOZeroError, ImportError, OSError, RuntimeError, *own)
