"""A loop or lights that hang restart the board, a disk that hangs does not; status names both."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from boardfw.cli.status_screen import lines
from boardfw.game.events import Action, Lifted
from boardfw.game.session import Session
from boardfw.shell import pulse, runtime
from boardfw.shell.config import Settings
from boardfw.shell.dates import Calendar
from boardfw.shell.desk import Desk
from boardfw.shell.outbox import newest
from boardfw.shell.pulse import silent
from boardfw.shell.runtime import Runtime
from boardfw.shell.status import status_file
from boardfw.shell.status.status_file import Sources, StatusFile
from boardfw.shell.status.status_report import FILE, Report, read_report
from boardfw.squares import START, SWITCH_BY_NAME, Occupancy
from hardware.clock import MonotonicClock
from tests.patience import PATIENCE_S
from tests.shell.boards import Ear, ScriptedBoard, ScriptedLights

LIFTED = START & ~(1 << SWITCH_BY_NAME["e2"])
FED = "WATCHDOG=1"


class Hang:
    """A place where a thread hangs until the test lets it go on."""

    def __init__(self) -> None:
        self.is_there, self._go_on = threading.Event(), threading.Event()

    def __call__(self, _: object = None) -> None:
        self.is_there.set()
        assert self._go_on.wait(PATIENCE_S)

    @contextmanager
    def begun(self) -> Iterator[None]:
        """Wait for the thread to hang, and let it go on in the end."""
        try:
            assert self.is_there.wait(PATIENCE_S)
            yield
        finally:
            self._go_on.set()


class Watched:
    """A board at work under a supervisor, in a thread, which is fed after every round."""

    def __init__(self, path: Path, board: ScriptedBoard) -> None:
        self.board = board
        self.ear = Ear("/run/nobody", 2)
        self.file = path / FILE
        clock = MonotonicClock()
        sources = Sources("sim:", clock, Calendar("never"), dict, list)
        self.runtime = Runtime(
            board,
            clock,
            Desk(Session(), Settings()),
            followers=[StatusFile(self.file, sources)],
            notifier=self.ear,
        )
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()))

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        await self.runtime.run()

    @contextmanager
    def at_work(self) -> Iterator[None]:
        self._thread.start()
        try:
            yield
        finally:
            assert self._loop is not None
            self._loop.call_soon_threadsafe(self.runtime.stop)
            self._thread.join(PATIENCE_S)

    def fed(self, rounds: int = 20) -> int:
        """Count what the watchdog gets in so many further rounds."""
        before = self.ear.heard.count(FED)
        assert self.board.script.wait_for(self.board.script.completed + rounds)
        return self.ear.heard.count(FED) - before

    def until(self, *, is_fed: bool) -> None:
        """Wait until the watchdog is fed, or is not fed any more."""
        end_s = time.monotonic() + PATIENCE_S
        while bool(self.fed()) is not is_fed:
            assert time.monotonic() < end_s

    def report(self, thread: str) -> Report:
        """Wait for the status to name this thread."""
        end_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < end_s:
            report = read_report(self.file)
            if report and thread in [one.thread for one in report.silent]:
                return report
            self.fed()
        raise AssertionError(f"{thread} is not named")


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime, "LOOP_S", 0.2)
    monkeypatch.setattr(runtime, "LIGHTS_S", 0.2)
    monkeypatch.setattr(pulse, "NOTED_S", 0.1)
    monkeypatch.setattr(status_file, "LOOK_S", 0.01)
    monkeypatch.setattr(status_file, "PAUSE_S", 0.01)


def test_a_loop_that_hangs_starves_the_watchdog(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    hang, lifts = Hang(), threading.Event()

    def reading(n: int) -> Occupancy:
        return LIFTED if lifts.is_set() else START

    def hear(action: Action) -> None:
        if isinstance(action, Lifted):
            hang()

    board = Watched(tmp_path, ScriptedBoard(reading))
    board.runtime.listen(hear)
    with board.at_work():
        board.until(is_fed=True)
        lifts.set()
        with hang.begun():
            board.until(is_fed=False)
            assert board.fed(50) == 0, "nothing lets it answer"
            report = board.report("loop")
            (told,) = (one for one in report.silent if one.thread == "loop")
            assert told.restarts
            screen = list(lines(report, told.since_s + 45))
            line = "not answering loop, for 45 s; the board restarts unless it answers soon"
            assert line in screen
        board.until(is_fed=True)
    assert any("'loop' has not answered" in one.message for one in caplog.records)


def test_lights_that_hang_starve_the_watchdog(tmp_path: Path) -> None:
    hang = Hang()
    board = Watched(tmp_path, ScriptedBoard(lights=ScriptedLights(hang)))
    with board.at_work(), hang.begun():
        board.until(is_fed=False)
        assert board.fed(50) == 0
        assert "lights" in [one.thread for one in board.report("lights").silent]


@pytest.mark.slow
def test_lights_may_take_their_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime, "LIGHTS_S", 1e9)
    hang = Hang()
    board = Watched(tmp_path, ScriptedBoard(lights=ScriptedLights(hang)))
    with board.at_work(), hang.begun():
        told = board.report("lights")  # it has taken longer than is usual
        board.until(is_fed=True)
    assert [one.restarts for one in told.silent if one.thread == "lights"] == [True]


@pytest.mark.slow
def test_a_disk_that_hangs_is_named_and_restarts_nothing(tmp_path: Path) -> None:
    hang = Hang()
    writing = newest("record", hang)
    writing.start()
    writing.put(None)
    board = Watched(tmp_path, ScriptedBoard())
    with board.at_work(), hang.begun():
        report = board.report("record")
        (told,) = (one for one in report.silent if one.thread == "record")
        assert "not answering record, for 5 min; the game goes on" in lines(
            report, told.since_s + 300
        )
        board.until(is_fed=True)
    assert writing.stop(PATIENCE_S)


def test_a_thread_that_waits_or_has_ended_is_not_silent() -> None:
    hang = Hang()
    waiting = newest("record", hang)
    waiting.start()
    waiting.put(None)
    with hang.begun():
        pass
    assert waiting.stop(PATIENCE_S)
    assert "record" not in [one.name for one in silent()]
