"""Killed at any instant: an opponent's move that was lit is its move, and is lit again.

``make test-slow FULL=1 ARGS="tests/shell/store/test_owed_moves.py -n 0 -s -k instant"`` prints how
many kills left an opponent's move pending.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest

from boardfw.game.chronicle import Chronicle
from boardfw.rules import WHITE
from tests.shell.store.away_child import PLIES
from tests.shell.store.disk import Disk, killed_after, killed_at, traced
from tests.shell.store.test_crashes import count_of_games, recorded

CHILD = "tests.shell.store.away_child"
KILLS, FULL_KILLS = 4, 200
FIRST_S, LONGEST_S = 0.3, 5.0
"""Python takes so long to start, and the child longer than the other for the rest of a game."""
SOON_S = 0.1
FEW_WRITES = 23
"""Where not all writes are tried: each so manieth."""
CUTS, FULL_CUTS = 1, 10

Lit = dict[int, str]
"""By ply, the move of the opponent that the lights have shown."""


def lit_in(said: str) -> Lit:
    lines = [line.split() for line in said.splitlines(keepends=True) if line.endswith("\n")]
    return {int(ply): move for _, ply, move in lines}


def check(game: Chronicle | None, lit: Lit, where: str) -> None:
    """What was lit was played, or is owed still."""
    if game is None:
        assert not lit, where
        return
    assert game.opponent is not None, where
    assert (game.opponent.color, game.opponent.name) == (WHITE, "engine:own?level=1"), where
    moves = game.record.moves
    known = game.replied.game if game.replied else ()
    for ply, move in lit.items():
        told = moves[ply - 1] if ply <= len(moves) else known[ply - 1]
        assert told.uci() == move, where


def is_pending(game: Chronicle | None) -> bool:
    """True if the opponent has chosen a move that is not yet made on the board."""
    return bool(game and game.replied and len(game.replied.game) > len(game.record.moves))


def killed_somewhere(random: Random, path: Path) -> tuple[str, bool]:
    """Kill a board somewhere, and two of three times soon after a move was lit: it is pending."""
    if lines := random.randrange(3):
        return killed_after(random.uniform(0, SOON_S), path, CHILD, lines=lines)
    return killed_after(FIRST_S + random.uniform(0, LONGEST_S), path, CHILD)


@pytest.mark.slow
def test_killed_at_any_instant_the_opponents_move_stays_the_same(
    tmp_path: Path, full: bool
) -> None:
    random, killed, pending, games = Random(5), 0, 0, 0
    while killed < (FULL_KILLS if full else KILLS):
        path, lit, is_killed = tmp_path / f"{games}.db", Lit(), True
        while is_killed:
            said, is_killed = killed_somewhere(random, path)
            killed += is_killed
            where = f"game {games}, after {killed} kills"
            for ply, move in lit_in(said).items():
                assert lit.setdefault(ply, move) == move, where
            game = recorded(path)
            check(game, lit, where)
            pending += is_killed and is_pending(game)
        game = recorded(path)
        assert game is not None
        assert len(game.record.moves) >= PLIES or game.is_over
        assert count_of_games(path) == 1
        games += 1
    print(f"{killed} kills, {pending} of them with a pending move")  # noqa: T201 - for the document


@pytest.mark.slow
def test_killed_at_each_write_what_was_lit_is_known(tmp_path: Path, full: bool) -> None:
    number, is_killed, lit = 1, True, Lit()
    while is_killed:
        path = tmp_path / f"{number}.db"
        said, is_killed = killed_at(number, path, CHILD)
        lit = lit_in(said)
        check(recorded(path), lit, f"killed at write {number}")
        number += 1 if full else FEW_WRITES
    assert lit


@pytest.mark.slow
def test_wherever_the_power_is_cut_what_was_lit_is_known(tmp_path: Path, full: bool) -> None:
    directory = tmp_path / "disk"
    directory.mkdir()
    disk, lit, cuts, random = Disk(directory), Lit(), 0, Random(3)
    for number, call in enumerate(traced(directory, CHILD)):
        if call.data.startswith(b"lit ") and not call.path.startswith(str(directory)):
            lit |= lit_in(call.data.decode())
            continue
        disk.take(call)
        if not call.path.startswith(str(directory)):
            continue
        for _ in range(FULL_CUTS if full else CUTS):
            place = tmp_path / f"{cuts}"
            disk.cut(random, place)
            check(recorded(place / "games.db"), lit, f"cut {cuts}, after call {number}")
            shutil.rmtree(place)
            cuts += 1
    assert lit
