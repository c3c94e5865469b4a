"""Fixtures for the tests of all commands."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start each test in an empty folder: a command keeps its record where it is started."""
    monkeypatch.chdir(tmp_path)
