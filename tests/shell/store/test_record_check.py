"""A flipped bit in the text of an earlier game: found while a board plays, and shown everywhere."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from boardfw.errors import BoardError
from boardfw.game.events import Action
from boardfw.game.journal import Noted, Plies
from boardfw.game.session import Session
from boardfw.shell.config import Settings
from boardfw.shell.dates import Calendar
from boardfw.shell.desk import Desk
from boardfw.shell.runtime import Runtime
from boardfw.shell.status.status_file import Sources, StatusFile
from boardfw.shell.store.game_store import Store
from boardfw.shell.store.record_check import DAY_S, SLICE_BYTES, Reading, RecordCheck, damaged_games
from boardfw.shell.store.record_writer import RunRecord
from boardfw.shell.web.picture import health_of
from boardfw.terminal.messages import situation
from hardware.clock import MonotonicClock
from hardware.sim.board import SimBoard
from hardware.sim.faults import PRESETS
from tests.patience import PATIENCE_S
from tests.shell.store.test_rescue import damaged, sound

__all__ = ["sound"]

FLIPPED = {2: (b"player 1", b"plaxer 1"), 3: (b"player 2", b"plcyer 2")}
"""By game: a name in it, and the same with one bit flipped."""


def flipped(content: bytes, *games: int) -> bytes:
    for game in games:
        before, after = FLIPPED[game]
        content = content.replace(before + b'"', after + b'"')
    return content


def line(path: Path, games: str) -> str:
    return (
        f"{path}: {games} damaged; when no board plays, 'boardfw games rescue' saves what can be "
        "read"
    )


def checked(check: RecordCheck, connection: sqlite3.Connection) -> int:
    """Let a check come to its end; the turns that took."""
    turns = 1
    while not check.go_on(connection):
        turns += 1
        assert turns < 1000
    return turns


@pytest.mark.parametrize(
    ("games", "named"), [((2,), "game 2 is"), ((2, 3), "games 2, 3 are")], ids=["one", "two"]
)
def test_damaged_games_are_named_after_some_turns(
    sound: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture, games: tuple[int], named: str
) -> None:
    path = damaged(tmp_path, flipped(sound, *games))
    with closing(sqlite3.connect(path)) as connection:
        check = RecordCheck(path)
        assert checked(check, connection) > 2
        assert check.damage == line(path, named)
        assert damaged_games(connection, path) == set(games)
    assert caplog.messages == [check.damage]


@pytest.mark.parametrize("number", [0, 3])
def test_an_entry_that_is_missing_is_damage_as_well(
    sound: bytes, tmp_path: Path, number: int
) -> None:
    path = damaged(tmp_path, sound)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM entries WHERE game = 5 AND number = ?", (number,))
        assert damaged_games(connection, path) == {5}


@pytest.mark.slow
def test_a_sound_record_in_which_play_goes_on_is_no_alarm(sound: bytes, tmp_path: Path) -> None:
    path = damaged(tmp_path, sound)
    now_s = [0.0]
    with closing(Store(path, lambda: None)) as store:
        assert store.take_up()
        check = RecordCheck(path, lambda: now_s[0])
        for ply in range(300):
            plies = len(store.last().record.moves)  # type: ignore[union-attr]
            move = ("g1f3", "g8f6", "f3g1", "f6g8")[plies % 4]
            store.add([Noted(0, Plies(10_000 + ply, plies, [move], [10_000 + ply]))])
            assert not check.go_on(store.connection)
        assert not check.damage
        store.connection.execute("UPDATE entries SET entry = zeroblob(40) WHERE game = 4")
        assert not check.go_on(store.connection)  # it was checked today
        now_s[0] += DAY_S
        checked(check, store.connection)
        assert check.damage == line(path, "game 4 is")


def test_a_slice_is_small(sound: bytes, tmp_path: Path) -> None:
    path = damaged(tmp_path, sound)
    with closing(sqlite3.connect(path)) as connection:
        (size,) = connection.execute("SELECT sum(length(entry)) FROM entries").fetchone()
        reading, slices = Reading(path), 1
        while not reading.read_slice(connection):
            slices += 1
        assert slices > 2
        assert size / slices < SLICE_BYTES


def test_an_order_that_leads_in_a_circle_ends_the_reading() -> None:
    path = Path("games.db")
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE entries (game, number, at_ms, entry)")
        rows = [(1, n, None, b"x" * SLICE_BYTES) for n in (0, 0)]
        connection.executemany("INSERT INTO entries VALUES (?, ?, ?, ?)", rows)
        connection.execute("UPDATE entries SET entry = x'00'")
        with pytest.raises(BoardError, match="it is damaged"):
            damaged_games(connection, path)


def test_a_program_that_holds_the_file_is_no_damage(sound: bytes, tmp_path: Path) -> None:
    path = damaged(tmp_path, flipped(sound, 2))
    with (
        closing(sqlite3.connect(path, isolation_level=None, timeout=0)) as connection,
        closing(sqlite3.connect(path, isolation_level=None)) as other,
    ):
        connection.execute("PRAGMA journal_mode = DELETE")
        other.execute("BEGIN EXCLUSIVE")
        check = RecordCheck(path)
        assert not check.go_on(connection)
        assert not check.damage
        other.execute("ROLLBACK")
        checked(check, connection)
        assert check.damage == line(path, "game 2 is")


class Noticing(StatusFile):
    """Ends a run when its desk has a note."""

    def __init__(self, folder: Path, clock: MonotonicClock) -> None:
        calendar = Calendar("always")
        super().__init__(folder / "status", Sources("sim:", clock, calendar, dict, list))
        self.noticed = asyncio.Event()
        self._desk: Desk | None = None

    def start(self, desk: Desk) -> None:
        self._desk = desk
        logging.getLogger().addHandler(self._error)

    def take(self, said: list[Action]) -> None:
        super().take(said)
        if self._desk and self._desk.view.notes:
            self.noticed.set()


async def notes_of(path: Path) -> tuple[list[str], list[str], str]:
    """Let a board wait on a record; what the terminal, the web page and the status then show."""
    books = RunRecord(path, lambda: None)
    assert books.rescued is None
    session = Session(unfinished=books.take_up())
    desk, clock = Desk(session, Settings()), MonotonicClock()
    desk.late.is_told = False  # a loaded machine scans late
    follower = Noticing(path.parent, clock)
    board = SimBoard(clock, faults=PRESETS["none"])
    books.begin(session, {})
    runtime = Runtime(board, clock, desk, books=books, followers=[follower])
    running = asyncio.create_task(runtime.run())
    async with asyncio.timeout(PATIENCE_S):
        await follower.noticed.wait()
    error = follower.report(desk).error
    shown = situation(desk.view, session.record), health_of(desk, dict).notes
    runtime.stop()
    await running
    return *shown, error.text if error else ""


def test_a_board_that_plays_reports_it_everywhere(sound: bytes, tmp_path: Path) -> None:
    path = damaged(tmp_path, flipped(sound, 2))
    terminal, web, status = asyncio.run(notes_of(path))
    report = line(path, "game 2 is")
    assert report in terminal
    assert web == [report]
    assert status == report
