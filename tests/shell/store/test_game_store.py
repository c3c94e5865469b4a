"""The record on the disk: added to, found again, and refused in one line where it cannot be had."""

from __future__ import annotations

import resource
import sqlite3
import threading
from collections.abc import Iterable
from pathlib import Path

import pytest

from boardfw.errors import BoardError
from boardfw.game.journal import Begun, Noted, Over, Plies, Resumed
from boardfw.recording import START_FEN
from boardfw.shell.collection.collection import Collection
from boardfw.shell.store.database import MIGRATIONS, open_database
from boardfw.shell.store.game_store import Store, add_entry, new_game
from boardfw.shell.store.record_lock import own
from boardfw.shell.store.record_writer import EntryWriter, RunRecord
from tests.patience import PATIENCE_S

E4_E5 = [
    Noted(0, Begun(START_FEN, {"White": "Anna"})),
    Noted(0, Plies(1_000, 0, ["e2e4"], [900])),
    Noted(0, Plies(2_000, 1, ["e7e5"], [1_900])),
]
F4 = Noted(0, Plies(500, 2, ["f2f4"], [400]))


def store(path: Path) -> Store:
    return Store(path, lambda: 1_700_000_000_000)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def ucis(record: Store) -> list[str]:
    game = record.last()
    return [] if game is None else [move.uci() for move in game.record.moves]


def test_what_was_added_is_there_for_whoever_opens_the_file_next(path: Path) -> None:
    first = store(path)
    first.add(E4_E5)
    second = store(path)  # nothing was closed: a power cut closes nothing either
    assert ucis(second) == ["e2e4", "e7e5"]
    game = second.last()
    assert game is not None
    assert game.tags == {"White": "Anna"}


def test_a_game_that_was_cut_off_goes_on_as_the_same_game(path: Path) -> None:
    store(path).add(E4_E5)
    again = store(path)
    game = again.take_up()
    assert game is not None
    assert game.unfinished().record.times_us == (-1_000, 0)
    again.add([Noted(0, Resumed()), F4])
    told = store(path).last()
    assert told is not None
    assert [move.uci() for move in told.record.moves] == ["e2e4", "e7e5", "f2f4"]
    assert told.record.times_us == (900, 1_900, 2_400)


@pytest.mark.parametrize(
    "entries",
    [[], [Noted(0, Begun(START_FEN, {}))], [*E4_E5, Noted(0, Over(3_000, "1-0", "resignation"))]],
)
def test_there_is_nothing_to_go_on_with_where_no_game_was_cut_off(
    path: Path, entries: list[Noted]
) -> None:
    store(path).add(entries)
    assert store(path).take_up() is None


def imported(path: Path) -> None:
    connection = open_database(path)
    number = new_game(connection, imported_as=7)
    add_entry(connection, number, None, Begun(START_FEN, {"White": "Zoë"}))
    add_entry(connection, number, None, Plies(0, 0, ["d2d4"], [0]))
    connection.close()


def test_nobody_goes_on_with_a_game_from_a_file(path: Path) -> None:
    imported(path)
    assert store(path).take_up() is None


def test_a_game_that_was_cut_off_goes_on_whatever_was_imported_since(path: Path) -> None:
    store(path).add(E4_E5)
    imported(path)
    again = store(path)
    assert again.take_up() is not None
    again.add([Noted(0, Resumed()), F4])
    assert ucis(store(path)) == ["e2e4", "e7e5", "f2f4"]


def test_a_game_before_one_that_was_deleted_is_not_taken_up_in_its_stead(path: Path) -> None:
    store(path).add([*E4_E5, Noted(1, Begun(START_FEN, {})), Noted(1, Plies(1, 0, ["d2d4"], [1]))])
    collection = Collection.to_write(path)
    collection.delete([2])
    collection.close()
    assert store(path).take_up() is None
    store(path).add([Noted(0, Begun(START_FEN, {}))])
    assert Collection.to_read(path).stale() == [1, 3]


def test_of_entries_that_belong_together_all_are_kept_or_none(path: Path) -> None:
    record = store(path)
    record.add(E4_E5)
    record._connection.execute(f"PRAGMA max_page_count = {len(E4_E5)}")
    long = "x" * 20_000
    with pytest.raises(BoardError, match="the disk is full; make room"):
        record.add([F4, Noted(1, Begun(START_FEN, {"Event": long}))])
    assert ucis(record) == ["e2e4", "e7e5"]
    record._connection.execute("PRAGMA max_page_count = 1000")
    record.add([F4, Noted(1, Begun(START_FEN, {"Event": long}))])
    assert record._connection.execute("SELECT count(*) FROM games").fetchone() == (2,)


# --- a disk in trouble


def test_what_the_disk_will_not_have_waits_in_memory_and_is_written_when_there_is_room(
    path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, counts, said = store(path), [], threading.Event()
    record._connection.execute("PRAGMA max_page_count = 4")

    def kept(done: int) -> None:
        counts.append(done)
        said.set()

    keeper = EntryWriter(record, kept, retry_s=0.001)
    keeper.start()
    keeper.put(([Noted(0, Begun(START_FEN, {"Event": "x" * 50_000}))], ()))
    keeper.put(([Noted(0, Plies(1, 0, ["d2d4"], [1]))], ()))
    assert said.wait(PATIENCE_S)
    said.clear()
    assert counts == [0]
    assert keeper.trouble == f"{path}: the disk is full; make room"
    record._connection.execute("PRAGMA max_page_count = 1000")
    assert said.wait(PATIENCE_S)
    keeper.stop()
    assert counts[-1] == 2
    assert ucis(record) == ["d2d4"]
    assert caplog.messages[0].endswith(
        "the disk is full; make room; the game goes on, and is kept in memory until then"
    )
    assert caplog.messages[-1] == f"{path}: what had to wait is written now"


def test_each_change_is_passed_on_once_and_as_it_is_then(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, told, said = store(path), [], threading.Semaphore(0)
    add, has_room = record.add, threading.Event()

    def full(noted: Iterable[Noted]) -> None:
        if not has_room.is_set():
            raise BoardError("no room")
        add(noted)

    def kept(done: int) -> None:
        told.append((done, keeper.trouble))
        said.release()

    monkeypatch.setattr(record, "add", full)
    keeper = EntryWriter(record, kept, retry_s=0.001)
    keeper.start()
    keeper.put((E4_E5, ()))
    assert said.acquire(timeout=PATIENCE_S)
    has_room.set()
    assert said.acquire(timeout=PATIENCE_S)
    keeper.put(([F4], ()))
    keeper.stop()
    assert told == [(0, "no room"), (3, ""), (4, "")]


def test_entries_are_kept_whatever_becomes_of_the_news(path: Path) -> None:
    tried, record = threading.Semaphore(0), store(path)

    def fail(_: int) -> None:
        tried.release()
        raise RuntimeError("Event loop is closed")

    keeper = EntryWriter(record, fail)
    keeper.start()
    for entries in (E4_E5, [F4]):
        keeper.put((entries, ()))
        assert tried.acquire(timeout=PATIENCE_S)
    keeper.stop()
    assert ucis(record) == ["e2e4", "e7e5", "f2f4"]


@pytest.mark.parametrize("trouble", [BoardError("no room"), ZeroDivisionError()])
def test_what_could_not_be_written_to_the_end_is_said(
    path: Path,
    trouble: Exception,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record = store(path)

    def fail(_: object) -> None:
        raise trouble

    monkeypatch.setattr(record, "add", fail)
    keeper = EntryWriter(record, lambda _: None)
    keeper.start()
    keeper.put((E4_E5, ()))
    keeper.stop()
    assert "the game goes on, and is kept in memory until then" in caplog.messages[0]
    assert caplog.messages[-1].startswith(f"{path}: the last 3 entries could not be written")


# --- files that cannot be had


def test_a_file_of_a_newer_version_is_left_alone(path: Path) -> None:
    connection = open_database(path)
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    connection.execute(f"INSERT INTO versions VALUES ({len(MIGRATIONS) + 1})")
    connection.close()
    with pytest.raises(
        BoardError, match=rf"boardfw has written it \(version {len(MIGRATIONS) + 1}"
    ):
        store(path)


def test_a_file_of_another_program_is_left_alone(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(BoardError, match="no file of boardfw"):
        store(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("damage", ["text", "torn"])
def test_a_damaged_file_is_one_line(path: Path, damage: str) -> None:
    store(path).close()
    content = path.read_bytes()
    path.write_bytes(
        b"hello, world\n" * 400 if damage == "text" else content[:100] + b"\xff" * 4096
    )
    with pytest.raises(BoardError, match=r"games\.db: it is (no file of boardfw|damaged)"):
        store(path)


def test_a_full_disk_that_takes_no_name_of_the_owner_keeps_nobody_from_playing(
    tmp_path: Path,
) -> None:
    path = tmp_path / "games.db"
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        lock = own(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    with lock, pytest.raises(BoardError, match=r"plays this record on \(process unknown\)"):
        own(path)


def test_a_record_is_played_on_by_one_program_at_a_time(path: Path) -> None:
    books = RunRecord(path, lambda: None)
    with pytest.raises(BoardError, match=r"another boardfw plays this record on \(process \d+\)"):
        RunRecord(path, lambda: None)
    books.close()
    RunRecord(path, lambda: None).close()


def test_a_place_that_cannot_be_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BoardError, match="is no directory and cannot be made"):
        RunRecord(tmp_path / "file" / "games.db", lambda: None)
