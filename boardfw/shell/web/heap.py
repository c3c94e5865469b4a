"""The memory of a process that answers pages: what it has freed goes back to the system.

It is the C library that keeps it: the GNU one; with another one nothing here does anything.
"""

from __future__ import annotations

import asyncio
import ctypes
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

M_ARENA_MAX = -8
"""Of mallopt(3)."""
GIVES_BACK_S = 10.0


def share_one_heap() -> None:
    """Let all threads take their memory from one heap, where the C library has one for each.

    What the thread of the pages frees is then there for the others, too: 10,000 hostile requests
    left 10 MB of holes in four heaps, and half a megabyte in one. Only one of our threads runs at a
    time, so that they hardly wait for each other there.
    """
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)


@asynccontextmanager
async def giving_back() -> AsyncIterator[None]:
    """Every ten seconds, meanwhile, let go of holes that requests of many sizes leave in the heap.

    It takes less than a millisecond, and leaves the interpreter to others. To keep the holes from
    the beginning, by a fixed threshold of mallopt(3), let each read of a socket take new pages.
    """
    task = asyncio.get_running_loop().create_task(_give_back())
    try:
        yield
    finally:
        task.cancel()


async def _give_back() -> None:
    with suppress(AttributeError, OSError):
        trim = ctypes.CDLL(None).malloc_trim
        while True:
            await asyncio.sleep(GIVES_BACK_S)
            trim(0)
