"""Checklist of the rules, 81 to 84: the board and what the pieces are worth."""

from __future__ import annotations

from boardfw.notation.fen import format_fen
from boardfw.rules import BISHOP, BLACK, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE, Outcome, Position
from boardfw.rules.material import (
    MAJOR,
    MINOR,
    VALUES,
    imbalance,
    is_insufficient_material,
    lacks_mating_material,
    material,
)
from boardfw.rules.outcome import outcome
from boardfw.squares import BY_NAME, NAMES, file_of, is_light, rank_of
from tests.rules.boards import board

START = """
    8 rnbqkbnr
    7 pppppppp
    2 PPPPPPPP
    1 RNBQKBNR
"""


def test_checklist_081_the_start() -> None:
    start = Position.start()
    assert format_fen(start) == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    assert start.placement == board(START).placement
    assert len(start.legal_moves()) == 20
    assert is_light(BY_NAME["h1"])
    assert not is_light(BY_NAME["a1"])
    # The queen on its own colour; knights and bishops by the side of the board they are on.
    for square, kind, color in (
        *(("d1", QUEEN, WHITE), ("d8", QUEEN, BLACK), ("e1", KING, WHITE), ("e8", KING, BLACK)),
        *(("g1", KNIGHT, WHITE), ("b1", KNIGHT, WHITE), ("h8", ROOK, BLACK), ("b7", PAWN, BLACK)),
    ):
        assert start.piece_at(BY_NAME[square]) == (kind, color)
    assert is_light(BY_NAME["d1"])
    assert not is_light(BY_NAME["d8"])


def test_checklist_082_a_square_is_a_letter_and_a_digit() -> None:
    assert (NAMES[0], NAMES[7], NAMES[56], NAMES[63]) == ("a1", "h1", "a8", "h8")
    assert (file_of(BY_NAME["e4"]), rank_of(BY_NAME["e4"])) == (4, 3)
    assert all(file_of(BY_NAME[name]) < 4 for name in ("a1", "b8", "c3", "d6"))  # queen's side
    assert all(file_of(BY_NAME[name]) > 3 for name in ("e1", "f8", "g3", "h6"))  # king's side
    assert len(set(NAMES)) == 64


def test_checklist_083_what_the_pieces_are_worth() -> None:
    assert {KING} == set(range(PAWN, KING + 1)) - set(VALUES)  # the king is invaluable
    assert [VALUES[kind] for kind in (QUEEN, ROOK, BISHOP, KNIGHT, PAWN)] == [9, 5, 3, 3, 1]

    def worth(pieces: str) -> int:
        rank = pieces.ljust(7, ".")
        return material(board(f"8 .......k\n6 {rank}K").placement, WHITE)

    assert worth("RR") == 10 > worth("Q")
    assert worth("BN") == 6 > worth("R")
    assert worth("PPP") == worth("B") == worth("N") == 3
    start = Position.start().placement
    assert material(start, WHITE) == material(start, BLACK) == 39
    assert imbalance(start) == 0
    assert imbalance(board("8 ..q.k...\n1 R...K..R").placement) == 1


def test_checklist_084_major_pieces_mate_alone_and_minor_ones_do_not() -> None:
    assert {QUEEN, ROOK} == MAJOR
    assert {BISHOP, KNIGHT} == MINOR
    for letter in "QR":
        assert not is_insufficient_material(board(f"6 ....k...\n3 ...{letter}K...").placement)
        mate = board(f"8 .k..{letter}...\n6 .K......", turn="b")
        assert outcome(mate) == Outcome("1-0", "checkmate")
    for letter in "BN":
        assert is_insufficient_material(board(f"6 ....k...\n3 ...{letter}K...").placement)
    # Helped by enemy pieces even a minor piece may mate, but a queen shuts in no king.
    for pieces, can_mate in (
        ("N......r", True),
        ("N......q", False),
        ("B......n", True),
        ("B......q", False),
    ):
        placement = board(f"8 .......k\n4 {pieces}\n2 .K......").placement
        assert lacks_mating_material(placement, WHITE) != can_mate
