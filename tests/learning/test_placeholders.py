"""A written lesson becomes exercises, with chess names in their words, variant by variant."""

from __future__ import annotations

from dataclasses import replace

import pytest

from boardfw.learning.course import Course, Exercise
from boardfw.learning.reading.placeholders import names_of, tried
from boardfw.learning.task import (
    All,
    Find,
    Goal,
    Line,
    May,
    OneMove,
    Place,
    Play,
    Reach,
    Stars,
    State,
    Task,
    Touch,
    Verdict,
)
from boardfw.learning.variant import VARIANTS
from boardfw.notation.fen import parse_fen
from boardfw.notation.san import parse_san
from boardfw.rules import Position
from boardfw.rules.reasons import Why
from boardfw.shell.learning.course_files import load_course
from boardfw.squares import BY_NAME, bitboard_of
from tests.learning.lessons import FILES, written


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return load_course(written(tmp_path_factory.mktemp("lessons"), FILES))[0]


def exercise(course: Course, key: str) -> Exercise:
    found = course.get(key)
    assert found is not None
    return found


def test_a_lesson_has_its_name_and_its_exercises(course: Course) -> None:
    rook, castle = course.lessons
    assert (rook.name, rook.goal) == ("The rook", "The rook goes straight.")
    assert [exercise.key for exercise in rook.exercises] == ["rook.stopped", "rook.way_round"]
    assert [one.variant for one in rook.of("rook.stopped")] == ["", "mirror", "colours", "both"]
    assert (castle.after, castle.documents, castle.statements) == (("rook",), ("B", "E"), (58, 60))


def test_an_exercise_is_what_is_written(course: Course) -> None:
    through = exercise(course, "castle.through_check")
    assert through.task == May(BY_NAME["e1"], BY_NAME["c1"], is_allowed=False)
    assert through.why is Why.CASTLE_THROUGH_CHECK
    assert not through.lights
    assert through.you == 0
    assert exercise(course, "castle.all_checks").lights


SAID = {
    "rook.stopped": "You are White. Touch all 10 squares of the rook on d5.",
    "rook.stopped/mirror": "You are White. Touch all 10 squares of the rook on e5.",
    "rook.stopped/colours": "You are Black. Touch all 10 squares of the rook on d4.",
    "rook.stopped/both": "You are Black. Touch all 10 squares of the rook on e4.",
    "rook.way_round": "You are White. Visit c7 and e7 in 3 moves; Black waits.",
    "castle.through_check": "You are White. May you play O-O-O?",
    "castle.through_check/colours": "You are Black. May you play O-O-O?",
    "castle.all_checks": "You are White. There are 2 checks with the knight on e4; Nd6+ is one.",
    "castle.game": "You are White. Play 2 of these: 1.P-K4 P-K4 2.N-KB3",
}


@pytest.mark.parametrize("key", SAID)
def test_words_are_filled_in(course: Course, key: str) -> None:
    assert exercise(course, key).words.say == SAID[key]


def test_every_word_is_filled_in(course: Course) -> None:
    solved = exercise(course, "castle.checkers").words.solved
    assert solved == "The rook on e3."
    for lesson in course.lessons:
        for key in (exercise.key for exercise in lesson.exercises):
            for made in lesson.of(key):
                words = made.words
                assert "{" not in words.say + words.hint1 + words.hint2 + words.solved


def test_the_answers_of_a_variant_are_those_of_its_position(course: Course) -> None:
    mirror = exercise(course, "rook.stopped/mirror")
    targets = ("e2", "e3", "e4", "h5", "g5", "f5", "d5", "e6", "e7", "e8")
    assert mirror.task == Reach(BY_NAME["e5"], bitboard_of(BY_NAME[name] for name in targets))


def test_one_plays_on_after_the_first_of_several_moves(course: Course) -> None:
    task = exercise(course, "castle.game").task
    assert isinstance(task, Line)
    assert task.you == 0
    assert [len(accepted) for accepted in task.plies] == [1, 1, 2]


# --------------------------------------------------------------------------------- placeholders

KNIGHT = parse_fen("4k3/8/8/8/4N3/8/8/4K3 w - - 0 1")
NF6 = parse_san(KNIGHT, "Nf6+")
ND6 = parse_san(KNIGHT, "Nd6+")
KD1 = parse_san(KNIGHT, "Kd1")
SQUARES = tuple(BY_NAME[name] for name in ("f6", "d6", "c3"))
PLACEHOLDERS: list[tuple[Task, str]] = [
    (Find(SQUARES), "squares=f6, d6 and c3 n=3"),
    (Find(SQUARES[:1]), "square=f6 squares=f6 n=1"),
    (Place(guided=True), "square=e4 piece=knight"),
    (Touch(1 << BY_NAME["e8"]), "square=e8 squares=e8 piece=king n=1"),
    (Touch(0), "square=e4 piece=knight n=0"),
    (Reach(BY_NAME["e1"], 3), "square=e1 squares=a1 and b1 piece=king n=2"),
    (Stars(3, 7), "square=e4 squares=a1 and b1 piece=knight n=7"),
    (OneMove((NF6,)), "square=e4 piece=knight move=Nf6+ n=1"),
    (All((ND6, KD1)), "move=Nd6+ n=2"),
    (May(BY_NAME["e4"], BY_NAME["f6"], is_allowed=True), "square=e4 piece=knight move=Nf6+"),
    (May(BY_NAME["e4"], BY_NAME["e8"], is_allowed=False), "square=e4 piece=knight move=Nxe8"),
    (Verdict(State.GOES_ON), "square=e4 piece=knight"),
    (Line(((NF6,),), 0), "square=e4 piece=knight move=1.Nf6+ n=1"),
    (Line(((NF6,),), 1), "square=e4 piece=knight move=1.Nf6+ n=0"),
    (Play(Goal.MATE, 0, 60), "square=e4 piece=knight n=60"),
]


@pytest.mark.parametrize(("task", "expected"), PLACEHOLDERS)
def test_a_placeholder_means_what_the_task_is_about(task: Task, expected: str) -> None:
    names = names_of(Exercise("a.b", KNIGHT, task))
    assert (names.pop("you"), names.pop("they")) == ("White", "Black")
    assert " ".join(f"{name}={text}" for name, text in names.items()) == expected


TRIED = [
    ("7k/8/8/3R1P2/8/8/3b4/K7 w - - 0 1", "d5f5", "Rf5"),
    ("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2", "e5d6", "exd6"),
    ("4k3/8/8/8/8/2n5/2P5/4K3 w - - 0 1", "c2c4", "c4"),
    ("4k2r/8/8/8/8/8/8/4K2R w K - 0 1", "e1c1", "O-O-O"),
    ("3k3r/8/8/8/8/8/8/3K3R w - - 0 1", "d1f1", "O-O"),
]


@pytest.mark.parametrize(("fen", "move", "expected"), TRIED)
def test_a_move_against_the_rules_has_a_name_too(fen: str, move: str, expected: str) -> None:
    assert tried(parse_fen(fen), BY_NAME[move[:2]], BY_NAME[move[2:]]) == expected


def test_the_side_that_is_asked_is_named_by_colour() -> None:
    black = replace(Exercise("a.b", Position.start(), Verdict(State.GOES_ON)), you=1)
    assert names_of(black)["you"] == "Black"
    swapped = VARIANTS["colours"].exercise(black)
    assert names_of(swapped)["you"] == "White"
