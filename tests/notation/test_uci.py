"""UCI: castling in two spellings, and three ways to fail."""

from __future__ import annotations

import pytest

from boardfw.notation import AmbiguousMove, IllegalMove, UnreadableMove
from boardfw.notation.fen import parse_fen
from boardfw.notation.uci import format_uci, parse_uci
from boardfw.rules import Position

CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
PROMOTION = "3r3k/4P3/8/8/8/8/8/K7 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "spellings", "standard", "chess960"),
    [
        (CASTLES, "e1g1 e1h1", "e1g1", "e1h1"),
        (CASTLES, "e1c1 e1a1", "e1c1", "e1a1"),
        (CASTLES.replace("w", "b"), "e8c8 e8a8", "e8c8", "e8a8"),
        # The king steps to g1 in castling, where no plain step leads: the rook is there.
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "f1g1", "f1g1"),
        # The king is on e1, but the rook in no corner.
        ("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", "e1b1 e1c1", "e1b1", "e1b1"),
        # The king stays where it is.
        ("4k3/8/8/8/8/8/8/6KR w K - 0 1", "g1h1", "g1h1", "g1h1"),
        # The king could make this step without castling: only the rook's square means castling.
        ("4k3/8/8/8/8/8/8/5K1R w K - 0 1", "f1h1", "f1h1", "f1h1"),
    ],
)
def test_castling(fen: str, spellings: str, standard: str, chess960: str) -> None:
    position = parse_fen(fen)
    for spelling in spellings.split():
        move = parse_uci(position, spelling)
        assert move.is_castling
        assert format_uci(move) == standard
        assert format_uci(move, chess960=True) == chess960


def test_a_step_of_the_king_is_no_castling() -> None:
    position = parse_fen("4k3/8/8/8/8/8/8/5K1R w K - 0 1")
    move = parse_uci(position, "f1g1")
    assert not move.is_castling
    assert format_uci(move, chess960=True) == "f1g1"


@pytest.mark.parametrize("text", ["e7e8q", "e7e8r", "e7e8b", "e7e8n", "e7d8q", "a1b1"])
def test_what_was_read_is_written(text: str) -> None:
    assert format_uci(parse_uci(parse_fen(PROMOTION), f" {text}\n")) == text


def test_a_missing_promotion_is_asked_for() -> None:
    with pytest.raises(AmbiguousMove, match=r"^e7e8: .*write e7e8q, e7e8r, e7e8b, e7e8n$"):
        parse_uci(parse_fen(PROMOTION), "e7e8")


@pytest.mark.parametrize("text", ["", "e2", "e2e4e5", "e7e8k", "E2E4", "O-O", "e2e2", "e2\ne4"])
def test_unreadable(text: str) -> None:
    with pytest.raises(UnreadableMove, match="not a UCI move; legal moves are "):
        parse_uci(Position.start(), text)


def test_the_null_move_is_no_move() -> None:
    with pytest.raises(
        UnreadableMove, match=r"'0000': the null move is not a chess move; legal moves are "
    ):
        parse_uci(Position.start(), "0000")


@pytest.mark.parametrize(
    ("fen", "text", "answer"),
    [
        (PROMOTION, "a1b3", r"^a1b3: not legal here; legal from a1: (a1a2|a1b1|a1b2)"),
        (PROMOTION, "a1a2q", "legal from a1"),
        (PROMOTION, "h8g8", r"no legal move starts on h8; legal moves are e7"),
        (PROMOTION, "e7f8q", "legal from e7: .*e7d8q"),
        ("4k3/8/8/8/8/8/8/5K1R w K - 0 1", "f1d1", "legal from f1: .*f1h1"),
        ("6k1/8/8/8/8/8/8/QQQ1K3 w - - 0 1", "a1h1", r", \.\.\.$"),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "h8g8", "there is no legal move: checkmate"),
    ],
)
def test_illegal_names_what_would_be_legal(fen: str, text: str, answer: str) -> None:
    with pytest.raises(IllegalMove, match=answer):
        parse_uci(parse_fen(fen), text)
