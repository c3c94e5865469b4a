"""Killed at any write while an old record is brought to our version: every game is there.

``make test-slow FULL=1 ARGS="tests/shell/store/test_killed_upgrades.py -n 0 -s"`` kills at each
write and prints how many those are.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from boardfw.shell.store.database import MIGRATIONS, kept_before, open_database
from boardfw.shell.store.rescue import mend
from tests.shell.store.disk import killed_at
from tests.shell.store.test_versions import VERSIONS, pgns, version

CHILD = "tests.shell.store.upgrade_child"
FEW_WRITES = 7
"""Where not all writes are tried: each so manieth."""
FEW_VERSIONS = 3


@pytest.mark.slow
def test_killed_at_each_write_of_an_upgrade_no_game_is_lost(tmp_path: Path, full: bool) -> None:
    kills = 0
    for old in VERSIONS[:: 1 if full else FEW_VERSIONS]:
        games = pgns(Path(shutil.copy(old, tmp_path / "sound.db")))
        number, is_killed = 1, True
        while is_killed:
            path = tmp_path / f"{old.stem}-{number}" / "games.db"
            path.parent.mkdir()
            shutil.copy(old, path)
            _, is_killed = killed_at(number, path, CHILD)
            where = f"{old.stem}, killed at write {number}"
            assert mend(path, thoroughly=True) is None, where
            open_database(path).close()
            assert (version(path), pgns(path)) == (len(MIGRATIONS), games), where
            assert version(kept_before(path)) == version(old), where
            kills += is_killed
            number += 1 if full else FEW_WRITES
    assert kills
    print(f"{kills} kills during an upgrade")  # noqa: T201 - for the document
