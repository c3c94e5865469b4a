"""The power is cut at each write of a game: what was lit is there, whatever became of the rest."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest

from boardfw.game.journal import Noted, Plies, Resumed
from boardfw.shell.store.game_store import Store
from tests.shell.store.child import MOVES
from tests.shell.store.disk import Disk, traced

CUTS, FULL_CUTS = 1, 20
"""At each write or sync, each with another fate of what was not synced."""


@pytest.mark.slow
def test_wherever_the_power_is_cut_what_was_lit_is_there_and_play_goes_on(
    tmp_path: Path, full: bool
) -> None:
    directory = tmp_path / "disk"
    directory.mkdir()
    disk, lit, cuts, random = Disk(directory), 0, 0, Random(3)
    for number, call in enumerate(traced(directory)):
        if call.data.startswith(b"lit ") and not call.path.startswith(str(directory)):
            lit = max(lit, int(call.data.split()[1]))
            continue
        disk.take(call)
        if not call.path.startswith(str(directory)):
            continue
        for _ in range(FULL_CUTS if full else CUTS):
            place = tmp_path / f"{cuts}"
            disk.cut(random, place)
            go_on(place / "games.db", lit, f"cut {cuts}, after call {number}: {call.name}")
            shutil.rmtree(place)
            cuts += 1
    assert lit == len(MOVES)
    assert cuts > len(MOVES)


def go_on(path: Path, lit: int, where: str) -> None:
    """The record opens, has all that was lit and nothing else, and takes the next ply."""
    record = Store(path, lambda: None)
    game = record.last()
    moves = game.record.moves if game else ()
    assert len(moves) >= lit, where
    # The hands may be in the middle of the last one.
    assert moves[:-1] == MOVES[: len(moves)][:-1], where
    if record.take_up() is not None and len(moves) < len(MOVES):
        plies = [move.uci() for move in MOVES[len(moves) - 1 :][:2]]
        record.add([Noted(0, Resumed()), Noted(0, Plies(1, len(moves) - 1, plies, [1, 2]))])
        told = record.last()
        assert told is not None
        assert told.record.moves == MOVES[: len(moves) + 1], where
    record.close()
