"""Files that a user names: which of them are read."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from boardfw.given import read_given

MADE_BY_THE_KERNEL = ["/proc/self/status", "/proc/self/mem", "/sys/kernel/mm/ksm/run"]
READ = "import sys; from boardfw.given import read_given; print(read_given(sys.argv[1]))"


@pytest.mark.parametrize("name", [name for name in MADE_BY_THE_KERNEL if Path(name).exists()])
def test_a_file_made_by_the_kernel_is_not_read(name: str, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(name)
    for path in (name, link):
        with pytest.raises(OSError, match="the kernel makes what it holds"):
            read_given(path)


@pytest.mark.parametrize("name", ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"])
def test_a_file_given_as_standard_input_is_read(name: str, tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_bytes(b"1. e4 *")
    with file.open("rb") as stdin:
        done = subprocess.run(
            [sys.executable, "-c", READ, name], stdin=stdin, capture_output=True, check=True
        )
    assert done.stdout.decode().strip() == repr(b"1. e4 *")


def test_a_deleted_file_that_is_still_open_is_read(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_bytes(b"1. e4 *")
    with file.open("rb") as kept:
        file.unlink()
        assert read_given(f"/dev/fd/{kept.fileno()}") == b"1. e4 *"
        assert os.path.realpath(f"/dev/fd/{kept.fileno()}").endswith("(deleted)")
