"""A backup is the record as it was at one instant, whole, or it is not there."""

from __future__ import annotations

import resource
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.cli import BAD_INPUT, main
from boardfw.errors import BoardError
from boardfw.game.journal import Begun, Noted, Plies
from boardfw.recording import START_FEN
from boardfw.shell.store.backup import back_up
from boardfw.shell.store.game_store import Store
from tests.patience import PATIENCE_S
from tests.sizes import sized

MOVES = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6"]


def begun(game: int) -> Noted:
    return Noted(game, Begun(START_FEN, {}))


def ply(game: int, number: int) -> Noted:
    return Noted(game, Plies(number, number, [MOVES[number]], [number]))


def store(path: Path) -> Store:
    return Store(path, lambda: None)


def played(path: Path) -> list[str]:
    """The plies of the last game in a record."""
    with closing(store(path)) as record:
        game = record.last()
    assert game is not None
    return [move.uci() for move in game.record.moves]


def written(path: Path, plies: int = 3) -> None:
    with closing(store(path)) as record:
        record.add([begun(0), *(ply(0, number) for number in range(plies))])


def test_a_copy_made_while_a_game_is_played_is_the_game_so_far(tmp_path: Path) -> None:
    path, copy = tmp_path / "games.db", tmp_path / "copies" / "copy.db"
    with closing(store(path)) as record:
        record.add([begun(0), ply(0, 0), ply(0, 1)])
        assert back_up(path, copy).games == 1
        record.add([ply(0, 2)])  # a running game is not locked out
        assert [file.name for file in copy.parent.iterdir()] == ["copy.db"]
        assert played(copy) == MOVES[:2]
    assert played(path) == MOVES[:3]


def test_copies_made_at_any_moment_are_whole(tmp_path: Path) -> None:
    path, copy = tmp_path / "games.db", tmp_path / "copy.db"
    begins, goes_on = threading.Event(), threading.Event()

    def play() -> None:
        with closing(store(path)) as record:
            for game in range(40):
                record.add([begun(game), ply(game, 0)])
                begins.set()
                for number in range(1, len(MOVES)):
                    record.add([ply(game, number)])
        goes_on.set()

    player = threading.Thread(target=play)
    player.start()
    assert begins.wait(PATIENCE_S)
    games = []
    while not goes_on.is_set():
        games.append(back_up(path, copy, replace=True).games)
        moves = played(copy)
        assert moves == MOVES[: len(moves)] != []
    player.join()
    assert games == sorted(games)
    assert back_up(path, copy, replace=True).games == 40


@settings(max_examples=sized(12, 60), deadline=None)
@given(st.data())
def test_no_copy_is_made_of_a_record_that_is_damaged(data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        path, copy = Path(folder) / "games.db", Path(folder) / "copy.db"
        written(path)
        whole = path.read_bytes()
        at = data.draw(st.integers(0, len(whole) - 1))
        noise = data.draw(st.binary(min_size=1, max_size=64))
        path.write_bytes((whole[:at] + noise + whole[at + len(noise) :])[: len(whole)])
        if data.draw(st.booleans()):
            path.write_bytes(path.read_bytes()[:at])
        refused = ""
        try:
            back_up(path, copy)
        except BoardError as error:
            refused = str(error)
        if refused:
            assert "\n" not in refused
            assert [f.name for f in Path(folder).iterdir() if "copy" in f.name] == []
        else:
            with closing(sqlite3.connect(copy)) as copied:
                assert copied.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_copy_that_is_there_stays_what_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, copy = tmp_path / "games.db", tmp_path / "copy.db"
    written(path)
    copy.write_text("older")
    with pytest.raises(BoardError, match="--force"):
        back_up(path, copy)
    path.write_bytes(b"SQLite format 3\0" + bytes(200))
    with pytest.raises(BoardError):
        back_up(path, copy, replace=True)
    assert copy.read_text() == "older"
    assert {file.name for file in tmp_path.iterdir()} >= {"copy.db", "games.db"}
    assert not list(tmp_path.glob(".copy*"))


@pytest.mark.parametrize("what", ["itself", "no record", "another program's"])
def test_what_cannot_be_backed_up_is_said_in_one_line(tmp_path: Path, what: str) -> None:
    path, copy = tmp_path / "games.db", tmp_path / "copy.db"
    if what == "itself":
        written(path)
        copy.symlink_to(path)
    elif what == "another program's":
        with closing(sqlite3.connect(path)) as other:
            other.execute("CREATE TABLE games (id INTEGER)")
    before = path.read_bytes() if path.exists() else b""
    result = CliRunner().invoke(main, ["backup", str(copy), "--record", str(path), "--force"])
    assert result.exit_code == BAD_INPUT
    assert len(result.output.splitlines()) == 1
    assert (path.read_bytes() if path.exists() else b"") == before


def test_the_command_says_what_it_did_in_one_line(tmp_path: Path) -> None:
    path, copy = tmp_path / "games.db", tmp_path / "copy.db"
    written(path)
    result = CliRunner().invoke(main, ["backup", str(copy), "--record", str(path)])
    assert result.exit_code == 0
    (line,) = result.output.splitlines()
    assert line.startswith(f"{copy}: 1 game of {path}, ")
    assert played(copy) == MOVES[:3]


def test_a_full_disk_is_told_by_the_name_that_was_given_and_left_as_it_was(
    tmp_path: Path,
) -> None:
    path, copy = tmp_path / "games.db", tmp_path / "copies" / "copy.db"
    with closing(store(path)) as record:  # open: its own files are there before the disk is full
        record.add([begun(0), ply(0, 0)])
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
        try:
            with pytest.raises(BoardError, match=r"copies/copy\.db: "):
                back_up(path, copy)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(copy.parent.iterdir()) == []
