"""Figures for `make bench`: the rules and notations beside python-chess, within one run.

Positions and moves are those of the famous games in `classics.pgn`. A row short of its target is
marked, not failed: machines are shared, and a figure is to be read.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import chess
import chess.pgn
import pytest

from boardfw.notation.fen import format_fen, parse_fen
from boardfw.notation.san import format_san, parse_san
from boardfw.notation.uci import parse_uci
from boardfw.rules import PAWN, Move, Position
from boardfw.rules.claim import can_claim
from boardfw.rules.movegen import legal_moves
from boardfw.rules.perft import perft
from boardfw.rules.position import Key
from tests.bench.rivals import TITLE, compare

pytestmark = pytest.mark.bench

CLASSICS = Path(__file__).parents[2] / "boardfw/accuracy/classics.pgn"
PERFT = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
)
"""The start and the five other positions that everybody counts."""


class Ply(NamedTuple):
    """One ply of a real game, as both programs see it."""

    position: Position
    move: Move
    board: chess.Board
    rival_move: chess.Move
    san: str
    fen: str


@cache
def games() -> list[list[Ply]]:
    read = []
    with CLASSICS.open(encoding="utf-8") as file:
        while game := chess.pgn.read_game(file):
            plies, position = [], Position.start()
            for node in game.mainline():
                board = node.parent.board().copy(stack=False)
                move = parse_uci(position, node.move.uci())
                plies.append(Ply(position, move, board, node.move, node.san(), board.fen()))
                position = position.play(move)
            read.append(plies)
    return read


def plies(times: int = 6) -> list[Ply]:
    """Every ply of every game, so often that a round lasts some tens of milliseconds."""
    return [ply for _ in range(times) for game in games() for ply in game]


def fresh(position: Position) -> Position:
    """The same position with nothing remembered about it."""
    return Position(
        position.placement,
        position.turn,
        position.castling,
        position.en_passant,
        position.halfmove_clock,
        position.fullmove_number,
    )


def over(work: Callable[[], object]) -> Callable[[], Callable[[], object]]:
    """Work that needs no preparing."""
    return lambda: work


def rival_perft(board: chess.Board, depth: int) -> int:
    moves = list(board.legal_moves)
    if depth == 1:
        return len(moves)
    nodes = 0
    for move in moves:
        board.push(move)
        nodes += rival_perft(board, depth - 1)
        board.pop()
    return nodes


def test_bench_perft_and_move_lists() -> None:
    print(f"\n{TITLE}")
    compare(
        "perft 3 of six positions, lists at the end",
        5,
        over(lambda: [perft(parse_fen(fen), 3) for fen in PERFT]),
        over(lambda: [rival_perft(chess.Board(fen), 3) for fen in PERFT]),
    )

    def lists() -> None:
        # The generator itself: a Position would remember its list, and python-chess forgets.
        for position in positions:
            legal_moves(position.placement, position.turn, position.castling, position.en_passant)

    def rival_lists() -> None:
        for board in boards:
            list(board.legal_moves)

    positions, boards = [ply.position for ply in plies()], [ply.board for ply in plies()]
    compare("list of legal moves", 5, over(lists), over(rival_lists))
    assert perft(parse_fen(PERFT[1]), 2) == rival_perft(chess.Board(PERFT[1]), 2)


def test_bench_play_and_take_back() -> None:
    ours = [(ply.position, ply.position.legal_moves()) for ply in plies(1)]
    theirs = [(ply.board, list(ply.board.legal_moves)) for ply in plies(1)]

    def push_all() -> None:
        for board, moves in theirs:
            for move in moves:
                board.push(move)
                board.pop()

    print()
    compare(
        "play and take back every legal move",
        4,
        # To take a move back is to go on with the position before it.
        over(lambda: [position.play_unchecked(move) for position, moves in ours for move in moves]),
        over(push_all),
    )
    compare("play whole games and take them back", 4, over(through_games), over(push_games))


def through_games() -> None:
    for game in games() * 6:
        line = [game[0].position]
        for ply in game:
            line.append(line[-1].play_unchecked(ply.move))
        while line:
            line.pop()


def push_games() -> None:
    for game in games() * 6:
        board = game[0].board.copy()
        for ply in game:
            board.push(ply.rival_move)
        while board.move_stack:
            board.pop()


def test_bench_san() -> None:
    def write() -> Callable[[], object]:
        listed = [(fresh(ply.position), ply.position.legal_moves()) for ply in plies(1)]
        return lambda: [[format_san(p, move) for move in moves] for p, moves in listed]

    def write_games() -> Callable[[], object]:
        pairs = [(fresh(ply.position), ply.move) for ply in plies()]
        return lambda: [format_san(position, move) for position, move in pairs]

    def read() -> Callable[[], object]:
        pairs = [(fresh(ply.position), ply.san) for ply in plies()]
        return lambda: [parse_san(position, san) for position, san in pairs]

    rivals = [(ply.board, list(ply.board.legal_moves)) for ply in plies(1)]
    print()
    compare(
        "SAN of every legal move",
        4,
        write,
        over(lambda: [[board.san(move) for move in moves] for board, moves in rivals]),
    )
    compare(
        "SAN of the moves of games",
        4,
        write_games,
        over(lambda: [ply.board.san(ply.rival_move) for ply in plies()]),
    )
    compare(
        "SAN read",
        3,
        read,
        over(lambda: [ply.board.parse_san(ply.san) for ply in plies()]),
    )


def test_bench_fen() -> None:
    print()
    compare(
        "FEN read",
        3,
        over(lambda: [parse_fen(ply.fen) for ply in plies()]),
        over(lambda: [chess.Board(ply.fen) for ply in plies()]),
    )
    compare(
        "FEN written",
        3,
        over(lambda: [format_fen(ply.position) for ply in plies()]),
        over(lambda: [ply.board.fen() for ply in plies()]),
    )


def wandering(plies: int) -> tuple[list[Position], chess.Board]:
    """So many reversible plies from the start, in which no position stands a third time."""
    line, board, chance = [Position.start()], chess.Board(), random.Random(1)
    seen: Counter[Key] = Counter()
    while len(line) <= plies:
        moves = [m for m in line[-1].legal_moves() if m.piece_type != PAWN and m.captured is None]
        after = [(line[-1].play(move), move) for move in moves]
        # No piece gives check: the answer might have to be a capture or a pawn's move.
        position, move = chance.choice(
            [a for a in after if not a[0].is_check() and seen[a[0].key] < 2]
        )
        seen[line[-1].key] += 1
        line.append(position)
        board.push_uci(move.uci())
    return line, board


def test_bench_claim() -> None:
    line, board = wandering(98)  # at 99 the fifty moves come in
    *earlier, _ = [position.key for position in line]

    def claim() -> Callable[[], object]:
        positions = [fresh(line[-1]) for _ in range(100)]
        return lambda: [can_claim(position, earlier) for position in positions]

    print()
    compare(
        "threefold claim after 98 reversible plies",
        10,
        claim,
        over(lambda: [board.can_claim_threefold_repetition() for _ in range(100)]),
    )
    assert board.halfmove_clock == 98
    assert not can_claim(line[-1], earlier)
    assert not board.can_claim_threefold_repetition()
