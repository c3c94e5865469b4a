"""How much is tried: a few of everything in `make test`, more in `make test-slow`."""

from __future__ import annotations

import os


def is_set(name: str) -> bool:
    """Whether a variable of the environment asks for something."""
    return os.environ.get(name, "") not in ("", "0")


IS_FULL = is_set("BOARDFW_FULL")
"""True for `make test-slow FULL=1`."""
IS_SLOW = IS_FULL or is_set("BOARDFW_SLOW")
"""True for `make test-slow`."""


def sized(few: int, more: int, most: int | None = None) -> int:
    """Return how many a test tries: few in the fast suite, more in the slow one.

    A test that asks carries `@pytest.mark.both`, which lets it run in both suites.
    ``most``: with FULL=1; None: no more than without it.
    """
    if IS_FULL and most is not None:
        return most
    return more if IS_SLOW else few
