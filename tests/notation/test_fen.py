"""FEN: what is read, what is written, and what a bad text is answered."""

from __future__ import annotations

import pytest

from boardfw.errors import NotationError
from boardfw.notation.fen import format_fen, parse_fen
from boardfw.recording import START_FEN
from boardfw.rules import Position


@pytest.mark.parametrize(
    "fen",
    [
        START_FEN,
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 12 34",
        "8/8/8/8/8/8/8/K1k5 w - - 99 120",
    ],
)
def test_what_was_read_is_written(fen: str) -> None:
    assert format_fen(parse_fen(fen)) == fen


def test_missing_fields_take_their_usual_values() -> None:
    assert parse_fen("  7k/8/8/8/8/8/R7/K7  ") == parse_fen("7k/8/8/8/8/8/R7/K7 w - - 0 1")
    assert parse_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq") == Position.start()
    assert parse_fen("7k/8/8/8/8/8/R7/K7 w - - 0 0").fullmove_number == 1


@pytest.mark.parametrize(
    ("fen", "text"),
    [
        ("", "empty"),
        ("8/8/8 w - - 0 1", "3 ranks where 8"),
        ("7k/8/8/8/8/8/R8/K7 w - - 0 1", "rank 2 'R8': 9 squares"),
        ("7k/8/8/8/8/8/R5/K7 w - - 0 1", "rank 2 'R5': 6 squares"),
        ("7k/8/8/8/8/8/Rx6/K7 w - - 0 1", "rank 2 'Rx6': 'x' is no man"),
        ("7k/8/8/8/8/8/R7/K7 x - - 0 1", "side to move 'x'"),
        ("7k/8/8/8/8/8/R7/K7 w KX - 0 1", "castling 'KX'"),
        ("7k/8/8/8/8/8/R7/K7 w KK - 0 1", "castling 'KK'"),
        ("7k/8/8/8/8/8/R7/K7 w K - 0 1", "White cannot castle"),
        ("7k/8/8/8/8/8/R7/K7 w - i9 0 1", "en passant 'i9'"),
        ("7k/8/8/8/8/8/R7/K7 w - - -1 1", "halfmove clock '-1'"),
        ("7k/8/8/8/8/8/R7/K7 w - - 0 ²", "move number '\\xb2'"),
        ("7k/8/8/8/8/8/R7/K7 w - - 0 1 moves", "7 fields"),
        ("8/8/8/8/8/8/R7/K7 w - - 0 1", "Black has no king"),
    ],
)
def test_a_bad_text_is_answered_with_one_line(fen: str, text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_fen(fen)
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)
