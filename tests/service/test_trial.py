"""A new version on trial: whatever it does and wherever the power fails, a board plays then."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import environment
import host
import record
import trial
from environment import CURRENT, OPT
from install import FILES, UNIT
from place import InstallError, Place
from record import CONFIG
from trial import NEW, OLD, Trial

DATABASE = "var/lib/boardfw/games/boardfw.db"
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
"""A disk that is waited for would make some hundred upgrades take minutes."""
GOOD, BAD = "good", ("does not start", "dies after 10 s", "ends by itself", "stays down", "no page")
MUTATIONS = {"os.chmod", "os.link", "os.mkdir", "os.remove", "os.rename", "os.symlink"}
"""Audit events of what changes a directory; of ``open`` those that write count, too."""


class PowerCutError(BaseException):
    """The machine is off from here on."""


class _Power:
    """Fails before the n-th change of a disk; None: never. A full disk takes no text at all."""

    left: int | None = None
    is_full = False

    def hook(self, event: str, words: tuple[Any, ...]) -> None:
        if self.left is None and not self.is_full:
            return
        writes = event == "open" and isinstance(words[2], int) and words[2] & os.O_ACCMODE
        if self.is_full and writes:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), words[0])
        if self.left is None:
            return
        if event in MUTATIONS or event == "sqlite3.connect" or writes:
            self.left -= 1
            if self.left < 0:
                self.left = None
                raise PowerCutError


POWER = _Power()
sys.addaudithook(POWER.hook)


def query(database: Path, *statements: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(database)) as connection, connection:
        return [row for statement in statements for row in connection.execute(statement)]


class Machine:
    """A machine in a directory: its systemd runs the program to which the link leads."""

    def __init__(self, root: Path) -> None:
        self.place = Place(root)
        self.database = root / DATABASE
        self.database.parent.mkdir(parents=True)
        query(self.database, "CREATE TABLE games (number INTEGER)")
        query(self.database, "INSERT INTO games VALUES (1), (2)")
        for path in FILES:
            self.place.put(path, f"old {path}")
        self.place.link(CURRENT, "old")
        self.now = 0.0
        self.state, self.process, self.restarts = "inactive", 0, 0
        self.changes_at: float | None = None
        self.starts = 0
        self.has_page = True
        self.starts_trial = True
        self.fills_disk = False

    # What ``host`` does elsewhere.

    def start(self, unit: str) -> bool:
        if unit == host.TRIAL:
            trial.run(self.place, lambda: self.now, self.wait)
        elif unit == host.SERVICE and self.state != "active":
            self._launch()
        return self.state == "active"

    def stop(self) -> bool:
        self.state, self.process, self.restarts = "inactive", 0, 0
        return True

    def restart(self) -> bool:
        self.stop()
        return self.start(host.SERVICE)

    def restart_page(self) -> bool:
        return self.has_page

    def is_active(self, unit: str = host.SERVICE) -> bool:
        return self.has_page if unit == host.PAGE_SOCKET else self.state == "active"

    def is_going(self, _unit: str) -> bool:
        return False

    def shown(self, unit: str) -> dict[str, str]:
        state, restarts = self.state, self.restarts
        if unit == host.PAGE:
            is_broken = self.place.target(CURRENT) == "no page"
            state, restarts = ("activating", int(self.now)) if is_broken else ("active", 0)
        return {"ActiveState": state, "NRestarts": str(restarts), "MainPID": str(self.process)}

    def take_over(self) -> None:
        pass

    def enable_trial(self) -> None:
        self.starts_trial = True

    def wait(self, seconds: float) -> None:
        self.now += seconds
        assert self.now < 3600, "no end"
        if self.changes_at is not None and self.now >= self.changes_at:
            self.changes_at = None
            if self.state == "activating":
                self.restarts += 1
                self._launch()
            elif self.state == "active":
                self._down(0 if self.place.target(CURRENT) == "ends by itself" else 1)

    def _launch(self) -> None:
        self.starts += 1
        self.process = self.starts
        program = str(self.place.target(CURRENT))
        texts = {self.place.text(path) for path in FILES}
        is_whole = texts == {f"{'old' if program == 'old' else 'new'} {path}" for path in FILES}
        if not is_whole:
            self._down(1)
        elif program == "old":
            assert query(self.database, "PRAGMA user_version") == [(0,)], "the record is too new"
            self.state = "active"
        else:
            POWER.is_full = self.fills_disk
            query(self.database, "PRAGMA user_version = 9")
            if program not in (GOOD, "no page"):
                query(self.database, "DELETE FROM games")
            if program == "does not start":
                self._down(1)
            elif program == "stays down":
                self.state = "failed"
            else:
                self.state = "active"
                self.changes_at = None if program in (GOOD, "no page") else self.now + 10

    def _down(self, status: int) -> None:
        self.state = "activating" if status else "inactive"
        self.changes_at = self.now + 3 if status else None

    # What a person or the mains do.

    def stage(self) -> None:
        """Lay down the files of both versions."""
        trial.stage(self.place, OLD, {path: self.place.text(path) for path in FILES})
        trial.stage(self.place, NEW, {path: f"new {path}" for path in FILES})

    def upgrade(self, name: str) -> None:
        self.starts_trial = False
        self.stage()
        trial.begin(self.place, Trial(CURRENT, "old", name))

    def boot(self) -> None:
        """Start the trial's unit, if enabled and needed, and then the board, as systemd does."""
        self.stop()
        self.changes_at = None
        if self.starts_trial and self.place.at(trial.FILE).exists():
            self.start(host.TRIAL)
        self.start(host.SERVICE)

    @property
    def plays(self) -> str | None:
        """The program that plays with all games and its own units; None: none does."""
        assert query(self.database, "SELECT count(*) FROM games") == [(2,)]
        return self.place.target(CURRENT) if self.state == "active" else None


@contextmanager
def machine() -> Iterator[Machine]:
    names = ("start", "stop", "restart", "restart_page", "is_active", "is_going", "shown")
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder, pytest.MonkeyPatch.context() as patch:
        there = Machine(Path(folder))
        for name in (*names, "take_over", "enable_trial"):
            patch.setattr(host, name, getattr(there, name))
        # Every write is looked at here in the order in which it is made.
        patch.setattr(os, "sync", lambda: None)
        patch.setattr(os, "fsync", lambda _: None)
        patch.setattr(POWER, "is_full", False)
        yield there


def upgraded(there: Machine, name: str) -> None:
    with suppress(InstallError):
        there.upgrade(name)


def test_a_version_that_runs_for_half_a_minute_is_good() -> None:
    with machine() as there:
        there.upgrade(GOOD)
        assert there.plays == GOOD
        assert there.now >= 30
        assert trial.previous(there.place) == "old"
        assert {file.name for file in there.database.parent.iterdir()} == {"boardfw.db"}


@pytest.mark.parametrize("name", BAD)
def test_a_version_that_fails_leaves_program_units_and_record_as_they_were(name: str) -> None:
    with machine() as there:
        with pytest.raises(InstallError, match=r"does not run: .*, the old one runs again"):
            there.upgrade(name)
        assert there.plays == "old"
        assert there.place.text(UNIT) == f"old {UNIT}"
        assert not there.place.at(trial.FILE).exists()


def test_a_file_that_the_old_version_has_not_goes_again() -> None:
    with machine() as there:
        there.place.remove(UNIT)
        there.stage()
        with pytest.raises(InstallError):
            trial.begin(there.place, Trial(CURRENT, "old", "does not start"))
        assert there.place.text(UNIT) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", [GOOD, *BAD])
def test_wherever_the_power_fails_the_board_plays_at_the_next_start(name: str) -> None:
    """Before each change of the disk in turn, until an upgrade has no more of them."""
    cuts = 0
    while True:
        with machine() as there:
            trial.stage(there.place, OLD, {path: there.place.text(path) for path in FILES})
            POWER.left = cuts
            try:
                upgraded(there, name)
            except PowerCutError:
                there.boot()
            else:
                break
            finally:
                POWER.left = None
            wanted = ("old", GOOD) if name == GOOD else ("old",)
            assert there.plays in wanted, f"after {cuts} changes of the disk"
            assert not there.place.at(trial.FILE).exists()
        cuts += 1
    assert cuts > 30


@settings(deadline=None, max_examples=25)
@given(st.sampled_from((GOOD, *BAD)), st.lists(st.integers(0, 60), min_size=1, max_size=4))
def test_power_that_fails_again_and_again_loses_nothing(name: str, cuts: list[int]) -> None:
    with machine() as there:
        doing = [lambda: upgraded(there, name), *[there.boot] * len(cuts)]
        for do, cut in zip(doing, cuts, strict=False):
            POWER.left = cut
            try:
                do()
            except PowerCutError:
                pass
            finally:
                POWER.left = None
        there.boot()
        assert there.plays in (("old", GOOD) if name == GOOD else ("old",))


def test_a_version_with_which_the_machine_itself_fails_has_three_tries() -> None:
    with machine() as there:
        there.place.write(trial.FILE, "{}")  # so that nothing is done yet
        there.stage()
        Trial(CURRENT, "old", GOOD).at(there.place, trial.SWITCHING)

        def dark(_seconds: float) -> None:
            raise PowerCutError

        for _ in range(3):
            assert there.place.target(CURRENT) in ("old", GOOD)
            with pytest.raises(PowerCutError):
                trial.run(there.place, lambda: 0.0, dark)
        there.boot()
        assert there.plays == "old"


def test_files_that_the_package_system_left_half_done_are_the_old_ones_again() -> None:
    with machine() as there:
        trial.stage(there.place, OLD, {path: there.place.text(path) for path in FILES})
        there.place.write(UNIT, f"new {UNIT}")
        Trial(CURRENT, "old", GOOD).at(there.place, trial.UNPACKING)
        there.boot()
        assert there.plays == "old"
        assert there.place.text(UNIT) == f"old {UNIT}"


def test_what_was_just_unpacked_is_tried_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with machine() as there:
        there.start(host.SERVICE)
        there.stage()
        Trial(CURRENT, "old", GOOD).at(there.place, trial.UNPACKING)
        files = there.place.at("/tmp/files")
        shutil.copytree(there.place.at(NEW), files)
        monkeypatch.setattr("sys.argv", ["trial.py", CURRENT, "old", GOOD, "--files", str(files)])
        monkeypatch.setattr(trial, "Place", lambda: there.place)
        trial.main()
        assert there.plays == GOOD
        assert there.starts == 2, "the old version was started again on the way"


def try_with_settings(there: Machine, name: str, old: bytes, new: bytes) -> None:
    """Try a version that brings settings of its own, as a package may."""
    there.stage()
    for at, text in (("", new), (OLD, old), (NEW, new)):
        there.place.write(f"{at}{CONFIG}", "")
        there.place.at(f"{at}{CONFIG}").write_bytes(text)
    with suppress(InstallError):
        trial.begin(there.place, Trial(CURRENT, "old", name))
    assert there.plays == (GOOD if name == GOOD else "old")


@pytest.mark.parametrize("name", [GOOD, "does not start", "dies after 10 s"])
def test_settings_that_are_edited_during_a_trial_stay(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with machine() as there:

        def edit(seconds: float) -> None:
            there.place.write(CONFIG, "edited")
            Machine.wait(there, seconds)

        monkeypatch.setattr(there, "wait", edit)
        try_with_settings(there, name, b"old", b"new")
        assert there.place.text(CONFIG) == "edited"


@pytest.mark.parametrize(("name", "settings"), [(GOOD, b"new"), ("does not start", b"old")])
def test_settings_that_are_not_edited_go_with_their_version(name: str, settings: bytes) -> None:
    with machine() as there:
        try_with_settings(there, name, b"old", b"new")
        assert there.place.at(CONFIG).read_bytes() == settings


def test_settings_in_another_encoding_do_not_hold_a_trial_up() -> None:
    latin = "# Maße\n".encode("latin-1")
    with machine() as there:
        try_with_settings(there, "does not start", latin, latin)
        assert there.place.at(CONFIG).read_bytes() == latin


def test_an_upgrade_waits_for_one_that_was_cut_off(capsys: pytest.CaptureFixture[str]) -> None:
    with machine() as there:
        there.stage()
        Trial(CURRENT, "old", GOOD).at(there.place, trial.SWITCHING)
        trial.finish(there.place)
        assert there.plays == GOOD
        assert "an upgrade was cut off: waiting" in capsys.readouterr().out


def test_without_room_for_a_copy_of_the_record_the_old_version_runs_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("record._copy", full)
    with machine() as there:
        with pytest.raises(InstallError, match=r"cannot be copied to .*: .* is full, the old one"):
            there.upgrade(GOOD)
        assert there.plays == "old"


@pytest.mark.parametrize("name", BAD)
def test_a_version_that_fails_and_fills_the_disk_does_not_stay(name: str) -> None:
    with machine() as there:
        there.fills_disk = True
        with pytest.raises(InstallError):
            there.upgrade(name)
        assert there.plays == "old"
        assert there.place.text(UNIT) == f"old {UNIT}"
        assert not there.place.at(trial.FILE).exists()


def test_a_trial_that_goes_on_with_a_full_disk_ends() -> None:
    with machine() as there:
        there.stage()
        for path in FILES:
            there.place.write(path, f"new {path}")
        there.place.link(CURRENT, "does not start")
        copy = record.copied(there.place)
        assert copy
        Trial(CURRENT, "old", "does not start").at(there.place, trial.WATCHING, copy=copy.saved())
        there.fills_disk = POWER.is_full = True
        there.boot()
        assert there.plays == "old"


def test_of_environments_two_are_kept(tmp_path: Path) -> None:
    place = Place(tmp_path)
    for name in ("failed", "newest", "older", ".gone.part"):
        (tmp_path / OPT.lstrip("/") / name).mkdir(parents=True)
    place.link(CURRENT, "newest")
    environment.remove_others(place, "older")
    kept = {path.name for path in place.at(OPT).iterdir()}
    assert kept == {"current", "newest", "older"}
