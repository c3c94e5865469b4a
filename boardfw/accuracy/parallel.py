"""Many games at once: each in one of several processes, with the same result in any of them."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


def play_all(
    play: Callable[[Task], Result], tasks: Sequence[Task], jobs: int
) -> Generator[Result, None, None]:
    """Play these games, or chains of them, in so many processes; results come as they are ready."""
    if min(jobs, len(tasks)) < 2:
        yield from map(play, tasks)
        return
    # Forked copies of a process with threads (a progress bar has one) may hang.
    spawning = get_context("spawn")
    pool = ProcessPoolExecutor(min(jobs, len(tasks)), spawning, initializer=_end_with_parent)
    try:
        # The games are not kept: a result holds a whole recording.
        with _deaf():
            games = as_completed([pool.submit(play, task) for task in tasks])
        for game in games:
            yield game.result()
    except BaseException:
        for process in active_children():  # after Ctrl-C games are not played to their end
            process.terminate()
        # Waited for: the interpreter's end may not find the pool's thread still closing its pipes.
        pool.shutdown(cancel_futures=True)
        raise
    pool.shutdown()


def _end_with_parent() -> None:
    """Let this process end as soon as the one that started it is gone, however that ended."""

    def wait() -> None:
        if parent := parent_process():
            parent.join()
            os._exit(1)  # the game is played for nobody

    threading.Thread(target=wait, name="parent", daemon=True).start()


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes started meanwhile do not hear Ctrl-C: it ends the measurement, not their game."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
