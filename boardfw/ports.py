"""The seam to the physical world: a few small Protocols that every back-end fulfils.

The simulator is a back-end behind this seam like any other, so whatever runs on a laptop runs
unchanged on a Raspberry Pi.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, get_args

from boardfw.frame import Frame
from boardfw.squares import Occupancy

Button = Literal[
    "new_game",
    "draw",
    "claim",
    "resign_white",
    "resign_black",
    "clock_white",
    "clock_black",
    "pause",
    "take_back",
    "hint",
    "answer_1",
    "answer_2",
    "answer_3",
    "answer_4",
]
"""Names of the panel's buttons, as in the trace format."""
BUTTONS: tuple[Button, ...] = get_args(Button)
Pressed = Literal[Button, "shut_down"]
"""What a press says: a button's name, or that the program is to end, all plies kept."""


def button_named(name: str) -> Button | None:
    """The button of this name; None where there is none."""
    return next((button for button in BUTTONS if button == name), None)


class SquareSensor(Protocol):
    """64 switches."""

    def read(self) -> Occupancy:
        """One scan: the squares whose switch is closed, undebounced. Raises BusError."""


class LedMatrix(Protocol):
    """64 lights under the squares."""

    def show(self, frame: Frame) -> None:
        """Send a frame to the lights. Raises BusError."""


class Panel(Protocol):
    """Buttons and buzzer beside the board."""

    def presses(self) -> Sequence[Pressed]:
        """What was pressed since the last call, oldest first."""

    def held(self) -> frozenset[str]:
        """The buttons that are down now."""

    def buzz(self, *, on: bool) -> None:
        """Let the buzzer sound, or be silent; nothing where there is none."""


class Clock(Protocol):
    """Where time comes from: the machine's monotonic clock, or a virtual one."""

    def now_us(self) -> int:
        """Microseconds since the start of the run; never decreasing."""


def earliest(*times_us: int | None, after_us: int | None = None) -> int | None:
    """The first of these instants, later than ``after_us``; None: there is none, as for each time
    that is None."""
    first_us: int | None = None
    for t_us in times_us:  # a plain loop: it runs at every scan
        if t_us is None or (after_us is not None and t_us <= after_us):
            continue
        if first_us is None or t_us < first_us:
            first_us = t_us
    return first_us


class Signal(Protocol):
    """One thread sets it, another waits for it."""

    is_timed: bool
    """Whether it knows when it was set, also where this program was held up just then."""

    def set(self) -> None:
        """Let threads that wait, now or later, go on."""

    def clear(self) -> None:
        """From now on, let threads wait again."""

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is set, for so many seconds at most; whether it is set."""

    def age_s(self) -> float | None:
        """For so many seconds it has been set; None: it is not, or does not know."""


class Board(Protocol):
    """One board: its switches, its lights, its panel."""

    sensor: SquareSensor
    lights: LedMatrix
    panel: Panel
    wake: Signal | None
    """Set when a switch may have changed or a button was pressed; the scanner clears it before it
    reads. None: this board cannot tell, and is polled."""

    def close(self) -> None:
        """Let go of the hardware; the lights go dark. May be called twice."""
