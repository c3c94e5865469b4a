"""The command in a real terminal, as a user starts it; and a terminal that goes away."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import chess.pgn
import pytest
from textual.app import App

from boardfw.terminal.driver import DetachableDriver, Outlet
from tests.patience import PATIENCE_S

COMMAND = (sys.executable, "-m", "boardfw", "run", "--play", "famous", "--speed", "10")


class Shut(io.StringIO):
    """A file whose reader has gone."""

    def write(self, text: str) -> int:
        raise OSError(5, "Input/output error")

    def flush(self) -> None:
        raise OSError(5, "Input/output error")


def test_writes_to_a_lost_terminal_are_dropped_and_reported() -> None:
    lost: list[bool] = []
    outlet = Outlet(Shut(), lambda: lost.append(True))
    outlet.write("hello")
    outlet.flush()
    assert len(lost) == 2
    kept = io.StringIO()
    outlet = Outlet(kept, lambda: lost.append(True))
    outlet.write("hello")
    outlet.flush()
    assert kept.getvalue() == "hello"
    assert len(lost) == 2


class Detached(DetachableDriver):
    """Reads from a terminal that has gone, and notes that it was noticed."""

    lost = 0

    def run_input_thread(self) -> None:
        raise OSError(5, "Input/output error")

    def _hang_up(self) -> None:
        self.lost += 1


@pytest.fixture
def nothing() -> Iterator[TextIO]:
    with Path(os.devnull).open() as file:
        yield file


@pytest.mark.parametrize(("screen", "least"), [(io.StringIO(), 1), (Shut(), 2)])
async def test_textual_still_reads_and_writes_where_the_driver_notices_the_end(
    screen: io.StringIO, least: int, nothing: TextIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``DetachableDriver`` overrides private names of textual, which may change any day."""
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(sys, "__stderr__", screen)
    monkeypatch.setattr(sys, "__stdin__", nothing)
    driver = Detached(App[None](), size=(80, 24))
    driver.start_application_mode()  # type: ignore[no-untyped-call]
    driver.stop_application_mode()
    driver.close()
    assert driver.lost >= least


@pytest.fixture
def running(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], int, Path]]:
    """The program on a terminal of 80x24, the terminal's other end, and its PGN."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    path = tmp_path / "x.pgn"
    process = subprocess.Popen(
        [*COMMAND, "--pgn", str(path)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        cwd=tmp_path,  # whose record no other board shares
        env={**os.environ, "TERM": "xterm-256color"},
    )
    os.close(theirs)
    yield process, ours, path
    process.kill()
    process.wait()


def read_until(terminal: int, wanted: bytes) -> bytes:
    """What the screen is sent, up to and with these bytes."""
    seen = b""
    while wanted not in seen:
        seen += os.read(terminal, 65536)
    return seen


@pytest.mark.slow
def test_a_terminal_that_goes_away_ends_the_program_with_a_whole_pgn(
    running: tuple[subprocess.Popen[bytes], int, Path],
) -> None:
    process, terminal, path = running
    read_until(terminal, b"Bg4")
    os.close(terminal)
    assert process.wait(PATIENCE_S) == 0
    game = chess.pgn.read_game(io.StringIO(path.read_text()))
    assert game is not None
    assert not game.errors
    assert game.end().ply() >= 5


@pytest.mark.slow
def test_ctrl_c_closes_the_screen_and_says_where_the_pgn_lies(
    running: tuple[subprocess.Popen[bytes], int, Path],
) -> None:
    process, terminal, path = running
    read_until(terminal, b"Bg4")
    os.write(terminal, b"\x03")
    assert b"PGN: " in read_until(terminal, path.name.encode() + b"\r\n")
    assert process.wait(PATIENCE_S) == 0
    os.close(terminal)
    assert chess.pgn.read_game(io.StringIO(path.read_text())) is not None
