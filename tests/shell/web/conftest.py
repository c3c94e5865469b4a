"""What the tests of the pages share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.shell.web.served import Served


@pytest.fixture(params=[pytest.param("together", marks=pytest.mark.slow), "apart"])
def apart(request: pytest.FixtureRequest, tmp_path: Path) -> Path | None:
    """Where a board is asked by another process, which serves its pages; None: it does itself."""
    return tmp_path / "core.sock" if request.param == "apart" else None


@pytest.fixture
async def served(apart: Path | None) -> AsyncIterator[Served]:
    """A board at work, and its pages."""
    async with Served(apart=apart) as one:
        yield one
