"""Figures for `make bench`: the first moves of a fresh process, beside python-chess's.

The tables of the rules fill as they are asked, so a program's first game takes longer than any
later one. Each round is a process of its own; the rivals work in turns.
"""

from __future__ import annotations

import subprocess
import sys
from typing import NamedTuple

import pytest

from tests.bench.rivals import TITLE, Figure
from tests.bench.test_bench_rules import games

pytestmark = pytest.mark.bench

ROUNDS = 9
"""The quickest of so many processes counts, of either program."""
AT, UNTIL = 40, 80
WANTED_FIRST, WANTED_LATER, WANTED_WARM = 0.9, 1.0, 1.5
WARM = "from boardfw.rules.warming import steps; list(steps())"

OURS = """
import sys, time
from boardfw.rules import Position
{}
position, times = Position.start(), [time.process_time()]
for text in sys.argv[1].split():
    moves = position.legal_moves()
    position = position.play_unchecked(next(move for move in moves if move.uci() == text))
    times.append(time.process_time())
print(times[int(sys.argv[2])] - times[0], times[-1] - times[int(sys.argv[2])])
"""
THEIRS = """
import sys, time
import chess
board, times = chess.Board(), [time.process_time()]
for text in sys.argv[1].split():
    moves = list(board.legal_moves)
    board.push(next(move for move in moves if move.uci() == text))
    times.append(time.process_time())
print(times[int(sys.argv[2])] - times[0], times[-1] - times[int(sys.argv[2])])
"""


class Spent(NamedTuple):
    """Processor seconds for the positions up to ``AT``, and for those from there to ``UNTIL``."""

    first: float
    later: float


def spent(program: str, moves: str) -> Spent:
    command = [sys.executable, "-c", program, moves, str(AT)]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return Spent(*map(float, out.split()))


def least(moves: str) -> list[Spent]:
    """The least of each program's times over some rounds: ours cold, ours warm, theirs."""
    programs = OURS.format(""), OURS.format(WARM), THEIRS
    rounds = [[spent(program, moves) for program in programs] for _ in range(ROUNDS)]
    return [Spent(*map(min, zip(*times, strict=True))) for times in zip(*rounds, strict=True)]


def test_bench_a_fresh_process() -> None:
    long = [" ".join(ply.move.uci() for ply in game[:UNTIL]) for game in games() if game[UNTIL:]]
    cold, warm, theirs = (
        Spent(*map(sum, zip(*times, strict=True))) for times in zip(*map(least, long), strict=True)
    )
    print(f"\n{TITLE}")
    for what, ours, their, wanted in (
        ("cold: the first 40 positions of a game", cold.first, theirs.first, WANTED_FIRST),
        ("cold: the next 40", cold.later, theirs.later, WANTED_LATER),
        ("warmed before the game: the first 40", warm.first, theirs.first, WANTED_WARM),
        ("warmed before the game: the next 40", warm.later, theirs.later, WANTED_LATER),
    ):
        print(Figure(what, ours / len(long), their / len(long), wanted).line())
