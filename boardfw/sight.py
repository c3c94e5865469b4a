"""Looking at the switches: what a scan reads, when, and since when no scan could see more.

A scan may fail for a while, take a second until a bus gives up, or come late because the machine
was busy elsewhere or the process was stopped. What has changed by the next one changed at some time
in between, and the weighing of evidence has to know that.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple, Protocol, runtime_checkable

from boardfw.errors import BusError
from boardfw.ports import Clock, SquareSensor
from boardfw.recording import Scan
from boardfw.squares import Occupancy

GAP_US = 25_000
"""Scans further apart leave an unwatched gap; within less, no hand does two things. The figure is
part of the trace contract."""


class News(Enum):
    """What is known of the switches between two scans without reading them."""

    QUIET = auto()
    """A board that announces changes has announced none until now."""
    CHANGED = auto()
    """That board has just announced a change."""
    FORESEEN = auto()
    """The scanner knows all changes beforehand, and there was none until now."""


@runtime_checkable
class Informed(Protocol):
    """A sensor around another one, or a clock, that wants the same news as a ``Sight``."""

    def hear(self, news: News, quiet_us: int | None = None) -> None:
        """As ``Sight.hear``."""


@runtime_checkable
class Paced(Protocol):
    """A clock that goes on only while the switches are looked at."""

    def looked(self) -> None:
        """They have been looked at."""


class _Look(NamedTuple):
    """The last scan that succeeded. What it read was true at some time between these two."""

    began_us: int
    ended_us: int
    occupancy: Occupancy


class Sight:
    """A sensor with a clock beside it."""

    def __init__(self, sensor: SquareSensor, clock: Clock) -> None:
        self._sensor = sensor
        self._clock = clock
        self._within = sensor if isinstance(sensor, Informed) else None
        self._paced = clock if isinstance(clock, Paced) else None
        self._last: _Look | None = None
        self._quiet_us = 0
        """Until then nothing has changed since the last scan, as far as the board announces."""
        self._is_told = False
        """Whether the board has announced the change that the next scan is made for."""
        self._fails = False

    def hear(self, news: News, quiet_us: int | None = None) -> None:
        """Take news of the time since the last scan; after a failed scan it is ignored.

        ``quiet_us``: until then nothing has changed, as the board knows; None: it does not know
        when it announced what it did.
        """
        if self._within:
            self._within.hear(news, quiet_us)
        if self._paced:
            self._paced.looked()
        if self._last is None or self._fails:
            return
        now_us = self._clock.now_us()
        if quiet_us is not None:
            self._quiet_us = max(self._quiet_us, quiet_us)
        if news is News.FORESEEN:
            self._quiet_us, self._is_told = now_us, True
        elif news is News.CHANGED:
            self._is_told = True
        # A process that was held up cannot have heard what was announced meanwhile.
        elif quiet_us is None and now_us - max(self._quiet_us, self._last.began_us) <= GAP_US:
            self._quiet_us = now_us

    def read(self) -> Scan:
        """One scan. Raises BusError; the next one that succeeds says since when none has."""
        began_us = self._clock.now_us()
        try:
            occupancy = self._sensor.read()
        except BusError:
            self._fails = True
            raise
        finally:
            if self._paced:
                self._paced.looked()
        look = _Look(began_us, self._clock.now_us(), occupancy)
        since_us = self._unseen_since(look)
        self._last, self._quiet_us, self._is_told, self._fails = look, 0, False, False
        return Scan(look.ended_us, occupancy, since_us)

    def _unseen_since(self, look: _Look) -> int | None:
        """Since when the board had not been watched by the end of this scan; None if no gap."""
        last = self._last
        if last is None:
            return None
        # A change that the board should have announced, and did not, came at any time since.
        is_quiet = self._is_told or look.occupancy == last.occupancy
        quiet_us = self._quiet_us if is_quiet else 0
        if look.ended_us - max(last.began_us, quiet_us) <= GAP_US:
            return None
        return max(last.ended_us, quiet_us)
