"""The switches under the squares: chips on the bus and their wiring as one SquareSensor.

``hardware.expander`` tells when a chip is believed; besides, each chip is looked at now and then,
since without pull-ups its inputs may seem to keep still.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

from boardfw.errors import BusError
from boardfw.ports import Clock
from boardfw.squares import ALL_SWITCHES, NO_SWITCHES, Occupancy, occupancy_of
from hardware.bus import I2cBus
from hardware.expander import WatchedChip, insist
from hardware.wiring import Chip, unread_by

T = TypeVar("T")
VERIFY_US = 25_000
"""How often one chip's registers are looked at, one chip after the other."""
PULSE_US = 1_000_000
"""The least time between two pulls of the RESET line."""


class Reader:
    """One chip, and which squares its levels speak of."""

    def __init__(self, chip: Chip, bus: I2cBus, lost: Callable[[], None] | None) -> None:
        self.covers = chip.covers
        self.chip = WatchedChip(chip, bus, lost)
        self._tables = tables(chip)
        self._levels: int | None = None
        self._closed = NO_SWITCHES

    def read(self) -> Occupancy:
        """The squares of this chip whose switch is closed. Raises BusError."""
        levels = self._ask(self.chip.read)
        if levels == self._levels:
            return self._closed
        self._levels = levels
        data = levels.to_bytes(len(self._tables), "little")
        self._closed = NO_SWITCHES
        for table, byte in zip(self._tables, data, strict=True):
            self._closed |= table[byte]
        return self._closed

    def verify(self) -> None:
        """See that the chip is configured. Raises BusError."""
        self._ask(self.chip.verify)

    def configure(self) -> None:
        """Bring the chip up, whatever it held. Raises BusError."""
        self._ask(self.chip.configure)

    def _ask(self, what: Callable[[], T]) -> T:
        """Do something with the chip. Raises BusError, with its squares."""
        try:
            return what()
        except BusError as error:
            raise BusError(str(error), self.covers) from error


def tables(chip: Chip) -> list[list[Occupancy]]:
    """For each byte of a chip's levels and each value of it, the squares that are closed."""
    return [
        [_closed(chip, at, byte) for byte in range(256)] for at in range(0, len(chip.squares), 8)
    ]


def _closed(chip: Chip, first: int, byte: int) -> Occupancy:
    squares = chip.squares[first : first + 8]
    low = 0 if chip.closed_high else 1
    return occupancy_of(
        square for at, square in enumerate(squares) if square is not None and (byte >> at & 1) ^ low
    )


class Reeds:
    """64 switches over chips; a SquareSensor that mends what can be mended from here.

    A failed transfer is repeated; a chip without its configuration gets it again; where a chip
    does not answer, ``pulse_reset`` is called (None: no line is wired), then all get theirs again.
    Until that succeeds ``read`` raises BusError: which squares cannot be seen, and what to look at.
    ``lost`` is called when a chip was without its supply, for whatever else hangs on that.
    """

    def __init__(
        self,
        chips: Sequence[Chip],
        bus: I2cBus,
        clock: Clock,
        pulse_reset: Callable[[], None] | None = None,
        lost: Callable[[], None] | None = None,
    ) -> None:
        self._readers = [Reader(chip, bus, lost) for chip in chips]
        self._lost = lost
        self._clock = clock
        self._pulse_reset = pulse_reset
        self._pulsed_us = clock.now_us() - PULSE_US
        self._verified_us = clock.now_us()
        self._next = 0
        self._covered = ALL_SWITCHES & ~unread_by(chips)
        """The switches that are read."""
        self._is_out = False
        """True if the last scan failed."""
        self._down = set(self._readers)
        """Chips that have to be configured before anything is read."""
        self.counts: Counter[str] = Counter()
        """What was done about failures: retries, resets, outages."""

    @property
    def recovered(self) -> dict[str, int]:
        """For each chip, how often it had lost its registers."""
        return {reader.chip.name: reader.chip.recovered for reader in self._readers}

    def read(self) -> Occupancy:
        """One scan, undebounced. Raises BusError while not every square can be seen."""
        if self._down:
            self._bring_up()
        try:
            closed = insist(self._scan, self._distrust)
        except BusError as error:
            # A PCF8575 lets itself be configured while SDA is low: the same outage goes on.
            self.counts["outages"] += not self._is_out
            self._is_out = True
            self._down = {reader for reader in self._readers if reader.covers & error.switches}
            raise
        self._is_out = False
        return closed

    def _scan(self) -> Occupancy:
        """All chips one after the other; if one fails, all readings are dropped: they take time."""
        closed = NO_SWITCHES
        for reader in self._readers:
            closed |= reader.read()
        if closed == self._covered:
            raise BusError(
                "every switch reads closed: SDA is held low, by a chip or a short", ALL_SWITCHES
            )
        now_us = self._clock.now_us()
        if now_us - self._verified_us >= VERIFY_US:
            self._verified_us = now_us
            self._verify_next()
        return closed

    def _verify_next(self) -> None:
        reader = self._readers[self._next]
        self._next = (self._next + 1) % len(self._readers)
        reader.verify()

    def _distrust(self) -> None:
        """Something went wrong: registers are looked at before anything is believed."""
        self.counts["retries"] += 1
        for reader in self._readers:
            reader.chip.distrust()

    def _bring_up(self) -> None:
        """Configure all chips that are down. Raises BusError while some stay so."""
        failed = self._configure()
        if failed and self._reset():
            failed = self._configure()
        if failed:
            raise self._blamed(failed) from failed[0]
        if self._lost:
            self._lost()

    def _configure(self) -> list[BusError]:
        failed = []
        for reader in list(self._down):
            try:
                reader.configure()
            except BusError as error:
                failed.append(error)
            else:
                self._down.discard(reader)
        return failed

    def _reset(self) -> bool:
        """Pull the RESET line, unless that was done just now; whether it was."""
        now_us = self._clock.now_us()
        if self._pulse_reset is None or now_us - self._pulsed_us < PULSE_US:
            return False
        self._pulsed_us = now_us
        self.counts["resets"] += 1
        self._pulse_reset()
        self._down = set(self._readers)
        return True

    def _blamed(self, failed: list[BusError]) -> BusError:
        """What is said where chips fail: the first error, and all squares that cannot be seen."""
        squares = NO_SWITCHES
        for error in failed:
            squares |= error.switches
        told = str(failed[0])
        if len(failed) == len(self._readers) > 1:
            told = f"{told}; no chip answers: look at the cable that all of them share"
        return BusError(told, squares)
