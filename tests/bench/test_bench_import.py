"""Figures for `make bench`: what an import costs in a fresh process, beside python-chess."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import NamedTuple

import pytest

pytestmark = pytest.mark.bench

OURS = "import boardfw.notation.san, boardfw.notation.fen, boardfw.notation.uci"
"""Rules, SAN, FEN and UCI: what `import chess` brings."""
OURS_PGN = f"{OURS}, boardfw.notation.pgn"
ROUNDS = 15

PROGRAM = """
import time
start = time.process_time()
{}
spent = time.process_time() - start
held = open("/proc/self/statm").read().split()[1]
print(spent, held)
"""


class Cost(NamedTuple):
    """Processor seconds of an import, and the pages of memory that its process holds then."""

    seconds: float
    pages: int


def cost(statement: str) -> Cost:
    # Compiled once and kept, as it is after an installation.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", PROGRAM.format(statement)]
    out = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    seconds, pages = out.stdout.split()
    return Cost(float(seconds), int(pages))


def least(statements: tuple[str, ...]) -> list[Cost]:
    """The least of each over some rounds, one after the other in every round."""
    rounds = [[cost(statement) for statement in statements] for _ in range(ROUNDS)]
    return [Cost(*map(min, zip(*costs, strict=True))) for costs in zip(*rounds, strict=True)]


@pytest.mark.parametrize(
    ("what", "ours", "theirs"),
    [
        ("import of rules, SAN, FEN, UCI", OURS, "import chess"),
        ("import of these and PGN", OURS_PGN, "import chess.pgn"),
    ],
)
def test_bench_import(what: str, ours: str, theirs: str) -> None:
    mine, other, bare = least((ours, theirs, "pass"))
    share = mine.seconds / other.seconds
    ours_mb, theirs_mb = (
        (pages - bare.pages) * os.sysconf("SC_PAGE_SIZE") / 1e6
        for pages in (mine.pages, other.pages)
    )
    print(
        f"\n{what:44} {mine.seconds * 1000:9.2f} ms {other.seconds * 1000:9.2f} ms"
        f" {share:6.2f} of {0.5:4.1f}{' ' if share <= 0.5 else '*'}"
        f"\n{'memory above a bare interpreter':44} {ours_mb:9.2f} MB {theirs_mb:9.2f} MB"
    )
