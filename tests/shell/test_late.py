"""Scans that come late are counted, and told as loudly as they matter."""

from __future__ import annotations

import logging
import queue
import threading
from types import SimpleNamespace

import pytest

from boardfw.errors import BusError
from boardfw.game.events import Event
from boardfw.game.session import Session
from boardfw.game.view import View
from boardfw.recording import Press, Scan
from boardfw.rules import Position
from boardfw.shell import scanner as scanner_module
from boardfw.shell.config import Settings
from boardfw.shell.desk import Desk
from boardfw.shell.pulse import Watchdog
from boardfw.shell.scanner import NET_S, LateScans, Scanner
from boardfw.shell.systemd import Notifier
from boardfw.squares import START, SWITCH_BY_NAME
from hardware.clock import VirtualClock
from tests.patience import PATIENCE_S
from tests.shell.boards import ScriptedBoard

LIFTED = START & ~(1 << SWITCH_BY_NAME["e2"])
MS = 1_000


class Wall:
    """The world's time, as a test wants it."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def test_late_scans_are_counted_and_the_longest_is_remembered() -> None:
    late = LateScans()
    for gap_us in (30 * MS, 900 * MS, 40 * MS):
        late.note(gap_us)
    assert (late.count, late.longest_us) == (3, 900 * MS)


def test_long_gaps_are_told_each_time_and_short_ones_once_a_minute(
    caplog: pytest.LogCaptureFixture,
) -> None:
    late = LateScans(wall := Wall())
    with caplog.at_level(logging.INFO):
        for gap_us in (30 * MS, 31 * MS, 2_300 * MS, 1_100 * MS):
            late.note(gap_us)
        wall.now_s += 60
        late.note(32 * MS)
    told = [(record.levelname, record.getMessage()) for record in caplog.records]
    assert [(level, text.split(",")[0].rpartition("for ")[2]) for level, text in told] == [
        ("INFO", "30 ms"),
        ("WARNING", "2.3 s"),
        ("WARNING", "1.1 s"),
        ("INFO", "32 ms"),
    ]
    assert told[2][1].endswith(
        "(late scans since the start: 4, the longest after 2.3 s); check what was moved meanwhile"
    )


def test_what_repeats_within_a_minute_is_on_the_screen_until_it_does_no_more() -> None:
    late = LateScans(wall := Wall())
    shown = []
    for pause_s in (0, 29, 29, 61):
        wall.now_s += pause_s
        if pause_s != 61:
            late.note(40 * MS)
        shown.append(late.notices)
    assert [len(notices) for notices in shown] == [0, 0, 1, 0]
    assert "not looked for 40 ms" in shown[2][0]
    assert "close other programs" in shown[2][0]


def test_nobody_is_alarmed_where_the_pieces_are_simulated(
    caplog: pytest.LogCaptureFixture,
) -> None:
    late = LateScans(Wall())
    late.is_told = False
    with caplog.at_level(logging.INFO):
        for _ in range(4):
            late.note(900 * MS)
    assert (late.notices, late.count) == ((), 4)
    assert [record.levelname for record in caplog.records] == ["INFO"]
    late.slow_down(4, 2.5)
    assert len(late.notices) == 1, "what was wished and cannot be is still said"


def test_the_desk_shows_it_and_takes_it_away() -> None:
    desk = Desk(Session(Position.start()), Settings())
    desk.late = LateScans(wall := Wall())
    for _ in range(3):
        desk.late.note(40 * MS)
    desk.heed_late_scans()
    assert desk.view.notes == desk.late.notices != ()
    wall.now_s += 61
    desk.heed_late_scans()
    assert desk.view == desk.view._replace(notes=())
    assert isinstance(desk.view, View)


# ------------------------------------------------------------------------- the scan thread


class Told(list[Event]):
    """What a scanner has posted."""

    def hear(self, event: object) -> None:
        assert isinstance(event, Scan | Press)
        self.append(event)


def test_a_gap_is_posted_though_the_switches_read_the_same_and_presses_come_after_it() -> None:
    clock, told, board = VirtualClock(), Told(), ScriptedBoard()
    scans = Scanner(board, clock, told.hear, period_us=2_000, watchdog=Watchdog(Notifier()))
    for t_us, button in ((0, None), (2_000, "draw"), (1_000_000, "hint")):
        clock.advance_to(t_us)
        if button:
            board.buttons.press(button)
        scans.scan()
    assert told == [
        Scan(0, START),
        Press(2_000, "draw"),
        Scan(1_000_000, START, 2_000),
        Press(1_000_000, "hint"),
    ]


class Line:
    """An INT line that is pulled ``after_us`` from its beginning: waiting for it lets time pass.

    ``held_up_us``: the wait in which it is pulled takes so much longer; ``notices``: how often it
    is waited for until who waits is told.
    """

    def __init__(
        self,
        clock: VirtualClock,
        after_us: int,
        *,
        is_timed: bool,
        held_up_us: int = 0,
        notices: int = 1,
    ) -> None:
        self.is_timed = is_timed
        self._clock, self._held_up_us, self._notices = clock, held_up_us, notices
        self._pulled_us = clock.now_us() + after_us
        self.is_pulled = threading.Event()

    def set(self) -> None:
        pass

    def clear(self) -> None:
        pass

    def wait(self, timeout: float | None = None) -> bool:
        assert timeout is not None
        now_us, until_us = self._clock.now_us(), self._clock.now_us() + int(timeout * 1_000_000)
        if not self.is_pulled.is_set() and self._pulled_us > until_us:
            self._clock.advance_to(until_us)
            return False
        if not self.is_pulled.is_set():
            now_us = until_us if self._notices > 1 else self._pulled_us
            self._clock.advance_to(now_us + self._held_up_us)
            self.is_pulled.set()
        self._notices -= 1
        return self._notices <= 0

    def age_s(self) -> float | None:
        if not self.is_timed:
            return None
        return (self._clock.now_us() - self._pulled_us) / 1_000_000


PULLED_US = 55 * MS
START_US = 1_000_000


class Rest:
    """What a scanner tells of a board at rest, whose line is pulled when a piece is lifted."""

    def __init__(self, line: Line, clock: VirtualClock, patch: pytest.MonkeyPatch) -> None:
        self.late = LateScans()
        board = ScriptedBoard(lambda n: LIFTED if line.is_pulled.is_set() else START)
        board.wake = line
        posted: queue.SimpleQueue[Event | BusError] = queue.SimpleQueue()
        patch.setattr(scanner_module, "BOUNCE_S", 0.0)
        world = SimpleNamespace(monotonic=lambda: clock.now_us() / 1_000_000)
        patch.setattr(scanner_module, "time", world)
        notifier = Notifier()
        scans = Scanner(
            board, clock, posted.put, period_us=500, watchdog=Watchdog(notifier), late=self.late
        )
        scans.start()
        self.told = [posted.get(timeout=PATIENCE_S) for _ in range(2)]
        scans.stop()


def test_a_resting_board_that_is_told_in_time_leaves_no_gap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for is_timed in (True, False):
        clock = VirtualClock(START_US)
        rest = Rest(Line(clock, PULLED_US, is_timed=is_timed), clock, monkeypatch)
        assert rest.told[1] == Scan(START_US + PULLED_US, LIFTED)
        assert rest.late.count == 0


def test_a_thread_that_was_held_up_has_not_looked_since_it_last_was_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = VirtualClock(START_US)
    rest = Rest(Line(clock, PULLED_US, is_timed=False, held_up_us=60 * MS), clock, monkeypatch)
    in_time_us = START_US + 50 * MS
    assert rest.told[1] == Scan(START_US + PULLED_US + 60 * MS, LIFTED, in_time_us)
    assert (rest.late.count, rest.late.longest_us) == (1, 65 * MS)


@pytest.mark.parametrize(
    ("held_up_us", "notices"),
    [
        pytest.param(60 * MS, 1, id="told as soon as it goes on"),
        pytest.param(900 * MS, 2, id="told after its time was over"),
    ],
)
def test_where_the_line_knows_when_it_was_pulled_the_gap_begins_there(
    monkeypatch: pytest.MonkeyPatch, held_up_us: int, notices: int
) -> None:
    clock = VirtualClock(START_US)
    line = Line(clock, PULLED_US, is_timed=True, held_up_us=held_up_us, notices=notices)
    scan = (rest := Rest(line, clock, monkeypatch)).told[1]
    assert isinstance(scan, Scan)
    assert (scan.occupancy, scan.since_us) == (LIFTED, START_US + PULLED_US)
    assert rest.late.count == 1
    assert rest.late.longest_us == scan.t_us - (START_US + PULLED_US)


def test_a_rest_of_which_nothing_was_told_is_quiet_unless_the_thread_was_held_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = VirtualClock(START_US)
    line = Line(clock, 3 * round(NET_S * 1_000_000) + PULLED_US, is_timed=True)
    rest = Rest(line, clock, monkeypatch)
    assert rest.told[1] == Scan(clock.now_us(), LIFTED)
    assert rest.late.count == 0


def test_while_hands_are_at_work_a_late_scan_heeds_the_time_of_the_line_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, told, late = VirtualClock(START_US), Told(), LateScans()
    world = SimpleNamespace(monotonic=lambda: clock.now_us() / 1_000_000)
    monkeypatch.setattr(scanner_module, "time", world)
    board = ScriptedBoard(lambda n: LIFTED if n else START)
    scans = Scanner(
        board, clock, told.hear, period_us=2_000, watchdog=Watchdog(Notifier()), late=late
    )
    scans.scan()
    board.wake = line = Line(clock, 400 * MS, is_timed=True)
    line.is_pulled.set()
    clock.advance_to(START_US + 1000 * MS)
    scans.scan()
    assert told[-1] == Scan(START_US + 1000 * MS, LIFTED, START_US + 400 * MS)
    assert (late.count, late.longest_us) == (1, 600 * MS)
