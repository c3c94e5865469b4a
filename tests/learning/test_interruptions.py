"""What comes between learners and their lessons: an outage, a button of games, a poor contact."""

from __future__ import annotations

import pytest

from boardfw.game.events import Outage, Restored
from boardfw.learning.course import Exercise
from boardfw.learning.lesson import Kind
from boardfw.learning.task import Find, Line, OneMove, Reach, Stars, Task, Touch
from boardfw.lights.cue import Cue
from boardfw.ports import BUTTONS, Button
from boardfw.recording import Scan
from boardfw.rules import WHITE
from boardfw.squares import ALL, BY_NAME, Occupancy
from tests.learning.classroom import START, Classroom, exercise, move, squares

PAWN = "4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1"
PAWN_MOVES = OneMove((move(PAWN, "e4"),))


def line(fen: str, *plies: str) -> Exercise:
    """An exercise in which you play White, and make Black's moves as they are shown."""
    here, moves = exercise(fen, OneMove(())).position, []
    for san in plies:
        played = next(one for one in here.legal_moves() if one.uci() == san)
        moves.append((played,))
        here = here.play(played)
    return exercise(fen, Line(tuple(moves), WHITE))


def goes_out(room: Classroom, seconds: int, meanwhile: str = "") -> None:
    """The switches cannot be read for a while, in which hands may do something."""
    began_us = room.t_us
    room.feel(Outage(room.t_us, Occupancy(ALL), "a wire is loose"))
    room.wait(seconds * 1000)
    room.feel(Restored(room.t_us))
    for name in meanwhile.split():
        room.raw ^= 1 << BY_NAME[name]
    room.feel(Scan(room.t_us, Occupancy(room.raw), began_us))


@pytest.mark.parametrize(
    ("task", "dance"),
    [
        (PAWN_MOVES, "-e2 +e5 100"),
        (Touch(squares("e8")), "-a1 300"),
        (Find((BY_NAME["c3"],)), "-a1 +b5 100"),
        (Stars(squares("a5"), 1), "-a1 +b5 100"),
    ],
)
def test_nothing_is_judged_while_switches_cannot_be_read(task: Task, dance: str) -> None:
    room = Classroom(exercise(PAWN, task))
    room.dance(dance)
    said = len(room.told)
    room.feel(Outage(room.t_us, Occupancy(ALL), "a wire is loose"))
    assert room.lit(Cue.BLIND) == ALL
    room.wait(90_000)
    assert len(room.told) == said
    room.feel(Restored(room.t_us))
    assert not room.lit(Cue.BLIND)


def test_a_lift_before_an_outage_and_a_put_back_during_it_are_no_answer() -> None:
    room = Classroom(exercise(PAWN, Touch(squares("e8"))))
    room.dance("-a1 300")
    goes_out(room, 20, meanwhile="a1")
    assert room.kinds("5000 -e8 900 +e8 2000") == ["solved"]


def test_a_wrong_piece_that_stands_after_an_outage_is_refused() -> None:
    room = Classroom(exercise(PAWN, PAWN_MOVES))
    room.dance("-e2 +e5 100")
    goes_out(room, 20)
    room.wait(10)
    assert Kind.WRONG in [told.kind for told in room.told]
    assert room.kinds("1000 -e5 +e2 800 -e2 +e4 600") == ["solved"]


WAYS = squares("a2 a3 a4 a5 a6 a7 a8 b1 c1 d1")


@pytest.mark.parametrize("is_told", [True, False])
@pytest.mark.parametrize(
    "task",
    [
        OneMove((move(PAWN, "Ra4"),)),
        Touch(squares("e8")),
        Find((BY_NAME["c3"],)),
        Stars(squares("a5"), 1),
        Reach(BY_NAME["a1"], WAYS),
    ],
)
def test_a_piece_that_went_home_during_an_outage_is_not_refused(task: Task, is_told: bool) -> None:
    room = Classroom(exercise(PAWN, task))
    room.dance("-a1 +b5 100")  # on its way
    if is_told:
        goes_out(room, 20, meanwhile="a1 b5")
    else:  # only a scan took long
        since_us, room.t_us, room.raw = (
            room.t_us,
            room.t_us + 3_000_000,
            room.raw ^ squares("a1 b5"),
        )
        room.feel(Scan(room.t_us, Occupancy(room.raw), since_us))
    room.wait(3000)
    assert {told.kind for told in room.told} == {Kind.ASK}


def test_the_next_exercise_waits_for_the_switches() -> None:
    room = Classroom(exercise(PAWN, PAWN_MOVES), exercise(PAWN, Touch(squares("a1"))))
    room.dance("-e2 +e4 400")
    goes_out(room, 20, meanwhile="e4 e2")
    assert room.kinds("5000 -a1 900 +a1 2000") == ["solved"]


@pytest.mark.parametrize("button", [button for button in BUTTONS if button != "hint"])
def test_no_button_of_games_disturbs_a_lesson(button: Button) -> None:
    room = Classroom(line(PAWN, "e2e4", "e8d7", "e4e5"))
    for step in ("1000", "-e2", "+e4 1000", "-e8", "+d7 1000"):
        room.dance(step)
        for _ in range(3):
            room.press(button)
    assert room.kinds("-e4 +e5 1000") == ["solved"]


def test_a_piece_on_a_poor_contact_plays_all_the_same() -> None:
    asked = line(START, "e2e4", "e7e5", "g1f3")
    room = Classroom(asked, standing=asked.position.occupied ^ squares("e2"))
    room.dance("9000")  # so many pieces: play begins without it
    room.dance("+e4 3000 -e7 +e5 3000")
    assert room.kinds("-g1 +f3 1000") == ["solved"]


def test_a_wrong_piece_goes_home_to_a_poor_contact() -> None:
    asked = line(START, "e2e4")
    room = Classroom(asked, standing=asked.position.occupied ^ squares("e2 d2"))
    room.dance("9000")
    assert room.kinds("+e5 1000 -e5 1000 +e4 1000") == ["wrong", "solved"]
