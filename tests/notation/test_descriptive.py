"""Descriptive notation: short as in the old books, and never two moves at once."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.errors import NotationError
from boardfw.notation import AmbiguousMove, IllegalMove, UnreadableMove
from boardfw.notation.descriptive import format_descriptive, parse_descriptive, square_name
from boardfw.notation.fen import parse_fen
from boardfw.notation.uci import parse_uci
from boardfw.rules import BLACK, WHITE, Position
from boardfw.squares import BY_NAME
from tests.notation.test_san import CASTLES, EN_PASSANT, PROMOTION, TRICKY, met
from tests.sizes import sized

BLACK_TO_MOVE = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
BISHOPS = "4k3/8/8/2p2p2/8/3BB3/8/4K3 w - - 0 1"
KNIGHTS = "4k3/8/8/8/8/2N3N1/8/4K3 w - - 0 1"
ROOKS_ON_A_FILE = "4k3/8/8/R7/8/8/8/R3K3 w - - 0 1"
PAWNS = "4k3/8/8/3p1p2/2P1P1P1/8/8/4K3 w - - 0 1"
TWO_ROOKS_TO_TAKE = "2r1r1k1/3P4/8/8/8/8/7K/8 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "uci", "text"),
    [
        (BLACK_TO_MOVE, "e7e5", "P-K4"),
        (BLACK_TO_MOVE, "g8f6", "N-KB3"),
        (BLACK_TO_MOVE, "g7g6", "P-KN3"),
        (CASTLES, "e1g1", "O-O"),
        (CASTLES, "e1c1", "O-O-O"),
        (CASTLES, "a1a8", "RxQRch"),
        (CASTLES, "h1f1", "R-KB1"),
        (CASTLES, "a1d1", "R-Q1"),
        (EN_PASSANT, "e5d6", "PxP e.p."),
        (PROMOTION, "e7e8q", "P-K8(Q)ch"),
        (PROMOTION, "e7e8n", "P-K8(N)"),
        (KNIGHTS, "c3e4", "QN-K4"),
        (KNIGHTS, "g3e4", "KN-K4"),
        (KNIGHTS, "c3a4", "N-QR4"),
        (ROOKS_ON_A_FILE, "a1a3", "R(1)-QR3"),
        (ROOKS_ON_A_FILE, "a5a3", "R(5)-QR3"),
        (PAWNS, "e4d5", "KPxQP"),
        (PAWNS, "e4f5", "KPxBP"),
        (PAWNS, "c4d5", "BPxP"),
        (TWO_ROOKS_TO_TAKE, "d7c8q", "PxQR(Q)"),
        (TWO_ROOKS_TO_TAKE, "d7e8r", "PxKR(R)ch"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "R-QR8Mate"),
    ],
)
def test_the_written_form(fen: str, uci: str, text: str) -> None:
    position = parse_fen(fen)
    move = parse_uci(position, uci)
    assert format_descriptive(position, move) == text
    assert parse_descriptive(position, text) is move


@pytest.mark.parametrize(
    ("fen", "uci", "spellings"),
    [
        (BLACK_TO_MOVE, "e7e5", "P-K4|1....P-K4|1...P-K4!|p-k4|P - K4|KP-K4|P(K2)-K4|P/2-K4|♟-K4"),
        (BLACK_TO_MOVE, "g8f6", "N-KB3|Kt-KB3|KN-B3|KKt-B3|N(N1)-KB3|N(KN1)-B3|kt-kb3|♞–KB3"),
        (CASTLES, "e1g1", "O-O|0-0|Castles K|Castles (KR)|castles kingside|12. O-O ch"),
        (CASTLES, "e1c1", "O-O-O|0-0-0|Castles QR|Castles Q"),
        (CASTLES, "a1a8", "RxR(QR8)ch|QRxR|QRxQR|RxQR|QRxR+|R(QR1)xR|QR-R8|R-QR8|RxQR8 ch"),
        (EN_PASSANT, "e5d6", "PxP|PxP e.p.|PxPe.p.|PxP(e.p.)|KPxQP|PxP(Q5)|P-Q6"),
        (PROMOTION, "e7e8q", "P-K8(Q)|P-K8=Q|P-K8/Q|P-K8Q|7.P-K8(Q)ch|P-K8 (Q) dbl ch"),
        (BISHOPS, "e3c5", "BxP(QB5)|QBxP|BxQBP|BxP/QB5|B(K3)xP|Bxp(qb5)"),
        (BISHOPS, "d3b5", "KB-N5|B-QN5 ch|B-N5ch|B-QN5"),
        (TWO_ROOKS_TO_TAKE, "d7c8q", "PxR(QB8)=Q|PxR(QB8)(Q)|PxQR=Q|PxQR/Q"),
        ("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", "a1c2", "KN-B2|QN-B2|N-B2"),
    ],
)
def test_other_spellings(fen: str, uci: str, spellings: str) -> None:
    position = parse_fen(fen)
    for spelling in spellings.split("|"):
        assert parse_descriptive(position, spelling).uci() == uci, spelling


def test_each_player_counts_from_their_own_side() -> None:
    assert square_name(BY_NAME["e4"], WHITE) == "K4"
    assert square_name(BY_NAME["e4"], BLACK) == "K5"
    assert square_name(BY_NAME["g4"], BLACK) == "KN5"
    assert square_name(BY_NAME["a1"], WHITE) == "QR1"


def test_only_the_legal_one_is_meant() -> None:
    """A pinned knight is not a candidate."""
    position = parse_fen("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1")
    assert parse_descriptive(position, "N-K2").uci() == "g1e2"
    move = parse_uci(position, "g1e2")
    assert format_descriptive(position, move) == "N-K2"


@pytest.mark.parametrize(
    ("fen", "text", "kind", "message"),
    [
        (BLACK_TO_MOVE, "N-B3", AmbiguousMove, "N-B3: more than one move fits; write N-"),
        (KNIGHTS, "N-K4", AmbiguousMove, "N-K4: more than one move fits; write QN-K4, KN-K4"),
        (CASTLES, "Castles", AmbiguousMove, "CASTLES: more than one move fits; write O-O"),
        (
            PROMOTION,
            "P-K8",
            AmbiguousMove,
            "P-K8: more than one move fits; write P-K8(Q)ch, P-K8(R)ch, P-K8(B), P-K8(N)",
        ),
        (PAWNS, "PxP", AmbiguousMove, "PxP: more than one move fits; write "),
        (BLACK_TO_MOVE, "P-K5", IllegalMove, "P-K5: not legal here; legal moves are P-"),
        (BLACK_TO_MOVE, "QxQ", IllegalMove, "QxQ: not legal here; legal moves are "),
        (
            BLACK_TO_MOVE,
            "Nf6",
            UnreadableMove,
            "'Nf6': not a move; legal moves are ",
        ),
        (BLACK_TO_MOVE, "N-B9", UnreadableMove, "'N-B9': not a move; legal moves are "),
        (BLACK_TO_MOVE, "QQ-K2", UnreadableMove, "'QQ-K2': not a move; legal moves are "),
        (BLACK_TO_MOVE, "", UnreadableMove, "'': not a move; legal moves are "),
    ],
)
def test_faults(fen: str, text: str, kind: type[NotationError], message: str) -> None:
    position = parse_fen(fen)
    with pytest.raises(kind) as caught:
        parse_descriptive(position, text)
    assert str(caught.value).startswith(message)
    assert len(str(caught.value).splitlines()) == 1


def test_candidates_are_named_so_that_each_can_be_written() -> None:
    position = parse_fen(PAWNS)
    with pytest.raises(AmbiguousMove) as caught:
        parse_descriptive(position, "PxP")
    names = str(caught.value).split("write ")[1].split(", ")
    moves = {parse_descriptive(position, name).uci() for name in names}
    assert moves == {"c4d5", "e4d5", "e4f5", "g4f5"}


@pytest.mark.parametrize("fen", TRICKY)
def test_every_legal_move_is_written_and_read(fen: str) -> None:
    position = parse_fen(fen)
    texts = [format_descriptive(position, move) for move in position.legal_moves()]
    assert [parse_descriptive(position, text) for text in texts] == list(position.legal_moves())
    assert len(set(texts)) == len(texts)


@given(st.integers(0, 10**6))
@settings(max_examples=sized(8, 40), deadline=None)
def test_what_is_written_is_read(seed: int) -> None:
    position = met(seed)
    for move in position.legal_moves():
        assert parse_descriptive(position, format_descriptive(position, move)) is move


def test_only_a_legal_move_can_be_written() -> None:
    other = parse_uci(parse_fen(PAWNS), "e4d5")
    with pytest.raises(ValueError, match="is not legal in"):
        format_descriptive(Position.start(), other)


@pytest.mark.parametrize("text", ["K" * 60, "QRxQR(" * 10, "ch" * 30, "P-K4" * 10**6, "(" * 60])
def test_no_text_takes_long(text: str) -> None:
    start = time.process_time()
    with pytest.raises(UnreadableMove):
        parse_descriptive(Position.start(), text)
    assert time.process_time() - start < 0.5  # seconds


def test_a_surplus_sign_of_en_passant_does_no_harm() -> None:
    start = Position.start()
    assert parse_descriptive(start, "P-K4 e.p.") is parse_descriptive(start, "P-K4")
