"""What the tests of the shell share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from boardfw.shell import game_export, runtime, scanner
from boardfw.shell.panel import beeps
from boardfw.shell.store import web_sessions
from tests.patience import PATIENCE_S


@pytest.fixture(scope="session", autouse=True)
def _unhurried_ends() -> Iterator[None]:
    """Let a board wait at its end for threads and disks that are slow on a busy machine."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (beeps, game_export, runtime, scanner, web_sessions):
            patch.setattr(module, "PATIENCE_S", PATIENCE_S)
        yield
