"""Long algebraic: both squares of every move."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.notation import AmbiguousMove, IllegalMove, UnreadableMove
from boardfw.notation.fen import parse_fen
from boardfw.notation.long import format_long, parse_long
from boardfw.notation.uci import parse_uci
from boardfw.rules import Position
from tests.notation.test_san import CASTLES, EN_PASSANT, PROMOTION, TRICKY, met
from tests.sizes import sized


@pytest.mark.parametrize(
    ("fen", "uci", "text"),
    [
        (CASTLES, "e1g1", "O-O"),
        (CASTLES, "e1c1", "O-O-O"),
        (CASTLES, "a1a8", "Ra1xa8+"),
        (CASTLES, "e1e2", "Ke1-e2"),
        (EN_PASSANT, "e5d6", "e5xd6e.p."),
        (EN_PASSANT, "e5e6", "e5-e6"),
        (PROMOTION, "e7e8q", "e7-e8=Q+"),
        ("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7a8n", "b7xa8=N"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra1-a8#"),
    ],
)
def test_the_form(fen: str, uci: str, text: str) -> None:
    position = parse_fen(fen)
    move = parse_uci(position, uci)
    assert format_long(position, move) == text
    assert parse_long(position, text) is move


@pytest.mark.parametrize("fen", TRICKY)
def test_every_legal_move_is_written_and_read(fen: str) -> None:
    position = parse_fen(fen)
    for move in position.legal_moves():
        assert parse_long(position, format_long(position, move)) is move


@given(st.integers(0, 10**6))
@settings(max_examples=sized(5, 20), deadline=None)
def test_what_is_written_is_read(seed: int) -> None:
    position = met(seed)
    for move in position.legal_moves():
        assert parse_long(position, format_long(position, move)) is move


def test_faults_name_moves_in_the_long_form() -> None:
    start = Position.start()
    with pytest.raises(IllegalMove) as illegal:
        parse_long(start, "Ng1-g3")
    assert str(illegal.value).startswith("Ng1-g3: not legal here; legal moves are Ng1-")
    with pytest.raises(UnreadableMove) as unreadable:
        parse_long(start, "Ng1-")
    assert str(unreadable.value).startswith("'Ng1-': not a move; legal moves are a2-a3, ")
    with pytest.raises(AmbiguousMove) as ambiguous:
        parse_long(parse_fen(PROMOTION), "e7-e8")
    assert str(ambiguous.value) == (
        "e7-e8: more than one move fits; write e7-e8=Q+, e7-e8=R+, e7-e8=B, e7-e8=N"
    )
