"""A chip that is believed only while it is known to be configured, and transfers that are repeated.

After a loss of power a chip acknowledges as before, but its pull-ups are off and its inputs mean
nothing. So whatever changes is followed by a look at its registers.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from boardfw.errors import BusError
from hardware.expander import Expander

T = TypeVar("T")
log = logging.getLogger(__name__)

TRIES = 3
"""What fails is tried so often: most troubles of a bus are over at once."""


def insist(what: Callable[[], T], before_another: Callable[[], None]) -> T:
    """Do something over the bus, again if it fails. Raises BusError if it goes on failing."""
    for _ in range(TRIES - 1):
        try:
            return what()
        except BusError:
            before_another()
    return what()


class WatchedChip:
    """One expander under watch. Making one touches no hardware.

    ``lost`` is called each time that it had lost its registers: its supply was gone.
    """

    def __init__(self, expander: Expander, lost: Callable[[], None] | None = None) -> None:
        self.name = f"chip {expander.address:#04x}"
        self.recovered = 0
        """How often it had lost its registers and was configured again."""
        self._expander = expander
        self._lost = lost
        self._levels: int | None = None

    def read(self) -> int:
        """The levels of its inputs, as of ``Expander.read``. Raises BusError."""
        levels = self._expander.read()
        if levels != self._levels and not self.verify():
            levels = self._expander.read()
        self._levels = levels
        return levels

    def verify(self) -> bool:
        """Whether the chip was still configured; if it was not, it is again. Raises BusError."""
        if self._expander.is_configured():
            return True
        self.configure()
        self.recovered += 1
        log.warning("%s had lost its registers and was configured again", self.name)
        if self._lost:
            self._lost()
        return False

    def configure(self) -> None:
        """Bring the chip up, whatever it held. Raises BusError."""
        self.distrust()
        self._expander.configure()

    def distrust(self) -> None:
        """Something went wrong: look at its registers before anything it says is believed."""
        self._levels = None
