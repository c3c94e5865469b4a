"""UCI and SAN: one move in many spellings, and three ways to fail."""

from __future__ import annotations

import pytest

from boardfw.notation import AmbiguousMove, IllegalMove, UnreadableMove
from boardfw.notation.fen import parse_fen
from boardfw.notation.san import format_san, move_number, numbered_san, parse_san
from boardfw.notation.uci import format_uci, parse_uci
from boardfw.rules import Position

PROMOTION = "7k/4P3/8/8/8/8/8/K7 w - - 0 1"
CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"
TWO_KNIGHTS = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"
THREE_QUEENS = "6k1/8/8/8/4Q2Q/8/8/K6Q w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "uci", "san"),
    [
        (PROMOTION, "e7e8q", "e8=Q+"),
        (CASTLES, "e1g1", "O-O"),
        (CASTLES, "e1c1", "O-O-O"),
        (CASTLES, "a1a8", "Rxa8+"),
        (EN_PASSANT, "e5d6", "exd6"),
        (TWO_KNIGHTS, "b1d2", "Nbd2"),
        (TWO_KNIGHTS, "b1c3", "Nc3"),
        (THREE_QUEENS, "h4e1", "Qh4e1"),
        ("4k3/8/8/8/R7/8/8/R3K3 w - - 0 1", "a1a3", "R1a3"),
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"),
    ],
)
def test_the_canonical_form(fen: str, uci: str, san: str) -> None:
    position = parse_fen(fen)
    move = parse_uci(position, uci)
    assert format_san(position, move) == san
    assert parse_san(position, san) is move
    assert format_uci(move) == uci


def test_moves_are_numbered_from_the_side_to_move() -> None:
    white = Position.start()
    moves = [parse_uci(white, "e2e4")]
    black = white.play(moves[0])
    moves.append(parse_uci(black, "c7c5"))
    moves.append(parse_uci(black.play(moves[1]), "g1f3"))
    assert numbered_san(white, moves) == "1.e4 c5 2.Nf3"
    assert numbered_san(black, moves[1:]) == "1...c5 2.Nf3"
    assert numbered_san(white, []) == ""
    assert [move_number(white, ply) for ply in (1, 2, 3)] == ["1.", "1...", "2."]
    assert [move_number(black, ply) for ply in (1, 2, 3)] == ["1...", "2.", "2..."]


@pytest.mark.parametrize(
    ("fen", "uci", "spellings"),
    [
        (PROMOTION, "e7e8q", "e8=Q e8Q e8/Q e8(Q) e8=Q+ e7-e8=Q e7e8Q! e8Q+!?"),
        (CASTLES, "e1g1", "O-O 0-0 o-o OO 0-0! e1-g1 e1g1"),
        (CASTLES, "e1c1", "O-O-O 0-0-0 0-0-0?! e1c1"),
        (CASTLES, "a1a8", "Rxa8 Ra8 RXa8+ Ra1xa8ch Raxa8 R1xa8 a1a8 Rxa8++"),
        (EN_PASSANT, "e5d6", "exd6 ed6 eXd6 e5xd6 exd6e.p. exd6ep exd6!! Pexd6 e5d6"),
    ],
)
def test_other_spellings(fen: str, uci: str, spellings: str) -> None:
    position = parse_fen(fen)
    for spelling in spellings.split():
        assert parse_san(position, spelling).uci() == uci, spelling


def test_spaces_before_a_sign() -> None:
    assert parse_san(parse_fen(EN_PASSANT), " exd6 e.p. !").uci() == "e5d6"


@pytest.mark.parametrize("text", ["", "hello", "Nf9", "e8=K", "O-O-O-O", "Qd4Qd5", "é4", "N" * 999])
def test_an_unreadable_move(text: str) -> None:
    with pytest.raises(UnreadableMove):
        parse_san(Position.start(), text)


@pytest.mark.parametrize(
    ("text", "hint"), [("Nf6", "Nf3"), ("e5", "e4"), ("O-O", "a3"), ("Qd4", "legal moves are")]
)
def test_an_illegal_move_names_what_would_be_legal(text: str, hint: str) -> None:
    with pytest.raises(IllegalMove, match=hint):
        parse_san(Position.start(), text)


def test_an_ambiguous_move_names_its_candidates() -> None:
    with pytest.raises(AmbiguousMove, match=r"Nbd2, Nfd2|Nfd2, Nbd2"):
        parse_san(parse_fen(TWO_KNIGHTS), "Nd2")
    with pytest.raises(AmbiguousMove, match=r"e8=Q\+.*e8=N"):
        parse_san(parse_fen(PROMOTION), "e8")


def test_a_pinned_knight_makes_nothing_ambiguous() -> None:
    position = parse_fen("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1")
    assert parse_san(position, "Ne2").uci() == "g1e2"
