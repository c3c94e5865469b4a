"""A program that plays random positions and prints its memory; imports boardfw alone."""

from __future__ import annotations

import gc
import os
import random
import sys
from pathlib import Path

from boardfw.notation.fen import format_fen, parse_fen
from boardfw.notation.opening_names import opening_of
from boardfw.notation.san import format_san, parse_san
from boardfw.rules import Position
from boardfw.rules.outcome import outcome
from boardfw.rules.single_move import is_legal


def wander(positions: int, seed: int) -> None:
    """Go through that many positions of random games, and do with them what a board does."""
    chance, position = random.Random(seed), Position.start()
    for number in range(positions):
        moves = position.legal_moves()
        if outcome(position):
            position = Position.start()
            continue
        move = chance.choice(moves)
        if number % 5 == 0:
            assert parse_san(position, format_san(position, move)) is move
        if number % 10 == 0:
            assert parse_fen(format_fen(position)).legal_moves() == moves
            assert all(is_legal(position, one) for one in moves)  # as SAN asks in every game
            opening_of([position])
        position = position.play(move)


def held_mb() -> float:
    """Megabytes of memory that this process occupies."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    for round_number in range(int(sys.argv[1])):
        wander(100_000, seed=round_number)
        sys.stdout.write(f"{held_mb():.1f} ")
