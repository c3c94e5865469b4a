"""The log of a learner: opened before anybody answers, and ready then."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from boardfw.learning.course import Exercise
from boardfw.learning.lesson import Result
from boardfw.learning.source import GIVEN_UP, MOST_AGAIN
from boardfw.shell.dates import Calendar
from boardfw.shell.learning.answer_store import Answers
from boardfw.shell.learning.course_files import load_course
from boardfw.shell.learning.learner import Guided, Log

OPENED = """
import sys
from pathlib import Path
from boardfw.learning.course import Course
from boardfw.shell.dates import Calendar
from boardfw.shell.learning.answer_store import Answers
from boardfw.shell.learning.learner import Log

log = Log(Answers(Path(sys.argv[1])), "guest", Calendar(), Course())
print("fsrs" in sys.modules)
log.close()
"""


def test_nothing_is_left_to_be_loaded_when_the_first_answer_comes(tmp_path: Path) -> None:
    command = [sys.executable, "-c", OPENED, str(tmp_path / "games.db")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "True\n"


def asked_by(path: Path, becomes: Callable[[Exercise], Result]) -> tuple[Counter[str], str]:
    """How often each exercise is asked of a new learner, and what is said at the end."""
    course, _ = load_course()
    asked, last = Counter[str](), None
    with closing(Log(Answers(path), "guest", Calendar(), course)) as log:
        guided = Guided(course, log)
        while (exercise := guided.next(last)) is not None:
            asked[exercise.key] += 1
            assert asked[exercise.key] <= MOST_AGAIN + 1
            last = becomes(exercise)
            log.keep(last)
        return asked, guided.closing()


def skipped(exercise: Exercise) -> Result:
    return Result(exercise, 0, None, 0, 0, is_solved=False)


def shown(exercise: Exercise) -> Result:
    return Result(exercise, 0, 0, GIVEN_UP, 0, is_solved=True)


def solved(exercise: Exercise) -> Result:
    return Result(exercise, 0, 0, 0, 0, is_solved=True)


def left_out(exercise: Exercise) -> Result:
    return replace(skipped(exercise), was_asked=False)


def test_what_no_switch_could_tell_is_not_held_against_the_learner(tmp_path: Path) -> None:
    asked, _ = asked_by(tmp_path / "games.db", left_out)
    assert set(asked.values()) == {1}  # and it is not asked again before another time
    with closing(Answers(tmp_path / "games.db")) as answers:
        assert answers.rows("guest") == []


@pytest.mark.parametrize(("becomes", "times"), [(skipped, 1), (shown, 3), (solved, 1)])
def test_whoever_cannot_solve_anything_is_led_through_the_course_all_the_same(
    tmp_path: Path, becomes: Callable[[Exercise], Result], times: int
) -> None:
    asked, _ = asked_by(tmp_path / "games.db", becomes)
    course, _ = load_course()
    assert set(asked) == {one.key for lesson in course.lessons for one in lesson.exercises}
    assert set(asked.values()) == {times}


def test_one_exercise_that_cannot_be_solved_keeps_nobody_from_the_others(tmp_path: Path) -> None:
    def becomes(exercise: Exercise) -> Result:
        return (skipped if exercise.key == "squares.first_four" else solved)(exercise)

    _, closing_words = asked_by(tmp_path / "games.db", becomes)
    assert closing_words == "31 of 32 lessons passed; left for another time: 1."
