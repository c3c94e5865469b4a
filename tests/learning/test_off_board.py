"""Pieces off the board for long are named when the task is told again; it is no error."""

from __future__ import annotations

import pytest

from boardfw.learning.task import Line, OneMove, Reach, Task, Touch
from boardfw.lights.cue import Cue
from boardfw.rules import WHITE
from boardfw.squares import BY_NAME
from tests.learning.classroom import START, Classroom, exercise, move, squares

BACK_RANK = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
TAKES = "4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1"
MATE = OneMove((move(BACK_RANK, "Ra8#"),))
CAPTURE = OneMove((move(TAKES, "Rxd5"),))


def test_an_opponents_piece_in_the_box_is_named_when_the_task_is_told_again() -> None:
    room = Classroom(exercise(BACK_RANK, MATE))
    assert room.dance("-g7 19000") == []
    assert room.dance("2000") == ["ask: Do it. Off the board: pawn g7."]
    assert room.kinds("-a1 300 +a8 3000") == ["solved"]
    assert room.tutor.results[0].errors == 0


@pytest.mark.parametrize("thinks_ms", [5_000, 30_000, 90_000])
def test_a_capture_that_begins_with_its_captured_may_be_thought_over(thinks_ms: int) -> None:
    room = Classroom(exercise(TAKES, CAPTURE))
    assert room.kinds(f"-d5 {thinks_ms}") == []
    assert not room.lit(Cue.PUT_HERE)
    assert room.kinds(f"-d1 {thinks_ms} +d5 1000") == ["solved"]
    assert room.tutor.results[0].errors == 0


def test_a_piece_held_to_be_moved_is_not_off_the_board() -> None:
    room = Classroom(exercise(BACK_RANK, MATE))
    assert room.dance("-a1 21000") == ["ask: Do it."]
    assert room.dance("-g7 21000") == ["ask: Do it."]


def test_a_piece_captured_in_a_line_is_not_named() -> None:
    asked = exercise(TAKES, CAPTURE)
    taken = asked.position.play(move(TAKES, "Rxd5"))
    king = next(one for one in taken.legal_moves() if one.uci() == "e8e7")
    room = Classroom(exercise(TAKES, Line(((move(TAKES, "Rxd5"),), (king,)), WHITE)))
    assert room.dance("-d5 -d1 +d5 21000")[-1] == "ask: Do it."
    assert room.dance("-d5 21000") == ["ask: Do it. Off the board: rook d5."]


@pytest.mark.parametrize(
    ("task", "lifted", "told"),
    [
        (Touch(squares("d1 d8")), "c2 g8", "pawn c2, knight g8"),
        (Reach(BY_NAME["b1"], squares("a3 c3")), "b1 h2", "pawn h2"),
    ],
)
def test_so_is_any_piece_where_no_move_is_asked_for(task: Task, lifted: str, told: str) -> None:
    room = Classroom(exercise(START, task))
    dance = " ".join(f"-{name}" for name in lifted.split())
    assert room.dance(f"{dance} 21000") == [f"ask: Do it. Off the board: {told}."]
