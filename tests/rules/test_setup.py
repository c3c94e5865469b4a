"""Each fault of an arrangement is named with its squares and its remedy."""

from __future__ import annotations

import pytest

from boardfw.notation.fen import parse_fen, parse_setup
from boardfw.recording import START_FEN
from boardfw.rules import Position
from boardfw.rules.setup import Setup, SetupError
from boardfw.squares import names_of

FAULTS = [
    ("8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has no king", []),
    ("4k3/8/8/8/8/8/8/8 w - - 0 1", "White has no king", []),
    ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "White has kings on a1, e1", ["a1", "e1"]),
    ("P3k3/8/8/8/8/8/8/4K2p w - - 0 1", "no pawn can stand on h1, a8", ["h1", "a8"]),
    ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "Black's king on e8 is in check by e1", ["e1", "e8"]),
    ("8/8/8/3kK3/8/8/8/8 w - - 0 1", "is in check by e5", ["d5", "e5"]),
    ("4k3/8/8/8/4r3/3n4/3p4/4K3 w - - 0 1", "3 men", ["e1", "d2", "d3", "e4"]),
    ("4k3/8/8/8/8/8/8/3K3R w K - 0 1", "White cannot castle: the king", ["d1", "e1"]),
    ("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", "White cannot castle with a1", ["a1"]),
    ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", "e3 is no en passant square", ["e3"]),
    ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "no pawn can just have jumped", ["e5", "e6", "e7"]),
    ("4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1", "no pawn can just have", ["e5", "e6", "e7"]),
    ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "White has 9 pawns", None),
    ("4k3/8/8/8/RRRRRRRR/NNNNNNNN/8/4K3 w - - 0 1", "White has 17 men", None),
    ("4k3/8/8/8/8/8/P1QQQQQQ/QQQQK3 w - - 0 1", "would need 9 promoted men", None),
]


@pytest.mark.parametrize(("fen", "text", "squares"), FAULTS)
def test_faults(fen: str, text: str, squares: list[str] | None) -> None:
    problems = parse_setup(fen).problems()
    assert text in problems[0].text
    assert "\n" not in problems[0].text
    if squares is not None:
        assert names_of(problems[0].squares) == squares


def test_every_fault_is_told_at_once() -> None:
    with pytest.raises(SetupError, match=r"no king.*no pawn") as caught:
        parse_setup("P7/8/8/8/8/8/8/4K3 w - - 0 1").position()
    assert len(caught.value.problems) == 2


def test_an_empty_board_lacks_both_kings() -> None:
    assert [problem.text[:5] for problem in Setup().problems()] == ["White", "Black"]


def test_a_sound_arrangement_is_a_position() -> None:
    setup = parse_setup(START_FEN)
    assert setup.problems() == ()
    assert setup.position() == Position.start() == parse_fen(START_FEN)


def test_nine_queens_may_have_been_pawns() -> None:
    assert parse_setup("4k3/8/8/8/8/8/QQQQQQQQ/Q3K3 b - - 0 1").problems() == ()
