"""What every simulated chip on the bus can do: answer byte by byte, and pull INT."""

from __future__ import annotations

from abc import ABC, abstractmethod

from .pins import Pins


class SimChip(ABC):
    """A chip on the bus. Times are microseconds and never decrease."""

    has_reset = True
    """Whether it has a RESET pin."""

    def __init__(self, address: int, pins: Pins | None) -> None:
        self.address = address
        self.pins = pins or Pins()
        self.present = True
        """Whether it has power and both wires."""
        self._addressing = False
        self.held = False
        """Whether its RESET pin is low."""

    @property
    def answers(self) -> bool:
        """Whether it acknowledges its address."""
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
        """Whether its INT output pulls the common line low."""

    def overhear(self, reading: bool) -> None:  # noqa: B027  # most chips know no such erratum
        """Another chip acknowledged its address; the errata of one chip know this moment."""
