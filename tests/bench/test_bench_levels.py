"""Games between neighbouring levels: a measured order, and no promise of a rating.

`FULL=1` plays 200 games of each pair, else 10; ``BOARDFW_GAMES`` says how many, and
``BOARDFW_LEVELS=9-11`` which levels. Its output is in docs/opponents.md, and ``results_file.py``
says how a long run is cut in two.

Nothing depends on how busy the machine is: what a level leaves to the time for a move is bounded by
nodes, or by plies where an engine does not count nodes. The first two plies are one of the 400
pairs of moves, each game another one and played with both colours. Where both levels never err by
chance, a game is over once a third search sees the same side far ahead several times running. A
game of 200 plies is drawn.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from math import sqrt
from pathlib import Path

import pytest

from boardfw.game.opponent import Situation
from boardfw.rules import BLACK, WHITE, Color, Move, Position
from boardfw.rules.outcome import outcome
from boardfw.rules.position import Key
from boardfw.services.analysis.analyst import Analyst, find_analyst
from boardfw.services.levels import FLAWLESS, FULL, LEVELS, Level, errors_at
from boardfw.services.opponents import OWN, Wish
from boardfw.services.own_player import OwnPlayer
from boardfw.services.seat import Question, Thinker, Thought
from boardfw.services.uci.conversation import Found, Patience, Search
from boardfw.services.uci.engine import Broken, Engine
from boardfw.services.uci.engine_player import EnginePlayer
from boardfw.services.uci.program import find_program
from tests.bench.results_file import ResultsFile
from tests.services.uci.real_engines import needs

pytestmark = pytest.mark.bench

NODES = int(os.environ.get("BOARDFW_NODES") or 5_000)
"""For a move of a level that has no bound but time: some 8 ms of a core."""
PLIES = {"toga2": 9}
"""The same for an engine that does not count nodes: one ply more than its level 10."""
UNHURRIED_US = 60_000_000
UNHURRIED = Patience(UNHURRIED_US, UNHURRIED_US, UNHURRIED_US, UNHURRIED_US)
"""A machine that measures other things beside this one is slow."""
LONGEST = 200
"""Plies; a longer game is a draw."""
OWN_LEVELS = (LEVELS[0], LEVELS[1], LEVELS[3])
"""One of each strength of our own player."""

FAR_AHEAD_CP, CHECKED_NODES = 600, 1_000
CHECKED_EVERY, CHECKED_TIMES = 4, 3
"""Plies between two looks of the third search, and how often running it has to say the same."""


class BoundEngine(Engine):
    """An engine that never looks further than it is measured at."""

    plies: int | None = None
    """None: it counts nodes."""

    async def search(self, search: Search) -> Found | Broken:
        """As ``Engine.search``."""
        go = search.go
        if go.depth is None:
            go = replace(go, nodes=NODES, depth=self.plies)
        go = replace(go, movetime=None)
        return await super().search(replace(search, go=go, time_us=UNHURRIED_US))


def player(name: str, level: Level) -> Thinker:
    """Who plays at a level, without book, manners and pauses."""
    program = find_program(name)
    if program is None:
        return OwnPlayer(level)
    options = Wish(hash_mb=16).engine_options()
    engine = BoundEngine((str(program),), program.name, options=options, patience=UNHURRIED)
    engine.plies = PLIES.get(program.name)
    return EnginePlayer(engine, level)


def openings() -> list[Position]:
    """All positions after two plies, in an order by chance that is always the same."""
    start = Position.start()
    once = [start.play(move) for move in start.legal_moves()]
    twice = [one.play(move) for one in once for move in one.legal_moves()]
    random.Random(0).shuffle(twice)
    return twice


async def winner(
    players: tuple[Thinker, Thinker], start: Position, name: str, judge: Analyst | None
) -> Color | None:
    """Who wins a game; None: it is a draw. ``judge``: the third search; None: all is played out."""
    moves: tuple[Move, ...] = ()
    position, earlier = start, list[Key]()
    ahead: list[Color | None] = []
    while len(moves) < LONGEST:
        if ended := outcome(position, earlier):
            return {"1-0": WHITE, "0-1": BLACK}.get(ended.result)
        if judge and moves and len(moves) % CHECKED_EVERY == 0:
            ahead = [*ahead, await far_ahead(judge, position)][-CHECKED_TIMES:]
            if len(ahead) == CHECKED_TIMES and len(set(ahead)) == 1 and ahead[0] is not None:
                return ahead[0]
        chance = random.Random(f"{name} {len(moves)}")
        asked = Question(Situation(start, moves, position.turn), position, None, chance)
        thought = await players[position.turn].think(asked)
        assert isinstance(thought, Thought), thought
        moves, earlier = (*moves, thought.move), [*earlier, position.key]
        position = position.play(thought.move)
    return None


async def far_ahead(judge: Analyst, position: Position) -> Color | None:
    """The side that wins by a short look of an engine at its full strength; None: neither."""
    worth_cp = (await judge.weigh(position, (), CHECKED_NODES)).score.worth_cp
    if abs(worth_cp) < FAR_AHEAD_CP:
        return None
    return position.turn if worth_cp > 0 else 1 - position.turn


async def points_of(
    name: str, weak: Level, strong: Level, games: int, results: ResultsFile
) -> list[float]:
    """What the stronger level made of each game: 1, 0.5 or 0."""
    players = player(name, strong), player(name, weak)
    never_errs = all(errors_at(one.elo or FULL_ELO) == FLAWLESS for one in (weak, strong))
    judge = find_analyst("stockfish", Wish(hash_mb=16, patience=UNHURRIED)) if never_errs else None
    starts = openings()
    points: list[float] = []
    for number in range(games):
        game = f"{Path(name).name} {strong.number} v {weak.number}, {number}"
        known = results.get(game)
        if known is None:
            color = (WHITE, BLACK)[number % 2]
            seats = players if color == WHITE else players[::-1]
            won_by = await winner(seats, starts[number // 2 % len(starts)], game, judge)
            known = [0.5 if won_by is None else float(won_by == color)]
            results.put(game, known)
        points += known
    for one in players:
        await one.close()
    if judge:
        await judge.close()
    return points


FULL_ELO = 9999


def row(strong: Level, weak: Level, points: list[float]) -> str:
    """Games won, drawn and lost, and the share of points with how sure it is (95 of 100)."""
    share = sum(points) / len(points)
    spread = sqrt(sum((one - share) ** 2 for one in points)) / len(points)
    counts = " / ".join(str(points.count(one)) for one in (1, 0.5, 0))
    return f"| {strong.number} v {weak.number} | {counts} | {share:.0%} ± {1.96 * spread:.0%} |"


def pairs(name: str) -> Iterator[tuple[Level, Level]]:
    """The neighbours that are asked for, the weaker first."""
    least, _, most = (os.environ.get("BOARDFW_LEVELS") or f"1-{FULL.number}").partition("-")
    for weak, strong in pairwise(OWN_LEVELS if name == OWN else LEVELS):
        if int(least) <= weak.number and strong.number <= int(most or least):
            yield weak, strong


@pytest.mark.parametrize(
    "name",
    [OWN, pytest.param("stockfish", marks=needs("stockfish")),
     pytest.param("toga2", marks=[needs("toga2"), needs("stockfish")])],
)  # fmt: skip
async def test_neighbouring_levels(name: str, *, full: bool) -> None:
    games = int(os.environ.get("BOARDFW_GAMES") or (200 if full else 10))
    results, kept = ResultsFile(), True
    print(f"\n{Path(name).name}: {games} games each\n| levels | won / drawn / lost | points |")
    for weak, strong in pairs(name):
        points = await points_of(name, weak, strong, games, results)
        print(row(strong, weak, points), flush=True)
        kept = kept and sum(points) > len(points) / 2
    assert kept or games < ENOUGH


ENOUGH = 100
"""In fewer games chance may turn an order round."""
