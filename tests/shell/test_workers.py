"""The threads that light and that write: the newest counts, and what failed is tried again."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

import pytest

from boardfw.errors import BusError
from boardfw.frame import DARK, Frame
from boardfw.shell.lamp import Lamp
from boardfw.shell.pgn_file import PgnFile
from tests.shell.boards import PATIENCE_S, ScriptedLights

RED, GREEN, BLUE = (Frame.of({0: colour}) for colour in ((255, 0, 0), (0, 255, 0), (0, 0, 255)))


# ---------------------------------------------------------------------------- lighting


def test_of_the_frames_that_wait_only_the_newest_is_shown() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slowly(frame: Frame) -> None:
        begun.set()
        assert go_on.wait(PATIENCE_S)

    lights = ScriptedLights(slowly)
    lamp = Lamp(lights)
    lamp.start()
    lamp.show(RED)
    assert begun.wait(PATIENCE_S)
    lamp.show(GREEN)
    lamp.show(DARK)
    lamp.show(BLUE)
    go_on.set()
    lamp.stop()
    assert lights.shown == [RED, BLUE]


def test_lights_that_cannot_be_reached_are_told_once_and_tried_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    tried = threading.Semaphore(0)

    def failing(frame: Frame) -> None:
        tried.release()
        if frame != BLUE:
            raise BusError("no light")

    lights = ScriptedLights(failing)
    lamp = Lamp(lights)
    lamp.start()
    for frame in (RED, GREEN, RED, BLUE):
        lamp.show(frame)
        assert tried.acquire(timeout=PATIENCE_S)
    lamp.stop()
    assert lights.shown == [BLUE]
    assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"]
    assert "no light" in caplog.messages[0]


def test_a_strip_that_is_back_shows_what_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing may change on the board for an hour: the picture comes back by itself."""
    monkeypatch.setattr("boardfw.shell.worker.RETRY_S", 0.001)
    tries, back = iter(range(5)), threading.Event()

    def dead_at_first(frame: Frame) -> None:
        if next(tries) < 3:
            raise BusError("no light")
        back.set()

    lights = ScriptedLights(dead_at_first)
    lamp = Lamp(lights)
    lamp.start()
    lamp.show(RED)
    assert back.wait(PATIENCE_S)
    lamp.stop()
    assert lights.shown == [RED]


# ----------------------------------------------------------------------------- writing


def test_the_file_of_the_games_is_whole_at_every_moment(tmp_path: Path) -> None:
    texts = [f'[Event "{n}"]\n[Result "*"]\n\n1. e4 e5 *\n\n' * (n + 1) for n in range(100)]
    path = tmp_path / "games.pgn"
    pgn = PgnFile(path)
    pgn.start()
    pgn.put(texts[0])
    seen = set()
    for text in texts[1:]:
        pgn.put(text)
        if path.exists():
            seen.add(path.read_text())
    pgn.stop()
    assert path.read_text() == texts[-1]
    assert seen <= set(texts)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_what_a_full_disk_refused_is_told_once_and_written_in_the_end(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    told = threading.Event()

    class Told(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            told.set()

    log = logging.getLogger("boardfw.shell.worker")
    handler = Told()
    log.addHandler(handler)
    pgn = PgnFile(tmp_path / "later" / "games.pgn")  # the directory is not there yet
    pgn.start()
    pgn.put("first")
    assert told.wait(PATIENCE_S)
    pgn.put("last")
    (tmp_path / "later").mkdir()
    pgn.stop()
    log.removeHandler(handler)
    assert pgn.path.read_text() == "last"
    assert [r.levelname for r in caplog.records] in (["ERROR"], ["ERROR", "WARNING"])


def test_a_file_that_can_never_be_written_does_not_hang(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pgn = PgnFile(tmp_path / "none" / "games.pgn")
    pgn.start()
    pgn.put("text")
    pgn.stop()
    assert len(caplog.records) == 1
