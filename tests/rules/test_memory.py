"""A board runs for years: what the rules remember is bounded, and all of it together is little."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import pytest

from boardfw.rules import move
from boardfw.rules.memo import Memo
from tests.rules import wandering

ROOT = Path(__file__).parents[2]
MOST_MB = 60
SPARE_MB = 6
"""By how much the tables may still fill after the first 100,000 positions."""
MOST_MOVES = 20_000
"""More than chess has, castling in Chess960 counted."""


@pytest.mark.slow
@pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="needs /proc to tell the memory of a process"
)
def test_a_hundred_thousand_positions_leave_little_and_more_leave_no_more(
    full: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    rounds = 10 if full else 2
    command = [sys.executable, "-m", "tests.rules.wandering", str(rounds)]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    with capsys.disabled():
        sys.stdout.write(f"\nmemory after each 100,000 random positions, in MB: {told}\n")
    sizes = [float(size) for size in told.split()]
    assert len(sizes) == rounds
    assert sizes[0] < MOST_MB
    assert sizes[-1] < sizes[0] + SPARE_MB


def test_every_table_of_the_rules_has_a_limit_and_keeps_it() -> None:
    wandering.wander(2_000, seed=1)
    memos = [thing for thing in gc.get_objects() if isinstance(thing, Memo)]
    assert len(memos) > 100
    assert all(len(memo) <= memo.limit for memo in memos)
    assert len(move._MOVES) < MOST_MOVES
