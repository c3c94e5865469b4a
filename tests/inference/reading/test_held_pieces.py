"""A lifted piece is no ply, however long it is held; a real capture is not lost by that."""

from __future__ import annotations

import pytest

from tests.inference.reading.table import Table, table_after

OPENING = "e2e4 e7e5 g1f3 b8c6"


@pytest.mark.parametrize("held_s", [1, 9, 60, 300])
@pytest.mark.parametrize("straightened", ["", "h2 h2", "a7 a7", "b1 b1 h7 h7"])
def test_a_held_piece_is_no_ply(held_s: int, straightened: str) -> None:
    table = table_after(OPENING).touch("f3").wait(500 * held_s)
    table.touch(straightened, every_ms=500).wait(500 * held_s)
    assert table.read.lifted == 1 << 21
    table.touch("f3").wait(3_000)
    assert table.seen[-1] == OPENING
    assert len(table.seen) == 5, "no other game was ever announced"


def test_both_players_hold_a_piece() -> None:
    table = table_after(OPENING).touch("f3 c6").wait(20_000).touch("c6 f3").wait(2_000)
    assert len(table.seen) == 5


def test_a_queen_that_could_mate_is_held_and_goes_elsewhere() -> None:
    table = table_after("e2e4 e7e5 d1h5 b8c6 f1c4 g8f6").touch("h5").wait(30_000)
    assert "h5f7" not in " ".join(table.seen)
    assert table.touch("e2").wait(2_000).moves.endswith("h5e2")


def test_a_piece_that_was_held_captures_after_all() -> None:
    table = table_after(OPENING).touch("f3").wait(10_000).touch("e5 e5").wait(4_000)
    assert table.moves == OPENING + " f3e5"


def test_a_capture_that_was_not_seen_becomes_a_ply_with_the_reply() -> None:
    table = table_after(OPENING).touch("f3").wait(3_000)
    assert table.moves == OPENING
    table.touch("d7 d6").wait(2_000)
    assert table.moves.startswith(OPENING + " f3e5 d7d6")


def test_a_straightened_victim_is_taken_back_when_the_held_piece_goes_elsewhere() -> None:
    table = table_after(OPENING).touch("f3").wait(2_000).touch("e5 e5").wait(500)
    assert table.moves == OPENING + " f3e5", "it looks exactly like a capture"
    table.touch("d4").wait(4_000)
    assert table.moves == OPENING + " f3d4"


def test_a_held_piece_does_not_hide_the_games_end() -> None:
    table = Table().play("f2f3 e7e5 g2g4")
    assert table.touch("d8").wait(30_000).moves == "f2f3 e7e5 g2g4"
    assert table.touch("h4").wait(1_000).position.is_checkmate()
