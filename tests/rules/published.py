"""Published perft counts: facts that every move generator must reproduce.

The classic positions are those of the chess programming community; the traps are from a
collection of small positions that catch one mistake each; the Chess960 counts are from a table of
all 960 starts. Counts are leaves at depth 1, 2, 3 ... unless a depth is named.
"""

from __future__ import annotations

from boardfw.recording import START_FEN

CLASSIC: dict[str, tuple[int, ...]] = {
    START_FEN: (20, 400, 8_902, 197_281, 4_865_609),
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": (
        *(48, 2_039, 97_862, 4_085_603),
    ),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (*(14, 191, 2_812, 43_238, 674_624, 11_030_083),),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (
        *(6, 264, 9_467, 422_333, 15_833_292),
    ),
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1": (
        *(6, 264, 9_467, 422_333),
    ),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": (44, 1_486, 62_379, 2_103_487),
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": (
        *(46, 2_079, 89_890, 3_894_594),
    ),
}
"""The start and the six usual positions, one of them in both colours."""

TRAPS: dict[str, tuple[str, int, int]] = {
    "en passant bares the king on the rank": ("3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1_134_888),
    "en passant exposes the king diagonally": ("8/8/4k3/8/2p5/8/B2P2K1/8 w - - 0 1", 6, 1_015_133),
    "en passant gives check": ("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, 1_440_467),
    "castling short gives check": ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, 661_072),
    "castling long gives check": ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6, 803_711),
    "the right dies with the rook": ("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, 1_274_206),
    "castling past attackers": ("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, 1_720_476),
    "promotion out of check": ("2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6, 3_821_001),
    "discovered check": ("8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, 1_004_658),
    "promotion gives check": ("4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, 217_342),
    "underpromotion gives check": ("8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6, 92_683),
    "stalemate of one's own": ("K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, 2_217),
    "stalemate and mate": ("8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, 567_584),
    "mate by queen and knight": ("8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 4, 23_527),
}
"""What the position is about, the FEN, a depth and the leaves there."""

CHESS960_STARTS: dict[str, tuple[int, int]] = {
    "bbqnnrkr": (9_006, 201_143), "bqnbnrkr": (8_948, 198_393),
    "rkqrbbnn": (7_678, 162_755), "rkrqnnbb": (8_950, 198_720), "rknqnbbr": (9_032, 202_572),
    "rkbnqnrb": (8_996, 201_554), "rkrnbbqn": (7_803, 167_148), "qrkrbbnn": (7_638, 160_965),
    "qrknnbbr": (9_014, 202_266), "rqknnbbr": (9_012, 202_072), "rnkqnbbr": (9_018, 202_489),
    "nrkqrbbn": (6_656, 136_014), "nrknqbbr": (7_881, 171_379), "brknqnrb": (9_036, 202_854),
    "rbknnqbr": (9_052, 203_872), "nrkbbqrn": (6_682, 137_243), "brknnbqr": (9_014, 202_233),
    "qbrkrnbn": (8_848, 194_742), "qnrkrbbn": (8_876, 196_083), "qnrkrnbb": (10_200, 234_769),
    "qnrknbbr": (10_263, 237_912), "bqrkrnnb": (10_114, 230_996), "bqrknnrb": (10_240, 236_870),
    "nqrkrbbn": (7_702, 163_574), "nqrkbnrb": (8_916, 197_806), "bbrkqnnr": (10_200, 234_911),
    "bnrkqrnb": (10_099, 230_106), "nbrkqnbr": (8_930, 198_380), "nnrkqrbb": (8_834, 194_052),
    "nbrkqrbn": (7_685, 162_639), "bbrknnqr": (10_278, 238_557), "bnrknbqr": (10_221, 235_972),
    "nnrkbbqr": (8_876, 196_075), "nbrkbnrq": (8_896, 196_834), "bbrknqnr": (10_261, 237_948),
    "brnkqnrb": (9_062, 204_346), "nrbkqbrn": (6_680, 136_992), "bbrnkqnr": (9_054, 204_028),
    "nbnrkqbr": (7_759, 165_931), "rnbqkbnr": (8_902, 197_281), "rnbkqbnr": (8_902, 197_281),
    "bbnrknrq": (9_054, 203_962), "nbbrkrqn": (6_648, 135_718), "nnbrkrqb": (7_630, 160_541),
    "bqnrknrb": (9_094, 205_796), "nqbrkbrn": (6_672, 136_666), "nqrnkbbr": (7_875, 170_920),
    "qrbbnkrn": (8_936, 198_085), "qrbnnkrb": (10_219, 235_041), "qbrnnkbr": (9_006, 200_996),
    "qnbnrkrb": (10_135, 231_062), "rqnnbkrb": (10_244, 237_035), "bqnrnkrb": (10_280, 237_967),
    "nqrnbkrb": (8_936, 198_773), "nqnbrkbr": (7_742, 165_317), "rnbqnkrb": (10_269, 238_350),
    "brnqnkrb": (10_286, 238_578), "nnqrbkrb": (8_840, 194_520), "nbbqrkrn": (7_710, 163_974),
    "bnnqrkrb": (10_118, 230_734), "nnbqrkrb": (8_800, 192_910), "rbbnnkrq": (10_263, 237_852),
    "nrnbbkrq": (8_884, 196_781), "bnnbrkrq": (10_076, 228_824), "nnbbrkrq": (8_800, 192_922),
    "qrnbbnkr": (9_020, 201_878), "qnnbbrkr": (8_880, 195_650), "rbbnqnkr": (9_072, 204_378),
    "nrbbqnkr": (7_870, 171_187), "bbrnqnkr": (9_068, 204_081), "nnbbrqkr": (7_678, 162_755),
    "rqnbbnkr": (9_054, 203_404), "nqbbrnkr": (7_858, 169_611), "brnbqnkr": (9_060, 204_629),
}  # fmt: skip
"""The first rank of a start, and the leaves at depths 3 and 4."""

OWN: dict[str, tuple[str, int, int]] = {
    "double check, either checker could be taken": (
        "4k3/8/4r3/R7/8/3n4/P5R1/4K2B w - - 0 1",
        3,
        2_039,
    ),
    "double check by a discovering knight": ("3rk3/8/8/3N4/8/8/8/3QK2R w K - 0 1", 3, 10_748),
    "double check by a promotion": ("3rk3/4P3/8/8/8/8/8/4R1K1 w - - 0 1", 3, 3_283),
    "en passant bares the king on the rank": ("8/8/8/K1pP3r/8/8/8/4k3 w - c6 0 2", 3, 537),
    "two pawns may take, each alone is free": ("8/8/8/KPpP3r/8/8/8/4k3 w - c6 0 2", 3, 666),
    "a pawn pinned diagonally captures the pinning piece": (
        "4k3/8/5b2/3pP3/3K4/8/8/8 w - - 0 1",
        3,
        510,
    ),
    "en passant opens a line through the pawn taken": (
        "4k2b/8/8/3Pp3/8/2K5/8/8 w - e6 0 2",
        3,
        517,
    ),
    "en passant by a pawn pinned on its file": ("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 2", 3, 530),
    "en passant removes a shield on a diagonal": ("6bk/8/8/3pP3/2K5/8/8/8 w - d6 0 2", 3, 283),
    "en passant takes the checking pawn": ("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", 3, 379),
    "both rooks' rights lost by one capture": ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 3, 13_744),
    "a rook captured in its corner by a promotion": (
        "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1",
        3,
        28_659,
    ),
    "castling with b1 and b8 attacked": ("1r2k2r/8/8/8/8/8/8/R3K1R1 w Qk - 0 1", 3, 14_084),
    "castling past bishops and knights": (
        "r3k2r/8/1B2n3/2n5/5N2/3N2b1/8/R3K2R w KQkq - 0 1",
        3,
        8_392,
    ),
    "castling past pawns": ("r3k2r/1P1P2P1/8/8/8/8/1p2p1p1/R3K2R b KQkq - 0 1", 3, 5_571),
    "promoted rooks on castling squares": ("r3k3/6P1/8/8/8/8/6p1/4K2R w Kq - 0 1", 3, 4_798),
    "promotions everywhere": ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 3, 9_483),
    "promotion while pinned": ("1n1n4/r1P1K3/8/8/8/8/R5p1/7k w - - 0 1", 3, 6_602),
    "en passant along the line of a pin": ("6k1/6b1/8/4Pp2/8/2K5/8/8 w - f6 0 2", 3, 711),
    "pins from all sides": ("r2q3b/8/3P4/b2NNP1r/q1NKR2q/2BB4/3R4/b2r3k w - - 0 1", 3, 35_803),
    "the longest list of moves": (
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        3,
        19_073,
    ),
    "castling would expose the king to the queen behind": (
        "4k3/8/8/8/8/8/8/qR1K4 w Q - 0 1",
        3,
        1_558,
    ),
    "castling would expose the king to the rook behind": (
        "Rr3k2/8/8/8/8/8/8/4K3 b q - 0 1",
        3,
        1_501,
    ),
    "a knight behind the rook sees no line": ("4k3/8/8/8/8/8/8/nR1K4 w Q - 0 1", 3, 1_365),
    "king and rook change places": ("5kr1/8/8/8/8/8/8/2RK4 w Qk - 0 1", 3, 2_724),
    "the king stands still in castling": ("1r3k2/8/8/8/8/8/8/1RK3R1 w GBb - 0 1", 3, 6_378),
    "a piece beside the rook stays a shield": ("4k3/8/8/8/8/8/8/qNR1K3 w Q - 0 1", 3, 4_722),
}
"""Positions made for this project, as TRAPS; their leaves were counted with python-chess."""
