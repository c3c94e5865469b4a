"""The page that explains the rules says what the code does: its examples are run."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "rules.md"
FENCE = "```"


def test_every_example_of_the_page_holds() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    text = "\n".join("" if line.startswith(FENCE) else line for line in lines)
    page = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    said: list[str] = []
    results = doctest.DocTestRunner().run(page, out=said.append)
    assert results.attempted > 30
    assert not results.failed, "".join(said)
