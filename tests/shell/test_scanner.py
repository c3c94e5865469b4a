"""The threads around the session: each does its work whatever the others suffer."""

from __future__ import annotations

import logging
import queue
import threading
from itertools import count, pairwise
from types import SimpleNamespace

import pytest

from boardfw.errors import BusError
from boardfw.frame import Frame
from boardfw.game.events import Event, Outage, Restored, Tick
from boardfw.recording import Press, Scan
from boardfw.shell import scanner as scanner_module
from boardfw.shell.pulse import Watchdog
from boardfw.shell.scanner import (
    BOUNCE_S,
    LISTEN_S,
    LIVELY_S,
    LONGEST_RETRY_S,
    NET_S,
    RETRY_S,
    Scanner,
)
from boardfw.shell.systemd import Notifier
from boardfw.squares import START, SWITCH_BY_NAME, Occupancy, Switch
from hardware.clock import VirtualClock
from hardware.gpio import Wake
from tests.panels import HeldPanel
from tests.patience import PATIENCE_S
from tests.shell.boards import Ear, ScriptedBoard, broken

LIFTED = START & ~(1 << SWITCH_BY_NAME["e2"])
RED, GREEN, BLUE = (
    Frame.of({Switch(0): colour}) for colour in ((255, 0, 0), (0, 255, 0), (0, 0, 255))
)


class Posts:
    """What a scanner posts."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Event | BusError] = queue.SimpleQueue()

    def __call__(self, event: Event | BusError) -> None:
        self._queue.put(event)

    def next(self) -> Event:
        event = self._queue.get(timeout=PATIENCE_S)
        assert not isinstance(event, BusError)
        return event

    def none(self) -> bool:
        return self._queue.empty()

    def all(self) -> list[Event]:
        """What has been posted and not been taken."""
        return [self.next() for _ in range(self._queue.qsize())]


def scanner(board: ScriptedBoard, post: Posts, notifier: Notifier | None = None) -> Scanner:
    """Return a scanner whose clock stands still, so that no scan is late on a busy machine."""
    return Scanner(
        board, VirtualClock(), post, period_us=500, watchdog=Watchdog(notifier or Notifier())
    )


# ---------------------------------------------------------------------------- scanning


def test_only_readings_that_differ_are_posted() -> None:
    readings = [START, START, LIFTED, LIFTED, START]
    board, posts = ScriptedBoard(lambda n: readings[min(n, 4)]), Posts()
    scans = scanner(board, posts)
    scans.start()
    assert board.script.wait_for(20)
    scans.stop()
    seen = [event for event in posts.all() if isinstance(event, Scan)]
    assert [event.occupancy for event in seen] == [START, LIFTED, START]


def test_the_loop_is_told_once_that_what_it_waits_for_has_come() -> None:
    posts = Posts()
    scans = Scanner(
        ScriptedBoard(),
        clock := VirtualClock(),
        posts,
        period_us=500,
        watchdog=Watchdog(Notifier()),
    )
    scans.scan()
    assert isinstance(posts.next(), Scan)
    scans.due_us = 2_000
    told = []
    for t_us in (1_999, 2_000, 2_500):
        clock.advance_to(t_us)
        scans.scan()
        told.append(None if posts.none() else posts.next())
    assert told == [None, Tick(2_000), None]


def test_presses_are_posted_in_their_order() -> None:
    board, posts = ScriptedBoard(), Posts()
    board.buttons.press("draw")
    board.buttons.press("pause")
    scans = scanner(board, posts)
    scans.scan()
    events = [posts.next() for _ in range(3)]
    assert [event.button for event in events if isinstance(event, Press)] == ["draw", "pause"]
    assert posts.none()


def test_what_stands_is_told_anew_when_it_can_be_read_again_though_nobody_touched_it() -> None:
    posts = Posts()
    scans = scanner(ScriptedBoard(lambda n: broken() if n == 1 else START), posts)
    for _ in range(4):
        scans.scan()
    seen = [posts.next() for _ in range(4)]
    assert [type(event) for event in seen] == [Scan, Outage, Restored, Scan]
    assert posts.none()


def test_a_bus_in_trouble_is_told_once_and_read_again(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scanner_module, "RETRY_S", 0.0)
    board = ScriptedBoard(lambda n: START if n == 0 else broken() if n < 10 else LIFTED)
    posts = Posts()
    scans = scanner(board, posts)
    with caplog.at_level(logging.WARNING):
        scans.start()
        seen = [posts.next() for _ in range(4)]
        scans.stop()
    assert [type(event) for event in seen] == [Scan, Outage, Restored, Scan]
    assert [e.occupancy for e in seen if isinstance(e, Scan)] == [START, LIFTED]
    assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"]
    assert "no acknowledgement" in caplog.messages[0]


def test_a_bus_in_trouble_is_not_hurried() -> None:
    board = ScriptedBoard(lambda n: START if n in (9, 11) else broken())
    scans = scanner(board, Posts())
    pauses = [scans.scan() for _ in range(12)]
    assert pauses[:4] == [RETRY_S, 2 * RETRY_S, 4 * RETRY_S, 8 * RETRY_S]
    assert pauses[8:] == [LONGEST_RETRY_S, 0.0005, RETRY_S, 0.0005]


def test_what_else_is_wrong_is_told_too(caplog: pytest.LogCaptureFixture) -> None:
    troubles = ["no acknowledgement", "no acknowledgement", "time-out"]
    posts = Posts()
    scans = scanner(ScriptedBoard(lambda n: broken(troubles[n])), posts)
    for _ in troubles:
        scans.scan()
    told = [posts.next() for _ in range(2)]
    assert [event.text for event in told if isinstance(event, Outage)] == troubles[1:]
    assert posts.none()


# ---------------------------------------------------------------------------- resting


class Bell:
    """A signal that a test rings; it says how long it was waited for, and rings at once."""

    def __init__(self, *, is_timed: bool = False) -> None:
        self.is_timed = is_timed
        self.rung = threading.Event()
        self.waits: list[float | None] = []

    def set(self) -> None:
        self.rung.set()

    def clear(self) -> None:
        self.rung.clear()

    def wait(self, timeout: float | None = None) -> bool:
        self.waits.append(timeout)
        return True

    def age_s(self) -> float | None:
        return 0.0 if self.is_timed else None


def test_a_button_that_is_held_is_looked_at_as_often_as_a_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scanner_module, "BOUNCE_S", 0.0)
    monkeypatch.setattr(scanner_module, "NET_S", 10 * PATIENCE_S)  # no scan comes of resting here
    board = ScriptedBoard()
    board.wake = Wake(is_timed=False)
    held = HeldPanel()
    held.hold("new_game")
    board.panel = held
    scans = scanner(board, Posts())
    scans.start()
    assert board.script.wait_for(20)
    scans.stop()


@pytest.mark.parametrize(("is_timed", "wait_s"), [(False, LISTEN_S), (True, NET_S)])
def test_a_resting_board_that_can_tell_of_a_change_is_not_asked(
    monkeypatch: pytest.MonkeyPatch, *, is_timed: bool, wait_s: float
) -> None:
    monkeypatch.setattr(scanner_module, "BOUNCE_S", 0.0)
    board, bell = ScriptedBoard(), Bell(is_timed=is_timed)
    board.wake = bell
    times = count()
    world = SimpleNamespace(  # where nothing is ever late
        monotonic=lambda: next(times) / 10_000, sleep=lambda _: None
    )
    monkeypatch.setattr(scanner_module, "time", world)
    scans = scanner(board, Posts())
    scans.start()
    assert board.script.wait_for(3)
    scans.stop()
    assert set(bell.waits) == {wait_s}
    assert bell.rung.is_set(), "who waits has to be woken at the end"


def test_what_happens_during_a_scan_wakes_the_next_one() -> None:
    bell = Bell()

    def ring(n: int) -> Occupancy:
        bell.set()
        return START

    board = ScriptedBoard(ring)
    board.wake = bell
    scanner(board, Posts()).scan()
    assert bell.rung.is_set()


def test_hands_at_work_are_watched_at_full_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    board, bell = ScriptedBoard(lambda n: START ^ Occupancy(n & 1)), Bell()
    board.wake = bell
    world = SimpleNamespace(  # a tenth of a second passes from one scan to the next
        monotonic=lambda: board.script.completed / 10, sleep=lambda _: None
    )
    monkeypatch.setattr(scanner_module, "time", world)
    scans = scanner(board, Posts())
    scans.start()
    assert board.script.wait_for(20)
    scans.stop()
    assert bell.waits == []


@pytest.mark.parametrize(
    ("is_calm", "at_work_s"),
    [pytest.param(True, BOUNCE_S, id="all stand"), pytest.param(False, LIVELY_S, id="one is held")],
)
def test_a_board_that_cannot_tell_of_a_change_is_watched_closely_while_a_hand_may_be_at_work(
    monkeypatch: pytest.MonkeyPatch, *, is_calm: bool, at_work_s: float
) -> None:
    clock, scanned_us, is_over = VirtualClock(), list[int](), threading.Event()
    world = SimpleNamespace(
        monotonic=lambda: clock.now_us() / 1_000_000,
        sleep=lambda s: clock.advance_to(clock.now_us() + round(s * 1_000_000)),
    )
    monkeypatch.setattr(scanner_module, "time", world)

    def reading(n: int) -> Occupancy:
        scanned_us.append(clock.now_us())
        if clock.now_us() >= 10_000_000:
            is_over.set()
        return START

    board, posts = ScriptedBoard(reading), Posts()
    scans = Scanner(board, clock, posts, period_us=2_000, watchdog=Watchdog(Notifier()))
    scans.is_calm = is_calm
    scans.start()
    assert is_over.wait(PATIENCE_S)
    scans.stop()
    pauses = [(then, after - then) for then, after in pairwise(scanned_us)]
    assert {pause for then, pause in pauses if then < at_work_s * 1_000_000 - 2_000} == {2_000}
    assert {pause for then, pause in pauses if then > at_work_s * 1_000_000} == {12_000}
    assert [event for event in posts.all() if isinstance(event, Scan) and event.since_us] == []


def test_a_second_trouble_is_told_again(caplog: pytest.LogCaptureFixture) -> None:
    board = ScriptedBoard(lambda n: broken() if n % 2 else START)
    scans = scanner(board, Posts())
    for _ in range(5):
        scans.scan()
    assert [r.levelname for r in caplog.records] == ["ERROR", "WARNING"] * 2


def test_the_watchdog_is_fed_by_completed_rounds_alone() -> None:
    hang, rounds = threading.Event(), []

    def reading(n: int) -> Occupancy:
        if n == 5:
            assert hang.wait(PATIENCE_S)
        return START

    board = ScriptedBoard(reading)

    class Watchdog(Notifier):
        def watchdog(self) -> bool:
            rounds.append(board.script.completed)
            return True

    notifier = Watchdog("/run/nobody", watchdog_us=2)  # due after every round
    scans = scanner(board, Posts(), notifier)
    scans.start()
    assert board.script.wait_for(5)
    hang.set()
    assert board.script.wait_for(10)
    scans.stop()
    # Each ping follows a round of its own: while a reading hangs, there is none.
    assert len(rounds) >= 9
    assert rounds == sorted(set(rounds))
    assert {4, 5, 6} <= set(rounds)


def test_a_missing_chip_does_not_starve_the_watchdog(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanner_module, "RETRY_S", 0.0)
    board, ear = ScriptedBoard(lambda n: broken()), Ear("/run/nobody", 2)
    scans = scanner(board, Posts(), ear)
    scans.start()
    assert board.script.wait_for(5)
    scans.stop()
    assert len(ear.heard) >= 4
    assert set(ear.heard) == {"WATCHDOG=1"}
