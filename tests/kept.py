"""What tests fetch or build once and keep in the user's cache, whole or not at all."""

from __future__ import annotations

import pytest

import release.kept
from release.kept import made

__all__ = ["fetch", "made"]


def fetch(what: str, *command: str) -> None:
    """Run a command that needs the network. Skips where it cannot be had."""
    try:
        release.kept.fetch(what, command)
    except release.kept.CannotError as error:
        pytest.skip(str(error))
