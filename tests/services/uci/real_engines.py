"""Engines of Debian, where they are installed: run beside us, never a part of us."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from boardfw.game.clock import parse_control
from boardfw.game.opponent import Answer, Plays, Situation, Stumbles, Times
from boardfw.rules import Move, Outcome, Position
from boardfw.rules.outcome import outcome
from boardfw.rules.position import Key
from boardfw.services.levels import Level
from boardfw.services.opponents import Wish, seat
from boardfw.services.seat import Seat
from boardfw.services.uci.conversation import Patience
from boardfw.services.uci.program import find_program
from tests.patience import PATIENCE_S
from tests.services.uci.engines import AT_ONCE, running

QUICK = Times(parse_control("2"), (400_000, 400_000))
"""So little left at each move that it takes some hundredths of a second."""
LONGEST = 300
"""Plies; a longer game is a draw."""


def needs(name: str) -> pytest.MarkDecorator:
    """Skips a test on a machine without this engine, and says which one it misses."""
    is_missing = find_program(name) is None
    return pytest.mark.skipif(is_missing, reason=f"needs {name} (Debian package {name})")


class Sitting:
    """An engine at the board, and what it answers."""

    def __init__(
        self,
        name: str,
        level: Level,
        folder: Path | None = None,
        patience: Patience | None = None,
    ) -> None:
        """``folder``: where the engine is run from, so that its processes can be told."""
        program = find_program(name)
        if program is not None and folder is not None:
            self.program = folder / name
            self.program.symlink_to(program)
            name = str(self.program)
        wish = Wish(
            name, level, resigns=False, draws=False, pace=AT_ONCE, hash_mb=16, patience=patience
        )
        self.answers: asyncio.Queue[Answer] = asyncio.Queue()
        self.seat: Seat = seat(wish, self.answers.put_nowait).opponent

    def running(self) -> list[int]:
        return running(str(self.program))

    async def move(self, situation: Situation) -> Move:
        """Its move, after however many troubles."""
        self.seat.ask(situation)
        return await self.answered(situation)

    async def answered(self, situation: Situation) -> Move:
        """The move that it was asked for."""
        while True:
            answer = await asyncio.wait_for(self.answers.get(), PATIENCE_S)
            if isinstance(answer, Stumbles):
                continue
            assert isinstance(answer, Plays), answer
            assert answer.to is situation
            assert answer.move in situation.position.legal_moves()
            return answer.move


async def play(
    white: Sitting,
    black: Sitting,
    start: Position,
    *,
    opening: int = 0,
    seed: int = 0,
) -> tuple[tuple[Move, ...], Outcome | None]:
    """A game, and how it ended, None if it was too long; ``opening``: plies made by chance."""
    chance = random.Random(seed)
    moves: tuple[Move, ...] = ()
    position, earlier = start, list[Key]()
    while len(moves) < LONGEST:
        if ended := outcome(position, earlier):
            return moves, ended
        if len(moves) < opening:
            move = chance.choice(position.legal_moves())
        else:
            sitting = (white, black)[position.turn]
            move = await sitting.move(Situation(start, moves, position.turn, QUICK))
        moves, earlier = (*moves, move), [*earlier, position.key]
        position = position.play(move)
    return moves, None
