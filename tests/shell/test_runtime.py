"""The live loop: readings in, words, lights and a PGN out, however it ends."""

from __future__ import annotations

import asyncio
import io
import threading
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

import chess.pgn
import pytest

from boardfw.errors import BusError
from boardfw.frame import Frame
from boardfw.game.events import Action, Ended, Lifted, Moved, Ruled, Ruling
from boardfw.game.rulings.decision import parse_decision
from boardfw.game.session import Session
from boardfw.rules import Position
from boardfw.rules.warming import steps
from boardfw.shell import runtime, scanner
from boardfw.shell.config import Settings
from boardfw.shell.desk import Desk
from boardfw.shell.runtime import Runtime
from boardfw.squares import START, SWITCH_BY_NAME, Occupancy
from hardware.clock import MonotonicClock
from hardware.sim.board import SimBoard
from hardware.sim.faults import PRESETS
from tests.patience import PATIENCE_S
from tests.shell.boards import (
    Ear,
    ScriptedBoard,
    ScriptedLights,
    ScriptedSensor,
    in_step,
)

LIFTED = START & ~(1 << SWITCH_BY_NAME["e2"])


def test_lights_that_hang_never_delay_a_scan() -> None:
    board = ScriptedBoard(lambda n: START if n % 2 else LIFTED)
    scanned: list[bool] = []
    lit = threading.Event()

    def hang(frame: Frame) -> None:
        if not scanned:
            scanned.append(board.script.wait_for(board.script.completed + 100))
            lit.set()

    board.lights = ScriptedLights(hang)

    async def play() -> None:
        runtime = Runtime(board, MonotonicClock(), Desk(Session(), Settings()))
        running = asyncio.create_task(runtime.run())
        assert await asyncio.to_thread(lit.wait, PATIENCE_S)
        runtime.stop()
        await running

    asyncio.run(play())
    assert scanned == [True]


def test_a_reading_that_comes_back_after_the_end_is_told_to_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scanner, "PATIENCE_S", 0.0)
    begun, go_on = threading.Event(), threading.Event()

    def hang(n: int) -> Occupancy:
        begun.set()
        assert go_on.wait(PATIENCE_S)
        return START

    async def play() -> None:
        runtime = Runtime(ScriptedBoard(hang), MonotonicClock(), Desk(Session(), Settings()))
        running = asyncio.create_task(runtime.run())
        assert await asyncio.to_thread(begun.wait, PATIENCE_S)
        runtime.stop()
        await running

    asyncio.run(play())
    (scanning,) = (thread for thread in threading.enumerate() if thread.name == "scan")
    go_on.set()
    scanning.join(PATIENCE_S)  # whatever it raises fails the test


# --------------------------------------------------------------------------- together


class Table:
    """A simulated board at work, and what its session says."""

    def __init__(self, path: Path) -> None:
        clock = MonotonicClock()
        self.board = SimBoard(clock, faults=PRESETS["none"])
        self._lit = asyncio.Event()
        loop = asyncio.get_running_loop()
        self.board.lights = ScriptedLights(lambda frame: _wake(loop, self._lit))
        self.ear = Ear("/run/nobody")
        self.path = path
        self.runtime = Runtime(
            self.board,
            clock,
            Desk(Session(), Settings()),
            followers=[in_step(path)],
            notifier=self.ear,
        )
        self.said: asyncio.Queue[Action] = asyncio.Queue()
        self.runtime.listen(self.said.put_nowait)

    async def hear(self, kind: type[Action]) -> Action:
        async with asyncio.timeout(PATIENCE_S):
            while not isinstance(action := await self.said.get(), kind):
                pass
        return action

    async def play_e4(self) -> None:
        async with asyncio.timeout(PATIENCE_S):
            await self._lit.wait()  # the first scan has been thought about
        self.board.lift(SWITCH_BY_NAME["e2"])
        await self.hear(Lifted)
        self.board.drop(SWITCH_BY_NAME["e4"], "P")
        await self.hear(Moved)

    def game(self) -> chess.pgn.Game:
        game = chess.pgn.read_game(io.StringIO(self.path.read_text()))
        assert game is not None
        assert game.errors == []
        return game


async def test_the_rules_are_warm_before_the_board_is_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_warm = asyncio.Event()

    def warmed() -> Iterator[None]:
        yield from steps()
        is_warm.set()

    monkeypatch.setattr(runtime, "steps", warmed)
    table = Table(tmp_path / "g.pgn")
    running = asyncio.create_task(table.runtime.run())
    async with asyncio.timeout(PATIENCE_S):
        await is_warm.wait()
    table.runtime.stop()
    await running


async def test_whoever_touches_the_board_does_not_wait_until_the_rules_are_warm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime, "steps", lambda: repeat(None))
    table = Table(tmp_path / "g.pgn")
    running = asyncio.create_task(table.runtime.run())
    await table.play_e4()
    table.runtime.stop()
    await running


async def test_a_move_on_a_live_board_is_said_lit_and_written(tmp_path: Path) -> None:
    table = Table(tmp_path / "g.pgn")
    running = asyncio.create_task(table.runtime.run())
    await table.play_e4()
    table.board.press("resign_black")
    ended = await table.hear(Ended)
    table.runtime.stop()
    await running
    assert isinstance(ended, Ended)
    assert (ended.result, ended.termination) == ("1-0", "resignation")
    assert [move.uci() for move in table.game().mainline_moves()] == ["e2e4"]
    assert table.game().headers["Result"] == "1-0"
    assert [heard.split("=")[0] for heard in table.ear.heard] == ["READY", "STOPPING"]


@pytest.mark.parametrize("end", ["cancelled", "a listener's fault"])
async def test_however_it_ends_the_game_is_written_and_no_thread_is_left(
    tmp_path: Path, end: str
) -> None:
    before = threading.active_count()
    table = Table(tmp_path / "g.pgn")
    running = asyncio.create_task(table.runtime.run())
    await table.play_e4()
    if end == "cancelled":
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
    else:
        table.runtime.listen(_fail)
        table.board.press("resign_black")
        with pytest.raises(ZeroDivisionError):
            await running
    assert [move.uci() for move in table.game().mainline_moves()] == ["e2e4"]
    assert threading.active_count() == before


def _wake(loop: asyncio.AbstractEventLoop, event: asyncio.Event) -> None:
    loop.call_soon_threadsafe(event.set)


def _fail(action: Action) -> None:
    raise ZeroDivisionError


def test_a_scan_that_breaks_down_ends_the_run_with_one_line_and_keeps_the_game(
    tmp_path: Path,
) -> None:
    def broken(n: int) -> Occupancy:
        if n > 3:
            raise OSError(121, "Remote I/O error")
        return START

    runtime = Runtime(
        ScriptedBoard(broken),
        MonotonicClock(),
        Desk(Session(), Settings()),
        followers=[in_step(tmp_path / "g.pgn")],
    )
    with pytest.raises(BusError, match="scanning has broken down: OSError"):
        asyncio.run(runtime.run())
    assert (tmp_path / "g.pgn").read_text().startswith("[Event")


class ScanClock:
    """A scan takes two milliseconds of it, however long this machine makes it wait."""

    def __init__(self, sensor: ScriptedSensor) -> None:
        self._sensor = sensor

    def now_us(self) -> int:
        return self._sensor.completed * 2_000


def test_a_loop_that_was_held_up_still_sees_short_openings_as_short() -> None:
    """Time may not overtake the scans: what they read while the loop slept comes first."""

    def reading(n: int) -> Occupancy:
        return START if n < 5 or n % 2 else LIFTED  # from then on every scan differs

    board = ScriptedBoard(reading)
    heard: list[Action] = []

    async def play() -> None:
        runtime = Runtime(
            board, ScanClock(board.script), Desk(Session(settle_us=100_000), Settings())
        )
        runtime.listen(heard.append)
        running = asyncio.create_task(runtime.run())
        for _ in range(6):
            await asyncio.sleep(0)
            # The loop is busy elsewhere while more scans than a switch takes to settle go by.
            assert board.script.wait_for(board.script.completed + 81)
        runtime.stop()
        await running

    asyncio.run(play())
    assert heard == []


@pytest.mark.slow
async def test_a_ruling_told_from_elsewhere_is_said_and_written(tmp_path: Path) -> None:
    table = Table(tmp_path / "g.pgn")
    running = asyncio.create_task(table.runtime.run())
    await table.play_e4()
    decision = parse_decision(Position.start(), "1.d4")
    table.runtime.tell(Ruling(0, "Ann Berg", "both sheets say so", decision))
    said = await table.hear(Ruled)
    table.runtime.stop()
    await running
    assert isinstance(said, Ruled)
    assert said.what == "1.d4 instead of 1.e4"
    node = table.game().next()
    assert node is not None
    assert (node.uci(), node.comment) == (
        "d2d4",
        "1.d4 instead of 1.e4, by Ann Berg: both sheets say so",
    )
