"""Whole games and many interruptions with engines of Debian."""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path

import chess
import pytest

from boardfw.game.opponent import Gone, Situation
from boardfw.rules import Move, Position
from boardfw.rules.chess960 import start_position
from boardfw.services.levels import FULL, LEVELS, Level
from boardfw.services.uci.conversation import Patience
from tests.services.uci.engines import needs_proc
from tests.services.uci.real_engines import QUICK, Sitting, needs, play

pytestmark = [pytest.mark.slow, needs_proc]


@needs("stockfish")
@needs("toga2")
@pytest.mark.parametrize("seed", range(3))
async def test_two_engines_play_whole_games(tmp_path: Path, seed: int) -> None:
    stockfish = Sitting("stockfish", FULL, tmp_path)
    toga = Sitting("toga2", FULL, tmp_path)
    moves, ended = await play(stockfish, toga, Position.start(), opening=4, seed=seed)
    board = chess.Board()
    for move in moves:
        board.push_uci(move.uci())
    result = board.outcome(claim_draw=False)
    assert ended is None or (result is not None and result.result() == ended.result)
    for sitting in (stockfish, toga):
        await sitting.seat.close()
        assert sitting.running() == []


@needs("stockfish")
@pytest.mark.parametrize("level", [LEVELS[0], LEVELS[6], FULL])
async def test_whole_games_of_chess960(tmp_path: Path, level: Level, *, full: bool) -> None:
    engine = Sitting("stockfish", level, tmp_path)
    for number in (1, 400, 959) if full else (400,):
        moves, _ = await play(engine, engine, start_position(number))
        board = chess.Board.from_chess960_pos(number)
        for move in moves:
            castles = move.rook_step is not None and board.king(board.turn)
            word = chess.square_name(move.rook_step[0]) if castles and move.rook_step else ""
            board.push_uci(chess.square_name(move.origin) + word if word else move.uci())
    await engine.seat.close()
    assert engine.running() == []


@needs("toga2")
async def test_an_engine_without_chess960_says_so(tmp_path: Path) -> None:
    engine = Sitting("toga2", FULL, tmp_path)
    engine.seat.ask(Situation(start_position(1), (), 0, QUICK))
    assert isinstance(await engine.answers.get(), Gone)
    await engine.seat.close()
    assert engine.running() == []


@pytest.mark.parametrize("name", [pytest.param(n, marks=needs(n)) for n in ("stockfish", "toga2")])
async def test_interrupted_at_any_time_the_game_goes_on(
    tmp_path: Path, name: str, *, full: bool
) -> None:
    """It is killed, stopped, asked something else, and the game taken back."""
    patience = Patience(ready_us=2_000_000, grace_us=500_000, stop_us=1_000_000)
    engine, chance = Sitting(name, FULL, tmp_path, patience), random.Random(name)
    moves: tuple[Move, ...] = ()
    for _ in range(500 if full else 40):
        situation = Situation(Position.start(), moves, len(moves) % 2, QUICK)
        if not situation.position.legal_moves():
            moves = ()
            continue
        engine.seat.ask(situation)
        match chance.choice(("nothing", "kill", "freeze", "cancel", "take back", "take back")):
            case "kill":
                signal_all(engine, signal.SIGKILL)
            case "freeze":
                signal_all(engine, signal.SIGSTOP)
            case "cancel":
                engine.seat.cancel()
                engine.seat.ask(situation)
            case "take back" if len(moves) > 1:
                moves = moves[:-2]
                situation = Situation(Position.start(), moves, len(moves) % 2, QUICK)
                engine.seat.ask(situation)
        moves = (*moves, await engine.answered(situation))
    assert engine.answers.empty()
    await engine.seat.close()
    assert engine.running() == []


def signal_all(engine: Sitting, number: int) -> None:
    for pid in engine.running():
        os.kill(pid, number)


@pytest.mark.parametrize("name", [pytest.param(n, marks=needs(n)) for n in ("stockfish", "toga2")])
async def test_far_apart_levels_are_in_order(tmp_path: Path, name: str) -> None:
    (tmp_path / "weak").mkdir()
    weak, strong = Sitting(name, LEVELS[0], tmp_path / "weak"), Sitting(name, LEVELS[5], tmp_path)
    points = 0.0
    for seed in range(6):
        sides = (strong, weak) if seed % 2 else (weak, strong)
        _, ended = await play(*sides, Position.start(), opening=2, seed=seed)
        white = {"1-0": 1.0, "0-1": 0.0}.get(ended.result, 0.5) if ended else 0.5
        points += white if seed % 2 else 1 - white
    assert points >= 5
    for sitting in (weak, strong):
        await sitting.seat.close()
