"""The published counts of the six classic perft positions."""

from __future__ import annotations

import pytest

from boardfw.notation.fen import parse_fen
from boardfw.recording import START_FEN
from boardfw.rules.perft import divide, perft

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
COUNTS = {
    START_FEN: (20, 400, 8902, 197281),
    KIWIPETE: (48, 2039, 97862, 4085603),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (14, 191, 2812, 43238),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (6, 264, 9467, 422333),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": (44, 1486, 62379, 2103487),
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": (
        (46, 2079, 89890, 3894594)
    ),
}


@pytest.mark.parametrize("fen", COUNTS)
def test_counts_to_depth_three(fen: str) -> None:
    position = parse_fen(fen)
    assert tuple(perft(position, depth) for depth in (1, 2, 3)) == COUNTS[fen][:3]


@pytest.mark.slow
@pytest.mark.parametrize("fen", COUNTS)
def test_counts_at_depth_four(fen: str) -> None:
    assert perft(parse_fen(fen), 4) == COUNTS[fen][3]


def test_depth_nought_is_the_position_itself() -> None:
    assert perft(parse_fen(START_FEN), 0) == 1


def test_divide_shares_the_count_among_the_first_moves() -> None:
    shares = {move.uci(): count for move, count in divide(parse_fen(START_FEN), 3).items()}
    assert len(shares) == 20
    assert shares["e2e4"] == 600
    assert shares["a2a3"] == 380
    assert sum(shares.values()) == 8902
