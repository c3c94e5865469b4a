"""What the tests of the pages share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from boardfw.shell import runtime
from tests.shell.web.served import Served


@pytest.fixture(autouse=True)
def _collecting_as_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has run many tests takes a second to look through all that it holds."""
    monkeypatch.setattr(runtime, "seldom_collecting", nullcontext)


@pytest.fixture(params=[pytest.param("together", marks=pytest.mark.slow), "apart"])
def apart(request: pytest.FixtureRequest, tmp_path: Path) -> Path | None:
    """Where a board is asked by another process, which serves its pages; None: it does itself."""
    return tmp_path / "core.sock" if request.param == "apart" else None


@pytest.fixture
async def served(apart: Path | None) -> AsyncIterator[Served]:
    """A board at work, and its pages."""
    async with Served(apart=apart) as one:
        yield one
