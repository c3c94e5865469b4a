"""A fresh process: what it has to work out, and how much of it is warmed before."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from boardfw.notation.pgn import scan_file
from boardfw.rules import warming

CLASSICS = Path(__file__).parents[2] / "boardfw/accuracy/classics.pgn"
POSITIONS = 40
PROGRAM = """
import sys
from boardfw.rules import Position
from boardfw.rules.memo import Memo
from boardfw.rules.warming import steps

if "warm" in sys.argv:
    list(steps())
count = 0
work_out = Memo.__missing__

def counted(memo, key):
    global count
    count += 1
    return work_out(memo, key)

Memo.__missing__ = counted
position = Position.start()
for text in sys.argv[1].split():
    moves = {move.uci(): move for move in position.legal_moves()}
    position = position.play_unchecked(moves[text])
print(count)
"""


def worked_out(moves: str, *options: str) -> int:
    """Entries of tables that a fresh process makes to list the moves of a game's positions."""
    command = [sys.executable, "-c", PROGRAM, moves, *options]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize("number", [0, 9])
def test_a_warm_process_has_much_less_to_work_out(number: int) -> None:
    game = list(scan_file(CLASSICS))[number]
    moves = " ".join(move.uci() for move in game.moves[:POSITIONS])
    assert worked_out(moves, "warm") < 0.7 * worked_out(moves)


def test_a_step_is_one_position() -> None:
    assert len(list(warming.steps())) == sum(len(moves.split()) for moves in warming.OPENINGS)
