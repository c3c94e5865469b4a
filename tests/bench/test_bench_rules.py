"""Figures for `make bench`: ratios to python-chess within one run, because machines differ."""

from __future__ import annotations

import time
from collections.abc import Callable

import chess
import pytest

from boardfw.notation.fen import format_fen, parse_fen
from boardfw.notation.san import format_san
from boardfw.rules import Position
from boardfw.rules.perft import perft

pytestmark = pytest.mark.bench

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ROUNDS = 5


def oracle_perft(board: chess.Board, depth: int) -> int:
    if depth == 1:
        return board.legal_moves.count()
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += oracle_perft(board, depth - 1)
        board.pop()
    return nodes


def best_of(work: Callable[[], object]) -> float:
    """Seconds of processor time of the quickest of some rounds."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def show(what: str, ours: Callable[[], object], theirs: Callable[[], object]) -> None:
    mine, other = best_of(ours), best_of(theirs)
    print(f"{what:34} {mine * 1000:9.2f} ms {other * 1000:9.2f} ms {other / mine:6.1f} x")


def walk(fen: str, plies: int) -> list[Position]:
    positions = [parse_fen(fen)]
    for ply in range(plies):
        moves = positions[-1].legal_moves()
        if not moves:
            break
        positions.append(positions[-1].play(moves[(ply * 7) % len(moves)]))
    return positions


def test_bench_rules_against_python_chess() -> None:
    fens = [format_fen(p) for p in walk(KIWIPETE, 60)]
    boards = [chess.Board(fen) for fen in fens]
    fresh = [parse_fen(fen) for fen in fens]
    print(f"\n{'':34} {'boardfw':>12} {'python-chess':>12}  ratio")
    show(
        "perft 3 of Kiwipete",
        lambda: perft(parse_fen(KIWIPETE), 3),
        lambda: oracle_perft(chess.Board(KIWIPETE), 3),
    )
    show(
        "legal moves of 61 positions, from FEN",
        lambda: [parse_fen(fen).legal_moves() for fen in fens],
        lambda: [list(chess.Board(fen).legal_moves) for fen in fens],
    )
    show(
        "FEN written",
        lambda: [format_fen(p) for p in fresh],
        lambda: [board.fen() for board in boards],
    )
    show(
        "SAN of every legal move",
        lambda: [[format_san(p, m) for m in p.legal_moves()] for p in fresh],
        lambda: [[board.san(m) for m in board.legal_moves] for board in boards],
    )
    assert perft(parse_fen(KIWIPETE), 2) == oracle_perft(chess.Board(KIWIPETE), 2)
