"""Pieces left on wrong squares, where no move is asked for: told, led home, no error."""

from __future__ import annotations

import pytest

from boardfw.learning.lesson import Kind, Phase
from boardfw.learning.task import Reach, Task, Touch
from boardfw.lights.cue import Cue
from boardfw.squares import BY_NAME
from tests.learning.classroom import START, Classroom, exercise, squares

ROOK = "7k/8/8/3R1P2/8/8/3b4/K7 w - - 0 1"
FROM_D5 = squares("a5 b5 c5 e5 d6 d7 d8 d4 d3 d2")
LED = "hint: A piece stands on a wrong square. First it goes home: the lights lead it."
TASKS: list[tuple[str, Task, str, str, str]] = [
    (START, Touch(squares("d1 d8")), "pawn", "c2", "c4"),
    (START, Touch(squares("d1 d8")), "queen", "d8", "d5"),  # a piece that is asked for, too
    (ROOK, Reach(BY_NAME["d5"], FROM_D5), "pawn", "f5", "g6"),
    (ROOK, Reach(BY_NAME["d5"], FROM_D5), "bishop", "d2", "g4"),
]


@pytest.mark.parametrize(("fen", "task", "piece", "origin", "target"), TASKS)
def test_a_piece_left_elsewhere_is_led_home_without_an_error(
    fen: str, task: Task, piece: str, origin: str, target: str
) -> None:
    room = Classroom(exercise(fen, task))
    assert room.dance(f"-{origin} 300 +{target} 1900") == []
    assert not room.lit(Cue.PUT_HERE)
    assert room.dance("300") == [LED, f"put: Put the {piece} on {target} back on {origin}."]
    assert room.lit(Cue.THIS_ONE) == squares(target)
    assert room.lit(Cue.PUT_HERE) == squares(origin)
    assert room.dance(f"-{target} 3000") == []
    assert room.lit(Cue.PUT_HERE) == squares(origin)
    assert room.dance(f"+{origin} 3000") == []  # a piece that comes home is no answer
    assert not room.lit(Cue.PUT_HERE)
    room.tutor.skip()
    assert [result.errors for result in room.tutor.results] == [0]


def test_while_a_piece_is_led_home_nothing_else_is_an_answer() -> None:
    room = Classroom(exercise(START, Touch(squares("d1"))))
    assert room.kinds("-c2 +c4 2500") == ["hint"]
    assert room.kinds("-d1 900 +d1 2000 -a1 900 +a1 2000") == []
    assert room.kinds("-c4 +c2 500 -d1 900 +d1 2000") == ["solved"]


def test_several_misplaced_pieces_are_led_home_one_after_the_other() -> None:
    room = Classroom(exercise(START, Touch(squares("d1"))))
    assert "Some pieces" in room.dance("-c2 +c4 1000 -h2 +h4 2500")[-2]
    assert room.kinds("-c4 +c2 3000") == []
    assert room.lit(Cue.PUT_HERE) == squares("h2")
    assert room.kinds("-h4 +h2 500 -d1 900 +d1 2000") == ["solved"]


def test_hands_at_work_may_set_pieces_aside_meanwhile() -> None:
    room = Classroom(exercise(START, Touch(squares("d1"))))
    assert room.kinds("-c2 -d2 300 +c3 200 +d2 1500 -c3 +c2 3000") == []
    assert room.kinds("-c2 +c4 1900 -e2 100 +e2 300 -c4 +c2 3000") == []


def test_a_piece_that_was_put_aside_and_came_back_was_not_held() -> None:
    room = Classroom(exercise(START, Touch(squares("d1"))))
    assert room.kinds("-c1 +c3 1500 -c3 +c1 3000") == []
    assert room.kinds("-d1 900 +d3 100 -d3 +d1 2000") == ["solved"]  # it only slid


def test_another_piece_gets_no_reason_of_the_one_that_is_asked_about() -> None:
    room = Classroom(exercise(ROOK, Reach(BY_NAME["d5"], FROM_D5)))
    assert room.kinds("-f5 +f6 600 -f6 +e6 300 -e6 +g6 300 -g6 +g7 300 -g7 +g8 600") == []
    assert room.kinds("-d5 200 +d5 200") == []
    assert room.dance("2000") == [LED, "put: Put the pawn on g8 back on f5."]
    assert room.kinds("-g8 +f5 500") == []
    assert room.kinds("-d5 +e6 300 -e6 +d5 200") == []  # its first try, whatever was tried before
    assert room.kinds("-d5 +e6 600") == ["wrong"]
    assert "rook" in room.told[-1].text


def test_the_piece_asked_about_is_not_confused_with_one_that_is_misplaced_already() -> None:
    room = Classroom(exercise(ROOK, Reach(BY_NAME["d5"], FROM_D5)))
    assert room.kinds("-f5 +g6 1500 -d5 200 +d6 200") == ["right"]
    assert room.kinds("2500") == ["hint"]
    assert room.phase is Phase.ASKED


def test_a_captured_piece_put_down_elsewhere_is_led_home_with_its_captor() -> None:
    room = Classroom(exercise(ROOK, Reach(BY_NAME["d5"], FROM_D5)))
    assert room.kinds("-d5 -d2 +d2 100 -d2 +d5 100 +g4 2500") == ["right", "hint"]
    assert room.lit(Cue.THIS_ONE) == squares("g4")
    assert room.lit(Cue.PUT_HERE) == squares("d2")
    assert room.kinds("-g4 +d2 500") == []
    assert Kind.WRONG not in [told.kind for told in room.told]


def test_the_piece_asked_about_is_refused_on_a_wrong_square_as_ever() -> None:
    room = Classroom(exercise(ROOK, Reach(BY_NAME["d5"], FROM_D5)))
    assert room.kinds("-d5 +e6 4000") == ["wrong"]
    assert not room.lit(Cue.PUT_HERE)
    assert room.kinds("-e6 +e5 200") == ["right"]


def test_a_piece_with_a_dead_switch_may_or_may_not_be_home() -> None:
    asked = exercise(ROOK, Reach(BY_NAME["d5"], FROM_D5))
    room = Classroom(asked, standing=asked.position.occupied ^ squares("d5"))
    room.dance("9000")
    room.press("pause")
    assert room.kinds("+e6 3000 -e6 +e5 200 -e5 3000") == ["wrong", "right"]
