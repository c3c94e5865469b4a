"""FEN: what is read, what is written, and the errors for bad texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.errors import NotationError
from boardfw.notation.fen import format_fen, parse_fen, parse_setup
from boardfw.recording import START_FEN
from boardfw.rules import Piece, Position
from boardfw.rules.board import placement_of
from boardfw.rules.setup import Setup
from boardfw.squares import BY_NAME, EVERY_SQUARE, names_of

CANONICAL = [
    START_FEN,
    "rnbqkbnr/pppp1ppp/8/8/3PpP2/8/PPP1P1PP/RNBQKBNR b KQkq d3 0 3",
    "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 12 34",
    "8/8/8/8/8/8/8/K1k5 w - - 99 120",
    # Chess960: outermost rooks on inner files; a rook that is not the outermost; both at once.
    "1r1k2r1/8/8/8/8/8/8/1R1K2R1 w KQkq - 0 1",
    "4k3/8/8/8/8/8/8/4K1RR w G - 0 1",
    "rr2k2r/8/8/8/8/8/8/R2K1RR1 b FQkb - 0 1",
]


@pytest.mark.parametrize("fen", CANONICAL)
def test_what_was_read_is_written(fen: str) -> None:
    assert format_fen(parse_fen(fen)) == fen
    assert format_fen(parse_fen(fen, strict=True)) == fen


@pytest.mark.parametrize(
    ("fen", "shredder"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 12 34", "Ha"),
        ("1r1k2r1/8/8/8/8/8/8/1R1K2R1 w KQkq - 0 1", "GBgb"),
        ("rr2k2r/8/8/8/8/8/8/R2K1RR1 b FQkb - 0 1", "FAhb"),
        ("8/8/8/8/8/8/8/K1k5 w - - 99 120", "-"),
    ],
)
def test_shredder_fen(fen: str, shredder: str) -> None:
    text = format_fen(parse_fen(fen), shredder=True)
    assert text.split()[2] == shredder
    assert parse_fen(text) == parse_fen(text, strict=True) == parse_fen(fen)


@pytest.mark.parametrize(
    ("castling", "rooks"),
    [
        ("KQkq", "b1 g1 a8 h8"),
        ("qkQK", "b1 g1 a8 h8"),
        ("GBhb", "b1 g1 b8 h8"),
        ("KBha", "b1 g1 a8 h8"),
        ("hK", "g1 h8"),
        ("KG", "g1"),  # twice the same rook
        ("-", ""),
        ("–", ""),
    ],
)
def test_rights_to_castle(castling: str, rooks: str) -> None:
    fen = f"rr2k2r/8/8/8/8/8/8/1R1K2R1 w {castling} - 0 1"
    assert names_of(parse_fen(fen).castling) == rooks.split()


def test_missing_fields_take_their_usual_values() -> None:
    assert parse_fen("  7k/8/8/8/8/8/R7/K7  ") == parse_fen("7k/8/8/8/8/8/R7/K7 w - - 0 1")
    assert parse_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq") == Position.start()
    assert parse_fen("7k/8/8/8/8/8/R7/K7 w - - 0 0").fullmove_number == 1


@pytest.mark.parametrize(
    ("fen", "square"),
    [
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            None,
        ),  # no pawn can capture
        ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", None),  # no pawn at all
        ("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2", None),  # the capture would expose the king
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "d6"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 7 2", "d6"),  # a clock that was not reset
    ],
)
def test_an_en_passant_square_counts_where_a_capture_is_legal(fen: str, square: str | None) -> None:
    assert parse_fen(fen).en_passant == (square and BY_NAME[square])


@pytest.mark.parametrize(
    ("fen", "text"),
    [
        ("", "empty"),
        ("8/8/8 w - - 0 1", "3 ranks where 8"),
        ("x", "pieces 'x': 1 rank where 8"),
        ("7k/8/8/8/8/8/R8/K7 w - - 0 1", "rank 2 'R8': 9 squares"),
        ("7k/8/8/8/8/8/R5/K7 w - - 0 1", "rank 2 'R5': 6 squares"),
        ("7k/8/8/8/8/8/Rx6/K7 w - - 0 1", "rank 2 'Rx6': 'x' is not a piece"),
        ("7k/8/8/8/8/8/R7/K7 x - - 0 1", "side to move 'x'"),
        ("7k/8/8/8/8/8/R7/K7 w KX - 0 1", "castling 'KX'"),
        ("7k/8/8/8/8/8/R7/K7 w KK - 0 1", "castling 'KK'"),
        ("7k/8/8/8/8/8/R7/K7 w K - 0 1", "White cannot castle"),
        ("7k/8/8/8/8/8/R7/K7 w - i9 0 1", "en passant 'i9'"),
        ("7k/8/8/8/8/8/R7/K7 w - - -1 1", "halfmove clock '-1'"),
        ("7k/8/8/8/8/8/R7/K7 w - - 0 ²", "move number '\\xb2'"),
        ("7k/8/8/8/8/8/R7/K7 w - - 0 1 moves", "7 fields"),
        ("8/8/8/8/8/8/R7/K7 w - - 0 1", "Black has no king"),
        ("K" * 100_000 + "/8/8/8/8/8/8/8 w - - 0 1", "100000 squares instead of 8"),
    ],
)
def test_a_bad_text_is_answered_with_one_line(fen: str, text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_fen(fen)
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("fen", "text"),
    [
        ("7k/8/8/8/8/8/R7/K7 w - -", "4 fields; write six"),
        ("7k/8/8/8/8/8/R7/K7 w - -  0 1", "separated by single blanks"),
        ("7k/8/8/8/8/8/R7/K7 w - - 0 1\n", "separated by single blanks, with none before or after"),
        ("7k/8/8/8/8/8/R43/K7 w - - 0 1", "pieces '7k/8/8/8/8/8/R43/K7': write 7k/8/8/8/8/8/R7/K7"),
        ("r3k3/8/8/8/8/8/8/4K2R w qK - 0 1", "castling 'qK': write Kq"),
        ("r3k3/8/8/8/8/8/8/4K2R w Hq - 0 1", "castling 'Hq': write Kq"),
        ("7k/8/8/8/8/8/R7/K7 w – - 0 1", "castling '\\u2013': write -"),
        ("7k/8/8/8/8/8/R7/K7 w - - 00 1", "halfmove clock '00': write 0"),
        ("7k/8/8/8/8/8/R7/K7 w - - 0 0", "move number '0': write 1"),
        ("7k/8/8/8/8/8/R7/K7 w - e6 0 1", "no pawn can just have jumped e6"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 1 2", "clock 1: write 0, because a pawn has just moved"),
    ],
)
def test_the_strict_reader_names_the_field_and_what_to_write(fen: str, text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_fen(fen, strict=True)
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_strict_reader_takes_an_en_passant_square_after_every_double_step() -> None:
    fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
    assert parse_fen(fen, strict=True) == parse_fen(fen.replace("e3", "-"))


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    """Any set-up position that FEN can express, mostly nonsense with many rooks and kings."""
    letters = st.sampled_from("KQRBNPkqrbnpRRKrrk")
    squares = (
        st.sampled_from(EVERY_SQUARE)
        | st.sampled_from(EVERY_SQUARE[:8])
        | st.sampled_from(EVERY_SQUARE[56:])
    )
    pieces = draw(st.dictionaries(squares, letters, max_size=30))
    return Setup(
        placement_of({square: Piece.of(letter) for square, letter in pieces.items()}),
        draw(st.integers(0, 1)),
        draw(st.integers(0, 255)) | draw(st.integers(0, 255)) << 56,
        draw(st.none() | st.sampled_from(EVERY_SQUARE)),
        draw(st.integers(0, 150)),
        draw(st.integers(1, 300)),
    )


@given(setups(), st.booleans())
def test_any_set_up_is_written_and_read_again(setup: Setup, shredder: bool) -> None:
    text = format_fen(setup, shredder=shredder)
    assert parse_setup(text) == setup
    assert format_fen(parse_setup(text), shredder=shredder) == text
