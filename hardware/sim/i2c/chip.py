"""What every simulated chip on the bus can do, answer byte by byte and pull INT; and its pins."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from random import Random

ALL = 0xFFFF


class Pins:
    """The pins of a chip: what switches and resistors do to them.

    A pin's level is 0 where a switch pulls it to ground. Elsewhere it is 1 if something pulls it
    up, and otherwise it floats: it keeps what it last had, or is noise.
    """

    def __init__(
        self,
        levels: Callable[[int], int] | None = None,
        *,
        resistors: int = 0,
        noise: Random | None = None,
    ) -> None:
        self.levels = levels or (lambda _: ~0)
        """Microseconds -> levels by input, as of ``Chip.squares``; 1: no switch pulls down."""
        self.resistors = resistors
        """Pins with pull-ups outside the chip."""
        self._noise = noise
        self._last = ALL

    def sample(self, t_us: int, pulled_up: int) -> int:
        """16 levels at a time, with the chip's own pull-ups at these pins."""
        return self.settle(self.levels(t_us), pulled_up)

    def settle(self, free: int, pulled_up: int) -> int:
        """16 levels, of pins that nothing pulls down."""
        idle = self._last if self._noise is None else self._noise.getrandbits(16)
        self._last = ALL & free & (pulled_up | self.resistors | idle)
        return self._last


class SimChip(ABC):
    """A chip on the bus. Times are microseconds and never decrease."""

    has_reset = True
    """True if it has a RESET pin."""

    def __init__(self, address: int, pins: Pins | None = None) -> None:
        self.address = address
        self.pins = pins or Pins()
        self.present = True
        """True if it has power and both wires."""
        self._addressing = False
        self.held = False
        """True if its RESET pin is low."""
        self.power_on()

    @property
    def answers(self) -> bool:
        """True if it acknowledges its address."""
        return self.present and not self.held

    @abstractmethod
    def power_on(self) -> None:
        """All registers as after power-on; RESET does the same."""

    def begin(self, reading: bool) -> None:
        """Its address was acknowledged; of most chips the first byte written is a register."""
        self._addressing = not reading

    @abstractmethod
    def write(self, value: int, t_us: int) -> None:
        """A byte came in."""

    @abstractmethod
    def read(self, t_us: int) -> int:
        """The byte that goes out."""

    @abstractmethod
    def look(self, t_us: int) -> None:
        """Feel the pins, as the chip does all the time."""

    @property
    @abstractmethod
    def int_low(self) -> bool:
        """True if its INT output pulls the common line low."""

    def overhear(self, reading: bool) -> None:  # noqa: B027  # most chips know no such erratum
        """Another chip acknowledged its address; the errata of one chip know this moment."""
