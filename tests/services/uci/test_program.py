"""Engines are found where Debian and people put them, and get a share of the memory."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from boardfw.services.uci.program import MOST_MB, SMALL_MB, find_program, hash_mb, memory_mb


def program(folder: Path, name: str, mode: int = 0o755) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(mode)
    return path


def test_a_program_is_found_on_the_path_then_in_the_usual_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games, path = tmp_path / "games", tmp_path / "path"
    monkeypatch.setenv("PATH", str(path))
    assert find_program("deepthought", (str(games),)) is None
    there = program(games, "deepthought")
    assert find_program("deepthought", (str(games),)) == there
    first = program(path, "deepthought")
    assert find_program("deepthought", (str(games),)) == first


def test_a_path_is_taken_as_it_is(tmp_path: Path) -> None:
    there = program(tmp_path, "engine")
    assert find_program(str(there)) == there
    assert find_program(str(tmp_path / "nothing")) is None
    assert find_program(str(tmp_path)) is None
    assert find_program(str(program(tmp_path, "text", 0o644))) is None
    for name in ("", "~nobody-of-this-name/engine", "a\0b", "/a\0b", "..", "x" * 10_000):
        assert find_program(name) is None


def test_the_hash_grows_with_the_memory_within_bounds() -> None:
    sizes = [hash_mb(memory) for memory in range(0, 100_000, 128)]
    assert sizes[0] == hash_mb(512) == SMALL_MB
    assert sizes[-1] == MOST_MB
    assert all(small <= large for small, large in pairwise(sizes))
    assert SMALL_MB <= hash_mb(memory_mb()) <= MOST_MB


@pytest.mark.parametrize(
    "name", ["~\0/engine", "/usr/\0", "~nobody-has-this-name/x", "/" + "a" * 300]
)
def test_a_path_that_no_file_can_have_is_no_program(name: str) -> None:
    assert find_program(name) is None
