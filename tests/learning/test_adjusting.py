"""Pieces that are only touched answer nothing: j'adoube is free in every task."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random

import pytest

from boardfw.learning.course import Exercise
from boardfw.learning.lesson import Kind
from boardfw.learning.task import NAMES, Find
from boardfw.players.solutions import SWITCH
from boardfw.squares import Square, bitboard_of, squares_in
from tests.adjusting import adjust
from tests.learning.courses import name
from tests.learning.lectures import BEGIN_US, Lecture, Watched
from tests.learning.samples import samples
from tests.learning.wrong_touches import Edge, Touches

TOUCHES, TOUCHES_FULL = 15, 1_000
AT_ONCE = 20
"""So many touches of one exercise before the next one of its type."""
LONGEST_US = 690_000
"""A piece lifted for longer may be an answer."""
NUDGE_US = 100_000
ANSWERS = (Kind.WRONG, Kind.RIGHT, Kind.SOLVED)
TYPES = sorted(set(NAMES.values()) - {"place"})


def adjusted(exercise: Exercise, random: Random, count: int) -> Iterator[tuple[list[Edge], int]]:
    """Touches of any pieces, one after the other, and when each has been at rest for a while."""
    pieces = [*squares_in(exercise.position.occupied & ~_asked_for(exercise))]
    touches = Touches(BEGIN_US)
    for _ in range(count):
        square = random.choice(pieces)
        longest_us = random.choice((NUDGE_US, LONGEST_US))
        touches.lift(square)
        touches.wait(random.randint(30_000, longest_us))
        touches.drop(square)
        touches.wait(random.choice((60_000, 400_000, 2_500_000)))
        yield touches.edges, touches.now_us
        touches.edges = []


def _asked_for(exercise: Exercise) -> int:
    """Squares whose piece answers by its lift alone."""
    return bitboard_of(exercise.task.squares) if isinstance(exercise.task, Find) else 0


def answers(exercise: Exercise, random: Random, count: int) -> list[str]:
    """What a tutor has answered to touches, which should be nothing."""
    watched = Watched([exercise], exercise.position.occupied)
    for touch in adjusted(exercise, random, count):
        watched.touch(*touch)
    watched.wait(watched.tutor.t_us + 5_000_000)
    found = [told for told in watched.told if told.kind in ANSWERS]
    return [f"{name(exercise)}: {told.kind.value} {told.text}" for told in found]


@pytest.mark.parametrize("type_", TYPES)
def test_short_touches_answer_nothing(type_: str) -> None:
    assert touched_often(type_, TOUCHES) == []


@pytest.mark.slow
@pytest.mark.parametrize("type_", TYPES)
def test_many_short_touches_answer_nothing(type_: str, full: bool) -> None:
    assert touched_often(type_, TOUCHES_FULL if full else 20 * TOUCHES) == []


def touched_often(type_: str, count: int) -> list[str]:
    random = Random(type_)
    exercises = [one for one in samples() if one.type == type_]
    found = []
    for _ in range(count // AT_ONCE + 1):
        found += answers(random.choice(exercises), random, AT_ONCE)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("kind", ["club", "child"])
def test_hands_that_put_pieces_straight_answer_nothing(type_: str, kind: str) -> None:
    for exercise in [one for one in samples() if one.type == type_][:3]:
        lecture = Lecture([exercise], kind, 1)
        for square in _some(exercise):
            straighten = partial(adjust, square=SWITCH(square))
            begin_us = lecture.now_us + BEGIN_US
            gesture = lecture.hands.do(straighten, begin_us, lecture.board.pieces)
            lecture.do([gesture])
        lecture.rest(5_000_000)
        kinds = {told.kind for told in lecture.watched.told}
        assert not kinds & set(ANSWERS), name(exercise)


def _some(exercise: Exercise) -> list[Square]:
    pieces = [*squares_in(exercise.position.occupied & ~_asked_for(exercise))]
    return Random(exercise.key).choices(pieces, k=6)
