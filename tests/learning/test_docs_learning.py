"""The page for learners shows what lessons look like today, and its first exercise goes so."""

from __future__ import annotations

import re

import pytest

from boardfw.cli.learn import learn
from boardfw.shell.learning.course_files import load_course
from docs.draw_lessons import PICTURES, Room, asked, course, files

PAGE = (PICTURES.parent / "learning.md").read_text(encoding="utf-8")


def pictures() -> set[str]:
    return {path.name for path in PICTURES.glob("lesson-*.svg")}


def test_every_picture_is_shown_and_every_picture_shown_is_there() -> None:
    assert set(re.findall(r"pictures/([\w-]+\.svg)", PAGE)) == pictures()


@pytest.mark.slow
def test_every_picture_is_one_that_is_drawn() -> None:
    assert {path.name for path in files()} == pictures()


def test_the_first_exercise_goes_as_the_page_says() -> None:
    """Its rows are what is typed, and what the board says to it."""
    rows = re.findall(r"^\| (`[a-h][1-8]`.*?) \| .*?(?:`([^`]*)`)? \|$", PAGE, re.MULTILINE)
    room, said = Room(asked("squares.first_four")), list[str]()
    room.desk.hear(lambda told: said.append(told.text))
    expected = [sentence for _, sentence in rows if sentence]
    for squares, _ in rows:
        room.dance(" ".join(re.findall(r"[a-h][1-8]", squares)))
    assert [text for text in said if text in expected] == expected
    assert len(expected) == 4


def test_the_task_of_the_first_exercise_is_the_one_on_the_page() -> None:
    task = asked("squares.first_four").words.say
    assert task in " ".join(PAGE.split())


def test_every_lesson_and_every_command_is_named() -> None:
    named = set(re.findall(r"`(\w+)`", PAGE))
    assert {lesson.id for lesson in course().lessons} <= named
    commands = set(re.findall(r"boardfw learn (\w+)", PAGE))
    assert {"list", "start", "play", "progress", "profiles"} <= commands <= set(learn.commands)


def test_an_exercise_that_is_played_is_there() -> None:
    found, _ = load_course()
    assert all(found.get(key) for key in re.findall(r"boardfw learn play (\S+)", PAGE))


def test_exercises_that_the_help_names_are_there() -> None:
    found, _ = load_course()
    names = re.findall(r"\b(\w+\.\w+)(?:/\w+)?\b(?= or|;)", learn.commands["play"].help or "")
    assert names
    assert all(found.get(name) for name in names)
