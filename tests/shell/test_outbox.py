"""A thread that works on the newest thing, here the lights: what failed is tried again."""

from __future__ import annotations

import threading
from itertools import count

import pytest

from boardfw.errors import BusError
from boardfw.frame import DARK, Frame
from boardfw.shell.outbox import newest
from boardfw.squares import EVERY_SWITCH
from tests.patience import PATIENCE_S
from tests.shell.boards import ScriptedLights

RED, GREEN, BLUE = (
    Frame.of({EVERY_SWITCH[0]: colour}) for colour in ((255, 0, 0), (0, 255, 0), (0, 0, 255))
)


def test_of_the_frames_that_wait_only_the_newest_is_shown() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slowly(frame: Frame) -> None:
        begun.set()
        assert go_on.wait(PATIENCE_S)

    lights = ScriptedLights(slowly)
    lamp = newest("lights", lights.show)
    lamp.start()
    lamp.put(RED)
    assert begun.wait(PATIENCE_S)
    lamp.put(GREEN)
    lamp.put(DARK)
    lamp.put(BLUE)
    go_on.set()
    lamp.stop()
    assert lights.shown == [RED, BLUE]


def test_lights_that_cannot_be_reached_are_told_once_and_tried_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    tried, tries = threading.Semaphore(0), count(1)

    def failing(frame: Frame) -> None:
        tried.release()
        if frame != BLUE:
            raise BusError(f"no light at try {next(tries)}")

    lights = ScriptedLights(failing)
    lamp = newest("lights", lights.show)
    lamp.start()
    for frame in (RED, GREEN, RED, BLUE):
        lamp.put(frame)
        assert tried.acquire(timeout=PATIENCE_S)
    lamp.stop()
    assert lights.shown == [BLUE]
    assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"]
    assert "no light at try 1" in caplog.messages[0]


def test_a_strip_that_is_back_shows_what_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing may change on the board for an hour: the picture comes back by itself."""
    monkeypatch.setattr("boardfw.shell.outbox.RETRY_S", 0.001)
    tries, back = iter(range(5)), threading.Event()

    def dead_at_first(frame: Frame) -> None:
        if next(tries) < 3:
            raise BusError("no light")
        back.set()

    lights = ScriptedLights(dead_at_first)
    lamp = newest("lights", lights.show)
    lamp.start()
    lamp.put(RED)
    assert back.wait(PATIENCE_S)
    lamp.stop()
    assert lights.shown == [RED]


def test_whoever_cannot_be_told_of_a_change_keeps_nothing_from_being_done(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail() -> None:
        raise RuntimeError("Event loop is closed")

    def shown(frame: Frame) -> None:
        tried.release()

    tried = threading.Semaphore(0)
    lights = ScriptedLights(shown)
    lamp = newest("lights", lights.show)
    lamp.watch(fail)
    lamp.start()
    for frame in (RED, BLUE):
        lamp.put(frame)
        assert tried.acquire(timeout=PATIENCE_S)
    lamp.stop()
    assert lights.shown == [RED, BLUE]
    assert "lights: nobody could be told of a change" in caplog.messages


def test_a_check_that_fails_keeps_nothing_from_being_done(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("boardfw.shell.outbox.LOOK_S", 0.001)
    has_looked, is_shown = threading.Event(), threading.Event()

    def fail() -> bool:
        has_looked.set()
        raise ValueError("nobody expected this")

    lamp = newest("lights", ScriptedLights(lambda _: is_shown.set()).show)
    lamp.repeat_if(fail)
    lamp.start()
    assert has_looked.wait(PATIENCE_S)
    lamp.put(RED)
    assert is_shown.wait(PATIENCE_S)
    lamp.stop()
    assert caplog.messages == ["lights: no longer checks what it has done"]


def test_a_failure_without_words_is_tried_again_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardfw.shell.outbox.RETRY_S", 0.001)
    tries, back = count(), threading.Event()

    def wordless_at_first(frame: Frame) -> None:
        if next(tries) == 0:
            raise BusError("")
        back.set()

    lamp = newest("lights", wordless_at_first)
    lamp.start()
    lamp.put(RED)
    assert back.wait(PATIENCE_S)
    lamp.stop()
