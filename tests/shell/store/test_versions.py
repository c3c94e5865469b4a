"""Files of every old version stay readable, also while a board of that version plays into them."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from boardfw.errors import BoardError
from boardfw.game.journal import Plies, to_json
from boardfw.shell.collection.collection import Collection
from boardfw.shell.collection.filters import Filters
from boardfw.shell.store import database
from boardfw.shell.store.database import MIGRATIONS, FullError, kept_before, open_database
from boardfw.shell.store.game_store import Store
from boardfw.shell.store.rescue import mend
from tests.patience import PATIENCE_S
from tests.sizes import sized

VERSIONS = sorted(Path(__file__).parent.glob("version-*.db"))
"""Each was made by the boardfw that wrote this version: a mate with a ply taken back, a game with a
clock from a position of its own, and a game that was cut off at a question."""


@pytest.fixture(params=VERSIONS, ids=[file.stem for file in VERSIONS])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return Path(shutil.copy(request.param, tmp_path / "games.db"))


def pgns(path: Path) -> list[str]:
    collection = Collection.to_read(path)
    assert [trouble for trouble in collection.renew(collection.stale()) if trouble] == []
    texts = list(collection.texts(Filters()))
    collection.close()
    return texts


def test_every_old_version_has_its_file() -> None:
    assert [file.stem for file in VERSIONS] == [f"version-{n}" for n in range(1, len(MIGRATIONS))]


def test_all_games_of_an_old_file_are_there(old: Path) -> None:
    mate, clocked, cut_off = pgns(old)
    assert '[White "Anna"]' in mate
    assert "{taken back: 3.d4}" in mate
    assert mate.endswith("17. Rd8# 1-0\n\n")
    assert '[TimeControl "300+3"]' in clocked
    assert "1... Ke7 {[%clk 0:05:06] [%emt 0:00:00]}" in " ".join(clocked.split())
    assert cut_off.endswith("1. e4 c5 2. Nf3 *\n\n")


def test_an_old_file_that_is_sound_is_not_rescued(old: Path) -> None:
    assert mend(old, thoroughly=True) is None


def test_the_game_that_was_cut_off_goes_on(old: Path) -> None:
    game = Store(old, lambda: None).take_up()
    assert game is not None
    assert [move.uci() for move in game.unfinished().asked] == ["g1f3", "g1h3"]


def test_a_board_of_the_first_version_plays_on_while_its_file_is_brought_up(old: Path) -> None:
    board = sqlite3.connect(old, isolation_level=None)
    assert len(pgns(old)) == 3
    entry = to_json(Plies(9_000_000, 3, ["d7d6"], [9_000_000]))
    board.execute("INSERT INTO entries VALUES (3, 5, NULL, ?)", (entry,))
    board.execute("INSERT INTO games DEFAULT VALUES")
    board.close()
    assert pgns(old)[2].endswith("1. e4 c5 2. Nf3 d6 *\n\n")


def test_several_programs_may_bring_a_file_up_at_once(old: Path) -> None:
    troubles: list[BoardError] = []

    def bring_up() -> None:
        try:
            open_database(old).close()
        except BoardError as error:
            troubles.append(error)

    threads = [threading.Thread(target=bring_up) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert troubles == []
    assert len(pgns(old)) == 3


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        number: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return number


def test_a_file_that_is_brought_up_stays_beside_it_as_it_was(
    old: Path, caplog: pytest.LogCaptureFixture
) -> None:
    before = version(old)
    kept = kept_before(old)
    kept.write_text("of the upgrade before")
    old.chmod(0o640)
    open_database(old).close()
    assert (version(old), version(kept)) == (len(MIGRATIONS), before)
    assert kept.stat().st_mode & 0o777 == 0o640
    assert [record.getMessage() for record in caplog.records] == [
        f"{old}: was brought from version {before} to {len(MIGRATIONS)}; "
        f"as it was, it is kept as {kept}"
    ]
    assert sorted(path.name for path in old.parent.iterdir()) == [kept.name, old.name]
    copy = Path(shutil.copy(kept, old.with_name("copy.db")))
    assert pgns(copy) == pgns(old)
    was = kept.read_bytes()
    open_database(old).close()
    assert kept.read_bytes() == was
    assert len(caplog.records) == 2  # the copy was brought up as well


@pytest.mark.both
@pytest.mark.parametrize("old", VERSIONS[:: sized(len(VERSIONS), 1)], indirect=True)
@pytest.mark.parametrize(
    "command",
    ["games list", "run --play famous --speed max --pgn new.pgn --board sim:"][: sized(1, 2)],
)
def test_a_command_tells_it_in_one_plain_line(old: Path, command: str) -> None:
    words = [sys.executable, "-m", "boardfw", *command.split(), "--record", "games.db"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    ran = subprocess.run(
        words, cwd=old.parent, env=environment, capture_output=True, text=True, check=True
    )
    (line,) = ran.stderr.splitlines()
    assert line.startswith("games.db: was brought from version ")


def test_games_that_are_deleted_are_not_left_in_the_copy_either(
    old: Path, caplog: pytest.LogCaptureFixture
) -> None:
    kept = kept_before(old)
    with closing(Collection.to_write(old)) as collection:
        assert kept.exists()
        collection.delete([1])
    assert not kept.exists()
    assert caplog.messages[1:] == [f"{kept}: was removed as well: it could hold what was deleted"]


def test_a_copy_that_cannot_be_removed_after_a_deletion_is_named(
    old: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    kept = kept_before(old)
    with closing(Collection.to_write(old)) as collection:
        monkeypatch.setattr(Path, "unlink", refuse)
        collection.delete([1])
    assert caplog.messages[1:] == [
        f"{kept}: cannot be removed, and may hold what was deleted; remove it yourself: "
        "Permission denied"
    ]


def test_without_room_for_a_copy_none_is_begun(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(old)._replace(free=old.stat().st_size - 1)
    copied: list[Path] = []
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    monkeypatch.setattr(database, "copy_into", lambda *paths: copied.extend(paths))
    with pytest.raises(FullError, match=f"^{kept_before(old)}: the disk is full; make room$"):
        open_database(old)
    assert copied == []
    assert [path.name for path in old.parent.iterdir()] == [old.name]


def test_who_comes_while_a_copy_is_made_waits_for_the_end_of_it(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring_up, copy_into = database._bring_up, database.copy_into
    comes, troubles = threading.Event(), list[BoardError]()

    def come() -> None:
        try:
            open_database(old).close()
        except BoardError as error:
            troubles.append(error)

    other = threading.Thread(target=come)

    def note(connection: sqlite3.Connection, path: Path, *, keep: bool) -> None:
        if threading.current_thread() is other:
            comes.set()
        bring_up(connection, path, keep=keep)

    def copy(part: Path, record: Path, name: Path) -> None:
        other.start()
        assert comes.wait(PATIENCE_S)
        copy_into(part, record, name)

    monkeypatch.setattr(database, "BUSY_S", 0.0)
    monkeypatch.setattr(database, "_bring_up", note)
    monkeypatch.setattr(database, "copy_into", copy)
    with closing(open_database(old)) as connection:
        other.join()
        assert connection.execute("PRAGMA busy_timeout").fetchone() == (0,)
    assert troubles == []
    assert version(old) == len(MIGRATIONS)


def test_what_stands_in_the_place_of_the_copy_is_told_with_what_to_do(old: Path) -> None:
    kept, before = kept_before(old), version(old)
    kept.mkdir()
    with pytest.raises(BoardError) as caught:
        open_database(old)
    assert str(caught.value) == (
        f"{kept}: {old} is kept there as it is before it is brought to a new version, and "
        "something else has that name; move it away"
    )
    assert version(old) == before


def test_nobody_else_can_read_a_copy_that_is_being_made(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_into, modes = database.copy_into, list[int]()

    def look(part: Path, record: Path, name: Path) -> None:
        modes.extend(file.stat().st_mode & 0o777 for file in old.parent.glob(".*.part"))
        copy_into(part, record, name)
        modes.append(part.stat().st_mode & 0o777)

    monkeypatch.setattr(database, "copy_into", look)
    old.chmod(0o644)
    open_database(old).close()
    assert modes == [0o600, 0o600]
    assert kept_before(old).stat().st_mode & 0o777 == 0o644


def test_a_kept_copy_that_is_looked_at_stays_as_it_is(old: Path) -> None:
    open_database(old).close()
    kept = kept_before(old)
    was = kept.read_bytes()
    link = old.with_name("link.db")
    link.symlink_to(kept)
    assert pgns(kept) == pgns(link) == pgns(old)
    assert kept.read_bytes() == was
    assert {path.name for path in old.parent.iterdir()} == {kept.name, old.name, link.name}


def test_a_new_file_is_brought_up_from_nothing_and_nothing_is_kept(tmp_path: Path) -> None:
    open_database(tmp_path / "games.db").close()
    assert [path.name for path in tmp_path.iterdir()] == ["games.db"]
