"""Files that the installer writes: private while written, all or nothing on a full disk."""

import errno
import os
from pathlib import Path

import pytest

from place import Place


def test_nobody_else_can_read_a_private_file_while_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "settings").write_text("old")
    (tmp_path / "settings").chmod(0o600)
    modes = []
    fsync = os.fsync

    def synced(handle: int) -> None:
        modes.append(os.fstat(handle).st_mode & 0o777)
        fsync(handle)

    monkeypatch.setattr(os, "fsync", synced)
    Place(tmp_path).write("/settings", "new")
    assert modes[0] == 0o600
    assert (tmp_path / "settings").stat().st_mode & 0o777 == 0o600


def test_a_full_disk_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "settings").write_text("old")

    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        Place(tmp_path).write("/settings", "new")
    assert [file.name for file in tmp_path.iterdir()] == ["settings"]
    assert (tmp_path / "settings").read_text() == "old"
