"""Files of the record that are deleted under a running board: noticed, reported, written again."""

from __future__ import annotations

import logging
import shutil
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from boardfw.errors import BoardError
from boardfw.game.journal import Noted, Over, Plies
from boardfw.shell.outbox import LOOK_S
from boardfw.shell.pgn_file import PgnFile
from boardfw.shell.store.game_store import Store
from boardfw.shell.store.record_lock import own
from boardfw.shell.store.record_writer import EntryWriter, RunRecord
from tests.patience import PATIENCE_S
from tests.shell.store.test_game_store import E4_E5, F4
from tests.shell.store.test_rescue import played

FIRST_GAME = [*E4_E5, Noted(0, Over(9, "1-0", "resignation"))]
SECOND_GAME = [Noted(1, one.entry) for one in E4_E5]


class Warned(logging.Handler):
    """Notices that something was reported."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []
        self.heard = threading.Event()

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())
        self.heard.set()


@pytest.fixture
def warned() -> Iterator[Warned]:
    handler = Warned()
    logging.getLogger("boardfw").addHandler(handler)
    yield handler
    logging.getLogger("boardfw").removeHandler(handler)


def delete(path: Path, what: str) -> None:
    if what == "the directory":
        shutil.rmtree(path.parent)
    elif what == "replaced":
        path.unlink()
        path.write_text("a diary")
    elif what == "emptied":
        path.write_bytes(b"")
        path.with_name("games.db-wal").unlink()
    else:
        for name in what.split(","):
            path.with_name(name).unlink()


@pytest.mark.parametrize(
    "what",
    [
        "games.db",
        "games.db-wal",
        "games.db-shm",
        "games.db.lock",
        "games.db,games.db-wal,games.db-shm,games.db.lock",
        "the directory",
        "replaced",
    ],
)
def test_what_was_kept_is_there_again_with_what_comes(
    tmp_path: Path, what: str, warned: Warned
) -> None:
    path = tmp_path / "games" / "games.db"
    with closing(RunRecord(path, lambda: None)) as books:
        store = books._store
        store.add(FIRST_GAME)
        store.add(SECOND_GAME)
        delete(path, what)
        assert store.is_gone()
        store.add([])
        assert not store.is_gone()
        with pytest.raises(BoardError, match="another boardfw plays this record on"):
            own(path)
        store.add([Noted(1, F4.entry)])
    assert warned.said == [f"{path}: was deleted or replaced; it is written again"]
    assert played(path) == {1: ["e2e4", "e7e5"], 2: ["e2e4", "e7e5", "f2f4"]}
    aside = path.with_name("games.replaced-1.db")
    assert aside.exists() == (what == "replaced")
    with closing(RunRecord(path, lambda: None)) as books:
        assert books.rescued is None


def test_of_a_record_that_was_emptied_the_game_is_written_from_memory(tmp_path: Path) -> None:
    path = tmp_path / "games" / "games.db"
    with closing(RunRecord(path, lambda: None)) as books:
        store = books._store
        store.add(FIRST_GAME)
        store.add(SECOND_GAME)
        delete(path, "emptied")
        store.add([Noted(1, F4.entry)])
    assert played(path)[2] == ["e2e4", "e7e5", "f2f4"]


def test_a_record_that_is_damaged_in_mid_game_is_put_aside_and_the_game_goes_on(
    tmp_path: Path,
) -> None:
    path = tmp_path / "games.db"
    with closing(RunRecord(path, lambda: None)) as books:
        store = books._store
        store.add(E4_E5)
        path.write_bytes(b"\xff" * path.stat().st_size)
        store._connection.execute("DROP TABLE entries")  # as what cannot be read of a damaged page
        with pytest.raises(BoardError):
            store.add([F4])
        store.add([F4])
        assert books.rescued is not None
    assert played(path)[1][:3] == ["e2e4", "e7e5", "f2f4"]


def test_it_is_noticed_without_anything_to_write(tmp_path: Path, warned: Warned) -> None:
    path, is_kept = tmp_path / "games.db", threading.Event()
    assert LOOK_S <= 0.25  # a thread that a busy machine runs late looks within a second as well
    with closing(Store(path, lambda: None)) as store:
        writer = EntryWriter(store, lambda count: is_kept.set() if count else None)
        writer.start()
        writer.put((E4_E5, ()))
        assert is_kept.wait(PATIENCE_S)
        path.unlink()
        assert warned.heard.wait(PATIENCE_S)
        assert writer.stop()
        assert played(path) == {1: ["e2e4", "e7e5"]}


def test_a_pgn_that_is_deleted_is_written_again(tmp_path: Path, warned: Warned) -> None:
    pgn, is_written = PgnFile(tmp_path / "games" / "games.pgn"), threading.Event()
    pgn._worker.watch(is_written.set)
    pgn.start()
    pgn.put(("a game",))
    assert is_written.wait(PATIENCE_S)
    shutil.rmtree(tmp_path / "games")
    assert warned.heard.wait(PATIENCE_S)
    pgn.stop()
    assert pgn.unwritten is None
    assert pgn.path.read_text() == "a game"
    assert warned.said == [f"{pgn.path}: was deleted or replaced; it is written again"]


def test_plies_that_are_noted_while_the_place_is_taken_wait(tmp_path: Path) -> None:
    path = tmp_path / "games" / "games.db"
    with closing(Store(path, lambda: None)) as store:
        store.add(E4_E5)
        shutil.rmtree(path.parent)
        path.parent.write_text("a file, so that no directory can be made")
        plies = Noted(0, Plies(9, 2, ["f2f4"], [9]))
        for _ in range(2):
            with pytest.raises(BoardError):
                store.add([plies])
        path.parent.unlink()
        store.add([plies])
    assert played(path) == {1: ["e2e4", "e7e5", "f2f4"]}
