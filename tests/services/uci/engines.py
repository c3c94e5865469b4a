"""Engines for tests, and what of them still runs."""

from __future__ import annotations

import asyncio
import os
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import chess
import pytest

from boardfw.game.clock import parse_control
from boardfw.game.opponent import Answer, Situation, Times
from boardfw.rules import Color, Move, Position
from boardfw.services.levels import FULL, Level
from boardfw.services.manners import Manners
from boardfw.services.opponents import Wish, engine_player
from boardfw.services.seat import Pace, Seat
from boardfw.services.uci.conversation import Patience
from tests.patience import PATIENCE_S, PATIENCE_US
from tests.services.uci import scripted_engine

SCRIPT = Path(scripted_engine.__file__)
AT_ONCE = Pace(is_human=False)
PATIENT = Patience(PATIENCE_US, PATIENCE_US, PATIENCE_US, PATIENCE_US)
SHORT = replace(PATIENT, grace_us=500_000, stop_us=1_500_000)
"""For engines that hang when they should answer, and answer when they are asked again."""

HURRY = Times(parse_control("1"), (100_000, 100_000))
"""A tenth of a second left, so that an engine gets half of it."""

needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs Linux's /proc")


def running(marker: str) -> list[int]:
    """The processes, other than this one, with these words on their command line."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes()
        except OSError:  # it has just ended
            continue
        if marker.encode() in words and int(folder.name) != os.getpid():
            found.append(int(folder.name))
    return found


def as_program(program: Path, *behaviours: str) -> Path:
    """A program without arguments that is the scripted engine; its log stands beside it."""
    words = (sys.executable, str(SCRIPT), f"{program}.log", *behaviours)
    program.write_text(f"#!/bin/sh\nexec {shlex.join(words)}\n")
    program.chmod(0o755)
    return program


class Table:
    """A seat, its answers, and the engine behind it."""

    def __init__(
        self,
        folder: Path,
        *behaviours: str,
        patience: Patience | None = None,
        level: Level = FULL,
        pace: Pace = AT_ONCE,
        program: str = sys.executable,
    ) -> None:
        self.log = folder / "told.log"
        command = (program, str(SCRIPT), str(self.log), *behaviours)
        wish = Wish(level=level, patience=patience or PATIENT)
        self.answers: asyncio.Queue[Answer] = asyncio.Queue()
        self.player = engine_player(command, "scripted", wish)
        self.seat = Seat(self.player, self.answers.put_nowait, manners=Manners(), pace=pace)

    async def answer(self) -> Answer:
        """The next answer."""
        return await asyncio.wait_for(self.answers.get(), PATIENCE_S)

    def told(self) -> list[str]:
        """What the engine was told since it was first started."""
        return self.log.read_text().splitlines() if self.log.exists() else []

    async def until_told(self, word: str) -> None:
        """Wait until the engine has been told something that begins with this word."""
        async with asyncio.timeout(PATIENCE_S):
            while not any(line.startswith(word) for line in self.told()):  # noqa: ASYNC110
                await asyncio.sleep(0.02)  # nothing tells when another process has read it

    async def until_running(self, processes: int) -> None:
        """Wait until the engine has so many processes."""
        async with asyncio.timeout(PATIENCE_S):
            while len(self.running()) != processes:  # noqa: ASYNC110
                await asyncio.sleep(0.02)  # nothing tells when another process has started one

    def running(self) -> list[int]:
        return running(str(self.log))


def played(*words: str, start: Position | None = None, color: Color | None = None) -> Situation:
    """The situation after these moves, for whoever is to move."""
    start = position = start or Position.start()
    moves: list[Move] = []
    for word in words:
        move = next(move for move in position.legal_moves() if move.uci() == word)
        moves.append(move)
        position = position.play(move)
    return Situation(start, tuple(moves), position.turn if color is None else color, HURRY)


def expected(situation: Situation) -> str:
    """What the scripted engine plays there when it behaves."""
    board = chess.Board()
    for move in situation.moves:
        board.push_uci(move.uci())
    return scripted_engine.expected(board)
