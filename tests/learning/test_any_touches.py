"""Whatever hands have done before: once the pieces stand again, the right answer is accepted.

``make test-slow FULL=1 ARGS=tests/learning/test_any_touches.py`` dances the figure of
docs/learning.md.
"""

from __future__ import annotations

from random import Random
from typing import Any, Literal

import pytest

from boardfw.learning.course import Exercise
from boardfw.learning.judge.base import Judge
from boardfw.learning.judge.place import PlaceJudge
from boardfw.learning.judge.plies import PlyJudge
from boardfw.learning.judge.stars import StarsJudge
from boardfw.learning.lesson import Phase
from boardfw.players.solutions import SWITCH
from boardfw.rules import Piece, Position
from boardfw.rules.board import Placement, piece_at
from boardfw.squares import EVERY_SQUARE, Bitboard, Square, Switch, only_in, squares_in
from hardware.sim.gesture import HandAction
from tests.learning.champion import choice_of
from tests.learning.classroom import Classroom
from tests.learning.courses import name, varied, written
from tests.learning.lectures import Lecture
from tests.learning.samples import samples

ENOUGH_US = 1_800_000_000
TOUCHES = 12
MOST_STEPS = 30
DANCES, PARTS = 100_000, 20
SAMPLE = 1_000
"""One of so many is danced where not all are asked for."""
PAUSES_US = (1_000, 30_000, 200_000, 500_000, 1_000_000, 2_500_000, 6_000_000)


def dance(exercise: Exercise, seed: int) -> list[HandAction]:
    """Up to twelve touches of pieces and squares that the exercise is about or not, and then every
    piece back on its square."""
    random, home = Random(f"{exercise.key} {seed}"), exercise.position
    pieces = {square: letter(home.piece_at(square)) for square in squares_in(home.occupied)}
    stands, held, actions, t_us = dict(pieces), list[str](), list[HandAction](), 1_000_000

    def touch(kind: Literal["lift", "drop"], square: int, label: str) -> None:
        actions.append(HandAction(t_us, kind, Switch(square), label))

    for _ in range(random.randint(1, TOUCHES)):
        t_us += random.choice(PAUSES_US)
        if held and random.random() < 0.5:
            empty = [square for square in EVERY_SQUARE if square not in stands]
            square = random.choice([*empty, *(one for one in pieces if one not in stands)])
            stands[square] = held.pop(random.randrange(len(held)))
            touch("drop", square, stands[square])
        elif stands:
            square = random.choice([*stands])
            held.append(stands.pop(square))
            touch("lift", square, held[-1])
    for square in [one for one in stands if stands[one] != pieces.get(one)]:
        t_us += random.choice(PAUSES_US)
        held.append(stands.pop(square))
        touch("lift", square, held[-1])
    for square in random.sample(gone := [one for one in pieces if one not in stands], len(gone)):
        t_us += random.choice(PAUSES_US)
        touch("drop", square, pieces[square])
    return actions


def carry(lecture: Lecture, origin: Square | None, target: Square | None, label: str) -> None:
    """Let a hand carry a piece from a square or the box to a square or the box."""
    t_us, actions = lecture.now_us + 1_000, []
    if origin is not None:
        actions.append(HandAction(t_us, "lift", SWITCH(origin), label))
    if target is not None:
        actions.append(HandAction(t_us + 500_000, "drop", SWITCH(target), label))
    lecture.board.schedule(actions)
    lecture.rest(8_000_000)


def go_home(lecture: Lecture) -> None:
    """Carry pieces as the lights ask, while they do."""
    for _ in range(MOST_STEPS):
        judge, steps = judge_of(lecture), lecture.watched.tutor.lesson().way_home
        if not steps or judge is None:
            return
        origin, target = steps[0]
        home, pieces = judge.stand().home, lecture.board.pieces
        wanted = piece_at(home, target) if home and target is not None else None
        carry(
            lecture,
            origin,
            target,
            pieces[SWITCH(origin)] if origin is not None else letter(wanted),
        )


def letter(piece: Piece | None) -> str:
    assert piece is not None
    return piece.letter


def judge_of(lecture: Lecture) -> Judge[Any] | None:
    """The judge of what is asked; None: it is over."""
    attempt = lecture.watched.tutor._attempt
    return attempt.judge if attempt and lecture.watched.tutor.phase is Phase.ASKED else None


def goes_on(lecture: Lecture) -> bool:
    """Whether the answer that the lights would show is accepted, where the dance was answers."""
    judge = judge_of(lecture)
    if judge is None:
        return True
    before, marks = counting(judge), judge.solution()
    if isinstance(judge, PlaceJudge):
        return proves(lecture, judge, marks.asked)
    if not marks.asked or not marks.put:
        return True  # a claim, or a position that no test has looked for
    origin, target = only_in(marks.asked), only_in(marks.put)
    moves = [m for m in now(judge).legal_moves() if m.origin == origin]
    move = next((m for m in moves if m.target == target), None)
    if move is not None and move.captured is not None:
        carry(lecture, move.captured, None, lecture.board.pieces[SWITCH(move.captured)])
    for step in move.steps() if move else ((origin, target),):
        carry(lecture, *step, lecture.board.pieces[SWITCH(step[0])])
    return judge_of(lecture) is not judge or counting(judge) != before


def proves(lecture: Lecture, judge: PlaceJudge, asked: Bitboard) -> bool:
    """Whether pieces that are lifted and put back prove that they are where they belong."""
    proved = judge._proved
    for square in map(SWITCH, squares_in(asked)):
        label, t_us = lecture.board.pieces[square], lecture.now_us
        lift = HandAction(t_us + 1_000, "lift", square, label)
        lecture.board.schedule([lift, HandAction(t_us + 1_500_000, "drop", square, label)])
        lecture.rest(6_000_000)
    return judge_of(lecture) is not judge or judge._proved > proved


def now(judge: Judge[Any]) -> Position:
    """The position in which the next answer is given, with its en passant square."""
    assert isinstance(judge, PlyJudge | StarsJudge)
    return judge._here if isinstance(judge, PlyJudge) else judge._position_now()


def has_answered(lecture: Lecture) -> bool:
    """Whether the dance was, in part, moves that count."""
    judge = judge_of(lecture)
    if isinstance(judge, PlaceJudge):
        return judge._proof is not None
    return judge is not None and counting(judge) != judge.position.placement


def counting(judge: Judge[Any]) -> Placement:
    """What stands after the moves that count."""
    if isinstance(judge, StarsJudge):
        return judge._pieces
    return judge._here.placement if isinstance(judge, PlyJudge) else judge.position.placement


def trouble(exercise: Exercise, seed: int) -> str:
    """Whether it is dead after a dance; empty: it is not."""
    lecture = Lecture([exercise], "careful", seed, choice_of(exercise))
    actions = dance(exercise, seed)
    lecture.board.schedule(actions)
    lecture.rest(actions[-1].t_us + 8_000_000)
    go_home(lecture)
    if has_answered(lecture):
        return "" if goes_on(lecture) else f"{name(exercise)}, seed {seed}: does not go on"
    lecture.solve(ENOUGH_US)
    results = lecture.watched.tutor.results
    return "" if results and results[0].is_solved else f"{name(exercise)}, seed {seed}"


KNOCKED = [
    ("squares.first_four", "-d2 -e2 +d4 200 +e5 2000 -e5 300 -d4 2000 +d2 +e2", "+e4 900 -e4"),
    ("first_game.good_start", "-d7 300 -e7 1500 +e5 4000 -e5 100 +d7 500 +e7", "-e2 300 +e4"),
    ("notations.long", "-d7 300 -e7 1500 +e5 4000 -e5 100 +d7 500 +e7", "-e2 300 +e4"),
    (
        "castle_not.out_of_check",
        "-e8 400 -e4 300 -a1 +a5 900 -a5 +e8 500 -e8 +a1 400 +e4 300 +e8",
        "-e8 900 +e8",
    ),
    ("first_game.good_start", "-f7 1000 -d1 1000 +f6 200 -f6 +f7 2500 +d1", "-e2 300 +e4"),
]
"""Exercises, what a hand does that plays with the pieces, and a right answer."""


@pytest.mark.parametrize(("key", "dance", "answer"), KNOCKED)
def test_pieces_knocked_over_and_put_back_make_no_answer_wrong(
    key: str, dance: str, answer: str
) -> None:
    room = Classroom(next(one for one in written() if one.key == key))
    room.dance(f"3000 {dance} 6000")
    assert room.kinds(f"{answer} 3000")[-1] in ("right", "solved")


@pytest.mark.slow
def test_every_type_of_task_outlives_whatever_was_touched_before() -> None:
    found = [trouble(one, 0) for one in samples()[::2]]
    assert not [told for told in found if told]


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_the_course_outlives_whatever_was_touched_before(part: int, full: bool) -> None:
    exercises, count = varied(), DANCES // PARTS // (1 if full else SAMPLE)
    seeds = range(part * DANCES // PARTS, part * DANCES // PARTS + count)
    found = [trouble(Random(seed).choice(exercises), seed) for seed in seeds]
    assert not [told for told in found if told]
