"""Figures for `make bench`: what a ply writes to the disk, since an SD card wears."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shell.store.child import MOVES
from tests.shell.store.disk import traced

pytestmark = pytest.mark.bench
WANTED_BYTES = 16 * 1024


def test_bench_bytes_of_a_ply(tmp_path: Path) -> None:
    directory = tmp_path / "disk"
    directory.mkdir()
    written: dict[str, int] = {}
    for call in traced(directory):
        name = Path(call.path).name
        if call.path.startswith(str(directory)) and not name.endswith("-shm"):
            written[name] = written.get(name, 0) + len(call.data)
    a_ply = sum(written.values()) / len(MOVES)
    mark = "*" if a_ply > WANTED_BYTES else ""
    files = ", ".join(f"{name} {size}" for name, size in sorted(written.items()))
    print(f"\na ply writes {a_ply:.0f} bytes{mark} (a game of {len(MOVES)}: {files})")
