"""The page for authors shows a lesson that can be taught, and knows every task and query."""

from __future__ import annotations

import re
from pathlib import Path

from boardfw.learning import queries
from boardfw.learning.reading.words import PLACEHOLDERS
from boardfw.learning.task import NAMES
from boardfw.shell.learning.library import load_course
from tests.learning.lessons import written

PAGE = (Path(__file__).parents[2] / "docs" / "authoring.md").read_text(encoding="utf-8")


def test_the_lesson_on_the_page_can_be_taught(tmp_path: Path) -> None:
    lesson, texts = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    lesson = lesson.replace('"squares"', "")
    files = {"course/01_rook.toml": lesson, "text/en.toml": texts}
    course, complaints = load_course(written(tmp_path, files))
    assert complaints == []
    assert course.get("rook.stopped/both") is not None


def test_the_page_knows_every_task_query_and_placeholder() -> None:
    quoted = set(re.findall(r"`\{?(\w+)", PAGE))
    assert set(NAMES.values()) | set(PLACEHOLDERS) <= quoted
    assert {*queries.OF_MOVES, *queries.OF_SQUARES} <= quoted
