"""Leaves of the tree of legal moves, counted as others have counted and published them.

With `make test-slow FULL=1` some 70 million leaves are compared.
"""

from __future__ import annotations

import chess
import pytest

from boardfw.notation.fen import parse_fen
from boardfw.recording import START_FEN
from boardfw.rules import ROOK, WHITE, Position
from boardfw.rules.perft import divide, perft
from tests.rules.published import CHESS960_STARTS, CLASSIC, OWN, TRAPS
from tests.sizes import IS_FULL

SHORT = 30_000
"""Number of leaves that are counted quickly."""
MEDIUM = 5_000_000


def chess960_start(rank: str) -> Position:
    """The start with these pieces on the first rank, as in ``rnbqkbnr``."""
    placement = parse_fen(f"{rank}/pppppppp/8/8/8/8/PPPPPPPP/{rank.upper()} w - - 0 1").placement
    return Position(placement, WHITE, castling=placement[ROOK])


def first_moves(rank: str) -> int:
    """How many moves a start has, counted by hand.

    The pawns have sixteen, a knight two, or one in a corner; and where rook and king stand
    towards each other as they will after castling, they may change places at once.
    """
    corners = (rank[0] + rank[7]).count("n")
    castles = (rank[2:4] == "rk") + (rank[5:7] == "kr")
    return 16 + 2 * 2 - corners + castles


@pytest.mark.parametrize("fen", CLASSIC)
def test_classic_positions(fen: str) -> None:
    position = parse_fen(fen)
    counts = [count for count in CLASSIC[fen] if count < 100_000]
    assert [perft(position, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.slow
@pytest.mark.parametrize("fen", CLASSIC)
def test_classic_positions_deep(fen: str, *, full: bool) -> None:
    for depth, count in enumerate(CLASSIC[fen], 1):
        if count < MEDIUM or full:
            assert perft(parse_fen(fen), depth) == count


@pytest.mark.parametrize("name", [*(n for n in TRAPS if TRAPS[n][2] < SHORT), *OWN])
def test_traps(name: str) -> None:
    fen, depth, leaves = (TRAPS | OWN)[name]
    assert perft(parse_fen(fen), depth) == leaves


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in TRAPS if TRAPS[n][2] >= SHORT])
def test_traps_deep(name: str) -> None:
    fen, depth, leaves = TRAPS[name]
    assert perft(parse_fen(fen), depth) == leaves


def test_all_starts_of_chess960_to_depth_two() -> None:
    # No first move of White's takes one of Black's away or adds one.
    for number in range(960):
        rank = chess.Board.from_chess960_pos(number).board_fen().split("/")[0]
        position, leaves = chess960_start(rank), first_moves(rank)
        assert (rank, perft(position, 1)) == (rank, leaves)
        assert (rank, perft(position, 2)) == (rank, leaves**2)


@pytest.mark.parametrize("rank", [*CHESS960_STARTS][::6])
def test_starts_of_chess960_to_depth_three(rank: str) -> None:
    assert perft(chess960_start(rank), 3) == CHESS960_STARTS[rank][0]


@pytest.mark.slow
@pytest.mark.parametrize("rank", [*CHESS960_STARTS][:: 1 if IS_FULL else 3])
def test_starts_of_chess960_deep(rank: str, *, full: bool) -> None:
    position, leaves = chess960_start(rank), CHESS960_STARTS[rank]
    assert perft(position, 3) == leaves[0]
    if full:
        assert perft(position, 4) == leaves[1]


def test_depth_nought_is_the_position_itself() -> None:
    assert perft(parse_fen(START_FEN), 0) == 1


def test_divide_shares_the_count_among_the_first_moves() -> None:
    shares = {move.uci(): count for move, count in divide(parse_fen(START_FEN), 3).items()}
    assert len(shares) == 20
    assert shares["e2e4"] == 600
    assert shares["a2a3"] == 380
    assert sum(shares.values()) == 8_902


def test_a_tree_has_no_negative_depth() -> None:
    start = Position.start()
    with pytest.raises(ValueError, match="depth -1: a tree has no negative depth"):
        perft(start, -1)
    with pytest.raises(ValueError, match="no negative depth"):
        divide(start, 0)
