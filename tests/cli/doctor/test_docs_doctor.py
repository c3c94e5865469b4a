"""The page on the doctor names every line that it prints."""

from __future__ import annotations

import re
from pathlib import Path

from tests.cli.doctor.machines import found, machine_of

PAGE = (Path(__file__).parents[3] / "docs" / "doctor.md").read_text(encoding="utf-8")
LINES = PAGE[PAGE.index("## The lines") : PAGE.index("The last line tells")]


def test_the_page_names_every_line_in_its_order(tmp_path: Path) -> None:
    printed = [each.name for each in found(machine_of(tmp_path))]
    chips = [name for name in printed if name.startswith("chip ")]
    cells = re.findall(r"^\| ([^|]+?) \|", LINES, re.MULTILINE)[1:]
    told = [name for cell in cells for name in cell.removesuffix(" ...").split(", ")]
    assert told == [name for name in printed if name not in chips[1:]]
