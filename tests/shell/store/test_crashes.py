"""Killed at any instant: every ply whose light was lit is there, and the game comes to its end."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from boardfw.game.chronicle import Chronicle
from boardfw.rules import Move
from boardfw.shell.store.game_store import Store
from tests.shell.store.child import MOVES
from tests.shell.store.disk import killed_after, killed_at
from tests.shell.store.test_power_cuts import go_on

KILLS, FULL_KILLS = 3, 500
FEW_WRITES = 29
"""Where not all writes are tried: each so manieth."""
LONGEST_S = 6.0
"""Longer than the rest of a game takes in the child; so some are not killed at all."""
FIRST_S = 0.3
"""Python takes so long to start."""


def recorded(path: Path) -> Chronicle | None:
    """The last game of the record."""
    if not path.exists():
        return None
    store = Store(path, lambda: None)
    try:
        return store.last()
    finally:
        store.close()


@pytest.mark.slow
def test_killed_at_any_instant_no_ply_is_lost_whose_light_was_lit(
    tmp_path: Path, full: bool
) -> None:
    random, killed, games = Random(7), 0, 0
    while killed < (FULL_KILLS if full else KILLS):
        killed += kills_of_a_game(tmp_path / f"{games}.db", random)
        games += 1


@pytest.mark.slow
def test_killed_at_each_write_no_ply_is_lost_whose_light_was_lit(
    tmp_path: Path, full: bool
) -> None:
    number, is_killed, said = 1, True, ""
    while is_killed:
        path = tmp_path / f"{number}.db"
        said, is_killed = killed_at(number, path)
        go_on(path, last_lit(said), f"killed at write {number}")
        number += 1 if full else FEW_WRITES
    assert last_lit(said) == len(MOVES)
    assert number > len(MOVES)


def last_lit(said: str) -> int:
    """The last ply that the lights of a child confirmed."""
    return max(
        (int(line.split()[1]) for line in said.splitlines() if line.startswith("lit ")), default=0
    )


def kills_of_a_game(path: Path, random: Random) -> int:
    """Play a game with a kill now and then; how many there were.

    Killed when it was over already, the next board would begin another one.
    """
    killed, is_over = 0, False
    moves: tuple[Move, ...] = ()
    while not is_over:
        said, is_killed = killed_after(FIRST_S + random.uniform(0, LONGEST_S), path)
        lit, killed = last_lit(said), killed + is_killed
        game = recorded(path)
        moves = game.record.moves if game else ()
        is_over = game is not None and game.is_over
        assert len(moves) >= lit, f"after {killed} kills"
        assert moves == MOVES[: len(moves)], f"after {killed} kills"
        assert is_killed or (is_over and lit == len(MOVES))
    assert moves == MOVES
    assert count_of_games(path) == 1
    return killed


def count_of_games(path: Path) -> int:
    with closing(sqlite3.connect(path)) as database:
        (count,) = database.execute("SELECT count(*) FROM games").fetchone()
    return int(count)
