"""How a running board is: true, readable at every moment, and gone when it runs no more."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from boardfw.cli import BAD_INPUT, main
from boardfw.cli.service_commands import NOT_RUNNING
from boardfw.cli.status_screen import duration, lines
from boardfw.errors import BoardError
from boardfw.game.clock import ClockUse, parse_control
from boardfw.game.events import Action, Event, Outage, Restored, Tick
from boardfw.game.session import Session
from boardfw.recording import Press, Scan
from boardfw.shell.config import Settings
from boardfw.shell.dates import Calendar
from boardfw.shell.desk import Desk
from boardfw.shell.files import write_whole
from boardfw.shell.status import status_file as follower_module
from boardfw.shell.status.status_file import Sources, StatusFile
from boardfw.shell.status.status_report import (
    FILE,
    Report,
    place,
    read_report,
    wait_for_board,
    why_waiting,
)
from boardfw.squares import START, SWITCH_BY_NAME
from hardware import open_board, troubles
from hardware.clock import VirtualClock
from tests.patience import PATIENCE_S

S = 1_000_000
E2, E4, G1, H4 = (1 << SWITCH_BY_NAME[name] for name in ("e2", "e4", "g1", "h4"))
PLAYED = START ^ E2 ^ E4
NOW = datetime(2026, 11, 22, 13, 11, tzinfo=UTC)


class Board:
    """A desk that is fed with events, and who tells of it."""

    def __init__(self, folder: Path, clock: str = "none") -> None:
        self.clock = VirtualClock()
        use = None if clock == "none" else ClockUse(parse_control(clock))
        self.desk = Desk(Session(clock=use), Settings())
        self.file = folder / FILE
        sources = Sources(
            "sim:",
            self.clock,
            Calendar("always", now=lambda: NOW),
            lambda: {"retries": 2},
            lambda: [Path("games/boardfw.db")],
        )
        self.follower = StatusFile(self.file, sources)

    def take(self, *events: Event) -> list[Action]:
        said: list[Action] = []
        for event in events:
            self.clock.advance_to(event.t_us)
            said += self.desk.take(event)
        self.follower.take(said)
        return said

    def play(self) -> None:
        self.take(Scan(0, START), Scan(S, START ^ E2), Scan(2 * S, PLAYED), Tick(4 * S))

    def report(self) -> Report:
        return self.follower.report(self.desk)

    def screen(self) -> str:
        report = self.report()
        return "\n".join(lines(report, report.since_s + 3 * 3600))


def test_a_board_that_plays_says_what_it_is_at(tmp_path: Path) -> None:
    board = Board(tmp_path, "300")
    board.play()
    board.clock.advance_to(12 * S)
    report = board.report()
    assert (report.game.number, report.game.plies, report.game.turn) == (1, 1, "black")
    assert report.game.last_move == "1.e4"
    assert report.game.clock is not None
    assert report.game.clock.running == "black"
    assert 289_000 < report.game.clock.black_ms <= 290_100
    screen = board.screen()
    for words in (
        *("for 3 h 0 min", "all switches can be read", "retries 2", "black to move"),
        *("last move     1.e4, ply 1", "White 5:00, Black 4:50, black's time runs"),
        *("games/boardfw.db", "last error    none"),
    ):
        assert words in screen


def test_a_board_that_has_come_is_waited_for_no_more(tmp_path: Path) -> None:
    wait_for_board("no bus", {"RUNTIME_DIRECTORY": str(tmp_path)})
    board = Board(tmp_path)
    assert why_waiting(board.file) == "no bus"
    board.follower.start(board.desk)
    board.follower.stop()
    assert why_waiting(board.file) is None


def test_late_scans_are_counted(tmp_path: Path) -> None:
    board = Board(tmp_path)
    assert "late scans    none" in board.screen()
    for gap_us in (26_000, 2_345_000, 99_000):
        board.desk.late.note(gap_us)
    assert "late scans    3, the longest after 2.3 s" in board.screen()
    assert (board.report().board.late.count, board.report().board.late.longest_ms) == (3, 2345)


def test_what_is_wrong_is_said(tmp_path: Path) -> None:
    board = Board(tmp_path)
    board.play()
    board.take(Scan(5 * S, PLAYED ^ G1 ^ H4), Tick(6 * S), Tick(7 * S))
    assert "the board does not match the game: missing g1, too many h4" in board.screen()
    board.take(Outage(8 * S, E4, "chip 0x21: no acknowledgement"))
    assert "switches cannot be read: chip 0x21: no acknowledgement" in board.screen()
    board.take(Restored(9 * S), Scan(9 * S, PLAYED), Tick(11 * S))
    assert "cannot be read" not in board.screen()
    board.desk.confirm(kept=False)
    assert "ply 1 (not on the disk yet)" in board.screen()
    board.take(Press(12 * S, "resign_black"))
    assert "1-0 (resignation)" in board.screen()


def test_the_last_error_of_the_log_is_remembered(tmp_path: Path) -> None:
    board = Board(tmp_path)
    board.follower.start(board.desk)
    logging.getLogger("boardfw.anywhere").error("the disk is %s", "full")
    logging.getLogger("boardfw.anywhere").warning("well, well")
    board.follower.stop()
    assert "last error    the disk is full (3 h 0 min ago)" in board.screen()


def test_the_file_is_there_while_the_board_plays_and_not_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = threading.Event()

    def wrote(path: Path, text: str) -> None:
        write_whole(path, text)
        written.set()

    monkeypatch.setattr(follower_module, "write_whole", wrote)
    board = Board(tmp_path)
    board.play()
    board.follower.start(board.desk)
    assert written.wait(PATIENCE_S)
    report = read_report(board.file)
    assert report is not None
    assert (report.pid, report.game.last_move) == (os.getpid(), "1.e4")
    board.follower.stop()
    assert read_report(board.file) is None
    assert list(tmp_path.iterdir()) == []


def test_what_stays_as_it_is_is_written_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts: list[str] = []
    looked = threading.Semaphore(0)
    report = StatusFile.report

    def look(status: StatusFile, desk: Desk) -> Report:
        looked.release()
        return report(status, desk)

    monkeypatch.setattr(follower_module, "write_whole", lambda _, text: texts.append(text))
    monkeypatch.setattr(follower_module, "PAUSE_S", 0.0)
    monkeypatch.setattr(StatusFile, "report", look)
    board = Board(tmp_path)
    board.follower.start(board.desk)
    for _ in range(5):
        assert looked.acquire(timeout=PATIENCE_S)
        board.follower.take([])
    board.follower.stop()
    assert len(texts) == 1


def test_a_place_that_cannot_be_written_to_ends_no_game(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    board = Board(tmp_path / "file")
    board.follower.start(board.desk)
    board.play()
    board.follower.stop()
    assert board.report().game.last_move == "1.e4"
    assert (tmp_path / "file").read_bytes() == b""


# ------------------------------------------------------------------------ the command


def status(*words: str, folder: Path | None = None) -> tuple[int, str]:
    environment = {"RUNTIME_DIRECTORY": str(folder) if folder else ""}
    result = CliRunner().invoke(main, ["status", *words], env=environment)
    return result.exit_code, result.output


def saved(folder: Path, pid: int) -> Path:
    report = msgspec.structs.replace(Board(folder).report(), pid=pid)
    (folder / FILE).write_bytes(msgspec.json.encode(report))
    return folder


def test_the_command_shows_the_board_that_runs(tmp_path: Path) -> None:
    code, said = status(folder=saved(tmp_path, os.getpid()))
    assert code == 0
    assert 5 <= len(said.splitlines()) <= 24, "one screen"
    code, said = status("--json", folder=tmp_path)
    assert msgspec.json.decode(said, type=Report).pid == os.getpid()


def test_without_a_board_that_runs_it_is_one_line(tmp_path: Path) -> None:
    code, said = status(folder=tmp_path)
    assert (code, len(said.splitlines())) == (NOT_RUNNING, 1)
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    killed = saved(tmp_path, gone.pid)  # it could not tidy up
    code, said = status(folder=killed)
    assert (code, len(said.splitlines())) == (NOT_RUNNING, 1)
    assert f"journalctl -u {tmp_path.name}" in said


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 1}', "\xff"])
def test_a_file_that_is_no_report_is_said_in_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, encoding="latin-1")
    with pytest.raises(BoardError):
        read_report(tmp_path / FILE)
    code, said = status(folder=tmp_path)
    assert (code, len(said.splitlines())) == (BAD_INPUT, 1)


def test_only_a_service_has_a_place() -> None:
    assert place({}) is None
    assert place({"RUNTIME_DIRECTORY": "/run/boardfw:/run/other"}) == Path("/run/boardfw") / FILE


def test_what_chips_went_through_is_counted() -> None:
    board = open_board("sim-i2c:reference", clock=VirtualClock())
    board.sensor.read()
    assert troubles(board) == {}
    assert troubles(open_board("sim:", clock=VirtualClock())) == {}
    board.close()


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(59, "59 s"), (60, "1 min"), (7500, "2 h 5 min"), (100_000, "1 d 3 h")],
)
def test_durations_are_told_as_people_do(seconds: int, words: str) -> None:
    assert duration(seconds) == words
