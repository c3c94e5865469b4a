"""How many games of each kind of hands are recorded exactly, to the last ply; prints a table."""

from __future__ import annotations

import sys

import pytest

from boardfw.accuracy.games import RANDOM, Played, games_of
from boardfw.accuracy.playing import Circumstances, Task, play
from boardfw.accuracy.report import failures, summarise, table
from boardfw.recording import START_FEN
from tests.hands import KINDS

SAMPLE = 4
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


REPEATED = (
    "e2e4 c7c5 g1f3 b8c6 d2d4 c5d4 f3d4 e7e5 d4b5 d7d6 c2c4 f8e7 b1c3 a7a6 b5a3 c8e6 f1d3 e7g5 "
    "a3c2 g5c1 a1c1 g8e7 e1g1 e7g6 c3d5 g6f4 d1f3 e6d5 c4d5 c6e7 g2g3 f4d3 f3d3 e8g8 c2e3 a8c8 "
    "a2a4 c8c1 f1c1 d8d7 a4a5 f7f5 e4f5 e7f5 e3f5 d7f5 d3f5 f8f5 c1c8 f5f8 c8c4 f8f3 c4c8 f3f8 "
    "c8c3 g7g5"
)


@pytest.mark.slow
def test_a_rook_going_home_that_rests_where_it_stood_plies_before_takes_none_back() -> None:
    """The child slides it over f5, where it stood when this check was given before."""
    game = Played("repeated", START_FEN, tuple(REPEATED.split()))
    task = Task((game,), "child", 100, 1314100, Circumstances(chances=2.0))
    score = play(task).score
    assert score.exact
    assert not score.wrong_finals
