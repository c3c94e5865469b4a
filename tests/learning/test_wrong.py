"""Every single wrong answer is refused, and the exercise can still be solved afterwards."""

from __future__ import annotations

from random import Random

import pytest

from boardfw.learning.course import Exercise
from boardfw.learning.lesson import Kind
from tests.learning.courses import name, varied, written
from tests.learning.lectures import BEGIN_US, Lecture, Watched
from tests.learning.samples import samples
from tests.learning.wrong_touches import (
    RIPENS_US,
    earlier_edges,
    earlier_gestures,
    edges,
    gestures,
    home_edges,
    is_capture,
)
from tests.learning.wrongs import Wrong, wrongs_of

SOLVED_US = 600_000_000
EVERY = 30
"""The fast tests take one wrong answer of so many."""
RAW, RAW_FULL = 40, 2_000
ANSWERS = (Kind.WRONG, Kind.RIGHT, Kind.SOLVED)


def told_of(exercise: Exercise, wrong: Wrong) -> tuple[list[Kind], list[Kind]]:
    """What is said to a wrong answer by clean lifts and drops, and while it goes home."""
    watched = Watched([exercise], exercise.position.occupied)
    watched.touch(earlier_edges(wrong, BEGIN_US), BEGIN_US)
    begin_us = watched.tutor.t_us + RIPENS_US
    watched.wait(begin_us)
    before = len(watched.told)
    watched.touch(*edges(exercise, wrong, begin_us))
    refused = len(watched.told)
    watched.touch(*home_edges(exercise, wrong, watched.tutor.t_us))
    kinds = [told.kind for told in watched.told]
    answers = [kind for kind in kinds[before:refused] if kind in ANSWERS]
    return answers, [kind for kind in kinds[refused:] if kind in ANSWERS]


def mistaken(exercises: list[Exercise], every: int) -> tuple[int, list[str]]:
    """How many wrong answers were given, and those that were not refused once and for all."""
    wrongs = [(exercise, wrong) for exercise in exercises for wrong in wrongs_of(exercise)]
    taken = wrongs[::every]
    found = []
    for exercise, wrong in taken:
        answers, going_home = told_of(exercise, wrong)
        if answers != [Kind.WRONG] or going_home:
            told = [kind.value for kind in [*answers, *going_home]]
            found.append(f"{name(exercise)}: {wrong}: {told}")
    return len(taken), found


def test_wrong_answers_are_refused() -> None:
    count, found = mistaken(samples(), EVERY)
    assert count > 100
    assert found == []


@pytest.mark.slow
def test_every_wrong_answer_of_the_course_is_refused(full: bool) -> None:
    count, found = mistaken([*(varied() if full else written())], 1 if full else 40)
    assert count > (40_000 if full else 375)
    assert found == []


def raw(exercise: Exercise, wrong: Wrong, seed: int) -> str:
    """What is amiss with a wrong answer given by hands, and with what comes after it."""
    lecture = Lecture([exercise], ("careful", "club")[seed % 2], seed)
    for earlier in earlier_gestures(exercise, wrong, lecture.hands, BEGIN_US):
        lecture.do([earlier])
    lecture.rest(RIPENS_US)
    kinds = given(lecture, exercise, wrong) or given(lecture, exercise, wrong)
    # A piece on its way may pass right squares, and be brought home as it should.
    if Kind.SOLVED in kinds and Kind.WRONG not in kinds:
        return "accepted"
    # A piece pushed off its square, or captured and replaced by one hand, may leave no trace:
    # for the switches the capturing piece is in the air, and nothing is said until it is home.
    if Kind.WRONG not in kinds and not is_capture(exercise, wrong):
        return "not refused"
    lecture.solve(SOLVED_US)
    results = lecture.watched.tutor.results
    return "" if results and results[0].is_solved else "not solved afterwards"


def given(lecture: Lecture, exercise: Exercise, wrong: Wrong) -> list[Kind]:
    """What is said to a wrong answer by hands.

    Empty at times: a push right after it, or a poor contact, cancels what a piece put back says.
    """
    before = len(lecture.watched.told)
    begin_us, pieces = lecture.now_us + BEGIN_US, lecture.board.pieces
    lecture.do(gestures(exercise, wrong, lecture.hands, begin_us, pieces))
    lecture.rest(RIPENS_US)
    kinds = [told.kind for told in lecture.watched.told[before:]]
    return [kind for kind in kinds if kind in ANSWERS]


def amiss(exercises: list[Exercise], count: int) -> list[str]:
    random = Random(count)
    found = []
    for seed in range(count):
        exercise = random.choice(exercises)
        wrong = random.choice(wrongs_of(exercise))
        if told := raw(exercise, wrong, seed):
            found.append(f"{name(exercise)}: {wrong}, seed {seed}: {told}")
    return found


def solvable(exercises: list[Exercise]) -> list[Exercise]:
    """Those that have wrong answers and come to an end by themselves."""
    return [one for one in exercises if one.type not in ("place", "play")]


@pytest.mark.slow
def test_an_exercise_can_be_solved_after_hands_have_answered_wrongly() -> None:
    assert amiss(solvable(samples()), RAW // 2) == []


@pytest.mark.slow
def test_the_course_can_be_solved_after_any_wrong_answer_by_hands(full: bool) -> None:
    assert amiss(solvable([*varied()]), RAW_FULL if full else RAW) == []
