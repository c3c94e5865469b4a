"""Games between neighbouring levels: a measured order, and no promise of a rating.

The first two plies are made by chance, so that no game is played twice. `FULL=1` plays 200 games
of each pair, else 10; ``BOARDFW_GAMES`` says how many. Its output is in docs/opponents.md.
"""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import pytest

from boardfw.game.clock import parse_control
from boardfw.game.opponent import Times
from boardfw.rules import Position
from boardfw.services.levels import LEVELS, Level
from boardfw.services.opponents import OWN
from boardfw.services.seat import Pace
from tests.services.uci.real_engines import Sitting, needs, play

pytestmark = pytest.mark.bench

OPENING = 2
OWN_LEVELS = (LEVELS[0], LEVELS[1], LEVELS[3])
"""One of each strength of our own player."""


TIMES = Times(parse_control("1"), (60_000, 60_000))
"""So little left at each move that all levels get the same 30 ms for it, whatever their pace."""


async def at_once(_: float) -> None:
    """No pause."""


async def points_of(name: str, weak: Level, strong: Level, games: int) -> tuple[int, int, int]:
    """How many games the stronger level won, drew and lost, with White and Black in turn."""
    pace = Pace(sleep=at_once)
    sittings = Sitting(name, strong, pace=pace), Sitting(name, weak, pace=pace)
    results = []
    for seed in range(games):
        is_white = seed % 2 == 0
        white, black = sittings if is_white else sittings[::-1]
        start, opening = Position.start(), seed // 2
        _, ended = await play(white, black, start, opening=OPENING, seed=opening, times=TIMES)
        won = {"1-0": is_white, "0-1": not is_white}.get(ended.result) if ended else None
        results.append(won)
    for sitting in sittings:
        await sitting.seat.close()
    return results.count(True), results.count(None), results.count(False)


@pytest.mark.parametrize(
    "name",
    [OWN, pytest.param("stockfish", marks=needs("stockfish")),
     pytest.param("toga2", marks=needs("toga2"))],
)  # fmt: skip
async def test_neighbouring_levels(name: str, *, full: bool) -> None:
    games = int(os.environ.get("BOARDFW_GAMES") or (200 if full else 10))
    print(f"\n{Path(name).name}: {games} games each")
    print("| levels | won | drawn | lost | points |")
    print("|---|---|---|---|---|")
    for weak, strong in pairwise(OWN_LEVELS if name == OWN else LEVELS):
        won, drawn, lost = await points_of(name, weak, strong, games)
        share = (won + drawn / 2) / games
        print(f"| {strong.number} v {weak.number} | {won} | {drawn} | {lost} | {share:.0%} |")
