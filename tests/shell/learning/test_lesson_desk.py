"""What a board at lessons says of a disk that is full, and how it says good-bye."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from boardfw.cli.learn import Place
from boardfw.cli.learn.lessons import Teaching
from boardfw.frame import DARK
from boardfw.game.events import Tick
from boardfw.learning.course import Course
from boardfw.learning.lesson import Phase, Result
from boardfw.learning.source import InOrder
from boardfw.learning.task import Find, Goal, Play, Task
from boardfw.learning.tutor import Tutor
from boardfw.lights.cue import Cue
from boardfw.recording import Press, Scan
from boardfw.rules import WHITE
from boardfw.shell import runtime as runtime_module
from boardfw.shell.config import Settings
from boardfw.shell.dates import Calendar
from boardfw.shell.learning.learner import Log
from boardfw.shell.learning.lesson_desk import LessonDesk
from boardfw.shell.panel.buttons import SHUT_DOWN
from boardfw.shell.runtime import STEPS, Runtime
from boardfw.squares import BY_NAME, Occupancy
from boardfw.squares import START as STANDING
from hardware.clock import MonotonicClock
from tests.learning.classroom import START, exercise, squares
from tests.lights.shown import squares_of
from tests.patience import PATIENCE_S
from tests.shell.boards import ScriptedBoard
from tests.shell.learning.disks import BIGGER_THAN_A_PAGE, Disk

FULL = "games.db: the disk is full; make room"


class Watched(LessonDesk):
    """A desk that tells when it hears of the disk."""

    def __init__(self, task: Task) -> None:
        asked = replace(exercise(START, task), key=f"test.{BIGGER_THAN_A_PAGE}")
        super().__init__(Tutor(InOrder([asked])), Settings())
        self.result = Result(asked, 0, 1, 0, 0, is_solved=True)
        self.is_in_trouble, self.is_well = asyncio.Event(), asyncio.Event()

    def confirm(self, *, kept: bool, trouble: str = "", damage: str = "") -> None:
        super().confirm(kept=kept, trouble=trouble, damage=damage)
        if trouble:
            self.is_in_trouble.set()
        elif kept:
            self.is_well.set()

    def touch(self, t_us: int, *edges: str) -> None:
        """Touches that follow each other, and a rest."""
        standing = self.session.standing
        for number, edge in enumerate(edges):
            standing ^= Occupancy(squares(edge))
            self.take(Scan(t_us + number * 200_000, standing))
        until_us = t_us + 5_000_000
        while (due_us := self.deadline_us) is not None and due_us < until_us:
            self.take(Tick(due_us))
        self.take(Tick(until_us))


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    with closing(Disk(tmp_path / "games.db")) as disk:
        yield disk


def test_the_last_move_stays_dark_while_answers_wait_as_in_a_game() -> None:
    desk = Watched(Play(Goal.GAME, WHITE, 4))
    desk.take(Scan(0, STANDING))
    desk.touch(1_000_000, "e2", "e4")
    (origin,) = [s for s in BY_NAME if squares(s) & desk.lesson.marks.asked]
    (target,) = [s for s in BY_NAME if squares(s) & desk.lesson.marks.put]
    desk.touch(10_000_000, origin, target)
    assert squares_of(desk.scene, Cue.LAST_MOVE) == squares(f"{origin} {target}")
    desk.confirm(kept=False, trouble=FULL)
    assert squares_of(desk.scene, Cue.LAST_MOVE) == 0
    assert desk.view.unwritten == FULL
    desk.confirm(kept=True)
    assert squares_of(desk.scene, Cue.LAST_MOVE) == squares(f"{origin} {target}")
    assert desk.view.unwritten == ""


@pytest.mark.parametrize("phase", [Phase.ASKED, Phase.OVER])
def test_the_good_bye_is_shown_whatever_goes_on(phase: Phase) -> None:
    desk = Watched(Find((BY_NAME["e4"],)))
    desk.take(Scan(0, STANDING))
    if phase is Phase.OVER:
        desk.skip()
        desk.touch(1_000_000)
    assert desk.lesson.phase is phase
    desk.say_good_bye(0)
    assert squares_of(desk.scene, Cue.GOOD_BYE)
    assert desk.frame(6_000_000) != DARK


async def test_a_full_disk_reaches_the_desk_and_so_does_its_end(disk: Disk) -> None:
    disk.has_room = lambda _: False
    log = Log(disk, "guest", Calendar(), Course())
    desk = Watched(Find((BY_NAME["e4"],)))
    runtime = Runtime(ScriptedBoard(), MonotonicClock(), desk, books=log)
    running = asyncio.create_task(runtime.run())
    async with asyncio.timeout(PATIENCE_S):
        await desk.is_well.wait()
        log.keep(desk.result)
        await desk.is_in_trouble.wait()
    assert desk.view.unwritten == f"{disk.path}: the disk is full; make room"
    assert desk.view.unkept
    assert not runtime.is_kept
    disk.has_room = lambda _: True
    runtime.stop()
    async with asyncio.timeout(PATIENCE_S):
        await running
    assert runtime.is_kept


@pytest.mark.parametrize("has_room", [True, False])
async def test_the_ring_closes_only_when_all_answers_are_kept(
    disk: Disk, has_room: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime_module, "STEP_S", 0.0)
    disk.has_room = lambda _: has_room
    log = Log(disk, "guest", Calendar(), Course())
    desk = Watched(Find((BY_NAME["e4"],)))
    runtime = Runtime(ScriptedBoard(), MonotonicClock(), desk, books=log)
    log.keep(desk.result)
    runtime.tell(Press(0, SHUT_DOWN))
    async with asyncio.timeout(PATIENCE_S):
        await runtime.run()
    assert runtime.is_shut_down
    assert desk.view.good_bye == (STEPS - 1 if has_room else 0)


@pytest.mark.slow
def test_whoever_gives_a_lesson_lets_the_board_know_of_its_answers(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk.has_room = lambda _: False
    seen: list[bool] = []

    async def answer(runtime: Runtime) -> None:
        seen.append(runtime.is_kept)
        runtime.desk.take(Scan(0, STANDING))
        assert isinstance(runtime.desk, LessonDesk)
        runtime.desk.skip()
        seen.append(runtime.is_kept)

    monkeypatch.setattr(Runtime, "run", answer)
    asked = Watched(Find((BY_NAME["e4"],))).result.exercise
    place = Place(url="sim:", hands="club", by_hand=False, log=None, config=None)
    with closing(Log(disk, "guest", Calendar(), Course())) as log:
        Teaching(place, "x").run(InOrder([asked]), log)
    assert seen == [True, False]
