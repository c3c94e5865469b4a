"""Figures for `make bench`: what the start of a board costs until it is ready, beside Python's."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_start import Start, started

pytestmark = pytest.mark.bench

ROUNDS = 5
"""The least processor time of so many starts counts."""


@pytest.mark.parametrize("web", ["apart", "off"])
def test_bench_start(tmp_path: Path, web: str) -> None:
    starts, bare_s = list[Start](), list[float]()
    for number in range(ROUNDS):
        folder = tmp_path / str(number)
        folder.mkdir()
        starts.append(started(folder, web))
        bare_s.append(bare())
    best = min(starts, key=lambda start: start.cpu_s)
    print(
        f"\nstart, web app {web}: {len(best.names)} modules, {best.kib / 1024:.1f} MB, "
        f"{best.cpu_s:.2f} s of the processor, {best.cpu_s / min(bare_s):.0f} times an empty Python"
    )


def bare() -> float:
    """Processor seconds of a Python that does nothing."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
