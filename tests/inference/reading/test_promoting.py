"""What a pawn became: put-backs choose, a lost contact is asked about, a later move settles it."""

from __future__ import annotations

import pytest

from boardfw.notation.fen import parse_fen
from tests.inference.reading.table import Table
from tests.inference.reading.test_asking import candidates

PAWN = "8/P3k3/8/8/8/8/4p3/2K5 w - - 0 1"


def promoted(*away_ms: float) -> Table:
    """The pawn arrives on a8; then the piece there is away for each of these times, put back."""
    table = Table(parse_fen(PAWN)).touch("a7 a8", every_ms=500)
    for ms in away_ms:
        table.touch("a8", every_ms=ms).touch("a8", every_ms=700)
    return table


@pytest.mark.parametrize(
    ("away_ms", "piece"),
    [
        ((), "q"),
        ((800,), "q"),
        ((800, 700), "n"),
        ((800, 700, 700), "r"),
        ((800, 700, 700, 700), "b"),
        ((800, 700, 700, 700, 700), "q"),
        ((40,), "q"),
        ((40, 800), "q"),  # the pawn rocked before it was exchanged
        ((40, 800, 800), "n"),
        ((800, 40, 40), "q"),  # the queen rocked
    ],
)
def test_put_backs_choose_and_a_rocking_piece_does_not(
    away_ms: tuple[float, ...], piece: str
) -> None:
    table = promoted(*away_ms)
    assert table.moves == f"a7a8{piece}"
    assert not candidates(table.wait(5_000))
    assert table.touch("e7 d6").wait(5_000).moves == f"a7a8{piece} e7d6"
    assert table.finals == (2, 2)


def test_a_contact_that_may_have_been_lost_is_asked_about() -> None:
    table = promoted(220, 800).wait(8_000)
    assert candidates(table) == ["a7a8n", "a7a8q"]
    assert table.finals[1] == 0
    question = table.reader.question
    assert question
    assert [question.square_of(move) for move in question.moves] == [None, None]


def test_no_lift_answers_what_a_pawn_became() -> None:
    table = promoted(220, 800).wait(8_000).touch("a8 a8").wait(3_000)
    assert candidates(table) == ["a7a8n", "a7a8q"]


@pytest.mark.parametrize(("index", "piece"), [(0, "n"), (1, "q")])
def test_a_button_answers_what_a_pawn_became(index: int, piece: str) -> None:
    table = promoted(220, 800).wait(8_000)
    table.reader.answer(index)
    table.wait(1_000)
    assert table.moves == f"a7a8{piece}"
    assert table.finals == (1, 1)
    assert not table.reader.question


@pytest.mark.parametrize(("moves", "piece"), [("a8 b6", "n"), ("a8 a1", "q"), ("a8 h1", "q")])
def test_a_later_move_answers_what_a_pawn_became(moves: str, piece: str) -> None:
    table = promoted(220, 800).wait(8_000)
    table.touch("e7 d6").wait(2_000)
    assert candidates(table) == ["a7a8n", "a7a8q"]
    table.touch(moves).wait(3_000).touch("d6 c7").wait(5_000)
    assert table.moves.startswith(f"a7a8{piece} e7d6 ")
    assert table.finals == (4, 4)


def test_a_move_that_only_another_piece_can_make_changes_the_promotion() -> None:
    table = promoted(800).wait(9_000).touch("e7 d6").wait(5_000)
    assert table.finals == (2, 2)
    table.touch("a8 b6").wait(2_000).touch("d6 c6").wait(2_000)
    assert table.moves == "a7a8n e7d6 a8b6 d6c6"
    assert table.wait(5_000).finals == (4, 4)


def test_a_knight_that_moves_like_a_queen_is_asked_about_where_a_rook_could_be_one() -> None:
    table = promoted(800, 700).wait(9_000).touch("e7 d6").wait(2_000)
    assert table.moves == "a7a8n e7d6"
    table.touch("a8 a1").wait(2_000).touch("d6 c6").wait(5_000)
    assert candidates(table) == ["a7a8q", "a7a8r"]


def test_an_illegal_move_of_another_piece_changes_no_promotion() -> None:
    """White's king stays in the check of a queen that has just been promoted."""
    table = Table(parse_fen("8/8/2k5/8/8/8/3Kp2P/8 b - - 0 1")).touch("e2 e1", every_ms=500)
    table.touch("e1 e1", every_ms=800).wait(8_000)
    assert table.moves == "e2e1q"
    table.touch("h2 h3").wait(20_000)
    assert table.moves == "e2e1q"
    assert table.touch("h3 h2").touch("d2 d3").wait(4_000).moves == "e2e1q d2d3"


@pytest.mark.parametrize("before", [(), (800,), (800, 700)])
@pytest.mark.parametrize("touches", ["b7 a8 a8", "a8 b7 a8"])
def test_a_new_piece_may_be_captured_at_once(before: tuple[float, ...], touches: str) -> None:
    table = Table(parse_fen("8/Pk6/8/8/8/8/8/2K4R w - - 0 1")).touch("a7 a8", every_ms=500)
    for ms in before:
        table.touch("a8", every_ms=ms).touch("a8", every_ms=700)
    table.touch(touches, every_ms=450).wait(3_000)
    assert table.moves.endswith(" b7a8")
    assert table.finals == (2, 2)


def test_a_pawn_that_only_came_by_on_its_way_is_not_exchanged() -> None:
    table = Table(parse_fen(PAWN)).touch("a7", every_ms=20).touch("a8", every_ms=30)
    table.touch("a8", every_ms=400).touch("a8", every_ms=700)
    table.touch("a8", every_ms=500).touch("a8", every_ms=500)
    assert table.wait(5_000).moves == "a7a8q"


def test_who_chooses_too_late_adjusts_the_piece() -> None:
    table = promoted(800).wait(5_000)
    for _ in range(3):
        table.touch("a8", every_ms=450).touch("a8", every_ms=450)
    assert table.moves == "a7a8q"
    assert table.wait(2_000).finals == (1, 1)
