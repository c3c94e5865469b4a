"""Whether a deeper search agrees with the mistakes that are marked.

Each marked move is weighed again by a fresh engine that may look at ten times as many nodes. The
games are those of ``accuracy/classics.pgn``, or of the file that ``BOARDFW_PGN`` names; 3 of them,
``BOARDFW_GAMES`` as many, with ``FULL=1`` 60; ``BOARDFW_FIRST`` leaves out as many before. One
engine at a time thinks, and nothing depends on how busy the machine is. Figures of 60 online games
are in docs/analysis.md; ``results_file.py`` says how a long run is cut in two.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import boardfw.accuracy
from boardfw.notation.pgn import MainLine, scan_file
from boardfw.services.analysis.analyst import Analyst, find_analyst
from boardfw.services.analysis.game_analysis import CLOSER, NODES, WeighedPly, analyse
from boardfw.services.analysis.judgement import Judgement
from boardfw.services.opponents import Wish
from boardfw.services.uci.conversation import Patience
from tests.bench.results_file import ResultsFile
from tests.services.uci.real_engines import needs

pytestmark = pytest.mark.bench

DEEPER = 10
CLASSICS = Path(boardfw.accuracy.__file__).with_name("classics.pgn")
AGREES, ENOUGH = 0.95, 30
"""Of three games a single move more or less is too much of a share."""
MINUTE_US = 60_000_000
UNHURRIED = Patience(MINUTE_US, MINUTE_US, MINUTE_US, MINUTE_US)
"""A machine that measures other things beside this one is slow."""


def analyst() -> Analyst:
    """A fresh engine."""
    return find_analyst(wish=Wish(patience=UNHURRIED, hash_mb=64))


async def loss_by(judge: Analyst, game: MainLine, one: WeighedPly) -> float:
    """What a move cost by a search of ten times as many nodes as it was marked by."""
    nodes, before = DEEPER * CLOSER * NODES, tuple(game.moves[: one.ply - 1])
    best = await judge.weigh(game.start, before, nodes)
    if best.line[0] == one.move:
        return 0.0
    played = await judge.weigh(game.start, before, nodes, only=one.move)
    return best.chance - played.chance


async def losses(game: MainLine) -> list[float]:
    """What each move that is marked in a game cost by the deeper search."""
    first, judge = analyst(), analyst()
    found = await analyse(first, game.start, tuple(game.moves))
    await first.close()
    lost = [await loss_by(judge, game, one) for one in found if one.turns_the_game]
    await judge.close()
    return lost


@needs("stockfish")
async def test_marked_mistakes_against_a_deeper_search(*, full: bool) -> None:
    file = Path(os.environ.get("BOARDFW_PGN") or CLASSICS)
    first = int(os.environ.get("BOARDFW_FIRST") or 0)
    count = int(os.environ.get("BOARDFW_GAMES") or (60 if full else 3))
    games = [game for game in scan_file(file) if game.moves][first : first + count]
    results = ResultsFile()
    marked: list[float] = []
    for number, game in enumerate(games, first):
        name = f"{file.name} {number}"
        lost = results.get(name)
        if lost is None:
            lost = await losses(game)
            results.put(name, lost)
        marked += lost
    plies = sum(len(game.moves) for game in games)
    again = sum(loss >= Judgement.MISTAKE.least for loss in marked)
    lost_some = sum(loss >= Judgement.INACCURACY.least for loss in marked)
    print(f"\n{len(games)} games of {file.name}, {plies} plies, marked {len(marked)}")
    print(
        f"deeper a mistake too {again} of {len(marked)} ({again / max(1, len(marked)):.1%}), "
        f"at least an inaccuracy {lost_some}"
    )
    assert marked
    assert lost_some >= AGREES * len(marked)
    if len(games) >= ENOUGH:
        assert again >= AGREES * len(marked)
