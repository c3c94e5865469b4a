"""Figures for `make bench`: what the names of openings cost."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from time import process_time

import pytest

from boardfw.notation import opening_names
from boardfw.notation.opening_names import opening_of
from boardfw.notation.pgn import scan_games
from boardfw.rules import Position

pytestmark = pytest.mark.bench

CLASSICS = Path(__file__).parents[2] / "boardfw/accuracy/classics.pgn"
ROUNDS = 20


def load() -> float:
    """Seconds of reading the table."""
    opening_names.known.cache_clear()
    began = process_time()
    opening_names.known()
    return process_time() - began


def look_up(games: list[list[Position]]) -> float:
    """Seconds of asking for the name of every position."""
    began = process_time()
    for positions in games:
        for position in positions:
            opening_names.name_of(position)
    return process_time() - began


def held() -> int:
    """Bytes that the table takes in memory."""
    tracemalloc.start()
    load()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return held


def test_bench_openings() -> None:
    games = []
    for game in scan_games(CLASSICS.read_text(encoding="utf-8")):
        games.append([game.start])
        for move in game.moves:
            games[-1].append(games[-1][-1].play(move))
    count = sum(map(len, games))
    load_ms = min(load() for _ in range(ROUNDS)) * 1e3
    ply_us = min(look_up(games) for _ in range(ROUNDS)) / count * 1e6
    print(
        f"\n{len(opening_names.known()):,} named positions: {load_ms:.1f} ms to read,"
        f" {held() / 1e6:.1f} MB held, {ply_us:.1f} us a position"
    )
    for positions in games:
        print(*opening_of(positions) or ())
