"""A screen that is tested as fast as it draws."""

from __future__ import annotations

import asyncio

import pytest


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a pilot wait for the messages on their way, and not for a process that does nothing.

    Textual waits for both, and for the second by sleeping: half of the time of these tests.
    """
    monkeypatch.setattr("textual.pilot.wait_for_idle", lambda *_: asyncio.sleep(0))
