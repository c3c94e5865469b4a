"""Whole games against an opponent that is not at the board, by hands of every kind.

Full size: 20 random games for each kind, half of them with the opponent as White.
"""

from __future__ import annotations

import os

import pytest

from boardfw.accuracy.games import games_of
from boardfw.accuracy.playing import moves_of
from boardfw.notation.fen import parse_fen
from boardfw.rules import QUEEN
from tests.game.away_hands import AwayGame

KINDS = ("careful", "club", "blitz", "child", "wooden", "elder", "hot", "weak", "tremor", "any")
GAMES = 20 if os.environ.get("BOARDFW_FULL") else 2


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_game_is_recorded_as_it_was_and_goes_on_to_its_end(kind: str) -> None:
    for number, played in enumerate(games_of(["random"], GAMES, 1)):
        start, away = parse_fen(played.start_fen), number & 1
        moves = moves_of(start, played.moves)
        own = (move for ply, move in enumerate(moves) if start.turn ^ ply & 1 != away)
        if any(move.promotion not in (0, QUEEN) for move in own):
            continue  # simulated hands do not see the letter that shows what they have chosen
        game = AwayGame(start, moves, away, kind, 1 + number)
        game.play()
        assert game.recorded == tuple(moves), f"game {number + 1}"
        for ply, uci in game.finals:
            is_theirs = (start.turn ^ (ply - 1) & 1) == away
            assert not is_theirs or moves[ply - 1].uci() == uci
