"""``boardfw uci`` as other programs see it: started by python-chess, playing against an engine.

Full size: 20 games for each kind of hands, half with either colour, and 10 of Chess960.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import chess
import chess.engine
import pytest

from boardfw.services.uci.program import find_program
from tests.patience import PATIENCE_S
from tests.services.uci.real_engines import needs
from tests.sizes import IS_FULL

KINDS = ("careful", "club", "blitz", "child", "wooden", "elder", "hot", "weak", "tremor")
LIMIT = chess.engine.Limit(time=0.01)
LONGEST = 160
BOARD = (sys.executable, "-m", "boardfw", "uci", "--speed", "50")


@asynccontextmanager
async def client(*command: str) -> AsyncIterator[chess.engine.UciProtocol]:
    transport, engine = await chess.engine.popen_uci(list(command))
    try:
        yield engine
    finally:
        await engine.quit()
        transport.close()


async def play(
    white: chess.engine.UciProtocol, black: chess.engine.UciProtocol, board: chess.Board, game: int
) -> None:
    """A whole game, or one of many plies."""
    while not board.is_game_over() and board.ply() < LONGEST:
        engine = white if board.turn else black
        async with chess_time():
            result = await engine.play(board, LIMIT, game=game)
        assert result.move is not None
        assert result.move in board.legal_moves
        board.push(result.move)


def chess_time() -> asyncio.Timeout:
    return asyncio.timeout(PATIENCE_S)


@pytest.mark.slow
def test_it_speaks_over_its_pipes_and_ends_with_them() -> None:
    for lines in ("uci\nisready\nposition startpos\ngo\nstop\nquit\n", "uci\nisready\ngo\nstop\n"):
        done = subprocess.run(
            BOARD, input=lines, capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        told = done.stdout.splitlines()
        assert told[0].startswith("id name boardfw")
        assert "readyok" in told
        assert told[-1] == "bestmove 0000"


@pytest.mark.slow
async def test_another_client_gets_moves_from_it() -> None:
    async with client(*BOARD) as engine:
        board = chess.Board()
        for _ in range(2):
            async with chess_time():
                result = await engine.play(board, LIMIT)
            assert result.move is not None
            board.push(result.move)
            board.push(next(iter(board.legal_moves)))


@pytest.mark.slow
@needs("stockfish")
@pytest.mark.parametrize("kind", KINDS[:: 1 if IS_FULL else 3])
async def test_whole_games_against_an_engine(kind: str, *, full: bool) -> None:
    stockfish = str(find_program("stockfish"))
    async with client(*BOARD, "--hands", kind) as ours, client(stockfish) as other:
        for number in range(20 if full else 1):
            sides = (ours, other) if number % 2 else (other, ours)
            await play(*sides, chess.Board(), number)


@pytest.mark.slow
@needs("stockfish")
async def test_whole_games_of_chess960(*, full: bool) -> None:
    stockfish = str(find_program("stockfish"))
    async with client(*BOARD, "--hands", "careful") as ours, client(stockfish) as other:
        for number in range(10 if full else 1):
            board = chess.Board.from_chess960_pos(96 * number + 5)
            sides = (ours, other) if number % 2 else (other, ours)
            await play(*sides, board, number)
