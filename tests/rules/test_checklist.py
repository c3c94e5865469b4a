"""Checklist of the rules: what the rule books state, each as a position and what may be played.

The numbers are those of the statements; a test's name reads like its statement. This file only
sees to it that none is missing.
"""

from __future__ import annotations

import re
from pathlib import Path

STATEMENT = re.compile(r"^def test_checklist_(\d{3})_", re.MULTILINE)


def test_checklist_is_complete() -> None:
    files = Path(__file__).parent.glob("test_checklist_*.py")
    numbers = {int(number) for file in files for number in STATEMENT.findall(file.read_text())}
    assert numbers == set(range(1, 101))
