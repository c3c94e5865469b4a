"""What the reader on trial says of its reasons."""

from __future__ import annotations

import pytest

from boardfw.inference.reading.accounts import Account, accounts_of
from tests.inference.reading.table import Table, table_after

OPENING = "e2e4 e7e5 g1f3 b8c6"


def told(table: Table, ply: int) -> list[Account]:
    return accounts_of(table.reader.credible, ply, table.reader.shown)


def test_a_capture_and_the_held_piece_that_looks_the_same() -> None:
    table = table_after(OPENING).touch("f3 e5 e5").wait(300)
    capture, held, *_ = [*told(table, 5), None]
    assert capture
    assert capture.move
    assert capture.move.uci() == "f3e5"
    assert capture.probability > 0.999
    assert capture.beliefs == ()
    assert held is None, "it is too improbable to be told"


def test_a_held_piece_and_the_capture_that_nobody_saw() -> None:
    held, capture = told(table_after(OPENING).touch("f3").wait(8_000), 5)
    assert held.move is None
    assert held.beliefs == ("the knight of f3 is in the hand",)
    assert capture.move
    assert capture.move.uci() == "f3e5"
    assert capture.beliefs == ("e5 never opened when it was captured",)
    assert held.probability + capture.probability == pytest.approx(1, abs=0.001)


def test_a_ply_whose_piece_was_slid_says_over_which_squares() -> None:
    table = table_after("e2e4 e7e5").touch("f1 e2 e2 d3 d3 c4", every_ms=60).wait(2_000)
    account = told(table, 3)[0]
    assert account.beliefs == ("the piece came over e2 and d3",)


def test_what_stands_wrong_is_no_ply() -> None:
    (account,) = told(table_after(OPENING).touch("h5").wait(2_000), 5)
    assert account.move is None
    assert account.beliefs == ("what stands on h5 is no ply",)


def test_pieces_that_were_straightened_are_named() -> None:
    (account,) = told(table_after(OPENING).touch("a2 h7 a2 h7").wait(100), 5)
    assert account.beliefs == ("a2 and h7 were only straightened",)


def test_a_captured_piece_that_was_parked_is_named() -> None:
    table = table_after("e2e4 d7d5 a2a3 h7h6").touch("d5 h3 e4 d5").wait(3_000)
    account = told(table, 5)[0]
    assert account.beliefs == ("a captured piece was put on h3",)
