"""What the tests of the pages share."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from boardfw.shell import runtime


@pytest.fixture(autouse=True)
def _collecting_as_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has run many tests takes a second to look through all that it holds."""
    monkeypatch.setattr(runtime, "seldom_collecting", nullcontext)
