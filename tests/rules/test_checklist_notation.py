"""Checklist of the rules, 85 to 100: how moves, results and remarks are written."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from boardfw.notation.descriptive import format_descriptive, parse_descriptive
from boardfw.notation.errors import AmbiguousMove, IllegalMove
from boardfw.notation.fen import format_fen
from boardfw.notation.game_text import in_order
from boardfw.notation.long import format_long, parse_long
from boardfw.notation.nag import parse_nag
from boardfw.notation.result import parse_result
from boardfw.notation.san import format_san, format_short, parse_san
from boardfw.rules import Move, Outcome, Position
from boardfw.rules.outcome import outcome
from tests.rules.boards import board, play

Parse = Callable[[Position, str], Move]

SHORT = (
    "1.e4 e5 2.Bc4 d6 3.Nf3 Bg4 4.Nc3 g6? 5.Nxe5 Bxd1?? 6.Bxf7+ Ke7 7.Nd5#",
    parse_san,
)
LONG = (
    "1.e2-e4 e7-e5 2.Bf1-c4 d7-d6 3.Ng1-f3 Bc8-g4 4.Nb1-c3 g7-g6? 5.Nf3xe5 Bg4xd1?? "
    "6.Bc4xf7+ Ke8-e7 7.Nc3-d5#",  # the column ends with move 6
    parse_long,
)
REALLY_SHORT = (
    "1.e4 e5 2.Bc4 d6 3.Nf3 Bg4 4.Nc3 g6 5.Ne5 Bd1 6.Bf7 Ke7 7.Nd5#",
    parse_san,
)
DESCRIPTIVE = (
    "1.P-K4 P-K4 2.B-QB4 P-Q3 3.N-KB3 B-KN5 4.N-QB3 P-KN3? 5.NxP BxQ?? 6.BxPch K-K2 7.N-Q5Mate",
    parse_descriptive,
)
PRINTED = """
1.P-K4                    P-K4                       5.NxP                      BxQ??
2.B-QB4 P-Q3                       6.BxPch K-K2
3.N-KB3 B-KN5                    7.N-Q5Mate
4.N-QB3 P-KN3?
"""
UCI = "e2e4 e7e5 f1c4 d7d6 g1f3 c8g4 b1c3 g7g6 f3e5 g4d1 c4f7 e8e7 c3d5"
"""Legall against Saint-Brie, Paris 1750: the one game of the basic rules."""
MATED = """
    8 rn.q.bnr
    7 ppp.kB.p
    6 ...p..p.
    5 ...NN...
    4 ....P...
    2 PPPP.PPP
    1 R.BbK..R
"""


def uci(column: tuple[str, Parse]) -> str:
    """A column of the game, as in the document, in UCI."""
    text, parse = column
    position, moves = Position.start(), []
    for word in text.split():
        moves.append(parse(position, word))
        position = position.play(moves[-1])
    return " ".join(move.uci() for move in moves)


def written(write: Callable[[Position, Move], str]) -> str:
    """The game as we write it."""
    position, words = Position.start(), []
    for text in UCI.split():
        move = next(m for m in position.legal_moves() if m.uci() == text)
        words.append(write(position, move))
        position = position.play(move)
    return " ".join(words)


def test_checklist_085_short_algebraic() -> None:
    assert uci(SHORT) == UCI
    assert written(format_san) == "e4 e5 Bc4 d6 Nf3 Bg4 Nc3 g6 Nxe5 Bxd1 Bxf7+ Ke7 Nd5#"


def test_checklist_086_long_algebraic() -> None:
    assert uci(LONG) == UCI
    assert written(format_long).startswith("e2-e4 e7-e5 Bf1-c4 d7-d6 Ng1-f3 Bc8-g4 Nb1-c3 g7-g6")
    assert written(format_long).endswith("Nf3xe5 Bg4xd1 Bc4xf7+ Ke8-e7 Nc3-d5#")


def test_checklist_087_really_short() -> None:
    assert uci(REALLY_SHORT) == UCI
    assert written(format_short) == "e4 e5 Bc4 d6 Nf3 Bg4 Nc3 g6 Ne5 Bd1 Bf7 Ke7 Nd5#"


def test_checklist_088_descriptive() -> None:
    assert uci(DESCRIPTIVE) == UCI
    assert written(format_descriptive).startswith("P-K4 P-K4 B-QB4 P-Q3 N-KB3 B-KN5 N-QB3 ")
    # The document sets the game in two columns: the line of move 1 holds move 5, too.
    assert uci((" ".join(in_order(PRINTED)), parse_descriptive)) == UCI


def test_checklist_089_four_columns_are_one_game() -> None:
    assert {uci(column) for column in (SHORT, LONG, REALLY_SHORT, DESCRIPTIVE)} == {UCI}
    end = play(Position.start(), REALLY_SHORT[0])
    assert end.placement == board(MATED, "b").placement
    assert format_fen(end) == "rn1q1bnr/ppp1kB1p/3p2p1/3NN3/4P3/8/PPPP1PPP/R1BbK2R b KQ - 2 7"
    assert outcome(end) == Outcome("1-0", "checkmate")


def test_checklist_090_descriptive_counts_from_each_players_side() -> None:
    start = Position.start()
    assert parse_descriptive(start, "P-K4").uci() == "e2e4"
    after = play(start, "e4")
    assert parse_descriptive(after, "P-K4").uci() == "e7e5"
    assert parse_descriptive(after, "P-KN3").uci() == "g7g6"
    later = play(start, "e4 e5 Bc4 d6 Nf3")
    assert parse_descriptive(later, "B-KN5").uci() == "c8g4"
    assert format_descriptive(later, parse_san(later, "Bg4")) in ("B-KN5", "B-N5")


def test_checklist_091_what_is_glued_to_a_move() -> None:
    start = Position.start()
    assert parse_descriptive(start, "1.P-K4").uci() == "e2e4"
    assert parse_descriptive(play(start, "e4"), "1....P-K4").uci() == "e7e5"
    before_check = play(start, "e4 e5 Bc4 d6 Nf3 Bg4 Nc3 g6 Nxe5 Bxd1")
    assert parse_descriptive(before_check, "6.BxPch").uci() == "c4f7"
    before_mate = play(before_check, "Bxf7 Ke7")
    for text in ("7.N-Q5Mate", "N-Q5 mate", "N-Q5"):
        assert parse_descriptive(before_mate, text).uci() == "c3d5"
    for text in ("7.Nd5#", "7. Nd5#", "Nd5"):
        assert parse_san(before_mate, text).uci() == "c3d5"


def test_checklist_092_signs_of_capture_check_and_mate() -> None:
    position = board("8 ....k...\n6 ...p....\n5 ....P...\n1 ....K...")
    (capture,) = [m for m in position.legal_moves() if m.captured is not None]
    for text in ("exd6", "eXd6", "e5xd6", "e5Xd6"):
        assert parse_san(position, text) is capture
    assert parse_long(Position.start(), "e2-e4").uci() == "e2e4"
    before_mate = play(Position.start(), "e4 e5 Bc4 d6 Nf3 Bg4 Nc3 g6 Nxe5 Bxd1 Bxf7+ Ke7")
    for text in ("Nd5++", "Nd5#", "Nd5+"):
        assert parse_san(before_mate, text).uci() == "c3d5"


def test_checklist_093_castling_is_written_with_noughts_or_with_both_pieces() -> None:
    position = board("8 ....k...\n1 R...K..R", castling="KQ")
    for text in ("0-0", "O-O", "e1-g1", "e1-g1 and Rook h1-f1"):
        assert parse_san(position, text).uci() == "e1g1"
    for text in ("0-0-0", "O-O-O", "e1-c1", "King e1-c1 and then Rook a1-d1"):
        assert parse_san(position, text).uci() == "e1c1"


def test_checklist_094_promotion() -> None:
    position = board("8 .......k\n7 ....P...\n1 K.......")
    moves = {parse_san(position, text) for text in ("e8/Q", "e8=Q", "e8Q", "e8(Q)")}
    assert [move.uci() for move in moves] == ["e7e8q"]


def test_checklist_095_en_passant_may_be_remarked() -> None:
    position = board("8 ....k...\n5 ...pP...\n1 ....K...", en_passant="d6")
    moves = {parse_san(position, text) for text in ("exd6", "exd6 e.p.", "exd6e.p.")}
    assert [move.is_en_passant for move in moves] == [True]


def test_checklist_096_remarks_on_a_move() -> None:
    signs = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
    assert {sign: parse_nag(sign) for sign in signs} == signs
    start = Position.start()
    assert {parse_san(start, "e4" + sign) for sign in signs} == {parse_san(start, "e4")}


def test_checklist_097_results() -> None:
    for text, result in (
        *(("(1-0)", "1-0"), ("(0-1)", "0-1"), ("( ½ - ½ )", "1/2-1/2"), ("1/2-1/2", "1/2-1/2")),
        *(("1-0", "1-0"), ("½-½", "1/2-1/2"), ("*", "*"), ("2-0", None), ("0-0", None)),
    ):
        assert parse_result(text) == result


def test_checklist_098_an_evaluation_is_no_check() -> None:
    assert (parse_nag("+ -"), parse_nag("- +")) == (18, 19)
    assert (parse_nag("+-"), parse_nag("-+")) == (18, 19)
    assert parse_nag("+") is None
    start = Position.start()
    for text in ("Nf3 + -", "Nf3 +-", "Nf3 - +"):
        assert parse_san(start, text).uci() == "g1f3"


def test_checklist_099_a_pawn_has_no_letter() -> None:
    start = Position.start()
    assert parse_san(start, "e4") is parse_san(start, "Pe4")
    assert written(format_san).split()[0] == "e4"
    with pytest.raises(IllegalMove):
        parse_san(start, "e5")


def test_checklist_100_pieces_of_the_kings_and_of_the_queens_side() -> None:
    start = Position.start()
    with pytest.raises(AmbiguousMove, match=r"N-KB3.*N-QB3|N-QB3.*N-KB3"):
        parse_descriptive(start, "N-B3")
    assert parse_descriptive(start, "KN-B3").uci() == "g1f3"
    assert parse_descriptive(start, "QN-B3").uci() == "b1c3"
    assert parse_descriptive(start, "N-QB3").uci() == "b1c3"
    for text, move in (("KBP-B4", "f2f4"), ("QRP-R3", "a2a3"), ("P-QB4", "c2c4"), ("P-Q4", "d2d4")):
        assert parse_descriptive(start, text).uci() == move
    # Only one of two is legal: then nothing more need be said.
    pinned = board("8 ....k...\n4 .b......\n2 PP.N.PPP\n1 R.BQKBNR")
    assert parse_descriptive(pinned, "N-B3").uci() == "g1f3"
