"""Whether a deeper search agrees with the mistakes that are marked.

Each marked move is weighed again by a fresh engine that may look at ten times as many nodes. The
games are those of ``accuracy/classics.pgn``, or of the file that ``BOARDFW_PGN`` names; 3 of them,
``BOARDFW_GAMES`` as many, with ``FULL=1`` 60. Figures of 60 online games are in docs/analysis.md.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

import boardfw.accuracy
from boardfw.notation.pgn import MainLine, scan_file
from boardfw.services.analysis.analyst import Analyst, find_analyst
from boardfw.services.analysis.game_analysis import CLOSER, NODES, WeighedPly, analyse
from boardfw.services.analysis.judgement import Judgement
from tests.services.uci.real_engines import needs

pytestmark = pytest.mark.bench

DEEPER = 10
CLASSICS = Path(boardfw.accuracy.__file__).with_name("classics.pgn")
AGREES, ENOUGH = 0.95, 30
"""Of three games a single move more or less is too much of a share."""


async def loss_by(judge: Analyst, game: MainLine, one: WeighedPly) -> float:
    """What a move cost by a search of ten times as many nodes as it was marked by."""
    nodes, before = DEEPER * CLOSER * NODES, tuple(game.moves[: one.ply - 1])
    best = await judge.weigh(game.start, before, nodes)
    if best.line[0] == one.move:
        return 0.0
    played = await judge.weigh(game.start, before, nodes, only=one.move)
    return best.chance - played.chance


@needs("stockfish")
async def test_marked_mistakes_against_a_deeper_search(*, full: bool) -> None:
    file = Path(os.environ.get("BOARDFW_PGN") or CLASSICS)
    count = int(os.environ.get("BOARDFW_GAMES") or (60 if full else 3))
    games = [game for game in scan_file(file) if game.moves][:count]
    marked = again = lost_some = plies = 0
    took_s = 0.0
    for game in games:
        analyst, judge = find_analyst(), find_analyst()
        began = time.monotonic()
        found = await analyse(analyst, game.start, tuple(game.moves))
        took_s += time.monotonic() - began
        await analyst.close()
        plies += len(found)
        for one in found:
            if one.turns_the_game:
                loss = await loss_by(judge, game, one)
                marked += 1
                again += loss >= Judgement.MISTAKE.least
                lost_some += loss >= Judgement.INACCURACY.least
        await judge.close()
    print(f"\n{len(games)} games of {file.name}, {plies} plies, {took_s / plies:.2f} s a ply")
    print(f"marked {marked}; deeper a mistake too {again}, at least an inaccuracy {lost_some}")
    assert marked
    assert lost_some >= AGREES * marked
    if len(games) >= ENOUGH:
        assert again >= AGREES * marked
