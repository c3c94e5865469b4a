"""What day it is, where that is known: a Raspberry Pi has no clock of its own.

Without a network it starts with the time at which it was last switched off, so a date that nothing
vouches for is worse than none. What vouches: systemd-timesyncd leaves a file once it has heard a
server in this run of the machine; where there is a clock with a battery, the kernel says whether it
has set the time by that; and what chrony or another program has set, ``timedatectl`` calls
synchronised. That program asks the kernel by adjtimex(2), which this one may not: the service's
system call filter kills the caller. Last, the user's word counts.
"""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal, TypeAlias

from boardfw.ports import Clock

SYNCHRONIZED = "run/systemd/timesync/synchronized"
SET_BY_BATTERY = "sys/class/rtc/rtc0/hctosys"
TIMEDATECTL = ("timedatectl", "show", "--property=NTPSynchronized", "--value")
ANSWER_S = 5.0
"""How long its answer may take: D-Bus may have to start what knows."""
AGAIN_S = 30.0
"""After a no it is asked again so often."""
EARLIEST = datetime(2026, 1, 1, tzinfo=UTC)
"""This program is younger: a clock that shows less is wrong in any case."""
LATEST = datetime(2200, 1, 1, tzinfo=UTC)
"""Nor will it be played then."""

Wish: TypeAlias = Literal["auto", "always", "never"]
Dating: TypeAlias = Callable[[int], datetime | None]
"""When an instant of the session's clock was; None: unknown."""


def undated(_: int) -> None:
    """A Dating that never knows."""


def is_vouched_for(root: Path = Path("/")) -> bool:
    """Whether the machine's clock is known to be right. ``root``: of the file system."""
    if (root / SYNCHRONIZED).exists():
        return True
    with suppress(OSError):
        return (root / SET_BY_BATTERY).read_text("ascii").strip() == "1"
    return False


def is_synchronised(command: Sequence[str] = TIMEDATECTL) -> bool:
    """Whether the system calls its clock synchronised; no where it cannot say so."""
    try:
        answer = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=ANSWER_S, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return answer.stdout.strip() == b"yes"


class Vouchers:
    """What may vouch for the machine's clock: files at once, the system as soon as it answers.

    The system is asked in a thread of its own, since its answer may take seconds.
    """

    def __init__(
        self,
        files: Callable[[], bool] = is_vouched_for,
        system: Callable[[], bool] = is_synchronised,
        monotonic_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._files = files
        self._system = system
        self._monotonic_s = monotonic_s
        self._lock = threading.Lock()
        self._asked_s: float | None = None
        self._asking: threading.Thread | None = None
        self._is_right = False

    def __call__(self) -> bool:
        """Whether the clock is vouched for by now. Any thread may ask."""
        if self._is_right or self._files():
            return True
        with self._lock:
            now_s = self._monotonic_s()
            is_due = self._asked_s is None or now_s - self._asked_s >= AGAIN_S
            if is_due and (self._asking is None or not self._asking.is_alive()):
                self._asked_s = now_s
                self._asking = threading.Thread(target=self._ask, name="date", daemon=True)
                self._asking.start()
        return self._is_right

    def wait(self) -> None:
        """Wait for the answer, if one is awaited."""
        if self._asking is not None:
            self._asking.join()

    def _ask(self) -> None:
        self._is_right = self._system()


def _now() -> datetime:
    return datetime.now(UTC)


class Calendar:
    """The date and the time of day. Any thread may ask.

    Once vouched for, a clock is believed for the rest of the run: it is right by seconds for weeks.
    """

    def __init__(
        self,
        wish: Wish = "auto",
        is_right: Callable[[], bool] | None = None,
        now: Callable[[], datetime] = _now,
    ) -> None:
        """``wish``: as in the settings; ``now``: what the machine's clock shows."""
        self._wish = wish
        self._is_right = Vouchers() if is_right is None else is_right
        self._machines_now = now
        self._told: tuple[datetime, float] | None = None
        """The date that was typed, and the monotonic time of that in seconds."""
        self._is_known = wish == "always"
        self._is_told = False
        """Whether a person has vouched for it."""

    def now(self) -> datetime | None:
        """Now, with its time zone; None: unknown."""
        if self._wish == "never":
            return None
        self._is_known = self._is_known or self._is_right()
        now = self._now()
        return now if self._is_known and now >= EARLIEST else None

    @property
    def may_be_told(self) -> bool:
        """Whether the date is not known yet and the user is to be asked."""
        return self._wish != "never" and self.now() is None

    @property
    def is_doubted(self) -> bool:
        """Whether nothing but a person's word vouches for the date, which may be corrected."""
        if self._wish != "auto":
            return self.may_be_told
        return self.now() is None or (self._is_told and not self._is_right())

    def tell(self, now: datetime | None = None) -> datetime | None:
        """The user vouches for the clock, or says what time it is, with its time zone.

        Answers what is believed now; None: it cannot be, or the settings want no dates.
        """
        if now is not None and not EARLIEST <= now < LATEST:
            return self.now()
        if now is not None:
            self._told = now, time.monotonic()
        self._is_known = self._is_told = True
        return self.now()

    def shown(self) -> datetime:
        """What the machine's clock shows where the board stands, or was told; right or wrong."""
        return self._now().astimezone()

    def _now(self) -> datetime:
        """The time as it was told, else as the machine's clock shows it."""
        if self._told is None:
            return self._machines_now()
        told, since_s = self._told
        return told + timedelta(seconds=time.monotonic() - since_s)

    def now_ms(self) -> int | None:
        """Now, in milliseconds of the epoch; None: unknown."""
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
