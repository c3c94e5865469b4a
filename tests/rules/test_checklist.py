"""The statements of the rule books, each as a position and what may be played in it.

The numbers are those of the checklist of rules; a test's name reads like its statement.
"""

from __future__ import annotations

import pytest

from boardfw.notation.fen import format_fen, parse_fen
from boardfw.notation.san import format_san, parse_san
from boardfw.rules import Outcome, Position
from boardfw.rules.claim import claims
from boardfw.rules.outcome import outcome
from boardfw.squares import is_light, names_of


def sans(position: Position) -> set[str]:
    return {format_san(position, move) for move in position.legal_moves()}


def targets(position: Position, origin: str) -> set[str]:
    return {m.uci()[2:] for m in position.legal_moves() if m.uci().startswith(origin)}


def played(fen: str, *moves: str) -> Position:
    position = parse_fen(fen)
    for move in moves:
        position = position.play(parse_san(position, move))
    return position


# Row, statement, FEN, moves of one man or of all ("" = all), exactly these.
EXACTLY = [
    (3, "a pinned rook guards d1 and d2", "8/8/8/k2r3R/8/8/8/4K3 w - - 0 1", "e1", "e2 f1 f2"),
    (4, "rook", "7k/8/8/3R4/8/8/8/K7 w - -", "d5", "d8 d7 d6 a5 b5 c5 e5 f5 g5 h5 d4 d3 d2 d1"),
    (6, "bishop", "6k1/5p2/8/3B4/8/8/8/1K6 w - -", "d5",
     "a8 f7 b7 c6 e6 c4 e4 b3 f3 a2 g2 h1"),
    (8, "queen", "8/7k/8/8/3Q4/8/8/K7 w - -", "d4",
     "d8 h8 a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 h4 c3 d3 e3 b2 d2 f2 d1 g1"),
    (10, "a knight may not take its own man", "7k/8/5P2/8/4N3/8/5b2/K7 w - -", "e4",
     "c3 c5 d2 d6 f2 g3 g5"),
    (11, "a knight jumps", "7k/8/3PPP2/3PNP2/3PPP2/8/8/K7 w - -", "e5",
     "c4 c6 d3 d7 f3 f7 g4 g6"),
    (12, "knight", "7k/8/8/8/3N4/8/8/K7 w - -", "d4", "c6 e6 b5 f5 b3 f3 c2 e2"),
    (15, "king", "8/8/8/5K2/8/8/8/k7 w - -", "f5", "e6 f6 g6 e5 g5 e4 f4 g4"),
    (20, "both squares empty", "4k3/8/8/8/8/2n5/2P5/4K3 w - -", "c2", ""),
    (20, "the far square taken", "4k3/8/8/8/2n5/8/2P5/4K3 w - -", "c2", "c3"),
    (21, "a pawn takes aslant", "k7/8/8/2rnr3/3P4/7p/7B/7K w - -", "d4", "c5 e5"),
    (21, "a blocked pawn", "k7/8/8/2rnr3/3P4/7p/7B/7K b - -", "h3", ""),
    (22, "c6 takes both ways or goes on", "7k/1r1r4/2P5/8/8/8/4P3/7K w - -", "c6", "c7 b7 d7"),
    (23, "no empty square aslant", "7k/8/2P5/8/8/8/4P3/7K w - -", "c6", "c7"),
    (30, "en passant may not bare the king", "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2", "e5", "e6"),
    (31, "en passant can answer check", "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", "e4", "d3"),
    (45, "an absolutely pinned rook", "4k3/8/8/8/4b3/5R2/6K1/8 w - -", "f3", ""),
    (46, "kings keep apart", "8/8/8/8/8/8/K1k5/8 w - -", "a2", "a1 a3"),
    (46, "others go between", "8/1R6/8/8/8/8/K1k5/8 w - -", "b7",
     "a7 c7 d7 e7 f7 g7 h7 b8 b6 b5 b4 b3 b2 b1"),
    (50, "double check: the king moves", "4k3/8/4r3/8/8/3n4/P7/4K2B w - -", "", "d1 d2 f1"),
    (57, "no castling out of check", "4k3/8/8/8/4r3/8/8/R3K2R w KQ -", "e1", "d1 d2 f1 f2"),
    (58, "no castling through check", "3rk3/8/8/8/8/8/8/R3K3 w Q -", "e1", "e2 f1 f2"),
    (59, "no castling into check", "2r1k3/8/8/8/8/8/8/R3K3 w Q -", "e1", "d1 d2 e2 f1 f2"),
    (59, "nor kingside", "4k1r1/8/8/8/8/8/8/4K2R w K -", "e1", "d1 d2 e2 f1 f2"),
    (60, "the rook may pass b1", "1r2k3/8/8/8/8/8/8/R3K3 w Q -", "e1", "c1 d1 d2 e2 f1 f2"),
    (60, "the rook may be attacked", "4k2r/8/8/8/8/8/8/4K2R w K -", "e1", "d1 d2 e2 f1 f2 g1"),
    (61, "b1 must be empty", "4k3/8/8/8/8/8/8/Rn2K3 w Q -", "e1", "d1 e2 f1 f2"),
]  # fmt: skip


@pytest.mark.parametrize(("row", "statement", "fen", "origin", "expected"), EXACTLY)
def test_checklist_moves_of_one_man(
    row: int, statement: str, fen: str, origin: str, expected: str
) -> None:
    assert targets(parse_fen(fen), origin) == set(expected.split())


# Row, FEN, all legal moves.
ALL_MOVES = [
    (19, "4k3/p7/4p3/8/7P/8/2P5/4K3 w - -", "c3 c4 h5 Kd1 Kd2 Ke2 Kf1 Kf2"),
    (19, "4k3/p7/4p3/8/7P/8/2P5/4K3 b - -", "a6 a5 e5 Kd8 Kd7 Ke7 Kf8 Kf7"),
    (32, "7k/P7/8/8/8/8/8/K7 w - -", "a8=Q+ a8=R+ a8=B a8=N Ka2 Kb1 Kb2"),
    (37, "4k3/8/8/8/8/1p1p4/2P5/4K3 w - -", "cxb3 cxd3 c3 c4 Kd1 Kd2 Kf1 Kf2"),
    (38, "8/8/8/3k4/4B3/8/8/K7 b - -", "Kc4 Kc5 Kd4 Kd6 Ke5 Ke6 Kxe4"),
    (39, "R2k4/8/8/8/8/8/2Q5/4R1K1 b - -", "Kd7"),
    (42, "4R3/8/p6B/4b3/4k1P1/8/8/3Q3K b - -", "a5"),
    (43, "k1R5/b7/1n6/8/8/8/8/6K1 b - -", "Kb7 Bb8 Nxc8+"),
]


@pytest.mark.parametrize(("row", "fen", "moves"), ALL_MOVES)
def test_checklist_all_moves(row: int, fen: str, moves: str) -> None:
    assert sans(parse_fen(fen)) == set(moves.split())


# Row, FEN, some legal moves, some that are not.
SOME_MOVES = [
    (5, "7k/8/8/3R1P2/8/8/3b4/K7 w - -", "Rxd2 Re5", "Rf5 Rd1"),
    (7, "7k/8/2r5/8/4B3/3P4/8/K7 w - -", "Bxc6", "Bd3 Bc2"),
    (7, "8/2r4k/8/4B3/8/8/8/K7 w - -", "Bxc7", "Bb8"),
    (9, "7k/6n1/8/1P2Q3/8/8/8/K7 w - -", "Qxg7+ Qc5", "Qb5 Qh8"),
    (16, "8/8/3q4/1Pk5/3r4/8/8/6K1 b - -", "Kxb5", "Kxd6 Kxd4"),
    (24, "4k3/8/8/1Pp5/8/8/8/4K3 w - c6 0 2", "bxc6", "c6"),
    (25, "4k3/8/8/8/5pPp/8/8/4K3 b - g3 0 1", "fxg3 hxg3", "g3"),
    (26, "4k3/8/8/1Pp5/8/8/8/4K3 w - - 0 2", "b6", "bxc6"),
    (29, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "exd6", "d6"),
    (29, "4k3/8/8/6pP/8/8/8/4K3 w - g6 0 2", "hxg6", "g6"),
    (33, "8/q1P1k3/8/8/8/8/8/4K3 w - -", "c8=N+ c8=Q", "c8=K"),
    (34, "r3k3/1P6/8/8/8/8/8/4K3 w - -", "b8=Q+ bxa8=N bxa8=Q+", "bxc8=Q"),
    (37, "8/p1p2P1k/1P6/8/8/6p1/2P3P1/K7 w - -", "b7 bxa7 bxc7 c3 c4 f8=N+", "g3 b8"),
    (53, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "O-O O-O-O", ""),
    (53, "r3k2r/8/8/8/8/8/8/R3K2R b KQkq -", "O-O O-O-O", ""),
    (55, "r6r/5k2/b7/8/8/8/PPPP1PPP/RNBQK2R w KQ -", "", "O-O O-O-O"),
    (66, "r3k1nr/ppp1qppp/8/8/8/4B2B/PPP2PPP/R3K2R b KQkq - 1 1", "", "O-O O-O-O"),
    (66, "r3k2r/ppp1qppp/5n2/8/8/P3B2B/1PP2PPP/R3K2R b KQkq - 0 2", "O-O", "O-O-O"),
    (66, "r3k2r/ppp1qppp/5n2/8/8/4B3/PPP2PPP/R3KB1R b KQkq - 0 2", "O-O O-O-O", ""),
]


@pytest.mark.parametrize(("row", "fen", "legal", "illegal"), SOME_MOVES)
def test_checklist_some_moves(row: int, fen: str, legal: str, illegal: str) -> None:
    moves = sans(parse_fen(fen))
    assert moves >= set(legal.split())
    assert not {move.rstrip("+#") for move in moves} & set(illegal.split())


# Row, FEN, how the game has ended.
ENDS = [
    (40, "R2k4/8/8/5B2/8/8/2Q5/4R1K1 b - -", "checkmate"),
    (41, "4R3/8/7B/4b3/4k1P1/8/8/3Q3K b - -", "stalemate"),
    (44, "8/6Qk/5K2/8/8/8/8/8 b - -", "checkmate"),
    (48, "6rk/5Npp/8/8/8/8/8/K7 b - -", "checkmate"),
    (49, "4k3/8/8/8/8/8/r5q1/7K w - -", "checkmate"),
    (75, "8/8/4k3/8/8/4K3/8/8 w - -", "insufficient_material"),
    (75, "8/8/4k3/8/8/4KB2/8/8 w - -", "insufficient_material"),
    (75, "8/8/4k3/8/8/4KN2/8/8 w - -", "insufficient_material"),
    (76, "8/8/4k3/8/8/2BBK3/8/8 w - -", None),
    (76, "8/8/4k3/8/8/3NKN2/8/8 w - -", None),
    (77, "8/8/4kb2/8/8/4K1B1/8/8 w - -", "insufficient_material"),
    (77, "8/8/4kb2/8/8/4KB2/8/8 w - -", None),
]


@pytest.mark.parametrize(("row", "fen", "termination"), ENDS)
def test_checklist_ends(row: int, fen: str, termination: str | None) -> None:
    end = outcome(parse_fen(fen))
    assert (end and end.termination) == termination


def test_checklist_27_en_passant_waits_for_nobody() -> None:
    position = played("4k3/8/8/8/5p1p/8/6P1/4K3 w - - 0 1", "g4", "Kd8", "Kd1")
    assert not {"fxg3", "hxg3"} & sans(position)


def test_checklist_28_en_passant_removes_the_pawn() -> None:
    position = played("4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1", "a4", "bxa3")
    assert format_fen(position).startswith("4k3/8/8/8/8/p7/8/4K3 w")


def test_checklist_36_a_promotion_gives_check_at_once() -> None:
    assert played("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b8=Q").is_check()


def test_checklist_54_castling_short_and_long() -> None:
    position = played("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1", "O-O", "O-O-O")
    assert format_fen(position) == "2kr4/8/8/8/8/8/8/5RK1 w - - 2 2"


def test_checklist_56_a_king_that_was_away_may_not_castle() -> None:
    position = played("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "Ke2", "Ke7", "Ke1", "Ke8")
    assert position.castling == 0


def test_checklist_62_a_promoted_rook_does_not_castle() -> None:
    position = played("8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e8=R", "Kg7")
    assert targets(position, "e1") == {"d1", "d2", "e2", "f1", "f2"}


def test_checklist_63_a_rook_takes_its_own_right_away() -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    assert names_of(played(fen, "Ra2").castling) == ["h1", "a8", "h8"]
    assert names_of(played(fen, "Ra2", "Ke7", "Ra1").castling) == ["h1"]
    assert names_of(played(fen, "Rxa8+").castling) == ["h1", "h8"]


def test_checklist_64_a_man_in_the_way_is_in_the_way_for_a_while() -> None:
    blocked = played("4k3/8/8/8/8/8/8/4KB1R w K - 0 1")
    assert "O-O" not in sans(blocked)
    assert "O-O" in sans(played("4k3/8/8/8/8/8/8/4KB1R w K - 0 1", "Bd3", "Ke7"))


def test_checklist_65_who_was_in_check_may_castle_later() -> None:
    fen = "r3k1nr/ppp1qppp/8/8/8/7B/PPP2PPP/R1B1K2R w KQkq - 0 1"
    assert sans(parse_fen(fen)) == {"Be3", "Be6", "Kd1", "Kd2", "Kf1"}
    assert sans(played(fen, "Be3", "Nf6")) >= {"O-O", "O-O-O"}


def test_checklist_68_castling_once_a_game() -> None:
    assert names_of(played("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "O-O").castling) == ["a8", "h8"]


def repeated(fen: str, *moves: str) -> tuple[str, ...]:
    """What may be claimed after these moves."""
    position, earlier = parse_fen(fen), []
    for move in moves:
        earlier.append(position.key)
        position = position.play(parse_san(position, move))
    return tuple(claim.kind for claim in claims(position, earlier))


def test_checklist_71_a_position_for_the_third_time() -> None:
    start = format_fen(Position.start())
    there_and_back = ("Nf3", "Nf6", "Ng1", "Ng8")
    assert repeated(start, *there_and_back) == ()
    assert repeated(start, *there_and_back, *there_and_back) == ("threefold_repetition",)


def test_checklist_73_other_castling_rights_are_another_position() -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -"
    there_and_back = ("Rb1", "Rb8", "Ra1", "Ra8")
    assert repeated(fen, *there_and_back * 2) == ()
    assert repeated(fen, *there_and_back * 3) == ("threefold_repetition",)


def test_checklist_74_another_en_passant_chance_is_another_position() -> None:
    fen = "4k3/8/8/8/1p6/8/P7/4K2R w - - 0 1"
    there_and_back = ("Kd8", "Kd1", "Ke8", "Ke1")
    assert repeated(fen, "a4", *there_and_back * 2) == ()
    assert repeated(fen, "a4", *there_and_back * 3) == ("threefold_repetition",)


def test_checklist_78_fifty_moves() -> None:
    assert [c.kind for c in claims(parse_fen("7k/8/8/8/8/8/R7/K7 w - - 100 80"))] == ["fifty_moves"]
    assert claims(parse_fen("7k/8/8/8/8/8/R7/K7 w - - 98 80")) == ()


def test_checklist_81_the_start() -> None:
    assert format_fen(Position.start()) == (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    )
    assert is_light(7)


def test_checklist_87_and_89_the_same_game_however_short() -> None:
    canonical = "e4 e5 Bc4 d6 Nf3 Bg4 Nc3 g6 Nxe5 Bxd1 Bxf7+ Ke7 Nd5#"
    short = "e4 e5 Bc4 d6 Nf3 Bg4 Nc3 g6? Ne5 Bd1?? Bf7 Ke7 Nd5++"
    end = played(format_fen(Position.start()), *canonical.split())
    assert end == played(format_fen(Position.start()), *short.split())
    assert outcome(end) == Outcome("1-0", "checkmate")
    assert format_fen(end) == "rn1q1bnr/ppp1kB1p/3p2p1/3NN3/4P3/8/PPPP1PPP/R1BbK2R b KQ - 2 7"
