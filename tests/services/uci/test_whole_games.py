"""Whole games through everything but the wires: hands, switches, session, and a real engine.

Simulated hands of every kind play legal moves by chance against it. Full size: 20 games for each
kind of hands against stockfish, 5 against toga2.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import overload

import pytest

from boardfw.game.opponent import Situation
from boardfw.rules import QUEEN, Color, Move, Position
from boardfw.services.levels import LEVELS
from tests.game.away_hands import AwayGame
from tests.services.uci.real_engines import QUICK, Sitting, needs

pytestmark = pytest.mark.slow

KINDS = ("careful", "club", "blitz", "child", "wooden", "elder", "hot", "weak", "tremor", "any")
PLIES = 80


class Growing(Sequence[Move]):
    """The moves of a game, each found when it is asked for; as many as there will be."""

    def __init__(self, start: Position, find: Callable[[tuple[Move, ...], Position], Move]) -> None:
        self.known: list[Move] = []
        self._position = start
        self._find = find

    def __len__(self) -> int:
        is_over = not self._position.legal_moves() or self._position.halfmove_clock >= PLIES
        return len(self.known) if is_over else PLIES

    @overload
    def __getitem__(self, at: int) -> Move: ...
    @overload
    def __getitem__(self, at: slice) -> list[Move]: ...
    def __getitem__(self, at: int | slice) -> Move | list[Move]:
        if isinstance(at, slice):
            return self.known[at]
        while len(self.known) <= at:
            move = self._find(tuple(self.known), self._position)
            self.known.append(move)
            self._position = self._position.play(move)
        return self.known[at]


def by_chance(chance: Random, position: Position) -> Move:
    """Hands do not see the letter of another piece than a queen, so they choose no other."""
    moves = [move for move in position.legal_moves() if move.promotion in (0, QUEEN)]
    captures = [move for move in moves if move.captured is not None]
    return chance.choice(captures if captures and chance.random() < 0.5 else moves)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", [pytest.param(n, marks=needs(n)) for n in ("stockfish", "toga2")])
def test_a_whole_game_is_recorded_as_it_was(
    tmp_path: Path, name: str, kind: str, *, full: bool
) -> None:
    games = {"stockfish": 20, "toga2": 5}[name] if full else int(name == "stockfish")

    async def begin() -> Sitting:
        return Sitting(name, LEVELS[2], tmp_path)

    with asyncio.Runner() as runner:
        engine = runner.run(begin())
        for number in range(games):
            start, color, chance = Position.start(), number & 1, Random(f"{name} {kind} {number}")

            def find(
                moves: tuple[Move, ...],
                position: Position,
                *,
                color: Color = color,
                chance: Random = chance,
            ) -> Move:
                if position.turn != color:
                    return by_chance(chance, position)

                async def answered() -> Move:
                    situation = Situation(Position.start(), moves, color, QUICK)
                    engine.seat.ask(situation)
                    return await engine.answered(situation)

                return runner.run(answered())

            moves = Growing(start, find)
            game = AwayGame(start, moves, color, kind, number)
            game.play()
            assert game.recorded == tuple(moves.known), f"game {number + 1}"
        runner.run(engine.seat.close())
    assert engine.running() == []
