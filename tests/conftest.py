"""What every room's tests share."""

from __future__ import annotations

import os
import sys

import pytest
from hypothesis import settings

IS_FULL = os.environ.get("BOARDFW_FULL", "") not in ("", "0")
EXAMPLES, EXAMPLES_FULL = 50, 500
"""Of each property: few enough for five minutes on two cores, and as many as full sizes are for."""

# Tests start boardfw some hundred times, and pytest rewrites each test file: where the environment
# forbids to keep what was compiled, as container images do, a third of the time went into that.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A deadline measures how busy the machine is, not whether the code is right.
settings.register_profile(
    "boardfw",
    deadline=None,
    print_blob=True,
    max_examples=EXAMPLES_FULL if IS_FULL else EXAMPLES,
)
settings.load_profile("boardfw")


@pytest.fixture(scope="session")
def full() -> bool:
    """Whether the full sizes are asked for (`make test-slow FULL=1`), not samples of them."""
    return IS_FULL
