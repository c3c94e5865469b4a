"""What every room's tests share."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

# A deadline measures how busy the machine is, not whether the code is right.
settings.register_profile("boardfw", deadline=None, print_blob=True)
settings.load_profile("boardfw")


@pytest.fixture(scope="session")
def full() -> bool:
    """Whether the full sizes are asked for (`make test-slow FULL=1`), not samples of them."""
    return os.environ.get("BOARDFW_FULL", "") not in ("", "0")
