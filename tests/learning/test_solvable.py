"""Whatever the board asks, simulated hands can answer, and a right answer is never refused."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from boardfw.learning.course import Exercise
from tests.learning.champion import choice_of
from tests.learning.courses import name, varied
from tests.learning.lectures import Lecture
from tests.learning.samples import samples

ENOUGH_US = 1_800_000_000
SURE = ("careful", "club", "wooden")
SEEDS = 3
CHILDS_ERRORS = 0.01
"""A child pushes pieces over and slides slowly: so many errors are the child's own."""


def trouble(exercise: Exercise, kind: str, seed: int) -> str:
    """What went wrong while hands solved an exercise; empty: nothing did."""
    lecture = Lecture([exercise], kind, seed, choice_of(exercise))
    lecture.solve(ENOUGH_US)
    results = lecture.watched.tutor.results
    if not results or not results[0].is_solved:
        return "not solved"
    result = results[0]
    errors = f"{result.errors} errors" if result.errors else ""
    return errors or (f"{result.helps} helps" if result.helps else "")


def troubles(exercises: Iterable[Exercise], kind: str, seed: int) -> list[str]:
    """What went wrong with any of them."""
    found = [(exercise, trouble(exercise, kind, seed)) for exercise in exercises]
    return [f"{name(one)}, {kind} {seed}: {told}" for one, told in found if told]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["careful", "club"])
def test_every_type_of_task_is_solved_from_raw_scans(kind: str) -> None:
    assert troubles(samples()[kind == "club" :: 2], kind, 0) == []


def test_exercises_follow_one_another_and_the_pieces_are_set_up_between_them() -> None:
    chosen = [samples()[number] for number in (14, 15, 8, 20, 36, 4)]
    lecture = Lecture(chosen, "club", 1)
    lecture.solve(ENOUGH_US)
    results = lecture.watched.tutor.results
    assert [result.exercise.key for result in results] == [one.key for one in chosen]
    assert all(result.is_solved and not result.errors for result in results)


@pytest.mark.slow
@pytest.mark.parametrize("kind", SURE)
def test_the_course_with_all_variants_is_solved_without_a_false_error(
    kind: str, full: bool
) -> None:
    exercises = [*varied()]
    found = []
    for seed in range(SEEDS if full else 1):
        found += troubles(exercises[:: 1 if full else 12], kind, seed)
    assert found == []


@pytest.mark.slow
def test_a_child_hardly_ever_errs_by_the_way_it_moves(full: bool) -> None:
    exercises = [*varied()][:: 1 if full else 12]
    seeds = range(SEEDS if full else 1)
    found = [told for seed in seeds for told in troubles(exercises, "child", seed)]
    assert len(found) <= CHILDS_ERRORS * len(exercises) * len(seeds), found
