"""What is doubtful is asked, and answered by hands, buttons or later play."""

from __future__ import annotations

import pytest

from boardfw.game.build_view import look
from boardfw.game.events import Asked, Finalised, Moved
from tests.dances import Table

TWO_CAPTURED_PIECES = "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1"


def doubtful() -> Table:
    """A pawn left and was answered; neither of the pieces that it could capture left visibly."""
    table = Table(TWO_CAPTURED_PIECES)
    table.play("-e4 1000 -e8 +e7 3000")
    return table


def test_two_unseen_captured_pieces_are_asked_about_and_not_guessed_in_silence() -> None:
    table = doubtful()
    assert table.heard(Asked) == ["ask e4d5 e4f5"]
    assert next(a for a in table.actions if isinstance(a, Moved)).provisional
    assert table.play("20000") == [], "once is enough"


def test_what_a_rival_doubts_is_not_final_either_when_the_game_is_given_up() -> None:
    """The queen slid past d6 and b6; whether to c6 or to e3, where it was captured, is open."""
    table = Table("2kr1b1r/ppp1pppp/2B1qn2/8/3P1B2/2N2Q1P/PPP2KP1/R6R b - - 0 11")
    table.play("3000 -e6 114 +d6 44 -d6 18 +b6 136 -b6 210 -f3 104 +e3 164 -e3 88 +e3 12 +e6 0 -e7")
    table.play("712 -h1 92 +d1 644 -f8 144 +b4 1642 -f2 18 +g1 1000")
    assert table.moves.endswith(" f3e3 e7e6 h1d1 f8b4 f2g1")
    table.play("!resign_black")
    assert table.result == "1-0 resignation"
    assert table.heard(Finalised) == []


def test_nothing_is_asked_where_one_captured_was_seen() -> None:
    table = Table(TWO_CAPTURED_PIECES)
    table.play("-e4 -f5 +f5 12000")
    assert table.heard(Asked) == []
    assert table.moves == "e4f5"


@pytest.mark.parametrize("captured", ["d5", "f5"])
def test_touching_a_lit_square_decides(captured: str) -> None:
    table = doubtful()
    table.play(f"-{captured} +{captured} 2000")
    assert table.moves == f"e4{captured} e8e7"
    assert not look(table.session).candidates
    assert table.move("e1e2") == ["move 3 e1e2"]


@pytest.mark.parametrize(("button", "captured"), [("answer_1", "d5"), ("answer_2", "f5")])
def test_a_button_decides(button: str, captured: str) -> None:
    table = doubtful()
    table.play(f"!{button}")
    assert table.moves == f"e4{captured} e8e7"
    assert table.play("5000") == []
    assert not look(table.session).provisional
    assert table.move("e1e2") == ["move 3 e1e2"]
    assert len(table.heard(Asked)) == 1


def test_an_answer_that_was_not_offered_decides_nothing() -> None:
    table = doubtful()
    table.play("!answer_3 !answer_4")
    assert look(table.session).provisional
    assert look(table.session).candidates


def test_an_answer_is_good_after_the_next_ply_too() -> None:
    table = doubtful()
    table.play("-e1 +e2 1000 !answer_2 1000")
    assert table.moves == "e4f5 e8e7 e1e2"


def test_an_answer_pressed_right_after_the_next_ply_does_not_lose_it() -> None:
    table = doubtful()
    table.play("-e1 +e2 100 !answer_2 1000")
    assert table.moves == "e4f5 e8e7 e1e2"


def test_a_piece_held_when_the_recording_is_cut_off_has_captured_nothing() -> None:
    table = Table()
    table.move("e2e4 d7d5")
    table.play("-e4 200")
    assert table.finish() == []
    assert table.moves == "e2e4 d7d5"


def test_an_illegal_move_onto_a_square_that_was_asked_about_answers_nothing() -> None:
    table = Table()
    table.move("e2e4 d7d5 e4d5")
    table.play("2000 -a8 +e5 1500 -e5 +a8 2000")
    assert table.moves == "e2e4 d7d5 e4d5"
    assert table.heard(Asked) == []
