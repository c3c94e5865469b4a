"""Finished games reach their directory, whole and once, whatever becomes of the stick."""

from __future__ import annotations

import logging
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.errors import BoardError
from boardfw.game.events import Action, Ended, NewGame
from boardfw.game.record import Record
from boardfw.game.session import Session
from boardfw.rules import Move, Outcome, Position
from boardfw.shell import files, game_export, outbox
from boardfw.shell.config import Settings, TagSettings
from boardfw.shell.dates import undated
from boardfw.shell.desk import Desk
from boardfw.shell.game_export import Exporter, Waiting, file_name
from boardfw.shell.pgn_file import Pgn
from tests.patience import PATIENCE_S
from tests.sizes import sized

ENDED: list[Action] = [Ended(0, "1-0", "resignation")]
NEXT: list[Action] = [NewGame(0)]
WON, DRAWN = Outcome("1-0", "resignation"), Outcome("1/2-1/2", "agreement")


def moves(*words: str) -> tuple[Move, ...]:
    position, played = Position.start(), []
    for word in words:
        (move,) = (one for one in position.legal_moves() if one.uci() == word)
        played.append(move)
        position = position.play(move)
    return tuple(played)


class Run:
    """One run of the program, with games that begin and end at once."""

    def __init__(self, here: Path, stick: Path) -> None:
        self.desk = Desk(Session(), Settings())
        self.games = self.desk.session.games
        self.games.clear()
        words = Pgn(Settings(tags=TagSettings(white="Ann")), undated)
        self.exporter = Exporter(Waiting(here, stick), words)
        self.exporter.start(self.desk)

    def play(self, *words: str, outcome: Outcome | None = WON) -> Record:
        record = Record(Position.start(), 0, moves(*words), (0,) * len(words), outcome)
        self.games.append(record)
        self.exporter.take(NEXT)
        self.exporter.take(ENDED)
        return record

    def end(self) -> None:
        self.exporter.stop()


def texts(directory: Path) -> list[str]:
    return [path.read_text("utf-8") for path in sorted(directory.iterdir())]


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    path = tmp_path / "stick"
    path.mkdir()
    return path


def test_a_game_that_has_ended_is_exported_and_one_that_goes_on_is_not(
    tmp_path: Path, stick: Path
) -> None:
    run = Run(tmp_path / "waiting", stick)
    run.play("e2e4", "e7e5")
    run.play("d2d4", outcome=None)
    run.end()
    (path,) = stick.iterdir()
    assert path.name == "undated-0001-Ann-unknown.pgn"
    assert "1. e4 e5 1-0" in path.read_text("utf-8")
    assert not list((tmp_path / "waiting").glob("*.pgn"))


def test_a_game_that_was_left_is_exported_when_the_next_begins(tmp_path: Path, stick: Path) -> None:
    run = Run(tmp_path / "waiting", stick)
    run.play("e2e4", outcome=None)
    run.play("d2d4", outcome=None)
    run.end()
    (text,) = texts(stick)
    assert "1. e4 *" in text


def test_an_end_that_is_corrected_replaces_the_first_one(
    tmp_path: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exported, export = threading.Event(), Waiting.export

    def exports(waiting: Waiting) -> int:
        count = export(waiting)
        if count:
            exported.set()
        return count

    monkeypatch.setattr(Waiting, "export", exports)
    run = Run(tmp_path / "waiting", stick)
    record = run.play("e2e4")
    assert exported.wait(PATIENCE_S)
    assert "1. e4 1-0" in texts(stick)[0]
    record.outcome = DRAWN
    run.exporter.take(ENDED)
    run.end()
    (text,) = texts(stick)
    assert "1. e4 1/2-1/2" in text


def test_a_file_of_somebody_else_is_not_replaced(tmp_path: Path, stick: Path) -> None:
    (stick / "undated-0001-Ann-unknown.pgn").write_text("theirs")
    run = Run(tmp_path / "waiting", stick)
    run.play("e2e4")
    run.end()
    assert sorted(path.name for path in stick.iterdir()) == [
        "undated-0001-Ann-unknown-2.pgn",
        "undated-0001-Ann-unknown.pgn",
    ]
    assert (stick / "undated-0001-Ann-unknown.pgn").read_text() == "theirs"


OPENINGS = ["e2e4", "d2d4", "c2c4", "g1f3", "b1c3", "f2f4", "a2a3", "h2h3"]


@settings(max_examples=sized(5, 15), deadline=None)
@given(st.lists(st.sampled_from(["play", "pull", "put in", "restart"]), max_size=8))
def test_whatever_happens_to_stick_and_program_no_game_is_lost_or_comes_twice(
    happens: list[str],
) -> None:
    with TemporaryDirectory() as folder:
        here, stick, pocket = (Path(folder) / name for name in ("here", "stick", "pocket"))
        stick.mkdir()
        run, played = Run(here, stick), 0
        for event in [*happens, "put in", "restart"]:
            if event == "play":
                run.play(OPENINGS[played])
                played += 1
            elif event == "pull" and stick.exists():
                run.end()  # what was being written then is another test's concern
                stick.rename(pocket)
                run = Run(here, stick)
            elif event == "put in" and pocket.exists():
                pocket.rename(stick)
            elif event == "restart":
                run.end()
                run = Run(here, stick)
        run.end()
        found = [text for text in texts(stick) if "[White" in text]
        assert len(found) == played
        assert len(set(found)) == played
        assert not list(here.glob("*.pgn"))


class Ear(logging.Handler):
    """Who waits for a line of the log."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.told = threading.Condition()

    def emit(self, record: logging.LogRecord) -> None:
        with self.told:
            self.lines.append(record.getMessage())
            self.told.notify_all()

    def wait(self, lines: int) -> list[str]:
        with self.told:
            assert self.told.wait_for(lambda: len(self.lines) >= lines, PATIENCE_S)
            return self.lines


@pytest.fixture
def ear() -> Iterator[Ear]:
    ear = Ear()
    outbox.log.addHandler(ear)
    yield ear
    outbox.log.removeHandler(ear)


def test_a_stick_that_is_not_there_is_told_once_and_used_when_it_is_back(
    tmp_path: Path, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_export, "RETRY_S", 0.01)
    stick = tmp_path / "stick"
    run = Run(tmp_path / "waiting", stick)
    run.play("e2e4")
    ear.wait(1)
    run.play("d2d4")
    stick.mkdir()
    first, second = ear.wait(2)
    assert f"{stick} is not there" in first
    assert "games that had to wait are exported" in second
    run.end()
    assert len(texts(stick)) == 2


def test_while_the_stick_is_missing_each_game_is_on_the_disk_at_once(
    tmp_path: Path, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The power may be cut long before the stick is looked for again."""
    monkeypatch.setattr(game_export, "RETRY_S", 2 * PATIENCE_S)
    written, put = threading.Semaphore(0), Waiting.put

    def puts(waiting: Waiting, name: str, text: str) -> None:
        put(waiting, name, text)
        written.release()

    monkeypatch.setattr(Waiting, "put", puts)
    run = Run(tmp_path / "waiting", tmp_path / "stick")
    run.play("e2e4")
    ear.wait(1)
    assert written.acquire(timeout=PATIENCE_S)
    run.play("d2d4")
    assert written.acquire(timeout=PATIENCE_S)
    run.end()


def test_a_game_whose_own_disk_is_full_is_written_when_there_is_room(
    tmp_path: Path, ear: Ear, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_export, "RETRY_S", 0.01)
    is_full = threading.Event()
    is_full.set()
    put = Waiting.put

    def full(waiting: Waiting, name: str, text: str) -> None:
        if is_full.is_set():
            raise BoardError(f"{name}: cannot be written: No space left on device")
        put(waiting, name, text)

    monkeypatch.setattr(Waiting, "put", full)
    run = Run(tmp_path / "waiting", stick)
    run.play("e2e4")
    assert "No space left" in ear.wait(1)[0]
    is_full.clear()
    ear.wait(2)
    run.end()
    assert len(texts(stick)) == 1


def test_a_stick_that_is_pulled_while_it_is_written_to_holds_no_half_a_game(
    tmp_path: Path, ear: Ear, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "waiting"
    write = files._write

    def pulled(path: Path, text: str) -> None:
        if path.is_relative_to(stick):
            path.write_text(text[:20])
            raise OSError(5, "Input/output error")
        write(path, text)

    monkeypatch.setattr(files, "_write", pulled)
    run = Run(here, stick)
    run.play("e2e4")
    run.end()
    assert texts(stick) == []
    assert len(list(here.glob("*.pgn"))) == 1
    monkeypatch.undo()
    Run(here, stick).end()
    assert len(texts(stick)) == 1


def test_a_crash_between_copy_and_tidying_up_copies_nothing_twice(
    tmp_path: Path, stick: Path
) -> None:
    waiting = Waiting(tmp_path / "waiting", stick)
    waiting.put("1.pgn", "a game")
    shutil.copy(waiting.directory / "1.pgn", stick)
    Waiting(waiting.directory, stick).export()
    assert [path.name for path in stick.iterdir()] == ["1.pgn"]


def test_one_file_that_cannot_be_read_keeps_no_other_waiting(tmp_path: Path, stick: Path) -> None:
    waiting = Waiting(tmp_path / "waiting", stick)
    waiting.put("1.pgn", "a game")
    (waiting.directory / "0.pgn").write_bytes(b"\xff")
    with pytest.raises(BoardError, match=r"0\.pgn: cannot be exported"):
        waiting.export()
    assert [path.name for path in stick.iterdir()] == ["1.pgn"]


def test_numbers_go_on_even_if_the_count_was_lost(tmp_path: Path) -> None:
    waiting = Waiting(tmp_path, tmp_path / "stick")
    assert [waiting.next_number() for _ in range(2)] == [1, 2]
    (tmp_path / "number").unlink()
    waiting.put("2026-11-22-0041-Ann-Ben.pgn", "")
    assert waiting.next_number() == 42


@given(st.text(), st.text())
def test_every_file_system_takes_the_name(white: str, black: str) -> None:
    name = file_name({"Date": "2026.11.22", "White": white, "Black": black}, 7)
    assert name.startswith("2026-11-22-0007")
    assert not set(name) & set('/\\:*?"<>|\0')
    assert len(name.encode()) < 240


def test_the_name_says_when_and_who() -> None:
    tags = {"Date": "2026.11.22", "White": "Zoë Ott", "Black": "Ben"}
    assert file_name(tags, 12) == "2026-11-22-0012-Zoë_Ott-Ben.pgn"
    assert file_name({"Date": "????.??.??", "White": "?", "Black": "?"}, 1) == "undated-0001.pgn"
