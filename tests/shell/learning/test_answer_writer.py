"""Answers and a disk in trouble: none is lost or changes places, and what happens is said once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boardfw.errors import BoardError
from boardfw.learning.answer_log import Answered
from boardfw.shell.learning.answer_store import Answers, AnswerWriter
from tests.patience import PATIENCE_S
from tests.shell.learning.disks import ROWS, Disk
from tests.sizes import sized

SOON_S, NEVER_S = 0.001, 3_600.0
FULL = "the disk is full; make room; lessons go on, and answers wait in memory"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def disk(path: Path) -> Iterator[Disk]:
    with closing(Disk(path)) as disk:
        yield disk


def kept(path: Path) -> list[Answered]:
    with closing(Answers.to_read(path)) as answers:
        return answers.rows("guest")


def said(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    return [(record.levelname, record.getMessage()) for record in caplog.records]


def test_what_the_disk_has_no_room_for_to_the_end_is_counted(
    path: Path, disk: Disk, caplog: pytest.LogCaptureFixture
) -> None:
    keeper = AnswerWriter(disk, "guest", retry_s=SOON_S)
    keeper.put(ROWS[0])
    disk.wait_for(lambda: disk.tries == 1)
    disk.has_room = lambda _: False
    for row in ROWS[1:4]:
        keeper.put(row)
    disk.wait_for(lambda: disk.refused >= 2)
    keeper.stop()
    assert kept(path) == [ROWS[0]]
    assert said(caplog) == [
        ("ERROR", f"{path}: {FULL}"),
        ("ERROR", f"{path}: the last 3 answers could not be written"),
    ]
    with closing(Answers(path)) as answers:  # the file is whole, and takes more
        answers.add("guest", ROWS[1])
    assert kept(path) == [*ROWS[:2]]


def test_at_the_end_it_is_tried_once_more(
    path: Path, disk: Disk, caplog: pytest.LogCaptureFixture
) -> None:
    disk.has_room = lambda _: False
    keeper = AnswerWriter(disk, "guest", retry_s=NEVER_S)
    for row in ROWS:
        keeper.put(row)
    disk.wait_for(lambda: disk.refused == 1)
    disk.has_room = lambda _: True
    keeper.stop()
    assert kept(path) == [*ROWS]
    assert [level for level, _ in said(caplog)] == ["ERROR", "WARNING"]


def test_nobody_waits_for_a_disk_that_hangs(path: Path, disk: Disk) -> None:
    is_back = threading.Event()
    disk.has_room = lambda _: is_back.wait(PATIENCE_S)
    keeper = AnswerWriter(disk, "guest")
    for row in ROWS:
        keeper.put(row)
    assert disk.tries == 0
    is_back.set()
    keeper.stop()
    assert kept(path) == [*ROWS]


@pytest.mark.parametrize("trouble", [BoardError("games.db: no disk"), ZeroDivisionError("a fault")])
def test_whatever_fails_is_one_line_and_no_end_of_the_thread(
    path: Path, disk: Disk, trouble: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(number: int) -> bool:
        if number < 3:
            disk.tries += 1
            raise trouble
        return True

    disk.has_room = fail
    keeper = AnswerWriter(disk, "guest", retry_s=SOON_S)
    keeper.put(ROWS[0])
    disk.wait_for(lambda: disk.tries == 4)
    keeper.stop()
    assert kept(path) == [ROWS[0]]
    told = [message for level, message in said(caplog) if level == "ERROR"]
    assert len(told) == 1
    assert "\n" not in told[0]
    assert str(trouble) in told[0]
    assert told[0].endswith("lessons go on, and answers wait in memory")


def test_whoever_watches_is_told_of_the_trouble_and_of_its_end(path: Path, disk: Disk) -> None:
    disk.has_room = lambda _: False
    keeper = AnswerWriter(disk, "guest", retry_s=NEVER_S)
    told: list[tuple[bool, str]] = []
    has_told = threading.Event()

    def note() -> None:
        told.append((keeper.is_kept, keeper.trouble))
        has_told.set()

    keeper.watch(note)
    assert keeper.is_kept
    keeper.put(ROWS[0])
    assert has_told.wait(PATIENCE_S)
    disk.has_room = lambda _: True
    keeper.stop()
    assert told == [(False, f"{path}: the disk is full; make room"), (True, "")]


@settings(
    max_examples=sized(6, 30),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(st.booleans(), max_size=20), st.integers(0, len(ROWS)))
def test_however_often_the_disk_comes_and_goes_each_answer_is_there_once_and_in_its_place(
    tmp_path_factory: pytest.TempPathFactory,
    caplog: pytest.LogCaptureFixture,
    room: list[bool],
    before: int,
) -> None:
    caplog.clear()
    path = tmp_path_factory.mktemp("disk") / "games.db"
    disk = Disk(path, lambda number: number >= len(room) or room[number])
    keeper = AnswerWriter(disk, "guest", retry_s=SOON_S)
    for row in ROWS[:before]:
        keeper.put(row)
    disk.wait_for(lambda: disk.tries - disk.refused == before)
    for row in ROWS[before:]:
        keeper.put(row)
    disk.wait_for(lambda: disk.tries - disk.refused == len(ROWS))
    keeper.stop()
    assert kept(path) == [*ROWS]
    levels = [level for level, _ in said(caplog)]
    assert levels == ["ERROR", "WARNING"] * levels.count("ERROR"), "each trouble, and its end"
    assert levels.count("ERROR") <= disk.refused
    assert bool(levels) == bool(disk.refused)
