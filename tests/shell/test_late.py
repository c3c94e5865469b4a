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
from boardfw.shell.scanner import LateScans, Scanner
from boardfw.shell.systemd import Notifier
from boardfw.squares import START, SWITCH_BY_NAME
from hardware.clock import VirtualClock
from tests.shell.boards import PATIENCE_S, ScriptedBoard

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


def test_the_desk_shows_it_and_takes_it_away() -> None:
    desk = Desk(Session(Position.start()), Settings())
    desk.late = LateScans(wall := Wall())
    for _ in range(3):
        desk.late.note(40 * MS)
    desk.heed_late_scans()
    assert desk.view.late == desk.late.notices != ()
    wall.now_s += 61
    desk.heed_late_scans()
    assert desk.view == desk.view._replace(late=())
    assert isinstance(desk.view, View)


# ------------------------------------------------------------------------- the scan thread


class Told(list[Event]):
    """What a scanner has posted."""

    def hear(self, event: object) -> None:
        assert isinstance(event, Scan | Press)
        self.append(event)


def test_a_gap_is_posted_though_the_switches_read_the_same_and_presses_come_after_it() -> None:
    clock, told, board = VirtualClock(), Told(), ScriptedBoard()
    scans = Scanner(board, clock, told.hear, period_us=2_000, notifier=Notifier())
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
    """An INT line: waiting for it lets time pass, and the sixth time it has been pulled."""

    def __init__(self, clock: VirtualClock, *, is_held_up: bool) -> None:
        self._clock = clock
        self._is_held_up = is_held_up
        self._waits = 0
        self.pulled = threading.Event()

    def set(self) -> None:
        pass

    def clear(self) -> None:
        pass

    def wait(self, timeout: float | None = None) -> bool:
        assert timeout is not None
        if self.pulled.is_set():
            return True
        self._waits += 1
        is_last = self._waits == 6
        passed_us = 60 * MS if is_last and self._is_held_up else int(timeout * 1_000_000)
        self._clock.advance_to(self._clock.now_us() + passed_us)
        if is_last:
            self.pulled.set()
        return is_last


@pytest.mark.parametrize("is_held_up", [True, False])
def test_a_resting_board_leaves_a_gap_only_where_the_thread_was_held_up(
    monkeypatch: pytest.MonkeyPatch, *, is_held_up: bool
) -> None:
    clock, late = VirtualClock(1_000_000), LateScans()
    line = Line(clock, is_held_up=is_held_up)
    board = ScriptedBoard(lambda n: LIFTED if line.pulled.is_set() else START)
    board.wake = line
    posted: queue.SimpleQueue[Event | BusError] = queue.SimpleQueue()
    monkeypatch.setattr(scanner_module, "BOUNCE_S", 0.0)
    world = SimpleNamespace(monotonic=lambda: clock.now_us() / 1_000_000)
    monkeypatch.setattr(scanner_module, "time", world)
    scans = Scanner(board, clock, posted.put, period_us=500, notifier=Notifier(), late=late)
    scans.start()
    told = [posted.get(timeout=PATIENCE_S) for _ in range(2)]
    scans.stop()
    seen_us = 1_000_000 + 5 * 10 * MS
    if is_held_up:
        assert told[1] == Scan(seen_us + 60 * MS, LIFTED, seen_us)
        assert (late.count, late.longest_us) == (1, 60 * MS)
    else:
        assert told[1] == Scan(seen_us + 10 * MS, LIFTED)
        assert late.count == 0
