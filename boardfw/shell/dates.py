"""What day it is, where that is known: a Raspberry Pi has no clock of its own.

Without a network it starts with the time at which it was last switched off, so a date that nobody
vouches for is worse than none. Who vouches: systemd-timesyncd leaves a file once it has heard a
server in this run of the machine; where there is a clock with a battery, the kernel says whether it
has set the time by that. The kernel itself could be asked by adjtimex(2), but may not be: the
service's system call filter kills whoever calls it, and hours after the last server was heard it
says no although the clock is right by seconds still.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal, TypeAlias

from boardfw.ports import Clock

SYNCHRONIZED = "run/systemd/timesync/synchronized"
SET_BY_BATTERY = "sys/class/rtc/rtc0/hctosys"
EARLIEST = datetime(2026, 1, 1, tzinfo=UTC)
"""This program is younger: a clock that shows less is wrong, whoever vouches for it."""

Wish: TypeAlias = Literal["auto", "always", "never"]
Dating: TypeAlias = Callable[[int], datetime | None]
"""When an instant of the session's clock was; None: nobody knows."""


def undated(_: int) -> None:
    """A Dating that never knows."""


def is_vouched_for(root: Path = Path("/")) -> bool:
    """Whether the machine's clock is known to be right. ``root``: of the file system."""
    if (root / SYNCHRONIZED).exists():
        return True
    with suppress(OSError):
        return (root / SET_BY_BATTERY).read_text("ascii").strip() == "1"
    return False


def _now() -> datetime:
    return datetime.now(UTC)


class Calendar:
    """The date and the time of day. Any thread may ask.

    Once vouched for, a clock is believed for the rest of the run: it is right by seconds for weeks.
    """

    def __init__(
        self,
        wish: Wish = "auto",
        is_right: Callable[[], bool] = is_vouched_for,
        now: Callable[[], datetime] = _now,
    ) -> None:
        """``wish``: as in the settings; ``now``: what the machine's clock shows."""
        self._wish = wish
        self._is_right = is_right
        self._now = now
        self._is_known = wish == "always"

    def now(self) -> datetime | None:
        """Now, with its time zone; None: nobody knows."""
        if self._wish == "never":
            return None
        self._is_known = self._is_known or self._is_right()
        now = self._now()
        return now if self._is_known and now >= EARLIEST else None

    def now_ms(self) -> int | None:
        """Now, in milliseconds of the epoch; None: nobody knows."""
        now = self.now()
        return None if now is None else int(now.timestamp() * 1000)

    def shown_ms(self) -> tuple[int, bool]:
        """What the machine's clock shows, right or wrong; and whether it is known to be right."""
        known_ms = self.now_ms()
        shown_ms = int(self._now().timestamp() * 1000) if known_ms is None else known_ms
        return shown_ms, known_ms is not None

    def dating(self, clock: Clock, speed: float | None = 1.0) -> Dating:
        """When instants of a clock were that runs ``speed`` times as fast as the world.

        None: its time has nothing to do with that of the world, and all of it is now.
        """

        def at(t_us: int) -> datetime | None:
            now = self.now()
            if now is None or speed is None:
                return now
            return now - timedelta(microseconds=(clock.now_us() - t_us) / speed)

        return at


def name_of(moment: datetime | None) -> str:
    """A moment where the board stands, as the beginning of a file's name."""
    return "undated" if moment is None else f"{moment.astimezone():%Y-%m-%d-%H%M%S}"
