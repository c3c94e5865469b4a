"""The pictures and tables of docs/lights.md are what the code draws today."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from boardfw.lights.cue import Cue
from boardfw.lights.scene import Scene
from docs.draw_lights import files
from docs.drawing.picture import picture

DOCS = Path(__file__).parents[2] / "docs"
LESSONS = "lesson-"
"""The pictures of lessons are drawn by draw_lessons.py."""


@pytest.fixture(scope="module")
def drawn() -> dict[Path, str]:
    return files()


def test_every_picture_is_shown_and_every_picture_shown_is_there(drawn: dict[Path, str]) -> None:
    page = (DOCS / "lights.md").read_text("utf-8")
    shown = set(re.findall(r"pictures/([\w-]+\.svg)", page))
    made = {path.name for path in drawn if path.suffix == ".svg"}
    others = {"terminal.svg"}  # the README's, drawn by draw_terminal.py
    there = {path.name for path in (DOCS / "pictures").glob("*.svg")} - others
    assert shown == made == {name for name in there if not name.startswith(LESSONS)}


def test_a_picture_moves_in_the_rhythm_of_its_light_and_says_what_it_means() -> None:
    text = picture(Scene(((Cue.CHECK, 1),)), {}, "Check")
    assert "@keyframes heartbeat" in text
    assert ".heartbeat { animation: heartbeat 1.2s step-end infinite }" in text
    assert "This king is in check." in text
    assert "@keyframes" not in picture(Scene(((Cue.QUIET, 1),)), {}, "Quiet")
