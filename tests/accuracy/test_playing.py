"""How many games of each kind of hands are recorded exactly, to the last ply; prints a table."""

from __future__ import annotations

import sys

import pytest

from boardfw.accuracy.games import RANDOM, games_of
from boardfw.accuracy.playing import Circumstances, Task, play
from boardfw.accuracy.report import failures, summarise, table
from tests.hands import KINDS

SAMPLE = 30
WHOLE = 200
SEED = 0

FLOORS = {"careful": 1.0, "club": 0.9, "blitz": 0.9, "child": 0.9, "wooden": 0.9}
"""Games exactly right of all; the last ply of a trace may be one that cannot be told."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_games_are_recorded_exactly(
    kind: str, full: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    games = games_of([RANDOM], WHOLE if full else SAMPLE, SEED)
    board = Circumstances()
    scores = [
        play(Task((game,), kind, n + 1, SEED + n, board)).score for n, game in enumerate(games)
    ]
    summaries = summarise(scores)
    with capsys.disabled():
        sys.stdout.write("\n".join(["", *table(summaries), *failures(scores), ""]))
    assert summaries[0].games_exact >= FLOORS[kind] * len(games)
