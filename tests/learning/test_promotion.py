"""A promotion that is asked for is over when its piece stands in the pawn's place."""

from __future__ import annotations

import pytest

from boardfw.learning.lesson import Phase
from boardfw.learning.task import OneMove
from boardfw.lights.cue import Cue
from tests.learning.classroom import Classroom, exercise, move, squares
from tests.learning.courses import written

FEN = "7k/P7/8/8/8/8/8/4K3 w - - 0 1"
TAKING = "r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1"
TOLD = (
    "put: Take the pawn off a8 and put White's queen there. If the queen is there already, "
    "lift it and put it back."
)


def room(fen: str = FEN, san: str = "a8=Q") -> Classroom:
    return Classroom(exercise(fen, OneMove((move(fen, san),))))


def test_the_arrival_of_the_pawn_is_not_yet_a_queen() -> None:
    board = room()
    told = board.dance("-a7 300 +a8 8000")
    assert told == [TOLD]
    assert board.phase is Phase.ASKED
    assert board.lit(Cue.WANTED) == squares("a8")


@pytest.mark.parametrize("waits_ms", [300, 1000, 8000])
def test_the_queen_in_its_place_is(waits_ms: int) -> None:
    board = room()
    board.dance(f"-a7 300 +a8 {waits_ms}")
    assert board.kinds("-a8 900 +a8 800") == ["solved"]


def test_a_queen_that_was_put_there_directly_is_lifted_once() -> None:
    board = room()
    assert board.dance("-a7 2000 +a8 30000")[-1].endswith(TOLD.removeprefix("put: "))
    assert board.kinds("-a8 300 +a8 800") == ["solved"]


def test_a_capture_that_promotes_is_no_different() -> None:
    board = room(TAKING, "bxa8=Q")
    assert board.kinds("-a8 500 -b7 300 +a8 3000") == []
    assert board.kinds("-a8 900 +a8 800") == ["solved"]


def test_a_piece_that_is_chosen_is_exchanged_as_well() -> None:
    board = room("8/q1P1k3/8/8/8/8/8/4K3 w - - 0 1", "c8=N")
    assert board.kinds("-c7 300 +c8 900 -c8 300 +c8 300 -c8 300 +c8 1500") == ["solved"]


def test_the_pawn_may_still_be_taken_back() -> None:
    board = room()
    board.dance("-a7 300 +a8 3000 -a8 300 +a7 4000")
    assert board.lit(Cue.WANTED) == 0
    assert board.kinds("-a7 300 +a8 900 -a8 900 +a8 800") == ["solved"]


def test_the_lesson_is_solved_as_its_text_says() -> None:
    asked = next(one for one in written() if one.key == "promotion.a_queen")
    board = Classroom(asked)
    assert board.kinds("3000 -a7 300 +a8 900 -a8 900 +a8 800")[-1] == "solved"
