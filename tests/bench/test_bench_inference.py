"""Figures for `make bench`: what a game costs the processor, beside what the rules alone cost."""

from __future__ import annotations

import time

import pytest

from boardfw.game.events import Sample, Tick
from boardfw.game.session import Session
from boardfw.recording import START_FEN
from boardfw.rules import Position
from boardfw.terminal.player import FAMOUS, hand_moves, read_game
from hardware.sim.board import men_of
from hardware.sim.manners import MANNERS
from hardware.sim.record import simulate

pytestmark = pytest.mark.bench

SEEDS = 5


def test_bench_a_game_through_the_session() -> None:
    game = read_game(FAMOUS)
    moves = list(hand_moves(Position.start(), game.moves))
    print(f"\n{'hands':10} {'ms a ply':>9} {'slowest event':>14}   legal move lists a ply")
    for kind in MANNERS:
        spent = slowest = 0.0
        for seed in range(SEEDS):
            simulated = simulate(moves, kind, seed, men_of(START_FEN))
            session = Session()
            for t_us, occupancy in simulated.scans:
                while (due_us := session.deadline_us) is not None and due_us < t_us:
                    session.handle(Tick(due_us))
                start = time.process_time()
                session.handle(Sample(t_us, occupancy))
                took = time.process_time() - start
                spent, slowest = spent + took, max(slowest, took)
            assert session.record.moves
        a_ply = spent / SEEDS / len(moves)
        print(f"{kind:10} {a_ply * 1000:9.2f} {slowest * 1000:11.2f} ms {a_ply / one_list():12.0f}")


def one_list() -> float:
    """Processor seconds of one list of legal moves in a middlegame position."""
    position = Position.start()
    for move in read_game(FAMOUS).moves[:20]:
        position = position.play(move)
    moves = position.legal_moves()
    start = time.process_time()
    for move in moves:
        position.play(move).legal_moves()
    return (time.process_time() - start) / len(moves)
