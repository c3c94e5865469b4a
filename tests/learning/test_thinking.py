"""There is no hurry: a piece in a thinking learner's hand is no answer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from boardfw.learning.course import Exercise
from boardfw.learning.task import All, Find, Goal, Line, May, OneMove, Place, Play, Stars, Task
from boardfw.notation.fen import parse_fen
from boardfw.rules import KING, WHITE
from boardfw.squares import BY_NAME, NAMES, squares_in
from tests.learning.classroom import Classroom, exercise, move, squares
from tests.learning.courses import name, written
from tests.learning.samples import samples

TAKES = "4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1"
SHOWN = "4k3/8/8/3r4/8/8/8/3RK3 b - - 0 1"
STALE = "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1"
ONLY_ONE = "k7/8/8/3n4/8/8/3R4/7K w - - 0 1"
THOUGHT_MS = 30_000
ANSWERS = {"right", "wrong", "solved"}


def thought_about(one: Exercise) -> Iterator[str]:
    """The pieces of the side that is asked, one after the other; a king held asks for help."""
    pieces = one.position.pieces(one.you) & ~one.position.placement[KING]
    yield from (NAMES[square] for square in squares_in(pieces))


def answered(one: Exercise, piece: str) -> set[str]:
    """What was said while a piece was held for half a minute, by kind."""
    room = Classroom(one)
    room.wait(1000)
    return {kind for kind in room.kinds(f"-{piece} {THOUGHT_MS}") if kind in ANSWERS}


def answers(exercises: Iterator[Exercise]) -> list[str]:
    """Pieces that were held, and it counted as an answer."""
    return [
        f"{name(one)} {piece}"
        for one in exercises
        if not isinstance(one.task, Find | Place)  # there the lift of a named piece answers
        for piece in thought_about(one)
        if answered(one, piece)
    ]


def test_a_piece_that_is_held_for_long_is_no_answer() -> None:
    assert answers(one for one in samples() if one.position.occupied.bit_count() < 20) == []


@pytest.mark.slow
def test_nor_is_it_in_any_exercise_of_the_course(full: bool) -> None:
    assert answers(iter(written()[:: 1 if full else 4])) == []


@pytest.mark.parametrize("san", ["Rxd5", "Rd3"])
def test_a_possible_capture_is_asked_about_once_and_then_the_piece_goes_anywhere(
    san: str,
) -> None:
    room = Classroom(exercise(TAKES, OneMove((move(TAKES, san),))))
    assert room.kinds("-d1 30000") == ["hint"]
    assert any(told.text.startswith("Is this a capture?") for told in room.told)
    goes = "-d5 300 +d5 2000" if san == "Rxd5" else "+d3 2000"
    assert room.kinds(goes) == ["solved"]
    assert room.tutor.results[0].errors == 0


def test_a_pushing_piece_is_touched_once_more() -> None:
    room = Classroom(exercise(TAKES, OneMove((move(TAKES, "Rxd5"),))))
    assert room.kinds("-d1 9000") == ["hint"]  # it stands on d5, whose switch never opened
    assert room.kinds("-d5 400 +d5 2000") == ["solved"]


def test_stars_wait_for_a_thinking_learner() -> None:
    room = Classroom(exercise(ONLY_ONE, Stars(squares("d4 d5"), 2)))
    assert room.kinds("-d2 30000") == ["hint"]
    assert room.kinds("+d4 1000") == ["right"]
    assert room.kinds("-d4 9000 -d5 400 +d5 1000") == ["hint", "solved"]


def test_so_does_a_game_against_the_board() -> None:
    room = Classroom(exercise(ONLY_ONE, Play(Goal.GAME, WHITE, 20)))
    assert room.kinds("-d2 30000") == ["hint"]
    assert room.kinds("+d4 3000") == []
    assert room.tutor.session.record.moves == (move(ONLY_ONE, "Rd4"),)


def test_a_move_to_a_dead_switch_that_may_not_have_been_made_is_no_error() -> None:
    asked = exercise(STALE, Play(Goal.MATE, WHITE, 40))
    room = Classroom(asked, standing=asked.position.occupied | squares("g6"))
    room.wait(1000)
    room.press("pause")  # g6 has told that a piece stands there, and it will do so for ever
    assert room.kinds("-g1 30000") == []  # on g6 the queen would be a stalemate
    assert room.kinds("+g7 1000") == ["solved"]


@pytest.mark.parametrize(
    ("task", "dead"),
    [
        (OneMove((move(TAKES, "Rd3"),)), "d3"),
        (OneMove((move(TAKES, "Rxd5"),)), "d5"),
        (May(BY_NAME["d1"], BY_NAME["d3"], is_allowed=True), "d3"),
        (All((move(TAKES, "Rxd5"), move(TAKES, "Rd3"))), "d3"),
    ],
)
def test_nor_is_a_piece_that_could_have_gone_to_a_dead_switch_an_answer(
    task: Task, dead: str
) -> None:
    asked = exercise(TAKES, task)
    room = Classroom(asked, standing=asked.position.occupied ^ squares(dead))
    room.wait(1000)
    room.press("pause")
    assert not ANSWERS & set(room.kinds("-d1 30000"))


def test_of_all_moves_that_to_a_dead_switch_is_not_waited_for() -> None:
    asked = exercise(TAKES, All((move(TAKES, "Rxd5"), move(TAKES, "Rd3"))))
    room = Classroom(asked, standing=asked.position.occupied ^ squares("d3"))
    room.wait(1000)
    room.press("pause")
    assert room.kinds("-d1 3000 +d1 1000 -d5 -d1 300 +d5 2000") == ["solved"]


def test_a_capture_that_the_lights_show_may_be_pushed() -> None:
    shown = move(SHOWN, "Rxd1+")
    answer = next(m for m in parse_fen(SHOWN).play(shown).legal_moves() if m.uci() == "e1d1")
    room = Classroom(exercise(SHOWN, Line(((shown,), (answer,)), WHITE), you=WHITE))
    assert room.kinds("-d5 9000") == []
    assert room.told[-1].text == "Now you: White to move."
    assert room.kinds("-d1 300 -e1 300 +d1 9000") == ["solved"]
