"""How many games of each kind of hands are recorded exactly, to the last ply; prints a table."""

from __future__ import annotations

import sys

import pytest

from tests.hands import KINDS, Played, play

PLIES = 60
SAMPLE = 30
WHOLE = 200

FLOORS = {"careful": 1.0, "club": 0.9, "blitz": 0.9, "child": 0.9, "wooden": 0.9}
"""Games exactly right of all; the last ply of a trace may be one that nobody can tell."""


def shared(played: Played) -> int:
    """Plies until the record first differs from the game."""
    pairs = zip(played.moves.split(), played.table.moves.split(), strict=False)
    return next((n for n, (one, other) in enumerate(pairs) if one != other), PLIES)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_games_are_recorded_exactly(
    kind: str, full: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    games = [play(seed, kind, PLIES) for seed in range(WHOLE if full else SAMPLE)]
    wrong = {seed: shared(game) for seed, game in enumerate(games) if not game.is_right}
    plies = sum(len(game.moves.split()) for game in games)
    amended = sum(game.amended for game in games)
    with capsys.disabled():
        sys.stdout.write(
            f"\n{kind:8} {len(games) - len(wrong):4} of {len(games)} games right,"
            f" {plies} plies, {amended} amended; wrong (seed: from ply) {wrong or 'none'}\n"
        )
    assert len(games) - len(wrong) >= FLOORS[kind] * len(games)
