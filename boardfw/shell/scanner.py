"""The scan thread: reads the switches at a steady pace and posts what changed to the loop.

It also tells the loop the time: an instant has passed once the switches were seen after it.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable

from boardfw.errors import BusError
from boardfw.game.events import Event, Outage, Restored, Tick
from boardfw.ports import Board, Clock, Signal
from boardfw.recording import Press, Scan
from boardfw.shell.pulse import Pulse, Watchdog
from boardfw.sight import GAP_US, News, Sight
from boardfw.squares import Occupancy

log = logging.getLogger(__name__)

LONG_US = 100_000
"""A gap this long is always reported, on the screen too: a piece may have been carried in it."""
PAUSE_S = 60.0
"""Shorter ones are reported once in this time, in the log of a service; repeated ones also on the
screen."""
OFTEN = 3
"""So many late scans within ``PAUSE_S`` are no accident."""


class LateScans:
    """One thread notes them, others read. ``now_s``: seconds of the world's time."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self.is_told = True
        """Whether the players are told to look at their pieces; False: those are simulated, and
        what was missed there is told as a move that is not understood."""
        self.count = 0
        """Late scans since the start."""
        self.longest_us = 0
        """The longest time between two scans, of those that were late; microseconds."""
        self.slowed = ""
        """That time runs slower than was wished, and how fast; empty: it does not."""
        self._lately: deque[tuple[float, int]] = deque(maxlen=OFTEN)
        """When the last ones came, and how long the board had not been read."""
        self._told_s: float | None = None

    def note(self, gap_us: int) -> None:
        """A scan came so long after the one before that what happened between is unknown."""
        now_s = self._now_s()
        self.count += 1
        self.longest_us = max(self.longest_us, gap_us)
        self._lately.append((now_s, gap_us))
        if gap_us >= LONG_US and self.is_told:
            log.warning("%s; check what was moved meanwhile", self._told(gap_us))
        elif self._told_s is None or now_s - self._told_s >= PAUSE_S:
            self._told_s = now_s
            log.info("%s", self._told(gap_us))

    def slow_down(self, planned: float, reached: float) -> None:
        """Time was to run ``planned`` times as fast as the world, and runs ``reached`` times."""
        self.slowed = (
            f"this computer cannot keep up with --speed {planned:g}: "
            f"the game goes on at about {reached:.1f}"
        )
        log.warning("%s", self.slowed)

    @property
    def notices(self) -> tuple[str, ...]:
        """What the players have to know, a line each."""
        return tuple(filter(None, (self.warning, self.slowed)))

    @property
    def warning(self) -> str:
        """What to do, where late scans repeat; empty: they do not."""
        lately = list(self._lately)  # the other thread may add one meanwhile
        if not self.is_told or len(lately) < OFTEN or self._now_s() - lately[0][0] > PAUSE_S:
            return ""
        longest_us = max(gap_us for _, gap_us in lately)
        return (
            f"The computer is too busy to watch the board (not looked for {duration(longest_us)}): "
            "close other programs, and check each move here"
        )

    def _told(self, gap_us: int) -> str:
        return (
            f"the board was not read for {duration(gap_us)}, because the computer was busy or "
            f"the program was stopped (late scans since the start: {self.count}, the longest after "
            f"{duration(self.longest_us)})"
        )


def duration(us: int) -> str:
    """``31 ms``, ``1.2 s``."""
    return f"{us / 1_000_000:.1f} s" if us >= 1_000_000 else f"{us // 1000} ms"


ABOVE = 10
"""So much higher than the rest of a real-time process: LimitRTPRIO of the unit allows it."""


def go_first() -> None:
    """Raise the priority of the calling thread above those of the process's other threads.

    Only in a process that runs in real time as a whole. One such thread alone gains nothing: it
    waits for the interpreter's lock while an ordinary thread that holds it waits for a processor.
    """
    if sys.platform != "linux":
        return
    if os.sched_getscheduler(0) not in (os.SCHED_RR, os.SCHED_FIFO):
        return  # started by hand: as any other program
    priority = os.sched_getparam(0).sched_priority + ABOVE
    try:
        os.sched_setparam(0, os.sched_param(priority))
    except OSError as error:
        log.info("scans have no priority of their own: %s", error.strerror)
    else:
        log.info("scans have real-time priority %d", priority)


log = logging.getLogger(__name__)

PATIENCE_S = 2.0
"""How long a scan may take at the end: a bus that is merely slow has answered by then."""
RETRY_S, LONGEST_RETRY_S = 0.01, 0.16
"""Pause after a failed scan, twice as long after each further one: most troubles are over at once,
and a bus that is in a lasting one is not helped by being asked 500 times a second."""
LIVELY_S = 5.0
"""After a change, a hand that holds a piece may be at work for so long without another one."""
BOUNCE_S = 0.3
"""Where the board tells of the next change, or each piece stands where the game has it: until
contacts have come to rest. What a hand does next then begins with a lift, and no lift is short."""
REST_S = 0.012
"""Pauses between scans of a resting board that cannot tell of a change: half of what counts as not
having looked."""
NET_S = 0.2
"""The same for one that can tell: an interrupt that got lost is found out by then."""
SCAN_S = 10.0
"""WatchdogSec of the unit, which strikes when a round of the scan thread takes longer."""
LISTEN_S = 0.01
"""Meanwhile the scan thread looks up so often where the board does not know when it told of a
change: when that comes late, the thread was held up, and cannot say either."""


class Scanner:
    """Owns the sensor; nothing else reads it while the thread runs."""

    def __init__(
        self,
        board: Board,
        clock: Clock,
        post: Callable[[Event | BusError], None],
        *,
        period_us: int,
        watchdog: Watchdog,
        late: LateScans | None = None,
        speed: float = 1.0,
    ) -> None:
        """``period_us``: from one scan to the next, by the clock, which runs ``speed`` times as
        fast as the world."""
        self._board = board
        self._clock = clock
        self._sight = Sight(board.sensor, clock)
        self._post = post
        self._is_hurried = speed > 1
        self._period_s = period_us / 1_000_000 / max(1.0, speed)
        self._watchdog = watchdog
        self._late = late or LateScans()
        self._pulse = Pulse("scan", SCAN_S)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="scan", daemon=True)
        self.due_us: int | None = None
        """The loop wants to be told when this instant has passed; None: it waits for none."""
        self.is_calm = False
        """Whether each piece stands where the game has it, as far as the loop knows."""
        self._told_us = clock.now_us()
        """The last time that the loop has been told."""
        self._last: Occupancy | None = None
        self._outage: str | None = None
        """What is said to be wrong with the switches."""
        self._retry_s = 0.0
        """How long to wait before the next try but one; 0 while all is well."""
        self._changed_s = self._looked_s = time.monotonic()

    def start(self) -> None:
        """Begin to scan."""
        self._thread.start()

    def stop(self) -> None:
        """Stop scanning; a bus that hangs is not waited for."""
        self._stop.set()
        if self._board.wake:
            self._board.wake.set()
        self._thread.join(PATIENCE_S)
        if self._thread.is_alive():
            log.error("the switches do not answer; going on without them")

    def _run(self) -> None:
        try:
            go_first()
            self._looked_s = time.monotonic()
            with self._pulse:
                self._scan_on()
        except Exception as error:  # a thread's last word: unsaid, the board would be deaf for ever
            log.debug("where scanning broke down", exc_info=True)
            self._say(BusError(f"scanning has broken down: {error!r}"))

    def _say(self, event: Event | BusError) -> None:
        if not self._stop.is_set():  # a reading may come back after the stop
            self._post(event)

    def _scan_on(self) -> None:
        next_s = time.monotonic()
        while not self._stop.is_set():
            self._pulse.beat()
            pause_s = self.scan()
            # Only a completed round feeds the watchdog: a hang must starve it.
            self._watchdog.feed()
            next_s = max(next_s + pause_s, time.monotonic())
            self._rest()
            left_s = next_s - time.monotonic()
            if left_s > 0:  # an INT that stays low rings on: no more scans for that
                time.sleep(left_s)

    def _rest(self) -> None:
        """Wait longer than for the next scan where nothing has moved for a while."""
        if self._board.panel.held():  # how long is what matters
            return
        lively_s = BOUNCE_S if self._board.wake or self.is_calm else LIVELY_S
        if self._outage is not None or time.monotonic() - self._changed_s < lively_s:
            return
        if self._is_hurried:
            return  # its time waits for each scan
        if self._board.wake:
            (self._sleep if self._board.wake.is_timed else self._listen)(self._board.wake)
        else:
            time.sleep(REST_S)

    def _listen(self, wake: Signal) -> None:
        """Wait until the board tells of a change, or for long enough to look all the same."""
        until_s = time.monotonic() + NET_S
        while not self._stop.is_set() and time.monotonic() < until_s:
            if wake.wait(LISTEN_S):
                self._sight.hear(News.CHANGED)
                return
            self._sight.hear(News.QUIET)
            if self._is_late:
                return  # held up: better look at once
            self._looked_s = time.monotonic()

    def _sleep(self, wake: Signal) -> None:
        """The same where the board knows when it told: being held up does no harm, then."""
        due_s = time.monotonic() + NET_S
        if wake.wait(NET_S):
            return
        self._looked_s = due_s
        if not self._is_late:
            self._sight.hear(News.QUIET, self._clock.now_us())

    @property
    def _is_late(self) -> bool:
        """Whether nobody has looked for so long that much may have happened."""
        return time.monotonic() - self._looked_s > GAP_US / 1_000_000

    def _heed(self, wake: Signal) -> None:
        """Take the time of the change of which the board has told, and let it tell of the next."""
        if wake.is_timed and self._is_late:
            wake.wait(LISTEN_S)  # what came while nothing ran here is told now
        if (age_s := wake.age_s()) is not None:
            self._sight.hear(News.CHANGED, self._clock.now_us() - round(age_s * 1_000_000))
            self._looked_s = time.monotonic() - age_s
        wake.clear()  # before it is read: what comes meanwhile wakes again
        if self._stop.is_set():
            wake.set()  # whoever stops this thread has rung only once

    def scan(self) -> float:
        """One round: read, post what changed; seconds to wait before the next one."""
        if self._board.wake:
            self._heed(self._board.wake)
        now_us = self._clock.now_us()
        presses = [Press(now_us, button) for button in self._board.panel.presses()]
        try:
            scan = self._sight.read()
        except BusError as error:
            self._say_all(presses)
            return self._fail(error)
        if scan.since_us is not None:  # what was pressed meanwhile was pressed on what stands now
            self._tell_switches(scan)
            self._say_all([Press(scan.t_us, press.button) for press in presses])
        else:
            self._say_all(presses)
            self._tell_switches(scan)
        return self._period_s

    def _say_all(self, presses: list[Press]) -> None:
        for press in presses:
            self._say(press)

    def _tell_switches(self, scan: Scan) -> None:
        """Post what this scan has to tell, if it tells anything."""
        self._note_late(scan)
        if self._outage is not None:
            self._recover(scan.t_us)
        if scan.occupancy != self._last or scan.since_us is not None:
            if scan.occupancy != self._last:
                self._last, self._changed_s = scan.occupancy, time.monotonic()
            self._say(scan)
            self._told_us = scan.t_us
        else:
            self._tell_time(scan.t_us)

    def _note_late(self, scan: Scan) -> None:
        """Count a scan that came late for no fault of the bus."""
        before_s, self._looked_s = self._looked_s, time.monotonic()
        gap_us = round((self._looked_s - before_s) * 1_000_000)
        is_gap = scan.since_us is not None or self._is_hurried
        if is_gap and gap_us > GAP_US and self._outage is None and self._last is not None:
            self._late.note(gap_us)

    def _tell_time(self, now_us: int) -> None:
        """Tell the loop that what it waits for has come, once."""
        due_us = self.due_us
        if due_us is not None and self._told_us < due_us <= now_us:
            self._say(Tick(now_us))
            self._told_us = now_us

    def _fail(self, error: BusError) -> float:
        """Say what is wrong, once; seconds to wait before the next try."""
        if str(error) != self._outage:
            log.error("the switches cannot be read, trying again: %s", error)
            self._outage = str(error)
            self._say(Outage(self._clock.now_us(), error.switches, str(error)))
        pause_s = self._retry_s or RETRY_S
        self._retry_s = min(2 * pause_s, LONGEST_RETRY_S)
        return pause_s

    def _recover(self, now_us: int) -> None:
        log.warning("the switches can be read again")
        self._retry_s, self._outage = 0.0, None
        self._last = None  # what stands is told again, even if it is the same
        self._say(Restored(now_us))
