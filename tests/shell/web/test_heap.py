"""What a process has freed goes back to the system, also where something above it stays."""

from __future__ import annotations

import asyncio
import ctypes
import os
from pathlib import Path

import pytest

from boardfw.shell.web import heap
from tests.patience import PATIENCE_S

BLOCK, BLOCKS = 10_000, 4_000
HOLE = BLOCK * BLOCKS


def held() -> int:
    """Bytes of this process that are in memory."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="no GNU C library")
async def test_holes_in_the_heap_are_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = [os.urandom(BLOCK) for _ in range(BLOCKS)]
    del blocks[:-1]  # the last one keeps the heap from shrinking
    before = held()
    monkeypatch.setattr(heap, "GIVES_BACK_S", 0.01)
    async with heap.giving_back(), asyncio.timeout(PATIENCE_S):
        while held() > before - HOLE / 2:  # noqa: ASYNC110  # a heap sets no event
            await asyncio.sleep(0.01)
    assert len(blocks) == 1
