"""The page about clocks says what they do: its examples are run, its controls can be read."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from boardfw.game.clock import format_control, parse_control

PAGE = Path(__file__).parents[3] / "docs" / "clocks.md"


def test_every_example_of_the_page_holds() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    text = "\n".join("" if line.startswith("```") else line for line in lines)
    page = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    said: list[str] = []
    results = doctest.DocTestRunner().run(page, out=said.append)
    assert results.attempted > 5
    assert not results.failed, "".join(said)


def test_every_control_of_the_page_can_be_played() -> None:
    spelt = re.findall(r"`([0-9*][0-9+*/:.dbyx]*)`", PAGE.read_text(encoding="utf-8"))
    assert len(spelt) > 8
    assert [format_control(parse_control(text)) for text in spelt] == spelt
