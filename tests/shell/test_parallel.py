"""Games that are played in several processes: they end with the one that asked for them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from boardfw.accuracy.parallel import play_all
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]
JOBS = 2


def squared(number: int) -> int:
    return number * number


def endless(number: int) -> None:
    """A game that never ends; it says that it has begun."""
    os.write(1, b"begun\n")
    threading.Event().wait()


@pytest.mark.slow
def test_the_games_are_the_same_in_any_number_of_processes() -> None:
    for jobs in (1, JOBS):
        assert sorted(play_all(squared, range(5), jobs)) == [0, 1, 4, 9, 16]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_no_process_outlives_the_one_that_asked_for_games(number: signal.Signals) -> None:
    asking = subprocess.Popen(
        [sys.executable, "-m", __name__],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert asking.stdout is not None
    for _ in range(JOBS):
        assert asking.stdout.readline() == b"begun\n"
    asking.send_signal(number)
    try:
        # Each of them holds the pipe open for as long as it lives.
        assert asking.communicate(timeout=PATIENCE_S)[0] == b""
    except subprocess.TimeoutExpired:
        os.killpg(asking.pid, signal.SIGKILL)
        raise
    assert asking.returncode == -number


if __name__ == "__main__":
    list(play_all(endless, range(JOBS), JOBS))
