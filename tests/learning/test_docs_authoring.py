"""The page for authors shows a lesson that can be taught, and knows every task and query."""

from __future__ import annotations

import re
from pathlib import Path

from boardfw.learning import queries
from boardfw.learning.checking.text_checks import remarks_on
from boardfw.learning.course import Course
from boardfw.learning.reading.placeholders import PLACEHOLDERS
from boardfw.learning.task import NAMES
from boardfw.shell.learning.course_files import load_course, read_library
from tests.learning.lessons import written

REMARK = " (a remark)"
PAGE = (Path(__file__).parents[2] / "docs" / "authoring.md").read_text(encoding="utf-8")


def test_the_lesson_on_the_page_goes_as_the_page_says(tmp_path: Path) -> None:
    lesson, texts, variants, hint = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    course, complaints = _loaded(tmp_path / "first", lesson, texts)
    assert complaints == []
    assert course.get("fork.two_at_once") is not None
    varied = lesson + variants
    _, complaints = _loaded(tmp_path / "varied", varied, texts)
    assert [line.partition("text/en.toml")[2] for line in complaints] == [_quoted("en.toml:8:")]
    mended = re.sub(r"hint2 = .*\n", hint, texts)
    course, complaints = _loaded(tmp_path / "mended", varied, mended)
    assert complaints == []
    assert course.get("fork.two_at_once/mirror") is not None


def test_the_remark_on_the_page_is_the_one_that_is_made(tmp_path: Path) -> None:
    lesson, texts, *_ = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    files = {"course/01_fork.toml": lesson, "text/en.toml": texts}
    library = read_library(written(tmp_path, files))
    (remark,) = remarks_on(library.drafts, library.statements)
    assert remark.line().partition("01_fork.toml")[2] == _quoted("01_fork.toml:7:")[: -len(REMARK)]


def _loaded(directory: Path, lesson: str, texts: str) -> tuple[Course, list[str]]:
    return load_course(written(directory, {"course/01_fork.toml": lesson, "text/en.toml": texts}))


def _quoted(place: str) -> str:
    """What the page says behind this file and line."""
    (line,) = (line for line in PAGE.splitlines() if "mine/" in line and place in line)
    return line.partition(place.partition(":")[0])[2]


def test_the_page_knows_every_task_query_and_placeholder() -> None:
    quoted = set(re.findall(r"`(?:\{ ?)?(\w+)", PAGE))
    assert set(NAMES.values()) | set(PLACEHOLDERS) <= quoted
    assert {*queries.OF_MOVES, *queries.OF_SQUARES} <= quoted
