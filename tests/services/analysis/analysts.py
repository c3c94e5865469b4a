"""Analysts for tests: a scripted engine over real pipes."""

from __future__ import annotations

import sys
from pathlib import Path

from boardfw.rules import Move, Position
from boardfw.services.analysis.analyst import Analyst
from tests.services.uci.engines import SCRIPT


def scripted(folder: Path, *behaviours: str) -> Analyst:
    """An engine that counts the pieces two plies ahead, or behaves as it is told."""
    command = (sys.executable, str(SCRIPT), str(folder / "told.log"), *(behaviours or ("judges",)))
    return Analyst(command, "scripted")


def moves_of(start: Position, *words: str) -> tuple[Move, ...]:
    """Moves in UCI."""
    moves: list[Move] = []
    for word in words:
        moves.append(next(move for move in start.legal_moves() if move.uci() == word))
        start = start.play(moves[-1])
    return tuple(moves)
