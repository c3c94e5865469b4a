"""Captured pieces that are put on the board and cleared away later, before the reader on trial."""

from __future__ import annotations

import pytest

from tests.inference.reading.table import table_after

BEFORE = "e2e4 d7d5 a2a3 h7h6"


@pytest.mark.parametrize(
    "touches",
    ["d5 h3 e4 d5", "e4 d5 h3 d5", "e4 d5 d5 h3"],
    ids=["victim first", "both in the hands", "after the ply"],
)
def test_a_captured_piece_may_be_put_on_an_empty_square(touches: str) -> None:
    table = table_after(BEFORE).touch(touches).wait(3_000)
    assert table.moves == f"{BEFORE} e4d5"
    table.play("g8f6 f1e2").wait(3_000)
    assert table.moves == f"{BEFORE} e4d5 g8f6 f1e2"
    assert table.finals == (7, 7)


def test_a_piece_that_is_cleared_away_changes_nothing() -> None:
    table = table_after(BEFORE).touch("d5 h3 e4 d5").wait(3_000)
    table.touch("h3").wait(2_000)
    assert table.moves == f"{BEFORE} e4d5"
    assert table.play("g8f6 h2h3").wait(3_000).moves.endswith("g8f6 h2h3"), "its square is in play"
    assert table.finals == (7, 7)


def test_where_the_last_mover_could_have_gone_no_captured_piece_is_put() -> None:
    table = table_after("e2e4 e7e5 g1f3 b8c6").touch("f3 e5 e5", every_ms=300)
    table.touch("e5 h4", every_ms=300).wait(3_000)
    assert table.moves.endswith("f3h4")


def test_a_piece_put_down_without_a_capture_stands_wrong() -> None:
    table = table_after(BEFORE).touch("h4").wait(20_000)
    assert table.moves == BEFORE
    assert table.reader.faults == ()
