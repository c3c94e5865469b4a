"""Figures for `make bench`: games read from PGN and written beside python-chess, within one run."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import cache
from pathlib import Path

import chess.pgn
import pytest

from boardfw.notation.pgn import format_game, read_games, scan_games
from tests.bench.rivals import TITLE, compare

pytestmark = pytest.mark.bench

CLASSICS = Path(__file__).parents[2] / "boardfw/accuracy/classics.pgn"


class Onlooker(chess.pgn.BaseVisitor[bool]):
    """Sees every move of the main line and keeps none."""

    def begin_variation(self) -> chess.pgn.SkipType | None:
        return chess.pgn.SKIP

    def result(self) -> bool:
        return True


@cache
def text() -> str:
    """The famous games, so often that a round lasts some tens of milliseconds."""
    return CLASSICS.read_text(encoding="utf-8") * 10


def over(work: Callable[[], object]) -> Callable[[], Callable[[], object]]:
    """Work that needs no preparing."""
    return lambda: work


def rival_trees() -> list[chess.pgn.Game]:
    file, games = io.StringIO(text()), []
    while game := chess.pgn.read_game(file):
        games.append(game)
    return games


def rival_main_lines() -> None:
    file = io.StringIO(text())
    while chess.pgn.read_game(file, Visitor=Onlooker):
        pass


def test_bench_pgn() -> None:
    ours, theirs = list(read_games(text())), rival_trees()
    assert [len(game.moves) for game in ours] == [game.end().ply() for game in theirs]
    print(f"\n{TITLE}")
    compare("PGN read, tree", 4, over(lambda: list(read_games(text()))), over(rival_trees))
    compare(
        "PGN read, main line only",
        4,
        over(lambda: list(scan_games(text()))),
        over(rival_main_lines),
    )
    compare(
        "PGN written",
        2,
        over(lambda: [format_game(game) for game in ours]),
        over(lambda: [str(game) for game in theirs]),
    )
