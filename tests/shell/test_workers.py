"""The threads that light and that write: the newest counts, and what failed is tried again."""

from __future__ import annotations

import logging
import re
import threading
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.errors import BusError
from boardfw.frame import DARK, Frame
from boardfw.shell.pgn_file import PgnFile
from boardfw.shell.runtime import Lamp
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
    monkeypatch.setattr("boardfw.shell.outbox.RETRY_S", 0.001)
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
    game = '[Event "{}"]\n[Result "*"]\n\n1. e4 e5 *\n\n'
    texts = [tuple(game.format(n) for n in range(count)) for count in range(1, 101)]
    path = tmp_path / "games.pgn"
    pgn = PgnFile(path)
    pgn.start()
    seen = set()
    for text in texts:
        pgn.put(text)
        if path.exists():
            seen.add(path.read_text())
    pgn.stop()
    assert path.read_text() == "".join(texts[-1])
    assert seen <= {"".join(text) for text in texts}
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


GAMES = st.lists(st.text("ab 1\n♜", max_size=40), max_size=4).map(tuple)


@given(st.lists(st.tuples(GAMES, st.sampled_from(["", "gone", "other", "longer"])), max_size=12))
def test_whatever_becomes_of_the_games_the_file_has_them(
    steps: list[tuple[tuple[str, ...], str]],
) -> None:
    with TemporaryDirectory() as folder:
        pgn = PgnFile(Path(folder) / "games.pgn")
        for texts, mishap in steps:
            pgn.write(texts)
            # Line feeds at the end of a PGN mean nothing, and are gone after the stop.
            assert pgn.path.read_text().rstrip("\n") == "".join(texts).rstrip("\n")
            if mishap == "gone":
                pgn.path.unlink()
            elif mishap == "other":
                (pgn.path.with_name("other")).write_text("of somebody else")
                pgn.path.with_name("other").replace(pgn.path)
            elif mishap == "longer":
                with pgn.path.open("a") as file:
                    file.write("of somebody else")
        if steps:
            pgn.write(steps[-1][0])
            pgn.start()
            pgn.stop()
            assert pgn.path.read_text() == "".join(steps[-1][0])


def test_a_ply_late_in_the_evening_costs_what_the_first_one_did(tmp_path: Path) -> None:
    pgn = PgnFile(tmp_path / "games.pgn")
    over = tuple(f'[Event "{n}"]\n\n{"1. e4 e5 " * 100}*\n\n' for n in range(900))
    pgn.write(over)
    before = written()
    for plies in range(100):
        pgn.write((*over, f'[Event "900"]\n\n{"1. e4 e5 " * plies}*\n\n'))
    assert written() - before < 100 * 100
    assert pgn.path.read_text().startswith("".join(over))


def written() -> int:
    """Bytes that this process has handed to the system."""
    found = re.search(r"^wchar: (\d+)$", Path("/proc/self/io").read_text(), re.MULTILINE)
    assert found
    return int(found[1])


def test_what_a_full_disk_refused_is_told_once_and_written_in_the_end(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    told = threading.Event()

    class Told(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            told.set()

    log = logging.getLogger("boardfw.shell.outbox")
    handler = Told()
    log.addHandler(handler)
    pgn = PgnFile(tmp_path / "later" / "games.pgn")  # the directory is not there yet
    pgn.start()
    pgn.put(("first",))
    assert told.wait(PATIENCE_S)
    pgn.put(("last",))
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
    pgn.put(("text",))
    pgn.stop()
    assert len(caplog.records) == 1
