"""What the reader on trial promises to anybody who plays."""

from __future__ import annotations

import pytest

from tests.inference.reading.table import Table, table_after

OPENING = "e2e4 e7e5 g1f3 b8c6"


def test_moves_are_read_one_after_the_other() -> None:
    moves = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1g1 f7f6"
    table = table_after(moves)
    assert table.moves == moves
    assert len(table.seen) == 11, "nothing else was ever announced"
    assert table.finals == (10, 10)


@pytest.mark.parametrize(
    "touches", ["f3 e5 e5", "e5 f3 e5", "f3 e5 g4 g4 e5"], ids=["attacker", "victim", "straighten"]
)
def test_order_of_a_capture_does_not_matter(touches: str) -> None:
    table = table_after(OPENING + " a2a3 h7h6")
    if "g4" in touches:
        touches = touches.replace("g4", "a1")
    assert table.touch(touches).wait(4_000).moves.endswith("f3e5")


@pytest.mark.parametrize("touches", ["e1 g1 h1 f1", "h1 f1 e1 g1", "e1 h1 g1 f1", "h1 e1 f1 g1"])
def test_order_of_castling_does_not_matter(touches: str) -> None:
    table = table_after("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5")
    assert table.touch(touches).wait(4_000).moves.endswith("e1g1")


def test_castling_may_wait_for_its_rook() -> None:
    table = table_after("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5").touch("e1 g1").wait(60_000)
    assert table.moves.endswith("f8c5")
    assert table.touch("h1 f1").wait(2_000).moves.endswith("e1g1")


@pytest.mark.parametrize("touches", ["e5 d6 d5", "e5 d5 d6", "d5 e5 d6"])
def test_en_passant_in_any_order(touches: str) -> None:
    table = table_after("e2e4 a7a6 e4e5 d7d5")
    assert table.touch(touches).wait(4_000).moves.endswith("e5d6")


def test_a_slide_is_one_ply() -> None:
    table = table_after("e2e4 e7e5").touch("f1 e2 e2 d3 d3 c4", every_ms=60).wait(4_000)
    assert table.moves.endswith("f1c4")
    assert table.finals == (3, 3)


def test_two_slides_at_once() -> None:
    table = table_after("d2d4 g8f6 g1f3")
    table.touch("d7 c1 d6 d2 d6 d2 d5 e3 e3 f4", every_ms=30).wait(4_000)
    assert table.moves == "d2d4 g8f6 g1f3 d7d5 c1f4"


def test_two_pawns_that_are_slid_at_once_make_one_ply_each() -> None:
    table = Table().touch("e2 e3 e6 e7 e3 e4 e5 e6", every_ms=20).wait(4_000)
    assert table.moves == "e2e4 e7e5"
    assert table.finals[0] == 2


def test_a_ply_and_its_reply_may_become_visible_in_one_scan() -> None:
    table = table_after("e2e4 e7e5 f1c4").touch("g8 b1", every_ms=80)
    table.flip("c3", "f6").wait(4_000)
    assert table.moves.endswith("f1c4 g8f6 b1c3")


def test_a_swap_of_a_few_milliseconds_is_a_capture() -> None:
    table = table_after("e2e4 d7d5").touch("e4")
    table.flip("d5").wait(12).flip("d5").wait(4_000)
    assert table.moves.endswith("e4d5")


def test_a_promotion_is_chosen_by_putting_back() -> None:
    table = table_after("h2h4 g7g5 h4g5 h7h6 g5h6 b8c6 h6h7 a8b8")
    table.touch("h7 g8 g8")
    assert table.moves.endswith("h7g8q")
    table.touch("g8 g8")
    assert table.moves.endswith("h7g8q"), "the first time the pawn is exchanged"
    table.touch("g8 g8")
    assert table.moves.endswith("h7g8n")
    table.wait(5_000).touch("g8 g8")
    assert table.moves.endswith("h7g8n"), "after four seconds it is adjusting"


def test_plies_are_taken_back_on_the_board() -> None:
    table = table_after(OPENING).touch("c6 b8 f3 g1", every_ms=500).wait(2_000)
    assert table.moves == "e2e4 e7e5"
    assert table.play("f1c4").moves == "e2e4 e7e5 f1c4"


def test_a_player_may_change_their_mind() -> None:
    table = table_after("e2e4 e7e5").touch("f1 c4").wait(1_500).touch("c4 b5").wait(3_000)
    assert table.moves == "e2e4 e7e5 f1b5"


def test_adjusting_is_no_ply() -> None:
    table = table_after(OPENING)
    table.touch("f3 f3 e5 e5 a1 h8 a1 h8", every_ms=400).wait(3_000)
    assert table.moves == OPENING
    assert len(table.seen) == 5


def test_a_quick_reply_ends_the_ply_before() -> None:
    table = Table().play("e2e4", rest_ms=250)
    before = table.finals
    table.touch("e7 e5", every_ms=200)
    assert before[1] == 0
    assert table.finals[0] == 1


def test_what_explains_nothing_is_no_ply_and_nothing_is_final() -> None:
    table = table_after(OPENING).touch("f3 h5").wait(10_000)
    assert table.moves == OPENING
    assert table.touch("h5 f3").wait(1_000).play("f1b5").moves == OPENING + " f1b5"
