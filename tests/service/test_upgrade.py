"""The record of an upgrade that failed is as it was; two upgrades do not meet; pip is not root."""

from __future__ import annotations

import fcntl
import os
import pwd
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import environment
import record
from install import UNIT
from place import Place

ROOT = Path(__file__).parents[2]
DATABASE = "var/lib/boardfw/games/boardfw.db"
Change = Callable[[Path], None]
NEW_TABLE = "CREATE TABLE IF NOT EXISTS clocks (game INTEGER)"


# ------------------------------------------------------------------------- the record


def query(database: Path, *statements: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(database)) as connection, connection:
        return [row for statement in statements for row in connection.execute(statement)]


def games(database: Path) -> list[tuple[object, ...]] | bytes | None:
    """What a program would find; of a file that is not a database, its bytes."""
    if not database.exists():
        return None
    try:
        return query(database, "SELECT * FROM games ORDER BY number")
    except sqlite3.DatabaseError:
        return database.read_bytes()


def cut_off(database: Path, *statements: str) -> None:
    """Write, and end as a killed program does: the last plies are in the file beside it only."""
    with tempfile.TemporaryDirectory() as folder:
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA wal_autocheckpoint = 0")
            for statement in statements:
                connection.execute(statement)
            connection.commit()
            for ending in ("", "-wal"):
                shutil.copy(f"{database}{ending}", Path(folder) / f"db{ending}")
        for ending in ("", "-wal"):
            shutil.copy(Path(folder) / f"db{ending}", f"{database}{ending}")


def fill(database: Path) -> None:
    rows = "INSERT INTO games VALUES (1, 'e4 e5'), (2, 'd4')"
    query(database, "CREATE TABLE games (number INTEGER, plies TEXT)", rows)


def spoil(database: Path) -> None:
    database.write_bytes(b"\0" * 16 + database.read_bytes()[16:] if database.exists() else b"xyz")


def begin_anew(database: Path) -> None:
    """As a program does that puts a damaged record aside."""
    for ending in ("", "-wal", "-shm"):
        file = Path(f"{database}{ending}")
        if file.exists():
            file.rename(file.with_name(f"aside{ending}"))
    fill(database)


def one_more(database: Path) -> None:
    cut_off(database, "INSERT INTO games VALUES (3, 'c4')")


def look(database: Path) -> None:
    games(database)


def migrate(database: Path) -> None:
    if isinstance(games(database), list):
        query(database, NEW_TABLE, "DELETE FROM games WHERE number = 1")


def migrate_and_be_killed(database: Path) -> None:
    if isinstance(games(database), list):
        cut_off(database, NEW_TABLE, "UPDATE games SET plies = 0")


def remove(database: Path) -> None:
    database.unlink(missing_ok=True)


BEFORE: tuple[tuple[Change, ...], ...] = (
    (),
    (fill,),
    (fill, one_more),
    (Path.touch,),
    (fill, spoil),
    (fill, one_more, spoil),
)
MEANWHILE = (look, migrate, migrate_and_be_killed, begin_anew, spoil, remove)
"""What a version may do to the record before it fails."""


@pytest.mark.slow
@settings(deadline=None, max_examples=30)
@given(st.sampled_from(BEFORE), st.lists(st.sampled_from(MEANWHILE), max_size=3))
def test_a_record_is_put_back_whatever_was_done_to_it(
    before: tuple[Change, ...], meanwhile: list[Change]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / DATABASE
        database.parent.mkdir(parents=True)
        for change in before:
            change(database)
        if database.exists():
            database.chmod(0o640)
        with tempfile.TemporaryDirectory() as aside:
            for file in database.parent.iterdir():
                shutil.copy(file, aside)
            there = games(Path(aside) / database.name)
        copy = record.copied(Place(Path(folder)))
        assert copy is not None
        for change in meanwhile:
            change(database)
        copy.put_back()
        assert games(database) == there
        if there is not None:
            assert database.stat().st_mode & 0o777 == 0o640
        assert not [*database.parent.glob("*.before-upgrade*")]


def test_what_a_failed_version_wrote_is_kept_beside_the_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = tmp_path / DATABASE
    database.parent.mkdir(parents=True)
    fill(database)
    copy = record.copied(Place(tmp_path))
    assert copy is not None
    query(database, "INSERT INTO games VALUES (7, 'b3')")
    copy.put_back()
    kept = database.with_name("boardfw.db.failed-upgrade")
    assert (7, "b3") in query(kept, "SELECT * FROM games")
    assert f"kept {kept}: the record as the new version left it\n" in capsys.readouterr().out


def test_of_copies_that_cut_off_upgrades_left_behind_one_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = tmp_path / DATABASE
    database.parent.mkdir(parents=True)
    fill(database)
    for _ in range(3):
        assert record.copied(Place(tmp_path)) is not None  # and then nobody ever goes on
        query(database, "DELETE FROM games WHERE number = (SELECT max(number) FROM games)")
        record.set_aside(Place(tmp_path))
    kept = database.with_name("boardfw.db.before-upgrade-1")
    assert query(kept, "SELECT * FROM games") == []
    told = f"kept {kept}: the record before an upgrade that was cut off\n"
    assert told in capsys.readouterr().out
    assert {file.name for file in database.parent.iterdir()} == {database.name, kept.name}


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("", "var/lib/boardfw/games/boardfw.db"),
        ('[record]\ndatabase = "mine.db"\n', "var/lib/boardfw/mine.db"),
        ('[record]\ndatabase = "/srv/mine.db"\n', "srv/mine.db"),
        ("[record\n", "var/lib/boardfw/games/boardfw.db"),
        ('[record]\ndatabase = ""\n', None),
    ],
)
def test_the_record_is_the_one_of_the_settings(
    tmp_path: Path, line: str, wanted: str | None
) -> None:
    config = tmp_path / "etc/boardfw/boardfw.toml"
    config.parent.mkdir(parents=True)
    config.write_text(line, encoding="utf-8")
    copy = record.copied(Place(tmp_path)) if wanted is None else None
    assert copy is None
    if wanted:
        (tmp_path / wanted).parent.mkdir(parents=True)
        fill(tmp_path / wanted)
        copy = record.copied(Place(tmp_path))
        assert copy is not None
        assert copy.record == tmp_path / wanted


# --------------------------------------------------------------------- two at once, and pip


def test_two_installations_wait_for_each_other(tmp_path: Path) -> None:
    unit = tmp_path / UNIT.lstrip("/")
    unit.parent.mkdir(parents=True)
    unit.touch()
    held = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)  # as another one holds it
    command = [sys.executable, "-B", str(ROOT / "systemd/install.py"), "uninstall"]
    with subprocess.Popen(
        [*command, "--destdir", str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as second:
        assert second.stdout is not None
        try:
            assert second.stdout.readline().startswith("another make install or uninstall is at")
            assert unit.exists()
        finally:
            os.close(held)
        assert second.stdout.readline() == f"removed {UNIT}\n"
    assert second.returncode == 0


@pytest.mark.parametrize(
    ("sudo", "who"), [("daemon", "daemon"), ("root", "nobody"), ("", "nobody")]
)
def test_nothing_that_was_downloaded_runs_as_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sudo: str, who: str
) -> None:
    runs: list[dict[str, Any]] = []

    def run(command: list[str], **options: Any) -> SimpleNamespace:
        runs.append({"command": command, **options})
        return SimpleNamespace(returncode=0)

    monkeypatch.setenv("SUDO_USER", sudo)
    monkeypatch.setattr(os, "getuid", lambda: 0)
    monkeypatch.setattr(os, "chown", lambda *_, **__: None)
    monkeypatch.setattr(subprocess, "run", run)
    part = tmp_path / "part"
    part.mkdir()
    environment._fill(part, "/opt/boardfw/name")
    user = pwd.getpwnam(who)
    assert {told["user"] for told in runs} == {user.pw_uid}
    assert {told["group"] for told in runs} == {user.pw_gid}
    assert all(told["extra_groups"] == [] for told in runs)
    assert all(Path(told["env"]["HOME"]) != Path.home() for told in runs)
    pip = [" ".join(told["command"]) for told in runs if "pip" in told["command"]]
    assert pip
    assert all("--no-deps" in words for words in pip)  # A newer release would be refused.
    assert all("--require-hashes" in words for words in pip[:-1])
    assert all("--no-build-isolation" in words for words in pip)
